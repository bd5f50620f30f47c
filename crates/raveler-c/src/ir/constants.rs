//! Constants. Each is read for a type and checked against it, so that who uses them need not.

use super::lex::{Fault, Name, Result, Token, unescape};
use super::reader::Reader;
use super::types::scalar;
use super::{Cast, Constant, Type, floats, words};

impl<'a> Reader<'a> {
    /// A type and a constant of it.
    pub(super) fn typed_constant(&mut self) -> Result<(Type, Constant)> {
        let ty = self.ty()?;
        let value = self.constant(&ty)?;
        Ok((ty, value))
    }

    /// A constant of this type.
    pub(super) fn constant(&mut self, ty: &Type) -> Result<Constant> {
        match self.token {
            Token::Integer(digits) => {
                let Type::Int(width) = *ty else {
                    return Err(self.fault("an integer cannot have this type"));
                };
                let constant = match integer(digits, width) {
                    Some(bits) => Some(Constant::Int(bits)),
                    None if width > 128 => wide_integer(digits, width).map(Constant::Wide),
                    None => None,
                };
                let constant =
                    constant.ok_or_else(|| self.fault(format!("{digits} does not fit into i{width}")))?;
                self.advance()?;
                Ok(constant)
            }
            Token::Float(literal) => {
                let Type::Float(width) = *ty else {
                    return Err(self.fault("a floating-point number cannot have this type"));
                };
                let bits = floats::bits(literal, width)
                    .ok_or_else(|| self.fault(format!("`{literal}` is not a number of this type")))?;
                self.advance()?;
                Ok(Constant::Float(bits))
            }
            Token::Global(name) => {
                if *ty != Type::Pointer {
                    return Err(self.fault("the address of a global is a pointer, which does not fit here"));
                }
                Ok(Constant::Global(self.global_name(name)?))
            }
            Token::Bytes(text) => {
                let bytes = unescape(text).into_owned();
                match ty {
                    Type::Array(count, element)
                        if *count == bytes.len() as u64 && **element == Type::Int(8) => {}
                    _ => return Err(self.fault("the text does not fit its type")),
                }
                self.advance()?;
                Ok(Constant::Bytes(bytes))
            }
            Token::Symbol(b'[' | b'{' | b'<') => self.nested(|r| r.aggregate(ty)),
            Token::Word(word) => self.nested(|r| r.constant_word(word, ty)),
            _ => Err(self.expected("a value")),
        }
    }

    /// Remember that a global is used, and go past its name.
    pub(super) fn global_name(&mut self, name: Name<'a>) -> Result<String> {
        self.symbols.entry(name).or_insert((self.start as u32, false));
        let plain = self.symbol_name(name)?;
        self.advance()?;
        Ok(plain)
    }

    fn constant_word(&mut self, word: &str, ty: &Type) -> Result<Constant> {
        let simple = match (word, ty) {
            ("true", Type::Int(1)) => Constant::Int(1),
            ("false", Type::Int(1)) => Constant::Int(0),
            ("null", Type::Pointer) => Constant::Null,
            ("undef" | "poison", _) => Constant::Undef,
            ("zeroinitializer" | "none", _) => Constant::Zero,
            ("true" | "false" | "null", _) => {
                return Err(self.fault(format!("`{word}` cannot have this type")));
            }
            _ => return self.expression(word, ty),
        };
        self.advance()?;
        Ok(simple)
    }

    /// A constant that is computed from others.
    fn expression(&mut self, word: &str, ty: &Type) -> Result<Constant> {
        let at = self.start;
        let (value, found) = match word {
            "getelementptr" => self.constant_element()?,
            "splat" => self.splat(ty)?,
            "blockaddress" => (self.block_address()?, Type::Pointer),
            "icmp" | "fcmp" => self.constant_compare(word == "icmp")?,
            _ => {
                if let Some(op) = words::cast(word) {
                    self.constant_cast(op)?
                } else if words::binary(word).is_some() {
                    self.constant_binary(word)?
                } else {
                    return Err(self.fault(format!("the constant `{word}` is not known")));
                }
            }
        };
        if found != *ty {
            return Err(Fault::new(at, format!("this `{word}` does not have the type before it")));
        }
        Ok(value)
    }

    /// Skip flags such as `inbounds`, `nuw`, `inrange(0, 8)`, up to the parenthesis before the operands.
    fn open_operands(&mut self) -> Result<()> {
        loop {
            self.advance()?;
            match self.token {
                Token::Word("inrange") if self.lexer.next_byte() == b'(' => {
                    self.advance()?;
                    self.lexer.balanced(1)?;
                }
                Token::Word(_) => {}
                _ => return self.expect(b'('),
            }
        }
    }

    fn constant_element(&mut self) -> Result<(Constant, Type)> {
        self.open_operands()?;
        let ty = self.ty()?;
        self.expect(b',')?;
        let base = self.typed_constant()?;
        let mut shape = base.0.clone();
        let mut indices = Vec::new();
        while self.eat(b',')? {
            self.eat_word("inrange")?;
            let index = self.typed_constant()?;
            if !matches!(scalar(&index.0), Type::Int(_)) {
                return Err(self.fault("an index must be an integer"));
            }
            if matches!(index.0, Type::Vector(..)) {
                shape = super::types::shaped(&index.0, Type::Pointer);
            }
            indices.push(index);
        }
        self.expect(b')')?;
        if *scalar(&shape) != Type::Pointer {
            return Err(self.fault("the base of an address must be a pointer"));
        }
        Ok((Constant::Element { ty, base: Box::new(base), indices }, shape))
    }

    /// A conversion between pointers only changed what clang 14 thought they point to: it is dropped.
    fn constant_cast(&mut self, op: Cast) -> Result<(Constant, Type)> {
        self.open_operands()?;
        let (from, value) = self.typed_constant()?;
        self.expect_word("to")?;
        let to = self.ty()?;
        self.expect(b')')?;
        if op == Cast::Bitcast && from == Type::Pointer && to == Type::Pointer {
            return Ok((value, to));
        }
        Ok((Constant::Cast(op, Box::new((from, value)), to.clone()), to))
    }

    fn constant_binary(&mut self, word: &str) -> Result<(Constant, Type)> {
        let op = words::binary(word).ok_or_else(|| self.expected("arithmetic"))?;
        self.open_operands()?;
        let (ty, left, right) = self.two_constants()?;
        Ok((Constant::Binary(op, ty.clone(), Box::new(left), Box::new(right)), ty))
    }

    fn constant_compare(&mut self, integers: bool) -> Result<(Constant, Type)> {
        let condition = if integers { words::integer_condition } else { words::float_condition };
        self.advance()?;
        let Token::Word(word) = self.token else { return Err(self.expected("a condition")) };
        let op = condition(word).ok_or_else(|| self.fault(format!("the condition `{word}` is not known")))?;
        self.open_operands()?;
        let (ty, left, right) = self.two_constants()?;
        let result = super::types::shaped(&ty, Type::Int(1));
        Ok((Constant::Compare(op, ty, Box::new(left), Box::new(right)), result))
    }

    /// `T a, T b)`
    fn two_constants(&mut self) -> Result<(Type, Constant, Constant)> {
        let (ty, left) = self.typed_constant()?;
        self.expect(b',')?;
        let (other, right) = self.typed_constant()?;
        if ty != other {
            return Err(self.fault("the operands have different types"));
        }
        self.expect(b')')?;
        Ok((ty, left, right))
    }

    fn splat(&mut self, ty: &Type) -> Result<(Constant, Type)> {
        let Type::Vector(count, _) = ty else { return Err(self.fault("`splat` is for vectors")) };
        self.open_operands()?;
        let element = self.typed_constant()?;
        self.expect(b')')?;
        let found = Type::Vector(*count, Box::new(element.0.clone()));
        Ok((Constant::Splat(Box::new(element)), found))
    }

    fn block_address(&mut self) -> Result<Constant> {
        self.open_operands()?;
        let Token::Global(function) = self.token else { return Err(self.expected("a function")) };
        let function = self.global_name(function)?;
        self.expect(b',')?;
        let Token::Local(block) = self.token else { return Err(self.expected("a block")) };
        let block = self.name(block)?;
        self.advance()?;
        self.expect(b')')?;
        Ok(Constant::BlockAddress(function, block))
    }

    /// `[T v, ...]`, `{ T v, ... }`, `<{ T v, ... }>` or `<T v, ...>`
    fn aggregate(&mut self, ty: &Type) -> Result<Constant> {
        let at = self.start;
        let Token::Symbol(open) = self.token else { return Err(self.expected("a value")) };
        self.advance()?;
        let packed_struct = open == b'<' && self.eat(b'{')?;
        let close = if open == b'[' {
            b']'
        } else if open == b'{' || packed_struct {
            b'}'
        } else {
            b'>'
        };
        let mut elements = Vec::new();
        while !self.at(close) {
            elements.push(self.typed_constant()?);
            if !self.eat(b',')? {
                break;
            }
        }
        self.expect(close)?;
        if packed_struct {
            self.expect(b'>')?;
        }
        let all = |count: &u64, element: &Type| {
            *count == elements.len() as u64 && elements.iter().all(|(ty, _)| ty == element)
        };
        let fits = match (self.resolve(ty), close) {
            (Type::Array(count, element), b']') | (Type::Vector(count, element), b'>') => all(count, element),
            (Type::Struct { fields, packed }, b'}') => {
                *packed == packed_struct && fields.iter().eq(elements.iter().map(|(ty, _)| ty))
            }
            _ => false,
        };
        if !fits {
            return Err(Fault::new(at, "the elements do not fit the type before them"));
        }
        Ok(Constant::Aggregate(elements))
    }
}

/// The bits of an integer of this width, which may be written with or without sign.
fn integer(digits: &str, width: u32) -> Option<u128> {
    let negative = digits.strip_prefix('-');
    let magnitude: u128 = negative.unwrap_or(digits).parse().ok()?;
    let wide = width >= 128;
    let mask = if wide { u128::MAX } else { (1 << width) - 1 };
    if negative.is_none() || magnitude == 0 {
        return (magnitude <= mask).then_some(magnitude);
    }
    // Wider than what a constant here can hold, and all upper bits would be set.
    if width > 128 || magnitude > 1 << (width - 1) {
        return None;
    }
    Some(magnitude.wrapping_neg() & mask)
}

/// No wider integer is read digit by digit.
const WIDEST: u32 = 1 << 12;

/// The bits of an integer of more than 128 bits.
fn wide_integer(digits: &str, width: u32) -> Option<Vec<u64>> {
    if width > WIDEST {
        return None;
    }
    let (negative, digits) = match digits.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, digits),
    };
    let mut words = vec![0u64; width.div_ceil(64) as usize];
    for digit in digits.chars() {
        let mut carry = u64::from(digit.to_digit(10)?);
        for word in &mut words {
            let value = u128::from(*word) * 10 + u128::from(carry);
            *word = value as u64;
            carry = (value >> 64) as u64;
        }
        if carry != 0 {
            return None;
        }
    }
    if negative {
        let mut carry = true;
        for word in &mut words {
            (*word, carry) = (!*word).overflowing_add(u64::from(carry));
        }
    }
    let unused = (words.len() as u32 * 64) - width;
    if let Some(last) = words.last_mut() {
        *last = *last << unused >> unused;
    }
    Some(words)
}

#[cfg(test)]
mod tests {
    use super::{integer, wide_integer};

    #[test]
    fn integers_may_have_many_words() {
        assert_eq!(wide_integer("-1", 144), Some(vec![u64::MAX, u64::MAX, 0xffff]));
        assert_eq!(wide_integer("18446744073709551616", 192), Some(vec![0, 1, 0]));
        assert_eq!(wide_integer("-", 1 << 20), None);
    }

    #[test]
    fn integers_take_the_bits_of_their_width() {
        assert_eq!(integer("-1", 8), Some(255));
        assert_eq!(integer("-128", 8), Some(128));
        assert_eq!(integer("255", 8), Some(255));
        assert_eq!(integer("-1", 128), Some(u128::MAX));
        assert_eq!(integer("-1", 1), Some(1));
        assert_eq!(integer("5", 256), Some(5));
        assert_eq!(integer("-0", 256), Some(0));
    }

    #[test]
    fn integers_that_do_not_fit() {
        for (digits, width) in [("256", 8), ("-129", 8), ("2", 1), ("-1", 256), ("1e9", 32), ("", 32)] {
            assert_eq!(integer(digits, width), None, "{digits} in {width} bits");
        }
    }
}
