//! Tokens: one execution of a report as a short text, for `--replay` (docs/replay.md).
//!
//! `v1.` and base64 without signs that a shell would touch. Inside: the options that decide what is executed, a number of
//! the program, the recording of the engine, and a check sum of all that.

use raveler_core::{Recording, Reductions, Settings, Verdict};

use crate::args::{
    self, EngineName, EquivalenceName, LocksName, RacesName, Search, Switch, Unroll, VolatileName,
};
use crate::refusal::{Refusal, code};

/// The version of the format. To be raised with every change of what tokens hold and of what recordings mean.
const VERSION: u32 = 1;

/// Tokens longer than this are told as a file.
pub const LONGEST: usize = 200;

/// What a token says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Token {
    /// The options, as they would be written on the command line.
    options: Vec<String>,
    /// The number of the program ([`Recording::program_number`]).
    pub program: u32,
    /// The execution: the bytes of a [`Recording`].
    recording: Vec<u8>,
    /// Of a violation in a litmus test: did the condition hold in the report? One execution does not decide that.
    pub held: Option<bool>,
    /// Of a litmus test: the verdict of the report. None if one execution comes to the same.
    pub verdict: Option<Verdict>,
}

/// What the verdict adds to the byte that says whether the condition held.
const VERDICTS: [Option<Verdict>; 3] = [None, Some(Verdict::Violation), Some(Verdict::Inconclusive)];

/// The options that decide what is executed, by letter: the option, and its value under these options. A switch that is
/// off and an option that is not given have none.
fn options(search: &Search, settings: &Settings) -> Vec<(char, &'static str, Option<String>)> {
    let on = |is_on: bool| is_on.then(String::new);
    let ordered = match search.locks {
        Some(locks) => locks == LocksName::Ordered,
        None => settings.locks == raveler_core::Locks::Ordered,
    };
    let reported = search.races.map_or(settings.races, |races| races == RacesName::Report);
    let interleaves = search.engine == EngineName::Interleaving;
    let coherence = search.equivalence == Some(EquivalenceName::Co);
    let name = |name: &str| Some(name.to_string());
    vec![
        ('m', "model", name(search.model.name())),
        ('e', "engine", name(if interleaves { "interleaving" } else { "graph" })),
        ('q', "equivalence", name(if coherence { "co" } else { "rf" })),
        ('l', "locks", name(if ordered { "ordered" } else { "aware" })),
        ('r', "races", name(if reported { "report" } else { "ignore" })),
        ('v', "check-liveness", name(if search.check_liveness == Switch::On { "on" } else { "off" })),
        ('s', "spurious-cas", on(search.spurious_cas)),
        ('w', "spurious-wakeups", on(search.spurious_wakeups)),
        ('n', "entry", search.entry.clone()),
        ('d', "nondet", search.nondet.map(|(low, high)| format!("{low}..{high}"))),
        (
            'a',
            "volatile",
            search.volatile.filter(|name| *name == VolatileName::Relaxed).map(|_| "relaxed".to_string()),
        ),
        ('u', "unroll", search.unroll.and_then(Unroll::rounds).map(|rounds| rounds.to_string())),
        ('k', "max-stack", search.max_stack.map(|bytes| bytes.to_string())),
        ('x', "xmm-rules", search.xmm_rules.map(|rules| rules.name().to_string())),
        ('c', "reductions", (!interleaves).then(|| reductions(settings))),
        ('b', "buffer-bound", search.buffer_bound.map(|room| room.to_string())),
    ]
}

/// Which reductions decide of which events an execution is made: those in force, since a token does not say everything
/// that may have switched them off.
fn reductions(settings: &Settings) -> String {
    let reductions = settings.reductions_in_force();
    if reductions == Reductions::ALL {
        return "all".to_string();
    }
    let names = reductions.names();
    if names.is_empty() { "none".to_string() } else { names.join(",") }
}

/// An option as it is written on the command line.
fn written(option: &str, value: &str) -> String {
    if value.is_empty() { format!("--{option}") } else { format!("--{option}={value}") }
}

/// The same without what goes without saying under this model and engine.
fn said(search: &Search, settings: &Settings) -> Vec<String> {
    let mut always = Vec::new();
    let mut plain = args::parse_words(&[]).ok();
    let mut said = Vec::new();
    for (letter, option, value) in options(search, settings) {
        let goes_without = plain.as_ref().and_then(|plain| {
            let settings = plain.settings().ok()?;
            options(plain, &settings).into_iter().find(|other| other.0 == letter).map(|other| other.2)
        });
        if goes_without == Some(value.clone()) {
            continue;
        }
        let Some(value) = value else { continue };
        if matches!(letter, 'm' | 'e') {
            always.push(written(option, &value));
            plain = args::parse_words(&always).ok();
        }
        said.push(written(option, &value));
    }
    said
}

impl Token {
    /// A token for an execution that was found with these options.
    pub fn new(search: &Search, settings: &Settings, program: u32, recording: Vec<u8>) -> Token {
        Token { options: said(search, settings), program, recording, held: None, verdict: None }
    }

    /// The same, with what the condition of a litmus test and its report said.
    pub fn with_condition(self, held: Option<bool>, verdict: Option<Verdict>) -> Token {
        Token { held, verdict: verdict.filter(|&verdict| verdict != Verdict::Verified), ..self }
    }

    /// As text. None if there are more options than fit.
    pub fn text(&self) -> Option<String> {
        let mut body = Vec::new();
        let options: Vec<String> = self.options.iter().map(|option| short(option)).collect();
        let options = options.join(" ");
        body.push(u8::try_from(options.len()).ok()?);
        body.extend(options.bytes());
        let verdict = VERDICTS.iter().position(|&verdict| verdict == self.verdict)? as u8;
        let held = self.held.map_or(0, |held| 1 + u8::from(held));
        body.push(3 * verdict + held);
        body.extend(self.program.to_le_bytes());
        body.extend(&self.recording);
        body.extend(check_sum(VERSION, &body));
        Some(format!("v{VERSION}.{}", base64(&body)))
    }

    /// From text, or from the file that `@FILE` names.
    pub fn read(given: &str) -> Result<Token, Refusal> {
        match given.strip_prefix('@') {
            None => Token::parse(given.trim()),
            Some(file) => match std::fs::read_to_string(file) {
                Ok(text) => Token::parse(text.trim()),
                Err(error) => {
                    let message = format!("the token in `{file}` cannot be read: {error}");
                    let help = "name the file that the report names, or give the token itself";
                    Err(Refusal::about(file, code::UNREADABLE, message, help))
                }
            },
        }
    }

    fn parse(text: &str) -> Result<Token, Refusal> {
        let damaged = || {
            let message = "the token is cut or mistyped: its check sum does not fit".to_string();
            let help = "copy the whole token from the report; a check without --replay finds it again";
            bad(message, help)
        };
        let (version, body) =
            text.strip_prefix('v').and_then(|rest| rest.split_once('.')).ok_or_else(|| {
                let message = "this is no token of raveler: one begins with `v1.`".to_string();
                bad(message, "copy it from the line `= replay:` of a report, or give a file of it as @FILE")
            })?;
        let version: u32 = version.parse().map_err(|_| damaged())?;
        if version != VERSION {
            let message = format!("the token has format {version}; this raveler reads format {VERSION}");
            return Err(bad(message, "use the raveler that wrote it, or check again to get a new token"));
        }
        let bytes = from_base64(body).ok_or_else(damaged)?;
        let (body, sum) = bytes.split_last_chunk::<3>().ok_or_else(damaged)?;
        if check_sum(version, body) != *sum {
            return Err(damaged());
        }
        let read = || {
            let (&length, rest) = body.split_first()?;
            let (options, rest) = rest.split_at_checked(usize::from(length))?;
            let (&said, rest) = rest.split_first()?;
            let held = said % 3;
            let (program, recording) = rest.split_first_chunk::<4>()?;
            let options = std::str::from_utf8(options).ok()?;
            let options = options.split(' ').filter(|option| !option.is_empty());
            Some(Token {
                options: options.map(long).collect::<Option<_>>()?,
                program: u32::from_le_bytes(*program),
                recording: recording.to_vec(),
                held: (held > 0).then_some(held > 1),
                verdict: *VERDICTS.get(usize::from(said / 3))?,
            })
        };
        read().ok_or_else(damaged)
    }

    /// The execution that it names.
    pub fn recording(&self) -> Result<Recording, Refusal> {
        Recording::from_bytes(&self.recording).map_err(|error| {
            bad(format!("the token cannot be read: {error}"), "check again to get a new token")
        })
    }

    /// The options of the token, with what the user says besides. `is_given` says whether an option stands on the command
    /// line: one that contradicts the token is refused.
    pub fn apply(&self, given: &Search, is_given: &dyn Fn(&str) -> bool) -> Result<Search, Refusal> {
        let unreadable = || {
            let message = "the token names options that this raveler does not know".to_string();
            bad(message, "use the raveler that wrote it, or check again to get a new token")
        };
        let told = args::parse_words(&self.options).map_err(|_| unreadable())?;
        let settings = told.settings().map_err(|_| unreadable())?;
        let mine = options(given, &settings);
        for ((_, option, told), (_, _, mine)) in options(&told, &settings).into_iter().zip(mine) {
            if is_given(option) && told != mine {
                let mine = written(option, &mine.unwrap_or_default());
                let made = match told {
                    Some(value) => format!("with `{}`", written(option, &value)),
                    None => "without it".to_string(),
                };
                let message = format!("`{mine}` contradicts the token, which was made {made}");
                return Err(bad(message, "leave the option out: the token has what it needs"));
            }
        }
        let unfit = ["random", "pct", "preemption-bound", "max-executions", "report"];
        if let Some(option) = unfit.into_iter().find(|option| is_given(option)) {
            let message = format!("`--{option}` does not go together with `--replay`");
            return Err(bad(message, "leave it out: one execution is run"));
        }
        let (timeout, max_memory) = (given.timeout, given.max_memory);
        Ok(Search { timeout, max_memory, workers: given.workers, all: given.all, ..told })
    }
}

fn bad(message: String, help: &str) -> Refusal {
    Refusal::usage(code::BAD_TOKEN, message, help)
}

/// Names of options by letter.
fn letters() -> Vec<(char, &'static str)> {
    let nothing = args::parse_words(&[]).ok().and_then(|search| Some((search.settings().ok()?, search)));
    let (settings, search) = nothing.expect("no options are fine");
    options(&search, &settings).into_iter().map(|(letter, option, _)| (letter, option)).collect()
}

/// An option in few letters.
fn short(option: &str) -> String {
    let (name, value) = option.split_once('=').unwrap_or((option, ""));
    let name = name.trim_start_matches('-');
    let letter = letters().into_iter().find(|(_, option)| *option == name).map_or('?', |(letter, _)| letter);
    format!("{letter}{value}")
}

fn long(option: &str) -> Option<String> {
    let letter = option.chars().next()?;
    let (_, name) = letters().into_iter().find(|(other, _)| *other == letter)?;
    Some(written(name, &option[letter.len_utf8()..]))
}

/// Three bytes of FNV-1a.
fn check_sum(version: u32, bytes: &[u8]) -> [u8; 3] {
    let hash = version.to_le_bytes().iter().chain(bytes).fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    });
    let [a, b, c, ..] = (hash ^ hash >> 24 ^ hash >> 48).to_le_bytes();
    [a, b, c]
}

/// Base64 for names of files and addresses of pages, without the signs that fill it up.
const SIGNS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

fn base64(bytes: &[u8]) -> String {
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let mut three = [0; 3];
        three[..chunk.len()].copy_from_slice(chunk);
        let bits = u32::from(three[0]) << 16 | u32::from(three[1]) << 8 | u32::from(three[2]);
        for at in 0..=chunk.len() {
            text.push(char::from(SIGNS[(bits >> (18 - 6 * at) & 63) as usize]));
        }
    }
    text
}

fn from_base64(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    for chunk in text.as_bytes().chunks(4) {
        let mut bits = 0;
        for at in 0..4 {
            let value = match chunk.get(at) {
                Some(sign) => SIGNS.iter().position(|known| known == sign)? as u32,
                None => 0,
            };
            bits = bits << 6 | value;
        }
        let three = bits.to_be_bytes();
        let count = chunk.len() - 1;
        // One sign alone is no byte, and bits that no byte has are a mistake, too.
        if count == 0 || three[1 + count..].iter().any(|&byte| byte != 0) {
            return None;
        }
        bytes.extend(&three[1..=count]);
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::{Token, Verdict, base64, from_base64};

    #[test]
    fn bytes_come_back() {
        for length in 0..20_u8 {
            let bytes: Vec<u8> = (0..length).map(|i| i.wrapping_mul(97).wrapping_add(length)).collect();
            assert_eq!(from_base64(&base64(&bytes)), Some(bytes));
        }
    }

    #[test]
    fn tokens_come_back_and_mistakes_are_noticed() {
        let options =
            vec!["--model=tso".to_string(), "--nondet=-3..3".to_string(), "--spurious-cas".to_string()];
        let (held, verdict) = (Some(true), Some(Verdict::Inconclusive));
        let token = Token { options, program: 77, recording: vec![1, 2, 3, 250, 0], held, verdict };
        let text = token.text().expect("it has few options");
        assert_eq!(Token::parse(&text).ok(), Some(token));
        for at in 3..text.len() {
            assert!(Token::parse(&text[..at]).is_err(), "cut at {at}");
            let other = if text.as_bytes()[at] == b'A' { "B" } else { "A" };
            let changed = format!("{}{other}{}", &text[..at], &text[at + 1..]);
            assert!(Token::parse(&changed).is_err(), "changed at {at}");
        }
    }
}
