//! What pointers are called in reports that no event says: to memory of one thread alone, and to functions.

use raveler_core::Shape;

use super::CProgram;
use crate::address::{self, Private, Target};
use crate::code::Inst;

/// Further inside an object than this is a number that only looks like a pointer.
const MAX_OFFSET: u64 = 1 << 16;

/// Names of what pointers point to.
pub struct PointerNames {
    places: Vec<(String, Shape)>,
    place_bits: u32,
    functions: Vec<String>,
}

impl CProgram {
    /// What pointers are called.
    pub fn pointer_names(&self) -> PointerNames {
        let mut places = self.code.sources.allocated.clone();
        for function in &self.code.functions {
            for (inst, &site) in function.code.iter().zip(&function.sites) {
                if let Inst::Allocate { place, .. } = *inst
                    && let Some(site) = self.code.sources.site(site)
                    && let Some(known) = places.get_mut(usize::from(place))
                {
                    let file = site.file.as_deref().unwrap_or(&self.code.sources.file);
                    let file = file.rsplit('/').next().unwrap_or(file);
                    known.0 = format!("(allocated at {file}:{})", site.line);
                }
            }
        }
        let functions = self.code.functions.iter().map(|function| function.name.clone()).collect();
        PointerNames { places, place_bits: self.place_bits, functions }
    }
}

impl PointerNames {
    /// What this value points to; none if nothing is known of it.
    pub fn name(&self, value: u64) -> Option<String> {
        match address::decode(value) {
            Target::Private { key, offset } if offset < MAX_OFFSET => {
                let private = Private::of(key, self.place_bits);
                let (name, shape) = self.places.get(usize::from(private.place))?;
                // A pointer to the beginning is one to the first member, too, but people think of the object.
                let path = if offset == 0 { String::new() } else { shape.path(offset) };
                (!name.is_empty()).then(|| format!("{name}{path}"))
            }
            Target::Function(number) => self.functions.get(number as usize).cloned(),
            _ => None,
        }
    }
}
