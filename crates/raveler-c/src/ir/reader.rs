//! From text to [`Module`]: the lines outside functions.

use std::sync::atomic::{AtomicBool, Ordering};

use rustc_hash::{FxHashMap, FxHashSet};

use super::calls::Note;
use super::debug::Notes;
use super::function::Body;
use super::lex::{Fault, Lexer, Name, Result, Token, unescape};
use super::types::TypeState;
use super::{Global, Module, ReadError, Type};

/// What is known while a text is read. Other files add what it can read: types, constants, functions, ...
pub(super) struct Reader<'a> {
    pub text: &'a str,
    pub lexer: Lexer<'a>,
    /// The token to look at; the lexer stands behind it.
    pub token: Token<'a>,
    /// The byte where it starts.
    pub start: usize,
    /// The line where it starts.
    pub line: u32,
    /// Whether it is the first one of its line.
    pub fresh: bool,
    /// The line where it ends.
    pub end_line: u32,
    /// How deep types and constants are nested here.
    pub depth: u32,
    pub module: Module,
    pub types: FxHashMap<Name<'a>, u32>,
    pub type_states: Vec<TypeState>,
    /// Globals and functions by name: the byte of the first mention, and whether there is a definition or
    /// declaration.
    pub symbols: FxHashMap<Name<'a>, (u32, bool)>,
    pub notes: Notes<'a>,
    /// Metadata among the arguments of the call that is being read.
    pub notes_of_call: Vec<Note>,
    /// The function that is being read.
    pub body: Body<'a>,
    /// Names that are marked, so that they are no other module's.
    pub own: FxHashSet<&'a str>,
    pub mark: String,
    /// Set when nobody waits for the module any more.
    pub over: &'a AtomicBool,
}

/// Nothing stops this reader.
static NEVER: AtomicBool = AtomicBool::new(false);

/// What the words before a global or function say about its name.
#[derive(Default)]
pub(super) struct Linkage {
    pub local: bool,
    pub weak: bool,
    /// Only declared here.
    pub external: bool,
}

impl Linkage {
    /// Whether this word is one of them.
    pub fn take(&mut self, word: &str) -> bool {
        match word {
            "private" | "internal" => self.local = true,
            "weak" | "weak_odr" | "linkonce" | "linkonce_odr" | "common" | "available_externally" => {
                self.weak = true;
            }
            "extern_weak" => {
                self.weak = true;
                self.external = true;
            }
            "external" => self.external = true,
            "appending" | "dso_local" | "dso_preemptable" | "default" | "hidden" | "protected"
            | "dllimport" | "dllexport" => {}
            _ => return false,
        }
        true
    }
}

/// Read the text of a `.ll` file.
///
/// ```
/// let text = "@x = global i32 0\n\
///     define void @f() {\n  store atomic i32 1, ptr @x release, align 4\n  ret void\n}";
/// let module = raveler_c::ir::read(text).expect("this is LLVM IR");
/// assert_eq!(module.functions[0].blocks[0].instructions.len(), 2);
///
/// let error = raveler_c::ir::read("@x = global i33.5 0").expect_err("this is not");
/// assert_eq!((error.line, error.column), (1, 13));
/// ```
pub fn read(text: &str) -> std::result::Result<Module, ReadError> {
    read_until(text, &NEVER)
}

/// The same, given up with an error when `over` is set.
pub(super) fn read_until(text: &str, over: &AtomicBool) -> std::result::Result<Module, ReadError> {
    read_with(Reader::new(text, over))
}

/// The same for a text that is linked behind others, whose types come first: what of it is its `own` gets names
/// that no other text has.
pub(super) fn read_after<'a>(
    text: &'a str,
    types: Vec<(String, Type)>,
    own: FxHashSet<&'a str>,
    number: usize,
    over: &'a AtomicBool,
) -> std::result::Result<Module, ReadError> {
    let mut reader = Reader::new(text, over);
    reader.type_states = types.iter().map(|_| TypeState { first: 0, defined: true }).collect();
    reader.module.types = types;
    reader.own = own;
    // No name in a text has a blank and brackets by itself.
    reader.mark = format!(" (module {number})");
    read_with(reader)
}

fn read_with(reader: Reader<'_>) -> std::result::Result<Module, ReadError> {
    let text = reader.text;
    if u32::try_from(text.len()).is_err() {
        return Err(ReadError { line: 1, column: 1, message: "the text is larger than 4 GiB".into() });
    }
    reader.module().map_err(|fault| {
        let before = text.get(..fault.at).unwrap_or(text);
        let line = before.bytes().filter(|&b| b == b'\n').count() as u32 + 1;
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let column = before[start..].chars().count() as u32 + 1;
        ReadError { line, column, message: fault.message }
    })
}

impl<'a> Reader<'a> {
    fn new(text: &'a str, over: &'a AtomicBool) -> Self {
        Reader {
            text,
            lexer: Lexer::new(text),
            token: Token::End,
            start: 0,
            line: 1,
            fresh: true,
            end_line: 0,
            depth: 0,
            module: Module::default(),
            types: FxHashMap::default(),
            type_states: Vec::new(),
            symbols: FxHashMap::default(),
            notes: Notes::new(text),
            notes_of_call: Vec::new(),
            body: Body::default(),
            own: FxHashSet::default(),
            mark: String::new(),
            over,
        }
    }

    fn module(mut self) -> Result<Module> {
        self.advance()?;
        while self.token != Token::End {
            self.entity()?;
        }
        self.check_types()?;
        self.check_symbols()?;
        let mut module = self.module;
        self.notes.finish(&mut module)?;
        Ok(module)
    }

    /// Large modules take seconds, and a user's time may be over before.
    pub(super) fn poll(&self) -> Result<()> {
        if self.over.load(Ordering::Relaxed) { Err(self.fault("given up: the time is over")) } else { Ok(()) }
    }

    /// Something that stands outside functions.
    fn entity(&mut self) -> Result<()> {
        self.poll()?;
        match self.token {
            Token::Word("define") => self.definition(),
            Token::Word("declare") => self.declaration(),
            Token::Global(name) => self.global(name),
            Token::Local(name) => self.type_definition(name),
            Token::Metadata(name) => self.metadata(name),
            Token::Word("source_filename") => {
                self.module.source = self.setting()?;
                Ok(())
            }
            Token::Word("target") => {
                self.advance()?;
                match self.token {
                    Token::Word("datalayout") => self.module.layout = self.setting()?,
                    _ => {
                        self.setting()?;
                    }
                }
                Ok(())
            }
            Token::Word("attributes") => {
                self.advance()?;
                if self.token != Token::Attributes {
                    return Err(self.expected("the number of a group of attributes"));
                }
                self.advance()?;
                self.expect(b'=')?;
                if !self.at(b'{') {
                    return Err(self.expected("`{`"));
                }
                self.lexer.balanced(1)?;
                self.advance()
            }
            Token::Comdat => {
                self.advance()?;
                self.expect(b'=')?;
                self.expect_word("comdat")?;
                match self.token {
                    Token::Word(_) => self.advance(),
                    _ => Err(self.expected("a kind of comdat")),
                }
            }
            Token::Word("module") => Err(self.fault("assembly outside functions is not supported")),
            _ => Err(self.expected("a definition")),
        }
    }

    /// `word = "text"`
    fn setting(&mut self) -> Result<String> {
        self.advance()?;
        self.expect(b'=')?;
        let text = self.quoted()?;
        Ok(String::from_utf8_lossy(&unescape(text)).into_owned())
    }

    /// `!5 = ...` or `!llvm.ident = ...`
    fn metadata(&mut self, name: &str) -> Result<()> {
        let at = self.start;
        if self.lexer.next_byte() != b'=' {
            self.advance()?;
            return Err(self.expected("`=`"));
        }
        self.lexer.at += 1;
        let text = self.lexer.node()?;
        if name.starts_with(|c: char| c.is_ascii_digit()) {
            let number = name.parse().map_err(|_| Fault::new(at, format!("`!{name}` is not a node")))?;
            if !self.notes.define(number, text) {
                return Err(Fault::new(at, format!("the metadata `!{name}` is defined twice")));
            }
        }
        self.end_line = self.lexer.line;
        self.advance()
    }

    /// The name of a global or function that stands here for the first time.
    pub(super) fn define_global(&mut self, name: Name<'a>) -> Result<String> {
        let symbol = self.symbols.entry(name).or_insert((self.start as u32, false));
        if std::mem::replace(&mut symbol.1, true) {
            let name = self.name(name)?;
            return Err(self.fault(format!("`@{name}` is defined twice")));
        }
        let plain = self.symbol_name(name)?;
        self.advance()?;
        Ok(plain)
    }

    /// The name of a global or function as the program has it.
    pub(super) fn symbol_name(&self, name: Name<'a>) -> Result<String> {
        let plain = self.name(name)?;
        Ok(if self.own.contains(plain.as_str()) { plain + &self.mark } else { plain })
    }

    /// What is mentioned must be there, except what LLVM itself provides.
    fn check_symbols(&self) -> Result<()> {
        let missing = self.symbols.iter().filter(|(name, (_, defined))| {
            !defined && !matches!(name, Name::Text(text) if text.starts_with("llvm."))
        });
        match missing.min_by_key(|(_, (at, _))| *at) {
            Some((&name, &(at, _))) => {
                Err(Fault::new(at as usize, format!("`@{}` is not defined or declared", self.name(name)?)))
            }
            None => Ok(()),
        }
    }

    /// `@name = ...`: a variable or an alias.
    fn global(&mut self, name: Name<'a>) -> Result<()> {
        let line = self.line;
        let name = self.define_global(name)?;
        self.expect(b'=')?;
        let mut linkage = Linkage::default();
        let mut thread_local = false;
        let constant = loop {
            let Token::Word(word) = self.token else { return Err(self.expected("`global` or `constant`")) };
            match word {
                "global" => break false,
                "constant" => break true,
                "alias" => return self.alias(name),
                "ifunc" => return Err(self.fault("`ifunc` is not supported")),
                "thread_local" => thread_local = true,
                _ if linkage.take(word) => {}
                "unnamed_addr" | "local_unnamed_addr" | "externally_initialized" | "addrspace" => {}
                _ => return Err(self.expected("`global` or `constant`")),
            }
            self.advance()?;
            if self.at(b'(') {
                self.skip_parentheses()?;
            }
        };
        self.advance()?;
        let at = self.start;
        let ty = self.ty()?;
        if let Type::Void | Type::Function(_) | Type::Other = ty {
            return Err(Fault::new(at, "a variable cannot have this type"));
        }
        let initial = if linkage.external { None } else { Some(self.constant(&ty)?) };
        let align = self.global_trailer()?;
        let Linkage { local, weak, .. } = linkage;
        self.module.globals.push(Global {
            name,
            ty,
            initial,
            constant,
            thread_local,
            local,
            weak,
            align,
            variable: None,
            line,
        });
        Ok(())
    }

    /// What follows a variable: its alignment counts, and the metadata that describes it.
    fn global_trailer(&mut self) -> Result<u64> {
        let mut align = 0;
        while self.more()? {
            match self.token {
                Token::Word("align") => {
                    self.advance()?;
                    align = self.number()?;
                }
                Token::Word("section" | "partition" | "code_model") => {
                    self.advance()?;
                    self.quoted()?;
                }
                _ => {
                    if !self.skip_attribute()? {
                        return Err(self.expected("an attribute"));
                    }
                }
            }
        }
        if let Some(source) = self.attachments()? {
            self.notes.global(self.module.globals.len(), source);
        }
        self.skip_attributes("")?;
        Ok(align)
    }

    /// From the word `alias`. What it stands for has its type before it, except if it is computed.
    fn alias(&mut self, name: String) -> Result<()> {
        self.advance()?;
        self.ty()?;
        self.expect(b',')?;
        let at = self.start;
        if self.starts_type() && self.ty()? != Type::Pointer {
            return Err(Fault::new(at, "an alias must stand for an address"));
        }
        let value = self.constant(&Type::Pointer)?;
        while self.more()? {
            self.expect_word("partition")?;
            self.quoted()?;
        }
        self.attachments()?;
        self.module.aliases.push((name, value));
        Ok(())
    }
}
