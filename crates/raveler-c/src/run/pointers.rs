//! What pointers are called in reports that no event says: to memory of one thread alone, and to functions.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

use raveler_core::{Shape, SiteId};

use super::CProgram;
use crate::address::{self, Private, Target};
use crate::code::Inst;
use crate::demangle;

/// Further inside an object than this is a number that only looks like a pointer.
const MAX_OFFSET: u64 = 1 << 16;

/// Names of what pointers point to.
pub struct PointerNames {
    places: Vec<(String, Shape)>,
    place_bits: u32,
    functions: Vec<String>,
    /// The objects that were named, by their place: one place makes many, and a report must not call them the same.
    named: Mutex<BTreeMap<u16, Vec<(u32, u32)>>>,
}

impl CProgram {
    /// What pointers are called.
    pub fn pointer_names(&self) -> PointerNames {
        let mut places = self.code.sources.allocated.clone();
        for (number, function) in (0..).zip(&self.code.functions) {
            for (inst, &site) in function.code.iter().zip(&function.sites) {
                if let Inst::Allocate { place, .. } = *inst
                    && let Some(known) = places.get_mut(usize::from(place))
                    && let Some(lines) = self.lines_of(number, site)
                {
                    known.0 = format!("(allocated {lines})");
                }
            }
        }
        let functions = self.code.functions.iter().map(|function| demangle::name(&function.name)).collect();
        PointerNames { places, place_bits: self.place_bits, functions, named: Mutex::default() }
    }

    /// Where the program itself comes to this place: there, or where it calls the library in which it lies.
    fn lines_of(&self, function: u32, site: SiteId) -> Option<String> {
        if !self.is_foreign(site) {
            return Some(format!("at {}", self.line_of(site)?));
        }
        let (mut known, mut open) = (BTreeSet::from([function]), vec![function]);
        let mut lines = BTreeSet::new();
        while let Some(callee) = open.pop() {
            for (number, caller) in (0..).zip(&self.code.functions) {
                for (inst, &site) in caller.code.iter().zip(&caller.sites) {
                    if !matches!(*inst, Inst::Call { function, .. } if function == callee) {
                        continue;
                    }
                    if !self.is_foreign(site) {
                        lines.extend(self.line_of(site));
                    } else if known.insert(number) {
                        open.push(number);
                    }
                }
            }
        }
        match lines.len() {
            1 => lines.first().map(|line| format!("at {line}")),
            2 => Some(format!("at {}", Vec::from_iter(lines).join(" or "))),
            _ => Some("in the library".into()),
        }
    }

    /// The line of a place.
    fn line_of(&self, site: SiteId) -> Option<String> {
        let site = self.code.sources.site(site)?;
        let file = site.file.as_deref().unwrap_or(&self.code.sources.file);
        Some(format!("{}:{}", file.rsplit('/').next().unwrap_or(file), site.line))
    }
}

impl PointerNames {
    /// Which of its place's objects this one is, in the order in which they are named.
    fn count(&self, object: Private) -> usize {
        let mut named = self.named.lock().unwrap_or_else(PoisonError::into_inner);
        let objects = named.entry(object.place).or_default();
        let this = (object.thread, object.nth);
        let at = objects.iter().position(|&known| known == this).unwrap_or_else(|| {
            objects.push(this);
            objects.len() - 1
        });
        at + 1
    }

    /// What this value points to; none if nothing is known of it.
    pub fn name(&self, value: u64) -> Option<String> {
        match address::decode(value) {
            Target::Private { key, offset } if offset < MAX_OFFSET => {
                let private = Private::of(key, self.place_bits);
                let (name, shape) = self.places.get(usize::from(private.place))?;
                // A pointer to the beginning is one to the first member, too, but people think of the object.
                let path = if offset == 0 { String::new() } else { shape.path(offset) };
                if name.is_empty() {
                    return None;
                }
                Some(match (self.count(private), name.strip_suffix(')')) {
                    (1, _) => format!("{name}{path}"),
                    (nth, Some(start)) => format!("{start}, #{nth}){path}"),
                    (nth, None) => format!("{name}#{nth}{path}"),
                })
            }
            Target::Function(number) => self.functions.get(number as usize).cloned(),
            _ => None,
        }
    }
}
