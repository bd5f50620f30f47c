//! What messages and reports are made of: texts, names, places in the source, and what cannot be lowered.

use raveler_core::{Site, SiteId};

use super::{Lowerer, MAX_PROBLEMS, Problem, is_library};
use crate::demangle;
use crate::ir;

impl Lowerer<'_> {
    /// The number of a message.
    pub(super) fn message(&mut self, text: &str) -> u16 {
        if let Some(&number) = self.texts.get(text) {
            return number;
        }
        let number = self.code.texts.len() as u16;
        self.code.texts.push(text.into());
        self.texts.insert(text.into(), number);
        number
    }

    /// The number of a name for an observed value.
    pub(super) fn observed(&mut self, name: &str) -> u16 {
        if let Some(&number) = self.names.get(name) {
            return number;
        }
        let number = self.code.sources.names.len() as u16;
        self.code.sources.names.push(name.into());
        self.names.insert(name.into(), number);
        number
    }

    /// The place in the source of an instruction.
    pub(super) fn site(&mut self, location: Option<u32>) -> SiteId {
        let Some(location) = location else { return SiteId::NONE };
        if let Some(&site) = self.sites.get(&location) {
            return site;
        }
        let debug = &self.module.debug;
        let mut place = &debug.locations[location as usize];
        let file_of =
            |place: &ir::Location| debug.files.get(place.file as usize).cloned().unwrap_or_default();
        // What was inlined from a header of a library stands where it is called.
        while let Some(call) = place.inlined_at.filter(|_| is_library(&file_of(place))) {
            place = &debug.locations[call as usize];
        }
        let (file, line, column, function) =
            (file_of(place), place.line, place.column, place.function.clone());
        let text = self.line(&file, line);
        let id = SiteId(self.code.sources.sites.len() as u32);
        self.code.sources.sites.push(Site {
            file: (file != self.code.sources.file).then_some(file),
            line,
            column,
            function,
            text,
        });
        self.sites.insert(location, id);
        id
    }

    pub(super) fn line(&mut self, file: &str, line: u32) -> String {
        let read = self.text;
        let lines = self.lines.entry(file.to_string()).or_insert_with(|| {
            read(file).unwrap_or_default().lines().map(|line| line.trim().to_string()).collect()
        });
        (line as usize).checked_sub(1).and_then(|at| lines.get(at)).cloned().unwrap_or_default()
    }

    pub(super) fn problem(&mut self, location: Option<u32>, message: String, help: Option<String>) {
        let debug = &self.module.debug;
        let place_of = |location: Option<u32>| location.and_then(|at| debug.locations.get(at as usize));
        let mut place = place_of(location.or(self.mention.1));
        // Inside of a library: where the program calls it.
        let foreign =
            |place: &ir::Location| debug.files.get(place.file as usize).is_some_and(|file| is_library(file));
        let mut inside = self.current.or(self.mention.0);
        while let (Some(function), Some(_)) = (inside, place.filter(|place| foreign(place))) {
            let Some(call) = place_of(self.called_at[function as usize]) else { break };
            (place, inside) = (Some(call), self.callers[function as usize]);
        }
        let mut path = Vec::new();
        let mut function = self.current.or(self.mention.0);
        while let Some(number) = function {
            path.push(demangle::name(&self.code.functions[number as usize].name));
            function = self.callers[number as usize];
            if path.len() > 32 {
                break;
            }
        }
        path.reverse();
        let problem = Problem {
            message,
            help,
            file: place
                .and_then(|p| debug.files.get(p.file as usize).cloned())
                .unwrap_or_else(|| self.code.sources.file.clone()),
            line: place.map_or(0, |p| p.line),
            column: place.map_or(0, |p| p.column),
            path,
            missing: None,
        };
        if self.problems.len() < MAX_PROBLEMS && !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }
}
