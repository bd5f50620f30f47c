//! Constants: the bits of a scalar, and the initial bytes of global variables.

use super::layout::Layout;
use super::{Lowerer, Symbol};
use crate::code::Global;
use crate::demangle;
use crate::ir::{Binary, Cast, Compare, Constant, Type};
use crate::run::STREAMS;
use crate::types::{FUNDAMENTAL, POINTERS, TABLES};

/// Variables of the C and C++ libraries that programs mention, and their sizes. They hold zeros, apart from streams.
const LIBRARY: [(&str, u64); 14] = [
    ("_ZTVNSt6thread6_StateE", 40),
    ("_ZTINSt6thread6_StateE", 16),
    ("_ZSt15__once_callable", 8),
    ("_ZSt11__once_call", 8),
    ("_ZSt7nothrow", 1),
    ("_ZSt4cout", 272),
    ("_ZSt4cerr", 272),
    ("_ZSt4clog", 272),
    ("stdin", 8),
    ("stdout", 8),
    ("stderr", 8),
    ("environ", 8),
    ("__libc_single_threaded", 1),
    ("__dso_handle", 8),
];

/// How many bytes a table has that says what kind of type something is: nobody calls its functions.
const TABLE_SIZE: usize = 64;

/// Which member of a mutex says of what kind it is.
pub(super) const KIND_MEMBER: usize = 4;

/// Is this `stdout` or the like? Nothing assigns to them.
pub(super) fn is_stream(name: &str) -> bool {
    STREAMS.iter().any(|(stream, _)| *stream == name)
}

impl Lowerer<'_> {
    /// Is this the inside of a `pthread_mutex_t`?
    pub(super) fn is_mutex(&self, ty: &Type) -> bool {
        let Type::Named(number) = ty else { return false };
        self.module.types.get(*number as usize).is_some_and(|(name, _)| name == "struct.__pthread_mutex_s")
    }

    /// Compute the initial bytes of a global variable.
    pub(super) fn initialise(&mut self, number: u32, index: usize) {
        let global = &self.module.globals[index];
        let Some(constant) = &global.initial else {
            let name = global.name.as_str();
            if TABLES.iter().any(|(table, _)| *table == name) {
                self.code.globals[number as usize].initial = vec![0; TABLE_SIZE];
                return;
            }
            if let Some(mangled) = name.strip_prefix("_ZTI")
                && !name.starts_with("_ZTINSt6thread6_State")
            {
                self.code.globals[number as usize].initial = self.type_info(mangled);
                return;
            }
            let known = LIBRARY.iter().find(|(known, _)| *known == name);
            match known {
                Some(&(name, size)) => {
                    let stream = STREAMS.iter().find(|(stream, _)| *stream == name);
                    let mut bytes = stream.map_or_else(Vec::new, |(_, value)| value.to_le_bytes().to_vec());
                    bytes.resize(size as usize, 0);
                    self.code.globals[number as usize].initial = bytes;
                }
                None => {
                    let help = "give all files of the program, or define it";
                    let message = format!("`{}` is declared but defined nowhere", demangle::name(name));
                    self.problem(None, message, Some(help.into()));
                }
            }
            return;
        };
        let size = self.layout.size(&global.ty).filter(|&size| size < crate::address::MAX_SIZE);
        let Some(size) = size else {
            return self.problem(None, format!("`{}` is too large", global.name), None);
        };
        let mut bytes = vec![0; size as usize];
        if !self.fill(&mut bytes, &global.ty, constant) {
            let message = format!("the initial value of `{}` is not supported", global.name);
            self.problem(None, message, None);
        }
        self.code.globals[number as usize].initial = bytes;
    }

    /// A class of the compiled part of the C++ library, of which the table of virtual functions is not known: what to say.
    pub(super) fn unknown_table(&self, constant: &Constant) -> Option<String> {
        let name = super::function::root_name(constant)?;
        let class = name.strip_prefix("_ZTV").or(name.strip_prefix("_ZTT"))?;
        let global = &self.module.globals[*self.globals.get(name.as_str())?];
        let known = global.initial.is_some()
            || TABLES.iter().any(|(table, _)| *table == name)
            || LIBRARY.iter().any(|(known, _)| *known == name);
        let class = demangle::type_name(class);
        (!known).then(|| format!("an object of the class `{class}` is made, which raveler does not provide"))
    }

    /// What describes a type that the language has by itself, or a pointer to one: the compiled part of the library has
    /// these. Of others nothing is known; what asks for them at run time is refused.
    fn type_info(&mut self, mangled: &str) -> Vec<u8> {
        let pointer =
            mangled.strip_prefix("PK").map(|to| (1u64, to)).or(mangled.strip_prefix('P').map(|to| (0, to)));
        let plain = |name: &str| {
            name.len() == 1 && name.chars().all(|c| c.is_ascii_lowercase())
                || matches!(name, "Dn" | "Di" | "Ds" | "Du" | "Dd" | "De" | "Df")
        };
        let mut words = match pointer {
            Some((flags, to)) if plain(to) => {
                let pointee = self.other_type(to);
                vec![self.named(POINTERS, vec![0; TABLE_SIZE]) + 16, 0, flags, pointee]
            }
            None if plain(mangled) => vec![self.named(FUNDAMENTAL, vec![0; TABLE_SIZE]) + 16, 0],
            _ => return vec![0; 16],
        };
        let text = mangled.bytes().chain([0]).collect();
        words[1] = self.named(&format!("_ZTS{mangled}"), text);
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    /// The address of what describes a type.
    fn other_type(&mut self, mangled: &str) -> u64 {
        let name = format!("_ZTI{mangled}");
        if let Some(address) = self.address_of(&name) {
            return address;
        }
        let bytes = self.type_info(mangled);
        self.named(&name, bytes)
    }

    /// The address of a constant of this name, which is made if there is none.
    fn named(&mut self, name: &str, initial: Vec<u8>) -> u64 {
        if let Some(address) = self.address_of(name) {
            return address;
        }
        let number = self.code.globals.len() as u32;
        let address = crate::address::global(number, initial.len() as u64).unwrap_or(0);
        let cells = super::layout::bytes_of(initial.len() as u64);
        let (constant, thread_local, shared) = (true, false, false);
        self.code.globals.push(Global {
            name: name.into(),
            address,
            initial,
            constant,
            thread_local,
            shared,
            cells,
        });
        self.symbols.insert(name.into(), Symbol::Global(number));
        address
    }

    /// Write a constant into the bytes of its object.
    fn fill(&mut self, bytes: &mut [u8], ty: &Type, constant: &Constant) -> bool {
        match constant {
            Constant::Zero | Constant::Undef | Constant::Null => true,
            Constant::Bytes(text) => {
                let n = text.len().min(bytes.len());
                bytes[..n].copy_from_slice(&text[..n]);
                true
            }
            Constant::Wide(words) => {
                for (part, word) in bytes.chunks_mut(8).zip(words) {
                    part.copy_from_slice(&word.to_le_bytes()[..part.len()]);
                }
                true
            }
            Constant::Aggregate(elements) => {
                let mutex = self.is_mutex(ty);
                for (i, (element_ty, element)) in elements.iter().enumerate() {
                    self.kinds.found |= mutex && i == KIND_MEMBER && matches!(element, Constant::Int(1 | 2));
                    let layout: Layout<'_> = self.layout;
                    let Some((_, offset)) = layout.member(ty, i as u64) else { return false };
                    let Some(size) = layout.size(element_ty) else { return false };
                    let Some(part) = bytes.get_mut(offset as usize..(offset + size) as usize) else {
                        return false;
                    };
                    if !self.fill(part, element_ty, element) {
                        return false;
                    }
                }
                true
            }
            _ => {
                if let (Type::Float(80) | Type::Float(128), Constant::Float(bits))
                | (Type::Int(_), Constant::Int(bits)) = (self.layout.resolve(ty), constant)
                {
                    let all = bits.to_le_bytes();
                    let n = bytes.len().min(16);
                    bytes[..n].copy_from_slice(&all[..n]);
                    return true;
                }
                let Some(value) = self.bits(ty, constant) else { return false };
                let n = bytes.len().min(8);
                bytes[..n].copy_from_slice(&value.to_le_bytes()[..n]);
                true
            }
        }
    }

    /// The bits of a scalar constant.
    pub(super) fn bits(&mut self, ty: &Type, constant: &Constant) -> Option<u64> {
        let layout = self.layout;
        Some(match constant {
            Constant::Int(bits) | Constant::Float(bits) => {
                mask(u64::try_from(*bits).ok()?, self.width(ty).unwrap_or(64))
            }
            Constant::Null | Constant::Undef | Constant::Zero => 0,
            Constant::Global(name) if self.is_absent(name) => 0,
            Constant::Global(name) => self.address_of(name)?,
            Constant::Element { ty, base, indices } => {
                let mut at = self.bits(&base.0, &base.1)?;
                let mut indices = indices.iter();
                if let Some((index_ty, index)) = indices.next() {
                    let index = self.signed(index_ty, index)?;
                    at = at.wrapping_add((index as u64).wrapping_mul(layout.size(ty)?));
                }
                let mut inside = ty;
                for (index_ty, index) in indices {
                    let index = self.signed(index_ty, index)?;
                    let (member, offset) = match layout.resolve(inside) {
                        Type::Array(_, element) => {
                            (&**element, (index as u64).wrapping_mul(layout.size(element)?))
                        }
                        _ => layout.member(inside, index as u64)?,
                    };
                    at = at.wrapping_add(offset);
                    inside = member;
                }
                at
            }
            Constant::Cast(cast, from, to) => {
                let value = self.bits(&from.0, &from.1)?;
                let from_bits = self.width(&from.0)?;
                let to_bits = self.width(to)?;
                match cast {
                    Cast::SExt => mask(extend(value, from_bits), to_bits),
                    Cast::Trunc | Cast::ZExt | Cast::PtrToInt | Cast::IntToPtr | Cast::Bitcast => {
                        mask(value, to_bits)
                    }
                    _ => return None,
                }
            }
            Constant::Binary(op, ty, left, right) => {
                let (a, b) = (self.bits(ty, left)?, self.bits(ty, right)?);
                let bits = self.width(ty)?;
                mask(
                    match op {
                        Binary::Add => a.wrapping_add(b),
                        Binary::Sub => a.wrapping_sub(b),
                        Binary::Mul => a.wrapping_mul(b),
                        Binary::And => a & b,
                        Binary::Or => a | b,
                        Binary::Xor => a ^ b,
                        Binary::Shl => a.checked_shl(b as u32)?,
                        Binary::LShr => a.checked_shr(b as u32)?,
                        Binary::AShr => (extend(a, bits) as i64).checked_shr(b as u32)? as u64,
                        Binary::UDiv => a.checked_div(b)?,
                        Binary::URem => a.checked_rem(b)?,
                        Binary::SDiv => (extend(a, bits) as i64).checked_div(extend(b, bits) as i64)? as u64,
                        Binary::SRem => (extend(a, bits) as i64).checked_rem(extend(b, bits) as i64)? as u64,
                        _ => return None,
                    },
                    bits,
                )
            }
            Constant::Compare(op, ty, left, right) => {
                let (a, b) = (self.bits(ty, left)?, self.bits(ty, right)?);
                let bits = self.width(ty)?;
                let (x, y) = (extend(a, bits) as i64, extend(b, bits) as i64);
                u64::from(match op {
                    Compare::Eq => a == b,
                    Compare::Ne => a != b,
                    Compare::Ult => a < b,
                    Compare::Ule => a <= b,
                    Compare::Ugt => a > b,
                    Compare::Uge => a >= b,
                    Compare::Slt => x < y,
                    Compare::Sle => x <= y,
                    Compare::Sgt => x > y,
                    Compare::Sge => x >= y,
                    _ => return None,
                })
            }
            Constant::BlockAddress(function, block) => self.block_address(function, block)?,
            Constant::Aggregate(_) | Constant::Splat(_) | Constant::Bytes(_) | Constant::Wide(_) => {
                return None;
            }
        })
    }

    /// Is this a weak function or variable that is nowhere defined? Its address is null, and a program that asks may go on.
    pub(super) fn is_absent(&mut self, name: &str) -> bool {
        if let Some(&known) = self.absent.get(name) {
            return known;
        }
        let absent = match (self.functions.get(name), self.globals.get(name)) {
            _ if self.aliases.contains_key(name) => false,
            (Some(&function), _) => {
                let function = &self.module.functions[function];
                function.weak && function.blocks.is_empty() && !self.is_provided(function)
            }
            (None, Some(&global)) => {
                let global = &self.module.globals[global];
                let library = LIBRARY.iter().any(|(known, _)| *known == name) || name.starts_with("_Z");
                global.weak && global.initial.is_none() && !library
            }
            (None, None) => false,
        };
        self.absent.insert(name.to_string(), absent);
        absent
    }

    fn signed(&mut self, ty: &Type, constant: &Constant) -> Option<i64> {
        let bits = self.width(ty)?;
        Some(extend(self.bits(ty, constant)?, bits) as i64)
    }

    /// How many bits a scalar has.
    pub(super) fn width(&self, ty: &Type) -> Option<u32> {
        match self.layout.resolve(ty) {
            Type::Int(bits) if *bits <= 64 => Some(*bits),
            Type::Float(bits @ (32 | 64)) => Some(*bits),
            Type::Pointer => Some(64),
            _ => None,
        }
    }
}

/// The low bits of a value.
pub(super) fn mask(value: u64, bits: u32) -> u64 {
    if bits >= 64 { value } else { value & ((1 << bits) - 1) }
}

/// Sign-extended from so many bits.
pub(super) fn extend(value: u64, bits: u32) -> u64 {
    let unused = 64 - bits.clamp(1, 64);
    ((value << unused) as i64 >> unused) as u64
}
