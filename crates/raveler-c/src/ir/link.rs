//! Several modules as one program, as a linker makes it: names of their own are kept apart, what is declared in one is
//! defined in another, and of definitions that may be replaced one is taken.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::sync::atomic::AtomicBool;

use super::{Constant, Function, Global, Module, ReadError};

/// Two modules that do not fit together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Conflict {
    /// The name that both define.
    pub name: String,
    /// The numbers of the two modules.
    pub modules: (usize, usize),
    /// One defines a function and the other a variable, or one a variable for each thread and the other not.
    pub kinds: bool,
}

/// Why there is no program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LinkError {
    /// This text cannot be read.
    Read(usize, ReadError),
    /// Two modules do not fit together.
    Conflict(Conflict),
}

/// What a name stands for, and which module says so.
#[derive(Clone, Copy)]
struct Known {
    module: usize,
    is_function: bool,
    /// Where it is in the list of functions or variables.
    index: usize,
}

/// What a function is that two modules define from the same lines of a header.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SameLines {
    /// Defined twice.
    Conflict,
    /// One function: it is `inline`, and the compiler was told to give all of these bodies.
    One,
}

/// Read several texts as one program; given up with an error when `over` is set.
pub fn link(texts: &[&str], same_lines: SameLines, over: &AtomicBool) -> Result<Module, LinkError> {
    if let [only] = texts {
        return super::reader::read_until(only, over).map_err(|error| LinkError::Read(0, error));
    }
    let mentioned: Vec<HashSet<&str>> = texts.iter().map(|text| mentions(text).collect()).collect();
    let mut linker = Linker { whole: Module::default(), known: HashMap::new(), same_lines };
    for (number, text) in texts.iter().enumerate() {
        // What no other text mentions may keep its name.
        let elsewhere = |name: &&str| {
            mentioned.iter().enumerate().any(|(other, names)| other != number && names.contains(name))
        };
        let own = own_names(text).filter(elsewhere).collect();
        let types = std::mem::take(&mut linker.whole.types);
        let module = super::reader::read_after(text, types, own, number, over);
        let module = module.map_err(|error| LinkError::Read(number, error))?;
        linker.add(module, number).map_err(LinkError::Conflict)?;
    }
    Ok(linker.whole)
}

struct Linker {
    whole: Module,
    known: HashMap<String, Known>,
    same_lines: SameLines,
}

impl Linker {
    fn add(&mut self, module: Module, number: usize) -> Result<(), Conflict> {
        let Module { source, layout, types, functions, globals, aliases, debug } = module;
        if number == 0 {
            (self.whole.source, self.whole.layout) = (source, layout);
        }
        let locations = self.whole.debug.locations.len() as u32;
        let files = self.whole.debug.files.len() as u32;
        let scopes = self.whole.debug.scopes.len() as u32;
        self.whole.types = types;
        self.whole.debug.files.extend(debug.files);
        self.whole.debug.scopes.extend(debug.scopes.iter().map(|outer| outer.map(|outer| outer + scopes)));
        self.whole.debug.locations.extend(debug.locations.into_iter().map(|mut location| {
            location.file += files;
            location.inlined_at = location.inlined_at.map(|at| at + locations);
            location.scope = location.scope.map(|scope| scope + scopes);
            location
        }));
        for mut function in functions {
            moved(&mut function, locations, files, scopes);
            self.function(function, number)?;
        }
        for mut global in globals {
            if let Some(file) = global.variable.as_mut().and_then(|variable| variable.file.as_mut()) {
                *file += files;
            }
            self.global(global, number)?;
        }
        self.whole.aliases.extend(aliases);
        Ok(())
    }

    fn function(&mut self, function: Function, module: usize) -> Result<(), Conflict> {
        let index = self.whole.functions.len();
        let known = match self.known.entry(function.name.clone()) {
            Entry::Vacant(free) => {
                free.insert(Known { module, is_function: true, index });
                self.whole.functions.push(function);
                return Ok(());
            }
            Entry::Occupied(known) => known.into_mut(),
        };
        let conflict =
            |kinds| Conflict { name: function.name.clone(), modules: (known.module, module), kinds };
        if !known.is_function {
            return Err(conflict(true));
        }
        let files = &self.whole.debug.files;
        let place = |function: &Function| {
            let place = function.subprogram.as_ref()?;
            Some((files.get(place.file? as usize)?.clone(), place.line))
        };
        let other = &mut self.whole.functions[known.index];
        let is_same =
            self.same_lines == SameLines::One && place(other).is_some_and(|at| place(&function) == Some(at));
        match (other.blocks.is_empty(), function.blocks.is_empty()) {
            // Two declarations: weak if both are.
            (true, true) => {
                other.weak &= function.weak;
                return Ok(());
            }
            (_, true) => return Ok(()),
            (false, false) if is_same => return Ok(()),
            (false, false) if !other.weak && !function.weak => return Err(conflict(false)),
            (false, false) if !other.weak || function.weak => return Ok(()),
            _ => {}
        }
        *other = function;
        known.module = module;
        Ok(())
    }

    fn global(&mut self, global: Global, module: usize) -> Result<(), Conflict> {
        let index = self.whole.globals.len();
        let known = match self.known.entry(global.name.clone()) {
            Entry::Vacant(free) => {
                free.insert(Known { module, is_function: false, index });
                self.whole.globals.push(global);
                return Ok(());
            }
            Entry::Occupied(known) => known.into_mut(),
        };
        let conflict = |kinds| Conflict { name: global.name.clone(), modules: (known.module, module), kinds };
        if known.is_function {
            return Err(conflict(true));
        }
        let other = &mut self.whole.globals[known.index];
        // Lists that every module adds to.
        if global.name.starts_with("llvm.") {
            if let (Some(Constant::Aggregate(all)), Some(Constant::Aggregate(more))) =
                (&mut other.initial, global.initial)
            {
                all.extend(more);
            }
            return Ok(());
        }
        if other.thread_local != global.thread_local {
            return Err(conflict(true));
        }
        match (&other.initial, &global.initial) {
            (None, None) => {
                other.weak &= global.weak;
                return Ok(());
            }
            (_, None) => return Ok(()),
            (Some(_), Some(_)) if !other.weak && !global.weak => return Err(conflict(false)),
            (Some(_), Some(_)) if !other.weak || global.weak => return Ok(()),
            _ => {}
        }
        *other = global;
        known.module = module;
        Ok(())
    }
}

/// What debug information says of a function, behind that of the modules before.
fn moved(function: &mut Function, locations: u32, files: u32, scopes: u32) {
    for instruction in function.blocks.iter_mut().flat_map(|block| &mut block.instructions) {
        instruction.location = instruction.location.map(|at| at + locations);
    }
    let inside = function.variables.iter_mut().filter_map(|(_, variable)| variable.scope.as_mut());
    inside.for_each(|scope| *scope += scopes);
    let variables = function.variables.iter_mut().map(|(_, variable)| variable);
    for file in variables.chain(&mut function.subprogram).filter_map(|variable| variable.file.as_mut()) {
        *file += files;
    }
}

/// The names of functions and variables that a text mentions, and perhaps more.
fn mentions(text: &str) -> impl Iterator<Item = &str> {
    text.split('@').skip(1).map(|rest| match rest.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next().unwrap_or_default(),
        None => {
            let is_name = |c: char| c.is_ascii_alphanumeric() || "-$._".contains(c);
            &rest[..rest.find(|c| !is_name(c)).unwrap_or(rest.len())]
        }
    })
}

/// The names that mean nothing to other modules: those that are defined as such at the beginning of a line.
fn own_names(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| {
        let is_own = |words: &str| words.split([' ', '(']).any(|word| matches!(word, "internal" | "private"));
        let (before, name) =
            line.split_once('@').filter(|(before, _)| before.is_empty() || before.starts_with("define "))?;
        let (name, behind) = match name.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"')?,
            None => name.split_at(name.find([' ', '(', '=']).unwrap_or(name.len())),
        };
        let words = if before.is_empty() {
            let behind = behind.trim_start().strip_prefix('=')?;
            behind.split(" global ").next()?.split(" constant ").next()?.split(" alias ").next()?
        } else {
            before
        };
        is_own(words).then_some(name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn link(texts: &[&str]) -> Result<Module, LinkError> {
        super::link(texts, SameLines::Conflict, &AtomicBool::new(false))
    }

    fn names(module: &Module) -> Vec<&str> {
        let functions = module.functions.iter().map(|f| f.name.as_str());
        functions.chain(module.globals.iter().map(|g| g.name.as_str())).collect()
    }

    #[test]
    fn names_of_their_own_are_kept_apart() {
        let text =
            "@x = internal global i32 0\ndefine internal void @f() {\n  store i32 1, ptr @x\n  ret void\n}";
        let whole = link(&[text, text]).expect("they fit");
        let names = names(&whole);
        assert_eq!(names.len(), 4);
        assert_ne!(names[0], names[1]);
        assert_ne!(names[2], names[3]);
        let store = format!("{:?}", whole.functions[1].blocks[0].instructions[0].op);
        assert!(store.contains(names[3]), "{store} writes the variable of its own module");
    }

    #[test]
    fn a_name_of_its_own_is_not_what_others_declare() {
        let own = "define internal void @f() {\n  ret void\n}\ndefine internal void @g() {\n  ret void\n}";
        let uses = "declare void @f()\ndefine void @h() {\n  call void @f()\n  ret void\n}";
        let has = "define void @f() {\n  ret void\n}";
        let whole = link(&[own, uses, has]).expect("they fit");
        let names = names(&whole);
        assert_eq!(names[1..], ["g", "f", "h"], "what nobody else mentions keeps its name");
        assert_ne!(names[0], "f");
    }

    #[test]
    fn a_declaration_meets_its_definition() {
        let uses = "@x = external global i32\ndeclare void @f()\n";
        let has = "@x = global i32 7\ndefine void @f() {\n  ret void\n}";
        for texts in [[uses, has], [has, uses]] {
            let whole = link(&texts).expect("they fit");
            assert_eq!(names(&whole), ["f", "x"]);
            assert!(whole.globals[0].initial.is_some());
            assert_eq!(whole.functions[0].blocks.len(), 1);
        }
    }

    #[test]
    fn what_may_be_replaced_is_replaced() {
        let weak = "define weak i32 @f() {\n  ret i32 1\n}\n@x = common global i32 0";
        let strong = "define i32 @f() {\n  ret i32 2\n}\n@x = global i32 5";
        for texts in [[weak, strong], [strong, weak]] {
            let whole = link(&texts).expect("they fit");
            assert!(!whole.functions[0].weak);
            assert_eq!(whole.globals[0].initial, Some(Constant::Int(5)));
        }
        assert_eq!(names(&link(&[weak, weak]).expect("they fit")), ["f", "x"]);
    }

    #[test]
    fn two_definitions_are_a_conflict() {
        let function = "define void @f() {\n  ret void\n}";
        let variable = "@f = global i32 0";
        let conflict = |texts: &[&str]| match link(texts) {
            Err(LinkError::Conflict(conflict)) => conflict,
            other => panic!("no conflict: {other:?}"),
        };
        assert_eq!(conflict(&[function, function]).modules, (0, 1));
        assert!(!conflict(&[variable, "", variable]).kinds);
        assert!(conflict(&[variable, function]).kinds);
        assert!(conflict(&[function, variable]).kinds);
    }

    #[test]
    fn types_of_the_same_name_may_differ() {
        let small = "%s = type { i8 }\n@x = global %s zeroinitializer";
        let large = "%s = type { i64 }\n@y = global %s zeroinitializer";
        let whole = link(&[small, large]).expect("they fit");
        assert_eq!(whole.types.len(), 2);
        assert_ne!(whole.globals[0].ty, whole.globals[1].ty);
    }
}
