//! What the `typeinfo` variables of a C++ program say of its types: their names, their bases, what catches what.
//!
//! They are laid out as the Itanium C++ ABI has it. The first word of each points into a table of virtual functions that
//! says by its name what kind of type it is.

use crate::address::{self, Target};
use crate::code::Code;
use crate::demangle;

/// A kind of types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Nothing is known of it: it belongs to the compiled part of a library.
    Unknown = 0,
    /// Numbers, enumerations, functions and so on.
    Plain = 1,
    /// A class without bases.
    Class = 2,
    /// A class with one public base, which begins where it begins.
    Derived = 3,
    /// A class with other bases.
    Many = 4,
    /// A pointer.
    Pointer = 5,
}

/// The tables that name kinds.
pub const TABLES: [(&str, Kind); 9] = [
    ("_ZTVN10__cxxabiv117__class_type_infoE", Kind::Class),
    ("_ZTVN10__cxxabiv120__si_class_type_infoE", Kind::Derived),
    ("_ZTVN10__cxxabiv121__vmi_class_type_infoE", Kind::Many),
    (POINTERS, Kind::Pointer),
    (FUNDAMENTAL, Kind::Plain),
    ("_ZTVN10__cxxabiv116__enum_type_infoE", Kind::Plain),
    ("_ZTVN10__cxxabiv117__array_type_infoE", Kind::Plain),
    ("_ZTVN10__cxxabiv120__function_type_infoE", Kind::Plain),
    ("_ZTVN10__cxxabiv129__pointer_to_member_type_infoE", Kind::Plain),
];

/// The tables of pointers, and of types that the language has by itself.
pub const POINTERS: &str = "_ZTVN10__cxxabiv119__pointer_type_infoE";
/// See above.
pub const FUNDAMENTAL: &str = "_ZTVN10__cxxabiv123__fundamental_type_infoE";

/// What `pthread_exit` unwinds with can be caught by this name.
const FORCED: &str = "N10__cxxabiv115__forced_unwindE";

/// `const` and `volatile` of what a pointer points to.
const QUALIFIERS: u64 = 3;
const CONST: u64 = 1;

/// The types of a program; a type is the address of its `typeinfo`.
#[derive(Clone, Copy)]
pub struct Types<'c>(pub &'c Code);

/// A base of a class: its type, whether it is public, and what offset it has from the class or, if it is virtual, where in
/// the table of virtual functions that stands.
#[derive(Clone, Copy)]
struct Base {
    ty: u64,
    public: bool,
    virtual_: bool,
    offset: i64,
}

impl Types<'_> {
    fn word(self, at: u64) -> Option<u64> {
        let Target::Global { index, offset } = address::decode(at) else { return None };
        let bytes = &self.0.globals.get(index as usize)?.initial;
        let bytes = bytes.get(offset as usize..)?.get(..8)?;
        bytes.try_into().ok().map(u64::from_le_bytes)
    }

    /// What kind of type it is.
    pub fn kind(self, ty: u64) -> Kind {
        let table = self.word(ty).map(address::decode);
        let Some(Target::Global { index, .. }) = table else { return Kind::Unknown };
        let Some(global) = self.0.globals.get(index as usize) else { return Kind::Unknown };
        TABLES.iter().find(|(name, _)| *name == global.name).map_or(Kind::Unknown, |&(_, kind)| kind)
    }

    /// Its name as the ABI writes it.
    fn mangled(self, ty: u64) -> Option<String> {
        if let Some(Target::Global { index, offset }) = self.word(ty + 8).map(address::decode)
            && let Some(bytes) = self.0.globals.get(index as usize)?.initial.get(offset as usize..)
            && self.kind(ty) != Kind::Unknown
        {
            let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
            let text = String::from_utf8_lossy(&bytes[..end]);
            return Some(text.trim_start_matches('*').to_string());
        }
        let Target::Global { index, .. } = address::decode(ty) else { return None };
        Some(self.0.globals.get(index as usize)?.name.trim_start_matches("_ZTI").to_string())
    }

    /// Its name as the source has it.
    pub fn name(self, ty: u64) -> String {
        self.mangled(ty).map_or_else(|| "?".into(), |name| demangle::type_name(&name))
    }

    /// Is this what a forced unwinding is caught as?
    pub fn is_forced(self, ty: u64) -> bool {
        ty == 0 || self.mangled(ty).is_some_and(|name| name == FORCED)
    }

    /// Does a handler for the type `wanted` catch exceptions of the type `thrown`? The type of which not enough is known
    /// to tell is the error.
    pub fn catches(self, thrown: u64, wanted: u64) -> Result<bool, u64> {
        if wanted == 0 || wanted == thrown {
            return Ok(true);
        }
        match (self.kind(thrown), self.kind(wanted)) {
            (Kind::Unknown, _) => Err(thrown),
            (Kind::Pointer, Kind::Pointer) => self.pointer_catches(thrown, wanted, true),
            (Kind::Plain, Kind::Pointer) => Ok(self.mangled(thrown).is_some_and(|name| name == "Dn")),
            (Kind::Derived | Kind::Many, _) => self.has_base(thrown, wanted),
            _ => Ok(false),
        }
    }

    /// The qualifiers of what a pointer points to, and its type.
    fn pointee(self, ty: u64) -> (u64, u64) {
        (self.word(ty + 16).unwrap_or(0) & QUALIFIERS, self.word(ty + 24).unwrap_or(0))
    }

    /// The same for pointers; inside of other pointers only qualifiers may differ.
    fn pointer_catches(self, thrown: u64, wanted: u64, outermost: bool) -> Result<bool, u64> {
        let ((has, from), (wants, to)) = (self.pointee(thrown), self.pointee(wanted));
        if has & !wants != 0 {
            return Ok(false);
        }
        if from == to {
            return Ok(true);
        }
        match (self.kind(from), self.kind(to)) {
            // All pointers outside must point to what is constant.
            (Kind::Pointer, Kind::Pointer) => {
                Ok(wants & CONST != 0 && self.pointer_catches(from, to, false)?)
            }
            _ if !outermost => Ok(false),
            (_, Kind::Plain) if self.mangled(to).is_some_and(|name| name == "v") => {
                Ok(!self.mangled(from).is_some_and(|name| name.starts_with('F')))
            }
            (Kind::Unknown, _) => Err(from),
            (Kind::Derived | Kind::Many, _) => self.has_base(from, to),
            _ => Ok(false),
        }
    }

    /// Has a class one base of this type, and a way to it that is public?
    fn has_base(self, class: u64, wanted: u64) -> Result<bool, u64> {
        let mut found = Vec::new();
        self.bases_like(class, wanted, ((0, 0), true), &mut found)?;
        let first = found.first().map(|&(place, _)| place);
        let one = found.iter().all(|&(place, _)| Some(place) == first);
        Ok(one && found.iter().any(|&(_, public)| public))
    }

    /// All bases of a type: where they are, from the class or from its virtual base of a type, and whether the way there
    /// is public.
    fn bases_like(
        self,
        class: u64,
        wanted: u64,
        (place, public): ((u64, i64), bool),
        found: &mut Vec<((u64, i64), bool)>,
    ) -> Result<(), u64> {
        for base in self.bases(class)? {
            let place = if base.virtual_ { (base.ty, 0) } else { (place.0, place.1 + base.offset) };
            let public = public && base.public;
            if base.ty == wanted {
                found.push((place, public));
            } else {
                self.bases_like(base.ty, wanted, (place, public), found)?;
            }
        }
        Ok(())
    }

    /// The bases of a class.
    fn bases(self, class: u64) -> Result<Vec<Base>, u64> {
        let word = |offset: u64| self.word(class + offset).ok_or(class);
        match self.kind(class) {
            Kind::Unknown => Err(class),
            Kind::Derived => Ok(vec![Base { ty: word(16)?, public: true, virtual_: false, offset: 0 }]),
            Kind::Many => {
                let count = word(16)? >> 32;
                let base = |i: u64| {
                    let flags = word(32 + 16 * i)?;
                    Ok(Base {
                        ty: word(24 + 16 * i)?,
                        public: flags & 2 != 0,
                        virtual_: flags & 1 != 0,
                        offset: flags as i64 >> 8,
                    })
                };
                (0..count).map(base).collect()
            }
            _ => Ok(Vec::new()),
        }
    }
}

/// The number by which code asks what an exception was caught as; never 0 or negative.
pub fn number(ty: u64) -> u64 {
    match address::decode(ty) {
        Target::Global { index, .. } => u64::from(index) + 1,
        _ => ANY,
    }
}

/// The number of handlers for all exceptions.
pub const ANY: u64 = 0x7fff_ffff;
/// The number where an exception is not among those that a function may throw.
pub const UNEXPECTED: u64 = 0xffff_ffff;
