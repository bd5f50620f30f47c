//! Load-buffering races: a read and a write of one location that race although the read leads to the write. Where they
//! can be committed, xmm has executions that rc20 does not have.

use raveler_core::outcome::{LbRace, RaceEnd};
use raveler_core::{Model, Witness, XmmRules};

use crate::paint::{Colour, Tone, columns, grouped, listed};
use crate::report::Report;
use crate::scene::Scene;
use crate::text::Detail;

/// Races beyond this many are not printed unless more detail is asked for.
const RACES: usize = 16;

/// The races of a check, if they were asked for.
pub fn render(report: &Report<'_>, detail: Detail, colour: Colour) -> String {
    if !report.lb_races {
        return String::new();
    }
    let races = &report.outcome.lb_race_sites;
    if races.is_empty() && report.outcome.lb_races == 0 {
        return format!("\n   {}\n", none(report));
    }
    let limit = if detail == Detail::Verbose { usize::MAX } else { RACES };
    let shown = races.iter().take(limit);
    let mut out: String = shown.map(|race| one(report, race, colour)).collect();
    out.push('\n');
    if races.len() > limit {
        out.push_str(&format!("   ... and {} more; -v prints all\n", grouped((races.len() - limit) as u64)));
    }
    let seen = if saw_everything(report) { "over all executions" } else { "in what was seen" };
    let count = grouped(report.outcome.lb_races);
    out + &format!("   load-buffering races {seen}, without those that are read from: {count}\n")
}

/// What it means that there is none. The rules other than the default ones promise nothing.
fn none(report: &Report<'_>) -> &'static str {
    let counts = &report.outcome.counts;
    if !saw_everything(report) {
        "no load-buffering race in what was seen"
    } else if report.model == Model::Xmm && report.xmm_rules != XmmRules::Default {
        "no load-buffering races"
    } else if report.outcome.has_strong_lb_race {
        // Causality leads over races of any order.
        "no load-buffering race with a relaxed access, but one without: xmm may allow more than rc20"
    } else if counts.blocked + counts.failed > 0 {
        // What does not come to its end may be executed again all the same, and is not counted.
        "no load-buffering race in any execution that came to its end"
    } else {
        "no load-buffering races: under xmm the program behaves as under rc20"
    }
}

fn saw_everything(report: &Report<'_>) -> bool {
    report.is_complete() && report.outcome.counts.cut == 0
}

/// One race: its places, and the way from the read to the write, a line for each step.
fn one(report: &Report<'_>, race: &LbRace, colour: Colour) -> String {
    let nothing = Witness::default();
    let scene = report.scene(&nothing);
    let location = location(report, race);
    let mut places = vec![scene.place(race.read.site), scene.place(race.write.site)];
    places.retain(|place| !place.is_empty());
    places.dedup();
    let realised = match is_realised(report, race) {
        Some(true) => ", realised in some execution",
        Some(false) => ", realised in no execution",
        None => "",
    };
    let title = format!("load-buffering race on {location}{realised}  {}", listed(&places));
    let mut rows = vec![row(&scene, &race.read, &format!("reads {location}"))];
    rows.extend(race.way.iter().map(|step| row(&scene, step, "then")));
    rows.push(row(&scene, &race.write, &format!("writes {location}")));
    let way: String = columns("   ", &rows).into_iter().map(|line| line + "\n").collect();
    format!("\n   {}\n{way}", colour.paint(Tone::Strong, title.trim_end()))
}

fn row(scene: &Scene<'_>, end: &RaceEnd, what: &str) -> Vec<String> {
    let text = scene.sources.site(end.site).map(|site| site.text.as_str()).unwrap_or_default();
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    vec![scene.thread(end.thread.0 as usize), what.to_string(), scene.place(end.site), text]
}

/// Under xmm: does the read read from the write in some execution? None if a search that was stopped may have missed it.
pub fn is_realised(report: &Report<'_>, race: &LbRace) -> Option<bool> {
    let is_known = race.is_realised || saw_everything(report);
    (report.model == Model::Xmm && is_known).then_some(race.is_realised)
}

/// What both accesses of a race access. Memory that an execution makes has a name only in that execution.
pub fn location(report: &Report<'_>, race: &LbRace) -> String {
    let name = report.scene(&Witness::default()).location(race.address);
    if name.starts_with("0x") { "allocated memory".to_string() } else { name }
}
