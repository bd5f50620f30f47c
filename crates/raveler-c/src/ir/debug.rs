//! Debug information: from the numbers at instructions to lines, files and names.
//!
//! Nodes stand behind the functions that mention them, and most are never needed. So the reader notes where
//! each node's text is and which ones are asked for; [`Notes::finish`] then interprets those.
//!
//! This file is long because debug information is one format, read in one pass.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::lex::{Fault, Result, unescape};
use super::{Local, Location, Module, Variable};
use crate::demangle::{self, CALLED, LAMBDA};
use raveler_core::{Member, Shape};

/// How many scopes may enclose each other.
const DEEPEST: usize = 1000;

/// How many types may contain each other, and how many parts one may have, to be named.
const DEEPEST_TYPE: u32 = 32;
const MOST_PARTS: u32 = 10_000;

/// A mention of a node: by number, or the whole node in place.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Source {
    /// The number, and the byte where it is mentioned.
    Node(u32, u32),
    /// The bytes of the text that it takes.
    Inline(u32, u32),
}

/// What the reader has seen of the debug information so far.
pub(super) struct Notes<'a> {
    text: &'a str,
    nodes: FxHashMap<u32, Range<u32>>,
    /// Index of the location of a node.
    known: FxHashMap<u32, u32>,
    locations: Vec<Source>,
    subprograms: Vec<(usize, Source)>,
    globals: Vec<(usize, Source)>,
    variables: Vec<(usize, Local, Source)>,
    scopes: FxHashMap<u32, Scope>,
    /// The blocks among them, by number, and what is around each.
    blocks: FxHashMap<u32, u32>,
    around: Vec<Option<u32>>,
    files: Vec<File<'a>>,
    file_of_node: FxHashMap<u32, u32>,
}

/// What a place inherits from where it is: the innermost file, the function, and the innermost block.
#[derive(Clone)]
struct Scope {
    file: u32,
    function: String,
    block: Option<u32>,
}

#[derive(PartialEq, Eq)]
struct File<'a> {
    name: &'a str,
    directory: &'a str,
}

/// A node with its fields, such as `!DILocation(line: 3, column: 5, scope: !7)`.
struct Node<'a> {
    kind: &'a str,
    fields: &'a str,
    /// The byte where it starts.
    at: usize,
}

impl<'a> Notes<'a> {
    pub fn new(text: &'a str) -> Self {
        Notes {
            text,
            nodes: FxHashMap::default(),
            known: FxHashMap::default(),
            locations: Vec::new(),
            subprograms: Vec::new(),
            globals: Vec::new(),
            variables: Vec::new(),
            scopes: FxHashMap::default(),
            blocks: FxHashMap::default(),
            around: Vec::new(),
            files: Vec::new(),
            file_of_node: FxHashMap::default(),
        }
    }

    /// `!5 = ...`: false if there is another one.
    pub fn define(&mut self, number: u32, text: Range<usize>) -> bool {
        self.nodes.insert(number, text.start as u32..text.end as u32).is_none()
    }

    /// The index that this location will have. The same node always has the same.
    pub fn location(&mut self, source: Source) -> u32 {
        let next = self.locations.len() as u32;
        if let Source::Node(number, _) = source {
            let index = *self.known.entry(number).or_insert(next);
            if index != next {
                return index;
            }
        }
        self.locations.push(source);
        next
    }

    /// What describes the function of this index.
    pub fn subprogram(&mut self, function: usize, source: Source) {
        self.subprograms.push((function, source));
    }

    /// What describes the global of this index.
    pub fn global(&mut self, global: usize, source: Source) {
        self.globals.push((global, source));
    }

    /// What describes the variable that a local of a function points to.
    pub fn variable(&mut self, function: usize, local: Local, source: Source) {
        self.variables.push((function, local, source));
    }

    /// Interpret what was asked for.
    pub fn finish(mut self, module: &mut Module) -> Result<()> {
        let mut locations = Vec::with_capacity(self.locations.len());
        // Grows while it is walked: a location may be inlined at one that no instruction mentions.
        while let Some(&source) = self.locations.get(locations.len()) {
            let location = self.interpret_location(source)?;
            locations.push(location);
        }
        self.check_inlining(&locations)?;
        for (index, source) in std::mem::take(&mut self.subprograms) {
            module.functions[index].subprogram = Some(self.described(source, "DISubprogram")?);
        }
        for (index, source) in std::mem::take(&mut self.globals) {
            let expression = self.node(source)?;
            let source = match expression.kind {
                "DIGlobalVariableExpression" => expression.reference("var")?,
                _ => Some(source),
            };
            if let (Some(source), None) = (source, module.globals[index].variable.as_ref()) {
                let mut variable = self.described(source, "DIGlobalVariable")?;
                variable.shape = self.shape_of(source);
                module.globals[index].variable = Some(variable);
            }
        }
        for (index, local, source) in std::mem::take(&mut self.variables) {
            let mut variable = self.described(source, "DILocalVariable")?;
            variable.shape = self.shape_of(source);
            variable.points_to = self.pointee(source);
            if let Some(scope) = self.node(source)?.reference("scope")? {
                variable.scope = self.scope(scope)?.block;
            }
            module.functions[index].variables.push((local, variable));
        }
        module.debug.locations = locations;
        module.debug.scopes = self.around.clone();
        module.debug.files = self.file_names();
        Ok(())
    }

    fn interpret_location(&mut self, source: Source) -> Result<Location> {
        let node = self.node(source)?;
        if node.kind != "DILocation" {
            return Err(Fault::new(node.at, format!("expected a location, found `{}`", node.kind)));
        }
        let (mut line, mut column, mut scope, mut inlined_at) = (0, 0, None, None);
        for (name, value) in node.fields() {
            match name {
                "line" => line = node.number(value)?,
                "column" => column = node.number(value)?,
                "scope" => scope = node.source(value)?,
                "inlinedAt" => inlined_at = node.source(value)?,
                _ => {}
            }
        }
        let Some(scope) = scope else { return Err(Fault::new(node.at, "a location without a scope")) };
        let Scope { file, function, block } = self.scope(scope)?;
        let inlined_at = inlined_at.map(|source| self.location(source));
        Ok(Location { file, line, column, function, inlined_at, scope: block })
    }

    /// Nobody who follows `inlined_at` must go in circles.
    fn check_inlining(&self, locations: &[Location]) -> Result<()> {
        let mut good = vec![false; locations.len()];
        for start in 0..locations.len() {
            let mut path = vec![start];
            while let Some(next) = locations[path[path.len() - 1]].inlined_at {
                let next = next as usize;
                if good[next] {
                    break;
                }
                if path.len() > locations.len() {
                    return Err(Fault::new(self.mention(self.locations[start]), "inlined into itself"));
                }
                path.push(next);
            }
            for index in path {
                good[index] = true;
            }
        }
        Ok(())
    }

    /// File and function of a scope. Blocks name the file they are written in, which an included piece of
    /// text makes differ from the function's.
    fn scope(&mut self, source: Source) -> Result<Scope> {
        if let Source::Node(number, _) = source
            && let Some(scope) = self.scopes.get(&number)
        {
            return Ok(scope.clone());
        }
        let mut file = None;
        let mut function = String::new();
        let (mut mangled, mut line) = (String::new(), 0);
        let mut current = Some(source);
        let mut chain = Vec::new();
        let mut exact = false;
        while let Some(here) = current {
            let node = self.node(here)?;
            let mut outer = None;
            chain.extend(numbered(here));
            for (name, value) in node.fields() {
                match name {
                    "file" if file.is_none() => file = node.source(value)?,
                    "scope" => outer = node.source(value)?,
                    "name" if node.kind == "DISubprogram" => function = plain(value),
                    "linkageName" => mangled = plain(value),
                    "line" if node.kind == "DISubprogram" => line = node.number(value)?,
                    // Optimised code may stand in another order than the source.
                    "spFlags" => exact = !value.contains("DISPFlagOptimized"),
                    _ => {}
                }
            }
            if node.kind == "DISubprogram" {
                break;
            }
            if chain.len() > DEEPEST {
                return Err(Fault::new(node.at, "a scope within itself"));
            }
            current = outer;
        }
        let file = self.file(file)?;
        if function.is_empty() {
            function = mangled;
        } else if function == CALLED {
            function = demangle::called(&mangled).unwrap_or_else(|| {
                // There are many of them.
                let name = self.files.get(file as usize).map_or_else(String::new, |file| plain(file.name));
                format!("{LAMBDA} at {}:{line}", name.rsplit('/').next().unwrap_or(&name))
            });
        }
        let block = if exact { self.block(&chain) } else { None };
        let scope = Scope { file, function, block };
        if let Source::Node(number, _) = source {
            self.scopes.insert(number, scope.clone());
        }
        Ok(scope)
    }

    /// The index of a block: its number and those of the blocks around it, the function last.
    fn block(&mut self, chain: &[u32]) -> Option<u32> {
        let mut outer = None;
        for &number in chain.iter().rev() {
            let next = self.around.len() as u32;
            let index = *self.blocks.entry(number).or_insert(next);
            if index == next {
                self.around.push(outer);
            }
            outer = Some(index);
        }
        outer
    }

    /// Name, file and line of what a node of this kind describes.
    fn described(&mut self, source: Source, kind: &str) -> Result<Variable> {
        let node = self.node(source)?;
        if node.kind != kind {
            return Err(Fault::new(node.at, format!("expected `{kind}`, found `{}`", node.kind)));
        }
        let mut variable = Variable::default();
        for (name, value) in node.fields() {
            match name {
                "name" => variable.name = plain(value),
                "linkageName" if variable.name.is_empty() => variable.name = plain(value),
                "line" => variable.line = node.number(value)?,
                "file" => {
                    if let Some(source) = node.source(value)? {
                        variable.file = Some(self.file(Some(source))?);
                    }
                }
                _ => {}
            }
        }
        Ok(variable)
    }

    /// How the parts of a variable are called. Only names are at stake, so what is damaged has none.
    fn shape_of(&self, variable: Source) -> Shape {
        let ty = self.node(variable).and_then(|node| node.reference("type")).ok().flatten();
        ty.and_then(|ty| self.shape(ty, 0, &mut 0)).map_or(Shape::Whole, |(shape, _)| shape)
    }

    /// How the parts of what a variable points to are called, if it is a pointer.
    fn pointee(&self, variable: Source) -> Option<(Shape, u64)> {
        let mut ty = self.node(variable).ok()?.reference("type").ok()??;
        for _ in 0..DEEPEST_TYPE {
            let node = self.node(ty).ok()?;
            let tag = node.fields().find(|(name, _)| *name == "tag").map(|(_, value)| value)?;
            ty = node.reference("baseType").ok()??;
            match tag {
                "DW_TAG_pointer_type" => return self.shape(ty, 0, &mut 0),
                "DW_TAG_typedef"
                | "DW_TAG_const_type"
                | "DW_TAG_volatile_type"
                | "DW_TAG_atomic_type"
                | "DW_TAG_restrict_type" => {}
                _ => return None,
            }
        }
        None
    }

    /// How the parts of a type are called, and how many bytes it has.
    fn shape(&self, source: Source, depth: u32, parts: &mut u32) -> Option<(Shape, u64)> {
        *parts += 1;
        if depth > DEEPEST_TYPE || *parts > MOST_PARTS {
            return None;
        }
        let node = self.node(source).ok()?;
        let field = |wanted: &str| node.fields().find(|(name, _)| *name == wanted).map(|(_, value)| value);
        let bytes = |wanted: &str| field(wanted).and_then(|bits| bits.parse::<u64>().ok()).unwrap_or(0) / 8;
        let inner =
            |parts: &mut u32| self.shape(node.reference("baseType").ok().flatten()?, depth + 1, parts);
        match field("tag").unwrap_or_default() {
            "DW_TAG_typedef"
            | "DW_TAG_const_type"
            | "DW_TAG_volatile_type"
            | "DW_TAG_atomic_type"
            | "DW_TAG_restrict_type" => inner(parts),
            "DW_TAG_array_type" => {
                let (mut of, mut size) = inner(parts)?;
                let elements = node.reference("elements").ok().flatten()?;
                for range in self.listed(elements).into_iter().rev() {
                    let range = self.node(range).ok()?;
                    let count = range.fields().find(|(name, _)| *name == "count");
                    let count = count.and_then(|(_, count)| count.trim_start_matches("i64 ").parse().ok());
                    of = Shape::Elements { of: Box::new(of), size };
                    size = size.saturating_mul(count.unwrap_or(1));
                }
                Some((of, size))
            }
            "DW_TAG_structure_type" | "DW_TAG_class_type" | "DW_TAG_union_type" => {
                let mut members = Vec::new();
                let elements = node.reference("elements").ok().flatten();
                for element in elements.map(|list| self.listed(list)).unwrap_or_default() {
                    let Ok(member) = self.node(element) else { continue };
                    members.extend(self.member(&member, depth, parts));
                }
                let size = bytes("size");
                Some((if members.is_empty() { Shape::Whole } else { Shape::Members(members) }, size))
            }
            _ => Some((Shape::Whole, bytes("size"))),
        }
    }

    fn member(&self, node: &Node<'a>, depth: u32, parts: &mut u32) -> Option<Member> {
        let field = |wanted: &str| node.fields().find(|(name, _)| *name == wanted).map(|(_, value)| value);
        let tag = field("tag")?;
        let fixed = field("flags").is_some_and(|flags| flags.contains("StaticMember"));
        if fixed || !matches!(tag, "DW_TAG_member" | "DW_TAG_inheritance") {
            return None;
        }
        let (shape, size) = self.shape(node.reference("baseType").ok().flatten()?, depth + 1, parts)?;
        let offset = field("offset").and_then(|bits| bits.parse::<u64>().ok()).unwrap_or(0) / 8;
        let name = field("name").map(plain).unwrap_or_default();
        // Reserved names belong to the library: nobody looks for them in a report.
        let reserved = name.starts_with("__") || name.strip_prefix('_').is_some_and(starts_with_capital);
        Some(Member { name: if reserved { String::new() } else { name }, offset, size, shape })
    }

    /// The nodes of a list: `!{!3, !4}`.
    fn listed(&self, list: Source) -> Vec<Source> {
        let Source::Node(number, at) = list else { return Vec::new() };
        let Some(range) = self.nodes.get(&number) else { return Vec::new() };
        let text = self.text[range.start as usize..range.end as usize].trim();
        let inside = text.strip_prefix("!{").and_then(|text| text.strip_suffix('}')).unwrap_or_default();
        let numbers = inside.split(',').filter_map(|item| item.trim().strip_prefix('!')?.parse().ok());
        numbers.map(|number| Source::Node(number, at)).collect()
    }

    /// The index of a file; what has none is in the file without a name.
    fn file(&mut self, source: Option<Source>) -> Result<u32> {
        if let Some(Source::Node(number, _)) = source
            && let Some(&index) = self.file_of_node.get(&number)
        {
            return Ok(index);
        }
        let mut file = File { name: "", directory: "" };
        if let Some(source) = source {
            let node = self.node(source)?;
            for (name, value) in node.fields() {
                match name {
                    "filename" => file.name = value,
                    "directory" => file.directory = value,
                    _ => {}
                }
            }
        }
        let index = self.files.iter().position(|other| *other == file).unwrap_or_else(|| {
            self.files.push(file);
            self.files.len() - 1
        }) as u32;
        if let Some(Source::Node(number, _)) = source {
            self.file_of_node.insert(number, index);
        }
        Ok(index)
    }

    /// Names as clang wrote them; with the directory only where two files would have the same name.
    fn file_names(&self) -> Vec<String> {
        let mut uses: FxHashMap<&str, u32> = FxHashMap::default();
        for file in &self.files {
            *uses.entry(file.name).or_default() += 1;
        }
        let name = |file: &File| {
            let name = plain(file.name);
            let directory = plain(file.directory);
            if uses[file.name] < 2 || name.starts_with('/') || directory.is_empty() {
                return name;
            }
            format!("{directory}/{name}")
        };
        self.files.iter().map(name).collect()
    }

    fn mention(&self, source: Source) -> usize {
        match source {
            Source::Node(_, at) | Source::Inline(at, _) => at as usize,
        }
    }

    /// The node that is mentioned.
    fn node(&self, source: Source) -> Result<Node<'a>> {
        let range = match source {
            Source::Node(number, at) => match self.nodes.get(&number) {
                Some(range) => range.start as usize..range.end as usize,
                None => {
                    return Err(Fault::new(at as usize, format!("the metadata `!{number}` is not defined")));
                }
            },
            Source::Inline(start, end) => start as usize..end as usize,
        };
        let at = range.start;
        let text = &self.text[range];
        let bare = text.strip_prefix("distinct").unwrap_or(text).trim_start();
        let parts = bare
            .strip_prefix('!')
            .and_then(|node| node.strip_suffix(')'))
            .and_then(|node| node.split_once('('));
        match parts {
            Some((kind, fields)) => Ok(Node { kind, fields, at }),
            None => Err(Fault::new(at, "expected metadata with fields")),
        }
    }
}

impl<'a> Node<'a> {
    /// Names and values of the fields.
    fn fields(&self) -> Fields<'a> {
        Fields { rest: self.fields }
    }

    fn number(&self, value: &str) -> Result<u32> {
        value.parse().map_err(|_| {
            Fault::new(self.at, format!("expected a number in `{}`, found `{value}`", self.kind))
        })
    }

    /// The node that a field names.
    fn reference(&self, field: &str) -> Result<Option<Source>> {
        match self.fields().find(|(name, _)| *name == field) {
            Some((_, value)) => self.source(value),
            None => Ok(None),
        }
    }

    fn source(&self, value: &'a str) -> Result<Option<Source>> {
        if value == "null" {
            return Ok(None);
        }
        match value.strip_prefix('!').and_then(|number| number.parse().ok()) {
            Some(number) => Ok(Some(Source::Node(number, self.at as u32))),
            None => Err(Fault::new(self.at, format!("expected a node in `{}`, found `{value}`", self.kind))),
        }
    }
}

/// Goes through `name: value, name: value`; gives what it can of damaged text.
struct Fields<'a> {
    rest: &'a str,
}

impl<'a> Iterator for Fields<'a> {
    type Item = (&'a str, &'a str);

    fn next(&mut self) -> Option<Self::Item> {
        let (name, rest) = self.rest.split_once(':')?;
        let rest = rest.trim_start();
        let mut depth = 0usize;
        let mut quoted = false;
        let end = rest
            .bytes()
            .position(|byte| {
                match byte {
                    b'"' => quoted = !quoted,
                    _ if quoted => {}
                    b'(' | b'{' | b'[' => depth += 1,
                    b')' | b'}' | b']' => depth = depth.saturating_sub(1),
                    b',' => return depth == 0,
                    _ => {}
                }
                false
            })
            .unwrap_or(rest.len());
        self.rest = rest.get(end + 1..).unwrap_or("");
        Some((name.trim(), rest[..end].trim_end()))
    }
}

fn numbered(source: Source) -> Option<u32> {
    match source {
        Source::Node(number, _) => Some(number),
        Source::Inline(..) => None,
    }
}

fn starts_with_capital(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_uppercase())
}

/// What a quoted value says.
fn plain(value: &str) -> String {
    let text = value.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(value);
    String::from_utf8_lossy(&unescape(text)).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_split_at_the_outermost_commas_only() {
        let fields: Vec<_> =
            Fields { rest: "name: \"a, b\", expr: !DIExpression(DW_OP_deref, 1), flags: A | B, line: 7" }
                .collect();
        assert_eq!(
            fields,
            [
                ("name", "\"a, b\""),
                ("expr", "!DIExpression(DW_OP_deref, 1)"),
                ("flags", "A | B"),
                ("line", "7")
            ]
        );
    }
}
