//! The locations of a test: their types, initial values and addresses.

use std::collections::HashMap;

use super::{Home, Location, Resolver, Use, does_not_fit, element, redirected, unknown_thread};
use crate::ast::{File, Initial, InitialValue, Name};
use crate::error::{self, Result};
use crate::lex::Span;
use crate::types::Type;

/// Elements of one array.
const MAX_ELEMENTS: u64 = 65_536;
/// Elements of all arrays together.
const MAX_CELLS: usize = 1 << 20;

impl<'t> Resolver<'t, '_> {
    pub(super) fn locations(&mut self, file: &File<'t>) {
        let mut given: HashMap<(Option<u64>, &str), ()> = HashMap::new();
        let mut cells = 0;
        for entry in &file.initial {
            let key = (entry.thread.map(|(number, _)| number), entry.name.text);
            if given.insert(key, ()).is_some() {
                self.errors.push(
                    error::DUPLICATE_INITIAL,
                    entry.name.span,
                    format!("`{}` has two initial values", entry.name.text),
                    "the second one",
                    "keep one of them",
                );
            } else if entry.thread.is_none() {
                self.declare(entry, &mut cells);
            }
        }
        let pointers = redirected(&file.initial);
        for (number, thread) in file.threads.iter().enumerate() {
            for parameter in &thread.parameters {
                let Some(pointee) = parameter.ty.pointee() else { continue };
                let key = (number as u64, parameter.name.text);
                let location = self.location(pointers.get(&key).copied().unwrap_or(parameter.name.text));
                self.agree(location, pointee, parameter.name);
            }
        }
        for entry in &file.initial {
            self.initial_values(entry);
        }
        let mut next = 0x1000;
        for location in &mut self.names.locations {
            location.address = next;
            let bytes = location.initial.len() as u64 * location.ty.scalar().width().bytes();
            next += bytes.div_ceil(0x1000).max(1) * 0x1000;
        }
        // Only now addresses are known.
        for entry in file.initial.iter().filter(|entry| entry.thread.is_none()) {
            self.initial_addresses(entry);
        }
    }

    /// The location of this name; a new `int` if there is none.
    pub(super) fn location(&mut self, name: &'t str) -> usize {
        let locations = &mut self.names.locations;
        *self.names.by_name.entry(name).or_insert_with(|| {
            locations.push(Location {
                name: name.to_string(),
                ty: Type::INT,
                is_array: false,
                initial: vec![0],
                address: 0,
                home: Home::Untouched,
            });
            self.typed.push(false);
            self.uses.push(Use::default());
            locations.len() - 1
        })
    }

    fn declare(&mut self, entry: &Initial<'t>, cells: &mut usize) {
        let location = self.location(entry.name.text);
        if let Some(ty) = entry.ty {
            if ty.is_void() {
                self.errors.push(
                    error::UNKNOWN_TYPE,
                    entry.name.span,
                    format!("`{}` cannot be of type void", entry.name.text),
                    "declared here",
                    "give it an integer type",
                );
            }
            self.names.locations[location].ty = ty;
            self.typed[location] = true;
        }
        if let Some((size, span)) = entry.array {
            *cells += size.min(MAX_ELEMENTS) as usize;
            if size == 0 || size > MAX_ELEMENTS || *cells > MAX_CELLS {
                self.errors.push(
                    error::ARRAY_BOUNDS,
                    span,
                    format!("`{}` cannot have {size} elements", entry.name.text),
                    "the array's size",
                    "an array has 1 to 65,536 elements, all together at most 1,048,576",
                );
                return;
            }
            if entry.values.len() as u64 > size {
                self.errors.push(
                    error::ARRAY_BOUNDS,
                    entry.name.span,
                    format!(
                        "`{}` has {size} elements and {} initial values",
                        entry.name.text,
                        entry.values.len()
                    ),
                    "too many values",
                    "",
                );
                return;
            }
            self.names.locations[location].is_array = true;
            self.names.locations[location].initial = vec![0; size as usize];
        }
    }

    /// A thread says that the location has this type.
    fn agree(&mut self, location: usize, ty: Type, name: Name<'t>) {
        let known = &mut self.names.locations[location];
        if ty.is_void() {
            return;
        }
        if !self.typed[location] {
            self.typed[location] = true;
            known.ty = ty;
        } else if known.ty.scalar().width() != ty.scalar().width() || known.ty.is_pointer() != ty.is_pointer()
        {
            let message =
                format!("`{}` is of type {} here and {} above", name.text, ty.name(), known.ty.name());
            self.errors.push(
                error::LOCATION_TYPE,
                name.span,
                message,
                "another type",
                "give the location the same type everywhere",
            );
        }
    }

    /// Numbers, and the types that addresses give to locations of no type.
    fn initial_values(&mut self, entry: &Initial<'t>) {
        for (i, value) in entry.values.iter().enumerate() {
            match value {
                InitialValue::Number(number, span) => {
                    if entry.thread.is_some() {
                        continue;
                    }
                    let location = self.location(entry.name.text);
                    let known = &mut self.names.locations[location];
                    let scalar = known.ty.scalar();
                    if scalar.holds(*number) {
                        // A list that is too long was noted before.
                        if let Some(cell) = known.initial.get_mut(i) {
                            *cell = *number as i64;
                        }
                    } else {
                        let name = known.ty.name();
                        does_not_fit(*number, scalar, &name, *span, self.errors);
                    }
                }
                InitialValue::Address(target, _) => {
                    let pointee = entry.ty.and_then(Type::pointee).filter(|ty| !ty.is_void());
                    let target = self.location(target.text);
                    if let Some(ty) = pointee.filter(|_| !self.typed[target]) {
                        self.names.locations[target].ty = ty;
                        self.typed[target] = true;
                    }
                    let ty = self.names.locations[target].ty.pointer();
                    if entry.thread.is_none() {
                        let location = self.location(entry.name.text);
                        if !self.typed[location] {
                            self.names.locations[location].ty = ty;
                            self.typed[location] = true;
                        }
                    }
                }
            }
        }
    }

    fn initial_addresses(&mut self, entry: &Initial<'t>) {
        for (i, value) in entry.values.iter().enumerate() {
            let InitialValue::Address(target, index) = value else { continue };
            let Ok(address) = self.address_of(*target, *index) else { continue };
            let location = self.location(entry.name.text);
            let known = &mut self.names.locations[location];
            if !known.ty.is_pointer() {
                let message = format!(
                    "`{}` is of type {} and cannot hold an address",
                    entry.name.text,
                    known.ty.name()
                );
                let help = "declare it as a pointer, such as `int *p = x;`";
                self.errors.push(error::TYPE_MISMATCH, target.span, message, "an address", help);
            } else if let Some(cell) = known.initial.get_mut(i) {
                *cell = address;
            }
        }
    }

    /// The address of a location or element whose address goes somewhere.
    pub(super) fn address_of(&mut self, name: Name<'t>, index: Option<(u64, Span)>) -> Result<i64> {
        let location = self.location(name.text);
        self.uses[location].shared = true;
        element(&self.names.locations[location], index, self.errors)
    }

    /// `7:r0=1` without a P7.
    pub(super) fn unknown_initial_threads(&mut self, file: &File<'t>) {
        for entry in &file.initial {
            if let Some((number, span)) = entry.thread.filter(|(n, _)| *n >= file.threads.len() as u64) {
                unknown_thread(number, file.threads.len(), span, self.errors);
            }
        }
    }
}
