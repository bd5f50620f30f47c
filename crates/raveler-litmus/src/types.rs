//! The types litmus tests have: C's integers and pointers to them.

use raveler_core::Width;

/// An integer type. Values are kept as `i64`, already converted to their type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Scalar {
    /// `bool`
    Bool,
    /// `signed char`, and `char`
    I8,
    /// `unsigned char`
    U8,
    /// `short`
    I16,
    /// `unsigned short`
    U16,
    /// `int`
    I32,
    /// `unsigned`
    U32,
    /// `long`, `long long`
    I64,
    /// `unsigned long`, and addresses
    U64,
}

impl Scalar {
    /// How many bytes it has.
    #[inline]
    pub fn width(self) -> Width {
        match self {
            Scalar::Bool | Scalar::I8 | Scalar::U8 => Width::B1,
            Scalar::I16 | Scalar::U16 => Width::B2,
            Scalar::I32 | Scalar::U32 => Width::B4,
            Scalar::I64 | Scalar::U64 => Width::B8,
        }
    }

    /// The value converted to this type, as an assignment does.
    #[inline]
    pub fn convert(self, value: i64) -> i64 {
        match self {
            Scalar::I32 => value as i32 as i64,
            Scalar::I64 | Scalar::U64 => value,
            Scalar::U32 => value as u32 as i64,
            Scalar::I8 => value as i8 as i64,
            Scalar::U8 => value as u8 as i64,
            Scalar::I16 => value as i16 as i64,
            Scalar::U16 => value as u16 as i64,
            Scalar::Bool => (value != 0) as i64,
        }
    }

    /// Is it unsigned?
    pub fn is_unsigned(self) -> bool {
        matches!(self, Scalar::Bool | Scalar::U8 | Scalar::U16 | Scalar::U32 | Scalar::U64)
    }

    /// What C's integer promotion makes of it.
    pub fn promoted(self) -> Scalar {
        if self < Scalar::I32 { Scalar::I32 } else { self }
    }

    /// The type in which two operands meet (C's usual arithmetic conversions). The declaration order of
    /// the variants from `I32` on is the order of rank.
    pub fn meet(self, other: Scalar) -> Scalar {
        self.promoted().max(other.promoted())
    }

    /// Can this type hold the number?
    pub fn holds(self, number: i128) -> bool {
        let bits = 8 * self.width().bytes() as u32;
        match self {
            Scalar::Bool => (0..=1).contains(&number),
            _ if self.is_unsigned() => (0..1i128 << bits).contains(&number),
            _ => (-(1i128 << (bits - 1))..1i128 << (bits - 1)).contains(&number),
        }
    }

    /// The smallest and the greatest number, for messages.
    pub fn range(self) -> String {
        let bits = 8 * self.width().bytes() as u32;
        match self {
            Scalar::Bool => "0 to 1".to_string(),
            _ if self.is_unsigned() => format!("0 to {}", (1i128 << bits) - 1),
            _ => format!("{} to {}", -(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
        }
    }

    /// C's name for it.
    pub fn name(self) -> &'static str {
        match self {
            Scalar::Bool => "bool",
            Scalar::I8 => "char",
            Scalar::U8 => "unsigned char",
            Scalar::I16 => "short",
            Scalar::U16 => "unsigned short",
            Scalar::I32 => "int",
            Scalar::U32 => "unsigned int",
            Scalar::I64 => "long",
            Scalar::U64 => "unsigned long",
        }
    }
}

/// An integer or a pointer; `base` is none for `void`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Type {
    pub base: Option<Scalar>,
    pub stars: u8,
}

impl Type {
    pub const VOID: Type = Type { base: None, stars: 0 };
    pub const INT: Type = Type { base: Some(Scalar::I32), stars: 0 };

    pub fn integer(scalar: Scalar) -> Type {
        Type { base: Some(scalar), stars: 0 }
    }

    pub fn is_pointer(self) -> bool {
        self.stars > 0
    }

    pub fn is_void(self) -> bool {
        self.stars == 0 && self.base.is_none()
    }

    /// A pointer to this.
    pub fn pointer(self) -> Type {
        Type { stars: self.stars.saturating_add(1), ..self }
    }

    /// What this points to, if it is a pointer.
    pub fn pointee(self) -> Option<Type> {
        self.is_pointer().then(|| Type { stars: self.stars - 1, ..self })
    }

    /// How its values are kept.
    pub fn scalar(self) -> Scalar {
        if self.is_pointer() { Scalar::U64 } else { self.base.unwrap_or(Scalar::I32) }
    }

    pub fn name(self) -> String {
        let mut name = self.base.map_or("void", Scalar::name).to_string();
        (0..self.stars).for_each(|_| name.push('*'));
        name
    }
}

/// The type behind a `typedef` name, with or without `atomic_` before it.
pub(crate) fn named(word: &str) -> Option<Scalar> {
    let name = word.strip_prefix("atomic_").unwrap_or(word);
    let fixed = name.replace("_least", "").replace("_fast", "");
    Some(match fixed.as_str() {
        "bool" | "_Bool" => Scalar::Bool,
        "int8_t" => Scalar::I8,
        "uint8_t" => Scalar::U8,
        "int16_t" => Scalar::I16,
        "uint16_t" => Scalar::U16,
        "int32_t" => Scalar::I32,
        "uint32_t" => Scalar::U32,
        "int64_t" | "intptr_t" | "ptrdiff_t" | "intmax_t" | "ssize_t" => Scalar::I64,
        "uint64_t" | "uintptr_t" | "size_t" | "uintmax_t" => Scalar::U64,
        short if word != name => match short {
            "char" | "schar" => Scalar::I8,
            "uchar" => Scalar::U8,
            "short" => Scalar::I16,
            "ushort" => Scalar::U16,
            "int" => Scalar::I32,
            "uint" => Scalar::U32,
            "long" | "llong" => Scalar::I64,
            "ulong" | "ullong" => Scalar::U64,
            _ => return None,
        },
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands_meet_as_in_c() {
        assert_eq!(Scalar::I8.meet(Scalar::U16), Scalar::I32);
        assert_eq!(Scalar::I32.meet(Scalar::U32), Scalar::U32);
        assert_eq!(Scalar::U32.meet(Scalar::I64), Scalar::I64);
        assert_eq!(Scalar::I64.meet(Scalar::U64), Scalar::U64);
    }

    #[test]
    fn typedef_names() {
        assert_eq!(named("atomic_uint"), Some(Scalar::U32));
        assert_eq!(named("uint_least16_t"), Some(Scalar::U16));
        assert_eq!(named("atomic_load"), None);
        assert_eq!(named("int"), None);
    }

    #[test]
    fn limits() {
        assert!(Scalar::I8.holds(-128) && !Scalar::I8.holds(128));
        assert!(Scalar::U64.holds(u64::MAX as i128) && !Scalar::U64.holds(-1));
    }
}
