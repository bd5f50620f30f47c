//! The models that look at all places together.

use super::axioms;
use super::coherence::Links;
use super::frame::Frame;
use super::seq_cst::SeqCst;
use crate::graph::Models;
use crate::relation::Rel;
use raveler_core::Model;

/// What the models that look at all places together need to know of one choice of writes.
pub(super) struct Whole<'a> {
    pub frame: &'a Frame,
    pub sc: Rel,
    pub tso: Rel,
    pub pso: Rel,
    pub rf: Rel,
    pub hb: [Rel; 2],
    pub scb: Rel,
    /// C++20's order of `seq_cst` operations, where nothing races.
    pub seq_cst: Option<SeqCst>,
}

impl Whole<'_> {
    pub fn allowed(&self, links: &Links, mut models: Models) -> Models {
        let communication = links.co | links.fr;
        for (model, order) in [(Model::Sc, &self.sc), (Model::Tso, &self.tso), (Model::Pso, &self.pso)] {
            if !(*order | communication).acyclic() {
                models.0 &= !Models::only(model).0;
            }
        }
        if !axioms::sra(&self.sc, &links.co) {
            models.0 &= !Models::only(Model::Sra).0;
        }
        if !self.frame.sc.is_empty() {
            if models.has(Model::Rc11) && !self.psc_of_rc11(links) {
                models.0 &= !Models::only(Model::Rc11).0;
            }
            if models.has(Model::Rc20) && !self.has_order_of_cpp20(links) {
                models.0 &= !Models::only(Model::Rc20).0;
            }
        }
        models
    }

    fn psc_of_rc11(&self, links: &Links) -> bool {
        let Links { co, fr, eco } = links;
        axioms::psc_acyclic(self.frame, &self.hb[0], &self.scb, co, fr, eco)
    }

    fn has_order_of_cpp20(&self, links: &Links) -> bool {
        match &self.seq_cst {
            Some(seq_cst) => seq_cst.has_order(self.frame, &self.rf, &links.co, &links.fr),
            None => axioms::psc_of_rc20(self.frame, &self.hb[1], &links.eco),
        }
    }
}
