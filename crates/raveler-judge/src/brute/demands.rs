//! Which combinations of runs cannot go together, seen from the values alone.

use rustc_hash::FxHashMap;

use super::Skip;
use super::traces::Trace;
use crate::code::Code;

/// For each run: the (place, value) pairs it must get from other threads, and those it writes, as bit sets.
pub(crate) struct Demands {
    pub needs: Vec<Vec<u128>>,
    pub provides: Vec<Vec<u128>>,
    /// What threads from this one on could provide.
    pub later: Vec<u128>,
}

impl Demands {
    pub fn new(code: &Code, runs: &[Vec<Trace>]) -> Result<Demands, Skip> {
        let mut bits: FxHashMap<(u8, i64), u32> = FxHashMap::default();
        let mut demands = Demands { needs: Vec::new(), provides: Vec::new(), later: vec![0; runs.len() + 1] };
        for list in runs {
            let (mut needs, mut provides) = (Vec::new(), Vec::new());
            for trace in list {
                let (mut need, mut provide) = (0, 0);
                let mut own: FxHashMap<u8, i64> = FxHashMap::default();
                for event in trace.steps.iter().map(|step| &step.event) {
                    let Some(place) = event.place else { continue };
                    let mut bit = |value| {
                        let next = bits.len() as u32;
                        1u128.checked_shl(*bits.entry((place, value)).or_insert(next)).ok_or(Skip::Traces)
                    };
                    if let Some(value) = event.read {
                        let init = code.init.get(place as usize).copied().unwrap_or(0);
                        if own.get(&place).copied().unwrap_or(init) != value {
                            need |= bit(value)?;
                        }
                    }
                    if let Some(value) = event.written {
                        provide |= bit(value)?;
                        own.insert(place, value);
                    }
                }
                needs.push(need);
                provides.push(provide);
            }
            demands.needs.push(needs);
            demands.provides.push(provides);
        }
        for thread in (0..runs.len()).rev() {
            let mine = demands.provides[thread].iter().fold(0, |all, provide| all | provide);
            demands.later[thread] = demands.later[thread + 1] | mine;
        }
        Ok(demands)
    }
}
