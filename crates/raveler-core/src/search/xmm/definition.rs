//! The definition of XMM (`models/xmm.rs`) must say the same: asked of every execution that is looked at and of every
//! justification, in tests and with the feature `paranoid`.

use std::sync::Arc;

use super::committed::Embedding;
use super::lb_races;
use super::nodes::{Label, NodeKind};
use super::rows::Rows;
use super::sections::Follows;
use super::view::View;
use crate::graph::Graph;
use crate::models::relation::{Rel, Set};
use crate::models::xmm::{self, Halves, Rules, Step, halves};
use crate::program::Program;
use crate::program::action::Order;
use crate::run::Run;
use crate::run::resolve::Request;
use crate::settings::XmmRules;

/// An execution as the definition sees it.
pub(super) fn execution<P: Program>(run: &Run<'_, P>, graph: &Graph, follows: &[Follows]) -> Arc<Halves> {
    let names = halves::Names {
        thread: &|t| u64::from(run.tables.threads.name(t)),
        address: &|loc| run.tables.memory.locations[loc as usize].address.0,
        spawned: &|event| match run.step_of(event).request {
            Request::Spawn { code, argument } => (code, argument),
            _ => (0, 0),
        },
        follows,
    };
    Arc::new(Halves::new(graph, &names))
}

/// The event of the definition that a node is.
fn event(node: usize) -> usize {
    node + 1
}

/// Panics if the view of an execution is not what the definition says.
pub(super) fn agrees(view: &View) {
    let x = view.definition.as_deref().expect("a leaf");
    assert_eq!(x.n, event(view.len()), "{x:#?}");
    for (node, here) in view.nodes.iter().enumerate() {
        assert!(
            is_same(&here.label, &x.labels[event(node)]),
            "{:?}: {:?}",
            here.label,
            x.labels[event(node)]
        );
    }
    same("po", view.po(), &x.po, x);
    same("hb", &view.hb, &xmm::hb(x), x);
    same("porf", &view.porf, &xmm::porf(x), x);
    same("rpo", view.rpo(), &xmm::rpo(x), x);
    same("cause", view.cause(), &xmm::cause(x), x);
    let (n, race, lb) = (view.len(), xmm::race(x), xmm::lb_races(x));
    let found = lb_races::all(view);
    for a in 0..n {
        for b in 0..n {
            assert_eq!(view.race(a, b), race.has(event(a), event(b)), "race of {a} and {b}: {x:#?}");
            let is_lb = found.contains(&(a, b, true));
            assert_eq!(is_lb, lb.has(event(a), event(b)), "load-buffering race of {a} and {b}: {x:#?}");
        }
    }
}

fn same(name: &str, rows: &Rows, rel: &Rel, x: &Halves) {
    for a in 1..x.n {
        for b in 1..x.n {
            assert_eq!(rows.has(a - 1, b - 1), rel.has(a, b), "{name} from {a} to {b}: {x:#?}");
        }
    }
}

fn is_same(here: &Label, there: &halves::Label) -> bool {
    use halves::Deed;
    let deed = match there.deed {
        Deed::Begin => return false,
        Deed::Read(address, value) => (NodeKind::Read, address, value),
        Deed::Write(address, value) => (NodeKind::Write, address, value),
        Deed::Fence => (NodeKind::Fence, 0, 0),
        Deed::Spawn { code, argument, thread } => (NodeKind::Spawn, code << 32 | thread, argument),
        Deed::Join(thread) => (NodeKind::Join, thread, 0),
        Deed::Lock(address, mode) => (NodeKind::Lock, address, mode),
        Deed::Unlock(address) => (NodeKind::Unlock, address, 0),
    };
    (here.kind, here.address, here.value) == deed
        && u64::from(here.thread) == there.thread
        && (here.acquires, here.releases) == (there.order.acquires(), there.order.releases())
        && here.is_sc == (there.order == Order::SeqCst)
        && here.rmw == there.rmw
}

/// All of an execution of which a part is remembered as a source.
#[derive(Clone, Debug)]
pub(super) struct Whole {
    execution: Arc<Halves>,
    /// For each node of the source its event.
    events: Vec<usize>,
    /// For each coherence order the place of each node of the view.
    orders: Vec<Vec<u32>>,
}

impl Whole {
    pub fn new(view: &View, kept: &[usize], orders: &[Vec<u32>]) -> Whole {
        Whole {
            execution: view.definition.clone().expect("a leaf"),
            events: kept.iter().map(|&node| event(node)).collect(),
            orders: orders.to_vec(),
        }
    }

    /// The execution with a coherence order that orders the writes of the source like this.
    fn ordered(&self, like: &[u32]) -> Option<Halves> {
        let Whole { execution, events, orders } = self;
        let is_alike = |order: &Vec<u32>| {
            (0..events.len()).all(|a| {
                (0..events.len()).all(|b| {
                    let (x, y) = (events[a], events[b]);
                    let comparable = execution.writes.has(x) && execution.writes.has(y);
                    !comparable
                        || !execution.loc.has(x, y)
                        || (order[x - 1] < order[y - 1]) == (like[a] < like[b])
                })
            })
        };
        orders.iter().find(|order| is_alike(order)).map(|order| by_places(execution, order))
    }
}

fn by_places(execution: &Halves, order: &[u32]) -> Halves {
    execution.ordered(|a, b| order[a - 1] < order[b - 1])
}

/// Panics if the definition does not allow that an execution is made of a source like this. The first of the coherence
/// orders is that of the execution, the second that of the source.
pub(super) fn justifies(embedding: &Embedding<'_>, rules: XmmRules, map: &[usize], orders: (&[u32], &[u32])) {
    let rules = match rules {
        XmmRules::Default => Rules { closed: true, causal: true },
        XmmRules::NoCausalRestriction => Rules { closed: true, causal: false },
        XmmRules::Printed => Rules { closed: false, causal: false },
        // It has no definition.
        XmmRules::Strict => return,
    };
    let whole = &embedding.source.whole;
    let g = whole.ordered(orders.1).expect("it is one of the orders of the source");
    let h = by_places(embedding.view.definition.as_ref().expect("a leaf"), orders.0);
    // The rest of the execution is added to its core event by event.
    let core = h.part(&xmm::core(&h));
    let image = |e: usize| {
        let at = embedding.nodes.iter().position(|&node| event(node) == core.events[e])?;
        Some(whole.events[map[at]])
    };
    let n = core.execution.n;
    let committed = Set::new(n, |e| e == 0 || image(e).is_some());
    let f: Vec<usize> = (0..n).map(|e| image(e).unwrap_or(0)).collect();
    let all = (0..n).filter(|&e| committed.has(e)).count();
    assert_eq!(all, 1 + embedding.nodes.len(), "committed outside the core: {:?} of {h:#?}", embedding.nodes);
    let step = Step { g: &g, h: &core.execution, committed: &committed, f: &f };
    if let Err(condition) = xmm::reexecutes(&step, rules) {
        panic!("{condition} fails: {committed:?} and {f:?} for {:#?} from {g:#?}", core.execution);
    }
}
