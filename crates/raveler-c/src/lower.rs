//! From LLVM IR to bytecode: everything that can be reached from the entry, once.
//!
//! - [`layout`]: sizes and offsets;
//! - `constant`: constants and the initial bytes of global variables;
//! - `function`: one function's blocks and instructions; `values`, `vectors`: those that only compute;
//!   `place`, `access`: those about memory; `branches`: choices among many places;
//! - `call`: calls; `assembly`: inline assembly; `library`: what the functions of libraries do; `output`: those that print;
//!   `intrinsics`: what is one or a few instructions;
//! - `exits`: what runs when the process ends;
//! - `sources`: texts, places in the source, and what cannot be lowered;
//! - `promote`: which local variables become registers;
//! - `scopes`, `stack_marks`, `unmarked`: where the lives of variables begin and end;
//! - `dead`: where what a variable in memory holds does not matter any more;
//! - `loops`, `live`: loops, and which registers matter at their heads.

mod access;
mod assembly;
mod branches;
mod call;
mod constant;
mod dead;
mod exits;
mod function;
mod initial;
mod intrinsics;
pub mod layout;
mod library;
mod live;
mod loops;
mod ours;
mod output;
mod place;
mod promote;
mod scopes;
mod sources;
mod stack_marks;
mod unmarked;
mod values;
mod vectors;
mod wide;

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

use raveler_core::{Address, Shape, SiteId, SourceMap};

pub(crate) use self::live::effect;
pub(crate) use self::ours::{is_library, is_ours};

use self::exits::Exits;
use self::layout::Layout;
use crate::address;
use crate::code::{Code, Function, Global, Place};
use crate::demangle;
use crate::ir;

/// What cannot be lowered, and where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
    /// The file, line and column; line 0 if it has no place.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// From 1.
    pub column: u32,
    /// From the entry to the function it stands in.
    pub path: Vec<String>,
    /// The function or variable that is missing, if that is what is wrong.
    pub missing: Option<String>,
}

/// What the user can choose.
#[derive(Clone, Debug)]
pub struct Options {
    /// The function to start with.
    pub entry: String,
    /// The range of nondeterministic values.
    pub nondet: Option<(i64, i64)>,
    /// A volatile access is a relaxed atomic one.
    pub volatile_is_relaxed: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { entry: "main".into(), nondet: None, volatile_is_relaxed: false }
    }
}

/// Lower a module. `text` gives the text of a source file.
pub fn lower(
    module: &ir::Module,
    options: &Options,
    file: &str,
    text: &dyn Fn(&str) -> Option<String>,
) -> Result<Code, Vec<Problem>> {
    lower_until(module, options, file, text, &AtomicBool::new(false))
}

/// The same; when `over` is set it is given up, and what is there so far is no program.
pub(crate) fn lower_until(
    module: &ir::Module,
    options: &Options,
    file: &str,
    text: &dyn Fn(&str) -> Option<String>,
    over: &AtomicBool,
) -> Result<Code, Vec<Problem>> {
    let mut lowerer = Lowerer::new(module, options, file, text, over);
    lowerer.run();
    if lowerer.kinds.found {
        // Now it is known that the kinds of mutexes matter: once more, looking at them.
        let kinds = Kinds { known: true, found: true };
        lowerer = Lowerer { kinds, ..Lowerer::new(module, options, file, text, over) };
        lowerer.run();
    }
    if lowerer.exits.are_shared() && lowerer.starts_threads() {
        let (kinds, exits) = (lowerer.kinds, Exits { known: true, ..Exits::default() });
        lowerer = Lowerer { kinds, exits, ..Lowerer::new(module, options, file, text, over) };
        lowerer.run();
    }
    if lowerer.problems.is_empty() { Ok(lowerer.code) } else { Err(lowerer.problems) }
}

/// Where a variable was mentioned: the function, and the place in the source.
type Mention = (Option<u32>, Option<u32>);

/// A function or variable that was met.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Symbol {
    Function(u32),
    Global(u32),
}

/// Are there mutexes that are not normal ones?
#[derive(Clone, Copy, Default)]
struct Kinds {
    /// Locks look at their kinds.
    known: bool,
    /// There are some.
    found: bool,
}

struct Lowerer<'a> {
    module: &'a ir::Module,
    layout: Layout<'a>,
    options: &'a Options,
    text: &'a dyn Fn(&str) -> Option<String>,
    over: &'a AtomicBool,
    functions: HashMap<&'a str, usize>,
    globals: HashMap<&'a str, usize>,
    aliases: HashMap<&'a str, &'a ir::Constant>,
    symbols: HashMap<String, Symbol>,
    /// The places of thread-local variables, by their number in the code.
    thread_locals: HashMap<u32, u16>,
    /// Functions to lower: number in the code, number in the module, who mentioned it.
    queue: Vec<(u32, usize, Option<u32>)>,
    callers: Vec<Option<u32>>,
    /// Where each was mentioned first.
    called_at: Vec<Option<u32>>,
    /// Globals whose initial bytes are to be computed: number in the code, number in the module, what mentioned it first.
    unset: Vec<(u32, usize, Mention)>,
    /// Where the instruction stands that is lowered.
    location: Option<u32>,
    /// Where the variable was mentioned whose initial bytes are computed.
    mention: Mention,
    /// Per function of the code: the symbols it mentions.
    mentions: Vec<Vec<Symbol>>,
    current: Option<u32>,
    sites: HashMap<u32, SiteId>,
    lines: HashMap<String, Vec<String>>,
    texts: HashMap<String, u16>,
    names: HashMap<String, u16>,
    kinds: Kinds,
    exits: Exits,
    callees: dead::Callees<'a>,
    /// Weak declarations: is there no definition?
    absent: HashMap<String, bool>,
    code: Code,
    problems: Vec<Problem>,
}

/// There are no more problems shown than this.
const MAX_PROBLEMS: usize = 20;

impl<'a> Lowerer<'a> {
    fn new(
        module: &'a ir::Module,
        options: &'a Options,
        file: &str,
        text: &'a dyn Fn(&str) -> Option<String>,
        over: &'a AtomicBool,
    ) -> Lowerer<'a> {
        let by_name = |names: Vec<&'a str>| names.into_iter().enumerate().map(|(i, n)| (n, i)).collect();
        let sources = SourceMap {
            file: file.into(),
            text: text(file).unwrap_or_default(),
            threads: vec![options.entry.clone()],
            ..SourceMap::default()
        };
        Lowerer {
            module,
            layout: Layout { types: &module.types },
            options,
            text,
            over,
            functions: by_name(module.functions.iter().map(|f| f.name.as_str()).collect()),
            globals: by_name(module.globals.iter().map(|g| g.name.as_str()).collect()),
            aliases: module.aliases.iter().map(|(name, target)| (name.as_str(), target)).collect(),
            symbols: HashMap::new(),
            thread_locals: HashMap::new(),
            queue: Vec::new(),
            callers: Vec::new(),
            called_at: Vec::new(),
            unset: Vec::new(),
            location: None,
            mention: (None, None),
            mentions: Vec::new(),
            current: None,
            sites: HashMap::new(),
            lines: HashMap::new(),
            texts: HashMap::new(),
            names: HashMap::new(),
            kinds: Kinds::default(),
            exits: Exits::default(),
            callees: dead::Callees::new(module, Layout { types: &module.types }),
            absent: HashMap::new(),
            code: Code {
                functions: Vec::new(),
                globals: Vec::new(),
                places: Vec::new(),
                entry: 0,
                constructors: Vec::new(),
                reallocates: false,
                has_sections: false,
                has_lives: false,
                arguments: 0,
                wants_results: false,
                texts: Vec::new(),
                warnings: Vec::new(),
                sources,
            },
            problems: Vec::new(),
        }
    }

    fn run(&mut self) {
        let entry = self.options.entry.as_str();
        let found = [entry, "user_main"].into_iter().find(|name| {
            self.module.function(name).is_some_and(|f| !f.blocks.is_empty())
                && (*name == entry || entry == "main")
        });
        let Some(entry) = found else {
            let help = "write `int main(void)`, or name another function with --entry";
            return self.problem(
                None,
                format!("there is no function `{entry}` to start with"),
                Some(help.into()),
            );
        };
        self.code.sources.threads = vec![entry.to_string()];
        if let Some(Symbol::Function(number)) = self.symbol(entry) {
            self.code.entry = number;
        }
        if self.exits.known {
            self.leave();
        }
        self.constructors();
        if self.module.function(entry).is_some_and(|f| f.parameters.len() >= 2) {
            self.code.arguments = self.argv();
        }
        loop {
            if self.problems.len() >= MAX_PROBLEMS || self.is_over() {
                return;
            }
            if let Some((number, index, _)) = self.queue.pop() {
                self.current = Some(number);
                let source = &self.module.functions[index];
                let lowered = match source.blocks.is_empty() {
                    true => self.library_body(source),
                    false => self.function(source),
                };
                self.code.functions[number as usize] = lowered;
                self.current = None;
            } else if let Some((number, index, (function, location))) = self.unset.pop() {
                self.mention = (function, location);
                self.initialise(number, index);
                self.mention = (None, None);
            } else {
                break;
            }
        }
        self.find_shared();
        self.code.sources.spawned = self.code.functions.iter().map(|f| self.thread_name(f)).collect();
    }

    /// Large programs take seconds, and a user's time may be over before.
    fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    /// What a thread is called that runs this function; one of a library says nothing.
    fn thread_name(&self, function: &Function) -> String {
        let first = function.sites.iter().find_map(|&site| self.code.sources.site(site));
        let foreign = first.is_some_and(|site| site.file.as_deref().is_some_and(is_library));
        if foreign || function.name.starts_with("std::") {
            return String::new();
        }
        match first {
            // It is said where it is.
            Some(site) if function.name == demangle::LAMBDA => site.function.clone(),
            _ => function.name.clone(),
        }
    }

    /// `llvm.global_ctors`: functions to run before the entry.
    fn constructors(&mut self) {
        let Some(list) = self.module.globals.iter().find(|g| g.name == "llvm.global_ctors") else { return };
        let Some(ir::Constant::Aggregate(entries)) = &list.initial else { return };
        for (_, entry) in entries {
            if let ir::Constant::Aggregate(fields) = entry
                && let Some((_, ir::Constant::Global(name))) = fields.get(1)
                && let Some(Symbol::Function(number)) = self.symbol(name)
            {
                self.code.constructors.push(number);
            }
        }
    }

    /// Does the program start threads?
    fn starts_threads(&self) -> bool {
        let starts = |f: &Function| f.code.iter().any(|i| matches!(i, crate::code::Inst::Spawn { .. }));
        self.code.functions.iter().any(starts)
    }

    /// What `argv` points to: the program's name, a null pointer, and no environment behind it.
    fn argv(&mut self) -> u64 {
        let mut add = |name: &str, initial: Vec<u8>| {
            let cells = layout::bytes_of(initial.len() as u64);
            let (constant, thread_local, shared) = (false, false, false);
            let name = name.into();
            let address = address::global(self.code.globals.len() as u32, initial.len() as u64).unwrap_or(0);
            self.code.globals.push(Global { name, address, initial, constant, thread_local, shared, cells });
            address
        };
        let name = add("argv[0]", b"program\0".to_vec());
        add("argv", [name, 0, 0].iter().flat_map(|word| word.to_le_bytes()).collect())
    }

    /// The function or variable of this name; it will be lowered.
    fn symbol(&mut self, name: &str) -> Option<Symbol> {
        let symbol = match self.symbols.get(name) {
            Some(&symbol) => symbol,
            None => {
                let symbol = self.new_symbol(name)?;
                self.symbols.insert(name.to_string(), symbol);
                symbol
            }
        };
        if let Some(current) = self.current {
            self.mentions[current as usize].push(symbol);
        }
        Some(symbol)
    }

    /// What an alias stands for in the end; none if aliases stand for each other.
    fn behind_aliases(&self, name: &str) -> Option<&'a str> {
        let mut target = *self.aliases.get(name)?;
        for _ in 0..self.aliases.len() {
            while let ir::Constant::Cast(_, inner, _) = target {
                target = &inner.1;
            }
            let ir::Constant::Global(name) = target else { return None };
            match self.aliases.get(name.as_str()) {
                Some(next) => target = next,
                None => return Some(name),
            }
        }
        None
    }

    fn new_symbol(&mut self, name: &str) -> Option<Symbol> {
        if self.aliases.contains_key(name) {
            let target = self.behind_aliases(name)?;
            return self.symbol(target);
        }
        if let Some(&index) = self.functions.get(name) {
            let number = self.code.functions.len() as u32;
            self.code.functions.push(Function { name: name.into(), ..Function::default() });
            self.mentions.push(Vec::new());
            self.callers.push(self.current);
            self.called_at.push(self.location);
            self.queue.push((number, index, self.current));
            return Some(Symbol::Function(number));
        }
        let &index = self.globals.get(name)?;
        let global = &self.module.globals[index];
        let number = self.code.globals.len() as u32;
        let known = global.variable.as_ref().map(|variable| variable.name.clone());
        // What describes types is found by its name.
        let plain = || match name {
            _ if name.starts_with("_ZGV") || is_table_of_methods(name) => demangle::name(name),
            _ if name.starts_with(".str") => self.literal(name).unwrap_or_else(|| name.to_string()),
            _ => name.to_string(),
        };
        let source_name = known.unwrap_or_else(plain);
        let size = self.layout.size(&global.ty).unwrap_or(0);
        let address = address::global(number, size).filter(|at| at.is_multiple_of(global.align.max(1)));
        if address.is_none() {
            let message = format!("there is no address left for `{source_name}`, or none so well aligned");
            self.problem(None, message, None);
        }
        let address = address.unwrap_or(0);
        self.code.globals.push(Global {
            name: source_name,
            address,
            initial: Vec::new(),
            // What threads have copies of never changes itself.
            constant: global.constant || global.thread_local || constant::is_stream(name),
            thread_local: global.thread_local,
            shared: false,
            cells: self.layout.cells(&global.ty),
        });
        if let Some(variable) = &global.variable {
            self.code.sources.shapes.push((Address(address), variable.shape.clone()));
        }
        // What a variable of the library mentions was mentioned where that was.
        let mention = if self.current.is_some() { (self.current, self.location) } else { self.mention };
        self.unset.push((number, index, mention));
        Some(Symbol::Global(number))
    }

    /// The address of a function or variable.
    fn address_of(&mut self, name: &str) -> Option<u64> {
        Some(match self.symbol(name)? {
            Symbol::Function(number) => address::function(number),
            Symbol::Global(number) => self.code.globals[number as usize].address,
        })
    }

    /// Variables that some function mentions which may run in another thread than the first: all that can be reached
    /// from a function whose address is taken.
    fn find_shared(&mut self) {
        if !self.starts_threads() {
            return;
        }
        let mut seen = vec![false; self.code.functions.len()];
        let mut work: Vec<u32> = self.spawnable();
        while let Some(f) = work.pop() {
            if std::mem::replace(&mut seen[f as usize], true) {
                continue;
            }
            for &symbol in &self.mentions[f as usize] {
                match symbol {
                    Symbol::Function(g) => work.push(g),
                    Symbol::Global(g) => self.code.globals[g as usize].shared = true,
                }
            }
        }
    }

    /// Functions whose address some instruction or variable holds.
    fn spawnable(&self) -> Vec<u32> {
        let mut found = Vec::new();
        let mut note = |value: u64| {
            if let address::Target::Function(f) = address::decode(value)
                && (f as usize) < self.code.functions.len()
            {
                found.push(f);
            }
        };
        for function in &self.code.functions {
            function.constants.iter().copied().for_each(&mut note);
        }
        for global in &self.code.globals {
            for word in global.initial.chunks_exact(8) {
                note(word.try_into().map_or(0, u64::from_le_bytes));
            }
        }
        found
    }

    fn place(&mut self, place: Place) -> Option<u16> {
        if self.code.places.len() >= address::MAX_PLACES {
            self.problem(None, "the program has too many places that allocate memory".into(), None);
            return None;
        }
        let name = if place.stack { place.name.clone() } else { String::new() };
        self.code.sources.allocated.push((name, Shape::Whole));
        self.code.places.push(place);
        Some(self.code.places.len() as u16 - 1)
    }
}

/// Is it the table of methods of a class, and none that says what kind of type another variable describes?
fn is_table_of_methods(name: &str) -> bool {
    (name.starts_with("_ZTV") || name.starts_with("_ZTT")) && !name.starts_with("_ZTVN10__cxxabiv1")
}
