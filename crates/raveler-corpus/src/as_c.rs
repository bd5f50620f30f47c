//! Litmus tests written as C programs: both front-ends must give the same executions and the same registers.

use std::collections::{BTreeMap, BTreeSet};

use raveler_c::{CProgram, Collector, Refused, lower, search};
use raveler_core::{Equivalence, Model, Settings};
use raveler_litmus::Test;

use crate::expect::Setting;
use crate::run::examine;

/// One thread of a test.
struct Thread<'a> {
    /// Type and name.
    parameters: Vec<(&'a str, &'a str)>,
    body: String,
    registers: BTreeSet<String>,
}

/// A test as a C program that observes its registers; none if it says something that C says in another way.
pub fn translate(text: &str) -> Option<String> {
    let start = text.find('{')?;
    let end = start + text[start..].find('}')?;
    let mut initial: BTreeMap<&str, &str> = BTreeMap::new();
    for entry in text[start + 1..end].split(';').map(str::trim).filter(|entry| !entry.is_empty()) {
        let (name, value) = entry.split_once('=')?;
        let name = name.trim().trim_start_matches('[').trim_end_matches(']');
        value.trim().parse::<i64>().ok()?;
        if !name.chars().all(|c| c.is_alphanumeric() || c == '_') {
            return None;
        }
        initial.insert(name, value.trim());
    }
    let threads = threads(&text[end + 1..])?;
    let mut globals: BTreeMap<&str, &str> = BTreeMap::new();
    for &(ty, name) in threads.iter().flat_map(|thread| &thread.parameters) {
        if *globals.entry(name).or_insert(ty) != ty {
            return None;
        }
    }
    let mut out = String::from("#include <pthread.h>\n#include <raveler.h>\n#include <stdatomic.h>\n");
    for (name, ty) in &globals {
        out += &format!("static {ty} {name} = {};\n", initial.get(name).unwrap_or(&"0"));
    }
    for (number, thread) in threads.iter().enumerate() {
        let parameters: Vec<String> =
            thread.parameters.iter().map(|(ty, name)| format!("{ty} *{name}")).collect();
        let arguments: Vec<String> = thread.parameters.iter().map(|(_, name)| format!("&{name}")).collect();
        out += &format!("static void body{number}({}) {{\n", parameters.join(", "));
        out.extend(thread.registers.iter().map(|register| format!("int {register} = 0;\n")));
        out += &thread.body;
        let observe = |register| format!("rv_observe(\"{number}:{register}\", {register});\n");
        out.extend(thread.registers.iter().map(observe));
        out += &format!(
            "}}\nstatic void *run{number}(void *unused) {{ (void)unused; body{number}({}); return 0; }}\n",
            arguments.join(", ")
        );
    }
    out += &format!("int main(void) {{\npthread_t threads[{}];\n", threads.len());
    for number in 0..threads.len() {
        out += &format!("pthread_create(&threads[{number}], 0, run{number}, 0);\n");
    }
    for number in 0..threads.len() {
        out += &format!("pthread_join(threads[{number}], 0);\n");
    }
    Some(out + "}\n")
}

fn threads(mut text: &str) -> Option<Vec<Thread<'_>>> {
    let mut threads = Vec::new();
    while let Some(start) = text.find(&format!("P{}", threads.len())) {
        text = &text[start..];
        let open = text.find('(')?;
        let close = open + text[open..].find(')')?;
        let brace = close + text[close..].find('{')?;
        let mut depth = 0;
        let end = brace
            + text[brace..].find(|c| {
                depth += i32::from(c == '{') - i32::from(c == '}');
                depth == 0
            })?;
        let mut parameters = Vec::new();
        for parameter in text[open + 1..close].split(',').map(str::trim).filter(|p| !p.is_empty()) {
            let (ty, name) = parameter.rsplit_once('*')?;
            parameters.push((ty.trim(), name.trim()));
        }
        let (body, registers) = without_declarations(&text[brace + 1..end])?;
        // In litmus tests `*x` is a plain access whatever the type.
        let atomic = |&&(ty, _): &&(&str, &str)| ty != "int";
        if parameters.iter().filter(atomic).any(|(_, name)| body.contains(&format!("*{name}"))) {
            return None;
        }
        threads.push(Thread { parameters, body, registers });
        text = &text[end..];
    }
    Some(threads)
}

/// A body whose registers are declared elsewhere: in litmus tests they belong to the thread, not to a block.
fn without_declarations(body: &str) -> Option<(String, BTreeSet<String>)> {
    let mut out = String::new();
    let mut registers = BTreeSet::new();
    let mut rest = body;
    while let Some(at) = rest.find("int ") {
        let before = rest[..at].chars().next_back();
        let after = &rest[at + 4..];
        if before.is_some_and(|c| c.is_alphanumeric() || c == '_') {
            out += &rest[..at + 4];
            rest = after;
            continue;
        }
        let name: String = after.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        if name.is_empty() {
            return None;
        }
        registers.insert(name);
        out += &rest[..at];
        // `int r0;` alone is no statement without its type, but an expression.
        rest = after;
    }
    out += rest;
    Some((out, registers))
}

/// What the comparison of one test gave.
pub enum Compared {
    /// The same, in so many searches.
    Same(usize),
    /// It cannot be written in C in the same way.
    Skipped,
    /// Something differs.
    Different(String),
}

/// Compare a test with its translation under all models and both equivalences.
pub fn compare(file: &str, text: &str) -> Compared {
    let Some(source) = translate(text) else { return Compared::Skipped };
    let Ok(test) = raveler_litmus::parse(file, text) else { return Compared::Skipped };
    let program = match raveler_c::load("-", source.as_bytes(), &[], &lower::Options::default(), &|_| None) {
        Ok(code) => CProgram::new(code),
        Err(Refused::Clang(_)) => return Compared::Skipped,
        Err(other) => return Compared::Different(format!("refused: {other:?}\n{source}")),
    };
    let mut searches = 0;
    for model in Model::CAUSAL {
        for equivalence in [Equivalence::ReadsFrom, Equivalence::Coherence] {
            let setting = Setting::ordered(model, equivalence);
            let complaint = |message: String| Compared::Different(format!("{setting}: {message}\n{source}"));
            match one(&test, &program, setting) {
                Ok(()) => searches += 1,
                Err(message) => return complaint(message),
            }
        }
    }
    Compared::Same(searches)
}

fn one(test: &Test, program: &CProgram, setting: Setting) -> Result<(), String> {
    let finding = examine(test, setting)?;
    let settings: Settings = setting.settings();
    let fresh = program.fresh();
    fresh.prepare(&settings);
    let mut seen = Collector::new(&fresh);
    let outcome = search(&fresh, &settings, &mut seen);
    if let Some(reason) = outcome.stopped {
        return Err(format!("the search of the C program stopped: {reason:?}"));
    }
    if (outcome.counts.executions, outcome.counts.blocked) != (finding.executions, finding.blocked) {
        return Err(format!(
            "{} executions and {} blocked, as C {} and {}",
            finding.executions, finding.blocked, outcome.counts.executions, outcome.counts.blocked
        ));
    }
    // Registers only: what is in memory at the end would have to be read, which makes executions.
    let shown: BTreeSet<&str> = finding
        .states
        .iter()
        .flat_map(|state| state.split(' '))
        .filter_map(|part| part.split_once('=').map(|(name, _)| name))
        .filter(|name| name.contains(':'))
        .collect();
    let registers: BTreeSet<BTreeSet<String>> = finding
        .states
        .iter()
        .map(|state| state.split(' ').filter(|part| part.contains(':')).map(str::to_string).collect())
        .collect();
    let observed: BTreeSet<BTreeSet<String>> = seen
        .outcomes(&fresh)
        .into_iter()
        .map(|(values, _)| {
            let shown = values.into_iter().filter(|(name, _)| shown.contains(name.as_str()));
            shown.map(|(name, value)| format!("{name}={value}")).collect()
        })
        .collect();
    if registers != observed && !shown.is_empty() {
        return Err(format!("registers {registers:?}, as C {observed:?}"));
    }
    Ok(())
}
