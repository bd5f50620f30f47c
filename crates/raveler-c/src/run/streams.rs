//! How `std::cout` and the like write items. Their manipulators hold for the thread that uses them.

use super::format;
use crate::code::Item;

/// The form of the next items.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Form {
    base: Base,
    shows_base: bool,
    shows_plus: bool,
    upper: bool,
    words: bool,
    left: bool,
    fraction: u8,
    precision: usize,
    width: usize,
    fill: u8,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Base {
    Octal,
    Decimal,
    Hexadecimal,
}

/// Nobody wants more.
const MOST: u64 = 1 << 12;

impl Default for Form {
    fn default() -> Form {
        Form {
            base: Base::Decimal,
            shows_base: false,
            shows_plus: false,
            upper: false,
            words: false,
            left: false,
            fraction: b'g',
            precision: 6,
            width: 0,
            fill: b' ',
        }
    }
}

impl Form {
    /// What a manipulator does, by its name in the source.
    pub fn change(&mut self, name: &str) {
        match name {
            "hex" => self.base = Base::Hexadecimal,
            "dec" => self.base = Base::Decimal,
            "oct" => self.base = Base::Octal,
            "showbase" => self.shows_base = true,
            "noshowbase" => self.shows_base = false,
            "showpos" => self.shows_plus = true,
            "noshowpos" => self.shows_plus = false,
            "uppercase" => self.upper = true,
            "nouppercase" => self.upper = false,
            "boolalpha" => self.words = true,
            "noboolalpha" => self.words = false,
            "left" => self.left = true,
            "right" | "internal" => self.left = false,
            "fixed" => self.fraction = b'f',
            "scientific" => self.fraction = b'e',
            "hexfloat" => self.fraction = b'a',
            "defaultfloat" => self.fraction = b'g',
            _ => {}
        }
    }

    /// The text of an item with these operands; characters were read before.
    pub fn write(&mut self, item: Item, (value, more): (u64, u64), text: Vec<u8>) -> Vec<u8> {
        let text = match item {
            Item::Signed => self.signed(value, more),
            Item::Unsigned => self.number(value, self.base, self.shows_base).into_bytes(),
            Item::Bool if self.words => (if value & 1 != 0 { "true" } else { "false" }).into(),
            Item::Bool => self.signed(value & 1, 64),
            Item::Pointer => self.number(value, Base::Hexadecimal, true).into_bytes(),
            Item::Null => b"nullptr".to_vec(),
            Item::Double => self.fraction(f64::from_bits(value)),
            Item::Float => self.fraction(f64::from(f32::from_bits(value as u32))),
            Item::Character => vec![value as u8],
            Item::Text | Item::Bytes | Item::String => text,
            Item::Put => return vec![value as u8],
            Item::Write => return text,
            Item::Width => {
                self.width = value.min(MOST) as usize;
                return text;
            }
            Item::Fill => {
                self.fill = value as u8;
                return text;
            }
            Item::Precision => {
                self.precision = value.min(MOST) as usize;
                return text;
            }
            Item::Change => return text,
        };
        let filling = vec![self.fill; std::mem::take(&mut self.width).saturating_sub(text.len())];
        if self.left { [text, filling].concat() } else { [filling, text].concat() }
    }

    /// In other bases than ten a signed number is written as the unsigned one with the same bits.
    fn signed(&self, value: u64, bits: u64) -> Vec<u8> {
        let unused = 64 - bits.clamp(1, 64) as u32;
        if self.base != Base::Decimal {
            return self.number(value << unused >> unused, self.base, self.shows_base).into_bytes();
        }
        let value = (value << unused) as i64 >> unused;
        let plus = if self.shows_plus && value >= 0 { "+" } else { "" };
        format!("{plus}{value}").into_bytes()
    }

    fn number(&self, value: u64, base: Base, shows_base: bool) -> String {
        let (prefix, digits) = match base {
            Base::Decimal => ("", value.to_string()),
            Base::Octal => ("0", format!("{value:o}")),
            Base::Hexadecimal => ("0x", format!("{value:x}")),
        };
        let prefix = if shows_base && value != 0 { prefix } else { "" };
        let text = format!("{prefix}{digits}");
        if self.upper { text.to_uppercase() } else { text }
    }

    fn fraction(&self, value: f64) -> Vec<u8> {
        let precision = if self.fraction == b'a' { None } else { Some(self.precision) };
        let (negative, text) = format::double(value, self.fraction, precision, false);
        let sign = match (negative, self.shows_plus) {
            (true, _) => "-",
            (_, true) => "+",
            _ => "",
        };
        let text = format!("{sign}{text}");
        (if self.upper { text.to_uppercase() } else { text }).into_bytes()
    }
}
