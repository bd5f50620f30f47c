//! Names of C++ as the source has them, from how the Itanium C++ ABI writes them.
//!
//! What is not understood stays as it is: a wrong name would be worse than an ugly one.
//!
//! This file is long because it is one grammar.

/// What the source calls a function by which an object is called.
pub const CALLED: &str = "operator()";

/// What people call one whose class has no name.
pub const LAMBDA: &str = "lambda";

/// Whose `operator()` this is; none if it is that of a lambda.
pub fn called(mangled: &str) -> Option<String> {
    let whole = name(mangled);
    match whole.split_once("::operator()") {
        // clang counts those that no other file can name: `main::$_0`.
        Some((class, _)) if class.contains("{lambda") || class.contains("$_") => None,
        Some((class, _)) => Some(format!("{class}::{CALLED}")),
        None => Some(CALLED.into()),
    }
}

/// The name of a function or variable.
pub fn name(mangled: &str) -> String {
    let Some(rest) = mangled.strip_prefix("_Z") else { return mangled.into() };
    let mut reader = Reader::new(rest);
    match reader.encoding() {
        Some(name) if reader.is_done() => name,
        _ => mangled.into(),
    }
}

/// The name of a type.
pub fn type_name(mangled: &str) -> String {
    let mut reader = Reader::new(mangled);
    match reader.ty() {
        Some(name) if reader.is_done() => name,
        _ => mangled.into(),
    }
}

/// Names inside each other are not followed deeper.
const DEEPEST: u32 = 64;
/// Nor are longer ones made.
const LONGEST: usize = 4096;

struct Reader<'n> {
    text: &'n [u8],
    at: usize,
    depth: u32,
    /// What can be said again by its number.
    known: Vec<String>,
    /// The arguments of the function's template, and how many types this place is inside of.
    arguments: Vec<String>,
    types: u32,
}

impl<'n> Reader<'n> {
    fn new(text: &'n str) -> Reader<'n> {
        Reader { text: text.as_bytes(), at: 0, depth: 0, known: Vec::new(), arguments: Vec::new(), types: 0 }
    }

    fn is_done(&self) -> bool {
        // Copies that the compiler made of a function.
        self.at == self.text.len() || self.text[self.at] == b'.'
    }

    fn peek(&self) -> u8 {
        self.text.get(self.at).copied().unwrap_or(0)
    }

    fn eat(&mut self, what: &str) -> bool {
        let found = self.text[self.at..].starts_with(what.as_bytes());
        if found {
            self.at += what.len();
        }
        found
    }

    fn note(&mut self, name: &str) -> Option<()> {
        (name.len() <= LONGEST).then(|| self.known.push(name.to_string()))
    }

    /// Inside of something else.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        if self.depth >= DEEPEST {
            return None;
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// A function with its parameters, or a variable.
    fn encoding(&mut self) -> Option<String> {
        for (beginning, what) in
            [("TV", "vtable for "), ("TI", "typeinfo for "), ("TS", "typeinfo name for "), ("TT", "VTT for ")]
        {
            if self.eat(beginning) {
                return Some(format!("{what}{}", self.ty()?));
            }
        }
        if self.eat("GV") {
            return Some(format!("guard variable for {}", self.name()?.0));
        }
        for thunk in ["Th", "Tv"] {
            if self.eat(thunk) {
                while !matches!(self.peek(), b'_' | 0) {
                    self.at += 1;
                }
                self.eat("_");
                if thunk == "Tv" {
                    while !matches!(self.peek(), b'_' | 0) {
                        self.at += 1;
                    }
                    self.eat("_");
                }
                return self.encoding();
            }
        }
        let (name, is_template, suffix) = self.name()?;
        if self.at == self.text.len() || matches!(self.peek(), b'.' | b'E') {
            return Some(name);
        }
        // Templates say what they return, unless they are constructors and the like.
        if is_template {
            self.ty()?;
        }
        let parameters = self.parameters()?;
        Some(format!("{name}({parameters}){suffix}"))
    }

    fn parameters(&mut self) -> Option<String> {
        let mut all = Vec::new();
        while !matches!(self.peek(), 0 | b'E' | b'.') {
            all.push(self.ty()?);
        }
        if all.len() == 1 && all[0] == "void" {
            all.clear();
        }
        all.retain(|parameter| !parameter.is_empty());
        Some(all.join(", "))
    }

    /// A name; whether the last part has template arguments and says what it returns; what is said of `this`.
    fn name(&mut self) -> Option<(String, bool, &'static str)> {
        self.nested(|reader| match reader.peek() {
            b'N' => reader.nested_name(),
            b'Z' => {
                reader.at += 1;
                let function = reader.encoding()?;
                if !reader.eat("E") {
                    return None;
                }
                if reader.eat("s") {
                    reader.discriminator();
                    return Some((function, false, ""));
                }
                let (inner, is_template, suffix) = reader.name()?;
                reader.discriminator();
                Some((format!("{function}::{inner}"), is_template, suffix))
            }
            b'S' if reader.text.get(reader.at + 1) != Some(&b't') => {
                let name = reader.substitution()?;
                reader.template(name)
            }
            _ => {
                let std = reader.eat("St");
                let name = reader.part("")?;
                let name = if std { format!("std::{name}") } else { name };
                if reader.peek() == b'I' {
                    reader.note(&name)?;
                }
                reader.template(name)
            }
        })
    }

    fn template(&mut self, name: String) -> Option<(String, bool, &'static str)> {
        if self.peek() != b'I' {
            return Some((name, false, ""));
        }
        let arguments = self.template_arguments()?;
        Some((format!("{name}{arguments}"), true, ""))
    }

    fn discriminator(&mut self) {
        if self.eat("_") {
            while self.peek().is_ascii_digit() {
                self.at += 1;
            }
        }
    }

    fn nested_name(&mut self) -> Option<(String, bool, &'static str)> {
        self.at += 1;
        let mut suffix = "";
        loop {
            if self.eat("K") {
                suffix = " const";
            } else if !self.eat("V") && !self.eat("r") {
                break;
            }
        }
        if !self.eat("R") {
            self.eat("O");
        }
        let mut name = String::new();
        let mut last = "";
        let mut is_template = false;
        const CONSTRUCTOR: &str = "constructor";
        while !self.eat("E") {
            is_template = false;
            match self.peek() {
                b'S' if self.text.get(self.at + 1) != Some(&b't') => {
                    // It has a number already.
                    name = self.substitution()?;
                    continue;
                }
                b'T' => name = self.template_parameter()?,
                b'I' => {
                    name += &self.template_arguments()?;
                    is_template = last != CONSTRUCTOR;
                }
                b'B' => {
                    self.at += 1;
                    self.source_name()?;
                    continue;
                }
                0 => return None,
                _ => {
                    let std = self.eat("St");
                    if std && name.is_empty() && self.peek() == b'E' {
                        return None;
                    }
                    let constructor = matches!(self.peek(), b'C' | b'D');
                    let part = self.part(&name)?;
                    let part = if std { format!("std::{part}") } else { part };
                    last = if constructor { CONSTRUCTOR } else { "" };
                    name = if name.is_empty() { part } else { format!("{name}::{part}") };
                }
            }
            if self.peek() != b'E' {
                self.note(&name)?;
            }
        }
        Some((name, is_template, suffix))
    }

    /// One part of a name; constructors are called as what they stand in.
    fn part(&mut self, within: &str) -> Option<String> {
        match self.peek() {
            b'0'..=b'9' => self.source_name(),
            b'L' => {
                self.at += 1;
                self.source_name()
            }
            b'C' | b'D' if matches!(self.text.get(self.at + 1), Some(b'0'..=b'5')) => {
                let tilde = if self.peek() == b'D' { "~" } else { "" };
                self.at += 2;
                Some(format!("{tilde}{}", class_of(within)))
            }
            b'U' if self.eat("Ul") => {
                let parameters = self.parameters()?;
                if !self.eat("E") {
                    return None;
                }
                self.number_then_underscore()?;
                Some(format!("{{lambda({parameters})}}"))
            }
            b'U' if self.eat("Ut") => {
                self.number_then_underscore()?;
                Some("{unnamed type}".into())
            }
            _ => self.operator(),
        }
    }

    fn number_then_underscore(&mut self) -> Option<()> {
        while self.peek().is_ascii_digit() {
            self.at += 1;
        }
        self.eat("_").then_some(())
    }

    fn source_name(&mut self) -> Option<String> {
        let mut length = 0usize;
        while let digit @ b'0'..=b'9' = self.peek() {
            length = length.checked_mul(10)?.checked_add(usize::from(digit - b'0'))?;
            self.at += 1;
        }
        let name = self.text.get(self.at..self.at.checked_add(length)?)?;
        self.at += length;
        let name = String::from_utf8_lossy(name).into_owned();
        if length == 0 {
            return None;
        }
        let name = if name.starts_with("_GLOBAL__N") { "(anonymous namespace)".into() } else { name };
        // Abi tags are no part of the name in the source.
        while self.peek() == b'B' {
            self.at += 1;
            self.source_name()?;
        }
        Some(name)
    }

    fn operator(&mut self) -> Option<String> {
        const OPERATORS: [(&str, &str); 46] = [
            ("nw", " new"),
            ("na", " new[]"),
            ("dl", " delete"),
            ("da", " delete[]"),
            ("ps", "+"),
            ("ng", "-"),
            ("ad", "&"),
            ("de", "*"),
            ("co", "~"),
            ("pl", "+"),
            ("mi", "-"),
            ("ml", "*"),
            ("dv", "/"),
            ("rm", "%"),
            ("an", "&"),
            ("or", "|"),
            ("eo", "^"),
            ("aS", "="),
            ("pL", "+="),
            ("mI", "-="),
            ("mL", "*="),
            ("dV", "/="),
            ("rM", "%="),
            ("aN", "&="),
            ("oR", "|="),
            ("eO", "^="),
            ("ls", "<<"),
            ("rs", ">>"),
            ("lS", "<<="),
            ("rS", ">>="),
            ("eq", "=="),
            ("ne", "!="),
            ("lt", "<"),
            ("gt", ">"),
            ("le", "<="),
            ("ge", ">="),
            ("ss", "<=>"),
            ("nt", "!"),
            ("aa", "&&"),
            ("oo", "||"),
            ("pp", "++"),
            ("mm", "--"),
            ("cm", ","),
            ("pm", "->*"),
            ("pt", "->"),
            ("cl", "()"),
        ];
        if self.eat("ix") {
            return Some("operator[]".into());
        }
        if self.eat("cv") {
            return Some(format!("operator {}", self.ty()?));
        }
        let found = OPERATORS.iter().find(|(code, _)| self.text[self.at..].starts_with(code.as_bytes()))?;
        self.at += 2;
        Some(format!("operator{}", found.1))
    }

    fn substitution(&mut self) -> Option<String> {
        self.at += 1;
        let short = match self.peek() {
            b'a' => Some("std::allocator"),
            b'b' => Some("std::basic_string"),
            b's' => Some("std::string"),
            b'i' => Some("std::istream"),
            b'o' => Some("std::ostream"),
            b'd' => Some("std::iostream"),
            _ => None,
        };
        if let Some(short) = short {
            self.at += 1;
            return Some(short.into());
        }
        let at = self.sequence()?;
        self.known.get(at).cloned()
    }

    /// `_` is 0, `0_` is 1 and so on, in base 36.
    fn sequence(&mut self) -> Option<usize> {
        if self.eat("_") {
            return Some(0);
        }
        let mut number = 0usize;
        loop {
            let digit = match self.peek() {
                digit @ b'0'..=b'9' => digit - b'0',
                letter @ b'A'..=b'Z' => letter - b'A' + 10,
                _ => break,
            };
            number = number.checked_mul(36)?.checked_add(usize::from(digit))?;
            self.at += 1;
        }
        self.eat("_").then_some(())?;
        number.checked_add(1)
    }

    fn template_parameter(&mut self) -> Option<String> {
        self.at += 1;
        let at = self.sequence()?;
        self.arguments.get(at).cloned()
    }

    fn template_arguments(&mut self) -> Option<String> {
        self.at += 1;
        let mut all = Vec::new();
        self.types += 1;
        while !self.eat("E") {
            all.push(self.template_argument()?);
        }
        self.types -= 1;
        if self.types == 0 {
            self.arguments.clone_from(&all);
        }
        all.retain(|argument| !argument.is_empty());
        Some(format!("<{}>", all.join(", ")))
    }

    fn template_argument(&mut self) -> Option<String> {
        self.nested(|reader| match reader.peek() {
            b'L' => reader.literal(),
            b'J' => {
                reader.at += 1;
                let mut all = Vec::new();
                while !reader.eat("E") {
                    all.push(reader.template_argument()?);
                }
                Some(all.join(", "))
            }
            b'X' | 0 => None,
            _ => reader.ty(),
        })
    }

    fn literal(&mut self) -> Option<String> {
        self.at += 1;
        if self.eat("_Z") {
            let name = self.encoding()?;
            return self.eat("E").then_some(format!("&{name}"));
        }
        let ty = self.ty()?;
        let from = self.at;
        while !matches!(self.peek(), b'E' | 0) {
            self.at += 1;
        }
        let digits = String::from_utf8_lossy(&self.text[from..self.at]).replace('n', "-");
        self.eat("E").then_some(())?;
        Some(match (ty.as_str(), digits.as_str()) {
            ("bool", "0") => "false".into(),
            ("bool", "1") => "true".into(),
            ("int", _) => digits,
            _ => format!("({ty}){digits}"),
        })
    }

    fn ty(&mut self) -> Option<String> {
        self.types += 1;
        let name = self.nested(Self::type_inside);
        self.types -= 1;
        name
    }

    fn type_inside(&mut self) -> Option<String> {
        let builtin = match self.peek() {
            b'v' => "void",
            b'w' => "wchar_t",
            b'b' => "bool",
            b'c' => "char",
            b'a' => "signed char",
            b'h' => "unsigned char",
            b's' => "short",
            b't' => "unsigned short",
            b'i' => "int",
            b'j' => "unsigned int",
            b'l' => "long",
            b'm' => "unsigned long",
            b'x' => "long long",
            b'y' => "unsigned long long",
            b'n' => "__int128",
            b'o' => "unsigned __int128",
            b'f' => "float",
            b'd' => "double",
            b'e' => "long double",
            b'g' => "__float128",
            b'z' => "...",
            _ => "",
        };
        if !builtin.is_empty() {
            self.at += 1;
            return Some(builtin.into());
        }
        let compound = match self.peek() {
            b'P' => Some("*"),
            b'R' => Some("&"),
            b'O' => Some("&&"),
            b'K' => Some(" const"),
            b'V' => Some(" volatile"),
            _ => None,
        };
        if let Some(after) = compound {
            self.at += 1;
            let inner = self.ty()?;
            let name = pointing(&inner, after);
            self.note(&name)?;
            return Some(name);
        }
        let name = match self.peek() {
            b'F' => {
                self.at += 1;
                self.eat("Y");
                let result = self.ty()?;
                let parameters = self.parameters()?;
                self.eat("E").then_some(())?;
                format!("{result} ({parameters})")
            }
            b'A' => {
                self.at += 1;
                let from = self.at;
                while self.peek().is_ascii_digit() {
                    self.at += 1;
                }
                let size = String::from_utf8_lossy(&self.text[from..self.at]).into_owned();
                self.eat("_").then_some(())?;
                format!("{} [{size}]", self.ty()?)
            }
            b'M' => {
                self.at += 1;
                let class = self.ty()?;
                let member = self.ty()?;
                match member.split_once(" (") {
                    Some((result, parameters)) => format!("{result} ({class}::*)({parameters}"),
                    None => format!("{member} {class}::*"),
                }
            }
            b'D' => {
                let (code, rest) = (self.text.get(self.at + 1).copied()?, self.at + 2);
                self.at = rest;
                return Some(
                    match code {
                        b'n' => "std::nullptr_t",
                        b'i' => "char32_t",
                        b's' => "char16_t",
                        b'u' => "char8_t",
                        b'a' => "auto",
                        b'p' => return self.ty(),
                        b'o' => return self.ty(),
                        _ => return None,
                    }
                    .into(),
                );
            }
            b'T' => {
                let name = self.template_parameter()?;
                let name = self.template(name)?.0;
                self.note(&name)?;
                return Some(name);
            }
            b'S' if self.text.get(self.at + 1) != Some(&b't') => {
                let name = self.substitution()?;
                if self.peek() != b'I' {
                    return Some(name);
                }
                self.template(name)?.0
            }
            _ => self.name()?.0,
        };
        self.note(&name)?;
        Some(name)
    }
}

/// A pointer or reference to a type; functions and arrays have it inside.
fn pointing(inner: &str, after: &str) -> String {
    if let Some((result, parameters)) = inner.split_once(" (")
        && inner.ends_with(')')
        && matches!(after, "*" | "&" | "&&")
        && !parameters.starts_with('*')
    {
        return format!("{result} ({after})({parameters}");
    }
    // A reference to a reference is one of them.
    match (inner.ends_with('&'), after) {
        (true, "&&") => inner.into(),
        (true, "&") => inner.trim_end_matches('&').to_string() + "&",
        _ => format!("{inner}{after}"),
    }
}

/// The last part of a name, without template arguments.
fn class_of(name: &str) -> String {
    let mut depth = 0;
    let mut from = 0;
    let mut until = name.len();
    for (i, c) in name.char_indices() {
        match c {
            '<' | '(' | '{' => {
                if depth == 0 {
                    until = i;
                }
                depth += 1;
            }
            '>' | ')' | '}' => depth -= 1,
            ':' if depth == 0 => {
                from = i + 1;
                until = name.len();
            }
            _ => {}
        }
    }
    name.get(from..until).unwrap_or(name).to_string()
}

#[cfg(test)]
mod tests {
    use super::{called, name, type_name};

    #[test]
    fn names() {
        for (mangled, wanted) in [
            ("_Z3addii", "add(int, int)"),
            ("_ZNSt13runtime_errorC1EPKc", "std::runtime_error::runtime_error(char const*)"),
            ("_ZNSt13runtime_errorD0Ev", "std::runtime_error::~runtime_error()"),
            ("_ZTVSt13runtime_error", "vtable for std::runtime_error"),
            ("_ZTINSt8ios_base7failureB5cxx11E", "typeinfo for std::ios_base::failure"),
            ("_ZNKSt9exception4whatEv", "std::exception::what() const"),
            ("_ZN2ns5QueueIiE4pushERKi", "ns::Queue<int>::push(int const&)"),
            ("_ZSt4moveIRiEONSt16remove_referenceIT_E4typeEOS2_", "std::move<int&>(int&)"),
            ("_ZNSt6vectorIiSaIiEE2atEm", "std::vector<int, std::allocator<int>>::at(unsigned long)"),
            ("_ZN12_GLOBAL__N_14workEPFvPvE", "(anonymous namespace)::work(void (*)(void*))"),
            (
                "_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc",
                "std::operator<<<std::char_traits<char>>(std::basic_ostream<char, std::char_traits<char>>&, char const*)",
            ),
            ("_ZNK3fooMUlvE_clEv", "_ZNK3fooMUlvE_clEv"),
            ("_ZZ4mainENKUlvE_clEv", "main::{lambda()}::operator()() const"),
            ("printf", "printf"),
            ("_Z", "_Z"),
            ("_ZN", "_ZN"),
            ("_Z99x", "_Z99x"),
        ] {
            assert_eq!(name(mangled), wanted, "{mangled}");
        }
    }

    #[test]
    fn what_is_called_is_named_after_its_class() {
        assert_eq!(called("_ZZ4mainENKUlvE_clEv"), None);
        assert_eq!(called("_ZZ4mainENK3$_0clEv"), None);
        assert_eq!(called("_ZNK5AdderclEi").as_deref(), Some("Adder::operator()"));
        assert_eq!(called("_Z?").as_deref(), Some("operator()"));
    }

    #[test]
    fn types() {
        for (mangled, wanted) in [
            ("i", "int"),
            ("PKc", "char const*"),
            ("St13runtime_error", "std::runtime_error"),
            ("N2ns5ErrorE", "ns::Error"),
            (
                "NSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE",
                "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char>>",
            ),
            ("Z4mainE5Local", "main::Local"),
            ("A3_i", "int [3]"),
            ("?", "?"),
        ] {
            assert_eq!(type_name(mangled), wanted, "{mangled}");
        }
    }
}
