//! Every form of report, held to the files in `golden/`. `BLESS=1 cargo test -p raveler-report` rewrites them;
//! read the difference before you commit it.

mod samples;

use std::path::PathBuf;

use raveler_core::Model;
use raveler_core::diagnostic::Diagnostic;
use raveler_report::compare::{self, Comparison, Side};
use raveler_report::estimate::{self, Estimate};
use raveler_report::picture::{Picture, dot, svg};
use raveler_report::text::{self, Detail};
use raveler_report::{Colour, Scene, diagnostic, executions, json, story};
use samples::*;

fn hold(name: &str, actual: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, actual).expect("golden files can be written");
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(actual, expected, "golden/{name} differs; BLESS=1 rewrites it");
}

fn summary(sample: &Sample) -> String {
    text::render(&sample.report(), Detail::Normal, Colour::Off)
}

fn scene(sample: &Sample) -> Scene<'_> {
    let witness = match (&sample.litmus, sample.outcome.violations.first()) {
        (Some(litmus), _) if litmus.shown.is_some() => litmus.shown.as_ref().map(|(_, w)| w),
        (_, violation) => violation.map(|v| &v.witness),
    };
    Scene { witness: witness.expect("the sample has one"), sources: &sample.sources, names: &sample.names }
}

#[test]
fn a_passing_check() {
    hold("passing.txt", &summary(&passing()));
}

#[test]
fn a_failed_assertion() {
    hold("assertion.txt", &summary(&mp_assertion()));
}

#[test]
fn a_race_in_a_litmus_test() {
    hold("race.txt", &summary(&mp_race()));
}

#[test]
fn a_deadlock() {
    hold("deadlock.txt", &summary(&deadlock()));
}

#[test]
fn a_race_under_a_read_lock() {
    hold("race-of-readers.txt", &summary(&race_of_readers()));
}

#[test]
fn a_lock_released_twice() {
    hold("released-twice.txt", &summary(&released_twice()));
}

#[test]
fn a_litmus_test_that_holds() {
    hold("litmus-holds.txt", &summary(&sb_litmus()));
}

#[test]
fn a_litmus_test_that_fails() {
    hold("litmus-fails.txt", &summary(&sb_fails()));
}

#[test]
fn a_litmus_test_that_was_stopped() {
    hold("litmus-stopped.txt", &summary(&sb_stopped()));
}

#[test]
fn more_and_less_detail() {
    let sample = sb_litmus();
    hold("verbose.txt", &text::render(&sample.report(), Detail::Verbose, Colour::Off));
    hold("quiet.txt", &text::render(&sample.report(), Detail::Quiet, Colour::Off));
}

#[test]
fn colours_add_only_escape_codes() {
    let sample = mp_assertion();
    let coloured = text::render(&sample.report(), Detail::Normal, Colour::On);
    assert!(coloured.starts_with("\u{1b}["));
    let mut plain = String::new();
    let mut inside = false;
    for c in coloured.chars() {
        match c {
            '\u{1b}' => inside = true,
            'm' if inside => inside = false,
            c if !inside => plain.push(c),
            _ => {}
        }
    }
    assert_eq!(plain, summary(&sample));
}

#[test]
fn a_long_story_stays_on_one_screen() {
    let mut sample = mp_assertion();
    let witness = &mut sample.outcome.violations[0].witness;
    let mut story = Vec::new();
    for value in 0..200 {
        let index = witness.threads[0].events.len() as u32;
        witness.threads[0].events.push(write(0, value, raveler_core::Order::Relaxed, 1));
        story.push(id(0, index));
    }
    witness.story.splice(2..2, story);
    let text = summary(&sample);
    assert!(text.lines().count() < 45, "{text}");
    assert!(text.contains("ready = 1"), "the write that a shown read saw is shown: {text}");
    assert!(text.contains("events left out"), "{text}");
}

#[test]
fn executions_as_text() {
    let (sb, more) = (sb_litmus(), iriw());
    let both =
        executions::render(&scene(&sb), "execution 1") + &executions::render(&scene(&more), "execution 2");
    hold("executions.txt", &both);
}

#[test]
fn pictures() {
    let sample = iriw();
    let picture =
        Picture { scene: scene(&sample), title: text::title(&sample.report()), marked: vec![id(2, 1)] };
    hold("iriw.dot", &dot::render(&picture));
    hold("iriw.svg", &svg::render(&picture));
    let sample = sb_litmus();
    let picture = Picture { scene: scene(&sample), title: "SB (tso)".into(), marked: vec![] };
    hold("sb.svg", &svg::render(&picture));
}

#[test]
fn the_accesses_that_race_are_marked() {
    let sample = race_in_a_ring();
    hold("race-in-a-ring.txt", &summary(&sample));
    let marked = story::important(&scene(&sample), &sample.outcome.violations[0]);
    assert_eq!(marked, [id(1, 1), id(0, 0)], "not the last events of the same lines");
    let picture = Picture { scene: scene(&sample), title: text::title(&sample.report()), marked };
    hold("race-in-a-ring.dot", &dot::render(&picture));
    hold("race-in-a-ring.svg", &svg::render(&picture));
}

#[test]
fn an_execution_that_was_executed_again() {
    let sample = circle();
    hold("circle.txt", &summary(&sample));
    hold("circle-executions.txt", &executions::render(&scene(&sample), "execution 1"));
    let marked = story::important(&scene(&sample), &sample.outcome.violations[0]);
    let picture = Picture { scene: scene(&sample), title: text::title(&sample.report()), marked };
    hold("circle.dot", &dot::render(&picture));
    hold("circle.svg", &svg::render(&picture));
    let again = summary(&circle_again());
    let said = "the other is an execution that was itself executed again, in round 3:\n      \
                thread 1 reads y = 1 from thread 0 as here,\n      \
                but another thread reads x = 1 from thread 1 and thread 0 reads y = 7 from thread 1\n";
    assert!(again.contains(said), "{again}");
}

#[test]
fn what_would_forbid_a_circle() {
    let helps = |change: &dyn Fn(&mut Sample)| {
        let mut sample = circle();
        change(&mut sample);
        let text = summary(&sample);
        let help = text.lines().find_map(|line| line.strip_prefix("   = help: "));
        help.map(str::to_string)
    };
    let order = |sample: &mut Sample, thread: usize, index: usize, order| {
        sample.outcome.violations[0].witness.threads[thread].events[index].order = order;
    };
    // The read of the second thread acquires already; release at the write of the third is enough for that one.
    assert_eq!(
        helps(&|sample| order(sample, 2, 1, raveler_core::Order::Release)).as_deref(),
        Some("acquire at circle.c:1, or release at circle.c:1, would forbid it")
    );
    assert_eq!(
        helps(&|sample| order(sample, 2, 0, raveler_core::Order::Plain)).as_deref(),
        Some("release at circle.c:1 and circle.c:5 would forbid it"),
        "a plain read cannot acquire"
    );
    assert_eq!(helps(&|sample| sample.xmm_rules = raveler_core::XmmRules::Printed), None);
}

#[test]
fn json_results() {
    for (name, sample) in [
        ("violation", mp_assertion()),
        ("litmus", sb_litmus()),
        ("stopped", sb_stopped()),
        ("lb-races", lb_races()),
        ("circle", circle_again()),
    ] {
        let value = serde_json::to_string_pretty(&json::result(&sample.report())).expect("plain data");
        hold(&format!("{name}.json"), &(value + "\n"));
    }
}

#[test]
fn load_buffering_races() {
    let mut sample = lb_races();
    let rendered = |sample: &Sample, detail| text::render(&sample.report(), detail, Colour::Off);
    hold("lb-races.txt", &rendered(&sample, Detail::Normal));
    let verbose = rendered(&sample, Detail::Verbose);
    assert!(
        verbose.contains("   model xmm with its default rules, equivalence rf, locks ordered\n"),
        "{verbose}"
    );
    assert!(verbose.contains("   1 duplicate: "), "{verbose}");
    assert_eq!(rendered(&sample, Detail::Quiet).lines().count(), 1);
    // A search that was stopped knows only what it saw.
    sample.outcome.stopped = Some(raveler_core::outcome::StopReason::Observer);
    let stopped = rendered(&sample, Detail::Normal);
    assert!(stopped.contains("realised in some") && !stopped.contains("realised in no "), "{stopped}");
    assert!(stopped.contains("   load-buffering races in what was seen, "), "{stopped}");
    let result = serde_json::to_value(json::result(&sample.report())).expect("plain data");
    assert_eq!(
        (&result["lb_races"][0]["realised"], result["lb_races"][1].get("realised")),
        (&true.into(), None)
    );
    // Only xmm can realise one.
    sample.model = Model::Rc20;
    let rc20 = rendered(&sample, Detail::Normal);
    assert!(rc20.contains("   load-buffering race on x  LB.litmus:1 and LB.litmus:4\n"), "{rc20}");
    assert!(!rc20.contains("realised"), "{rc20}");
    // They are told only if they are asked for.
    sample.lb_races = false;
    assert!(!rendered(&sample, Detail::Verbose).contains("load-buffering"));
}

#[test]
fn many_load_buffering_races() {
    let mut sample = lb_races();
    let one = sample.outcome.lb_race_sites[0].clone();
    sample.outcome.lb_race_sites = vec![one; 20];
    let rendered = |detail| text::render(&sample.report(), detail, Colour::Off);
    assert!(rendered(Detail::Normal).contains("\n   ... and 4 more; -v prints all\n"));
    assert_eq!(rendered(Detail::Verbose).matches("load-buffering race on x").count(), 20);
}

#[test]
fn a_load_buffering_race_on_memory_without_a_name() {
    let mut sample = lb_races();
    sample.outcome.lb_race_sites[0].address = raveler_core::Address(u64::MAX - 64);
    assert!(summary(&sample).contains("   P0  reads allocated memory   "), "{}", summary(&sample));
}

#[test]
fn no_load_buffering_race() {
    let same = "no load-buffering races: under xmm the program behaves as under rc20";
    let mut sample = lb_races();
    sample.outcome.lb_race_sites.clear();
    let said = |sample: &Sample| summary(sample).lines().last().unwrap_or_default().trim().to_string();
    assert!(said(&sample).ends_with(": 1,234"), "the number is told whatever the places are");
    sample.outcome.lb_races = 0;
    assert_eq!(said(&sample), same);
    sample.model = Model::Rc20;
    assert_eq!(said(&sample), same);
    sample.outcome.has_strong_lb_race = true;
    let strong =
        "no load-buffering race with a relaxed access, but one without: xmm may allow more than rc20";
    assert_eq!(said(&sample), strong);
    sample.outcome.has_strong_lb_race = false;
    sample.outcome.counts.blocked = 1;
    assert_eq!(said(&sample), "no load-buffering race in any execution that came to its end");
    sample.outcome.stopped = Some(raveler_core::outcome::StopReason::Observer);
    assert_eq!(said(&sample), "no load-buffering race in what was seen");
    let mut sample = lb_races();
    sample.outcome.lb_race_sites.clear();
    sample.outcome.lb_races = 0;
    sample.xmm_rules = raveler_core::XmmRules::Strict;
    assert_eq!(said(&sample), "no load-buffering races");
}

#[test]
fn diagnostics() {
    let source = "C SB\n{ x = 0 }\nP0 (atomic_int* x) {\n  sem_post(x);\n}\n";
    let at = source.find("sem_post").expect("it is there");
    let mistakes = [
        Diagnostic {
            code: "E0204",
            message: "raveler does not know the function `sem_post`".into(),
            span: Some(at..at + 8),
            label: "in P0".into(),
            help: Some("leave the call out".into()),
        },
        Diagnostic {
            code: "E0105",
            message: "the test has no condition".into(),
            span: Some(source.len()..source.len()),
            label: "".into(),
            help: None,
        },
        Diagnostic {
            code: "E0001",
            message: "there is no such file".into(),
            span: None,
            label: "".into(),
            help: None,
        },
    ];
    hold("diagnostics.txt", &diagnostic::render("SB.litmus", source, &mistakes, Colour::Off));
    hold("diagnostics.json", &json::line(&json::refused("SB.litmus", source, &mistakes)));
    // Spans that are out of range or inside a character must not matter.
    let odd = Diagnostic { span: Some(1..999), ..mistakes[0].clone() };
    assert!(diagnostic::render("f", "äö", &[odd], Colour::On).contains("E0204"));
}

#[test]
fn comparisons() {
    let (left, right) = (sb_fails(), sb_litmus());
    let examples: Vec<_> = right.litmus.iter().filter_map(|litmus| litmus.shown.clone()).collect();
    let right = Side { options: "--model tso", report: right.report(), examples: &examples };
    let left = Side { options: "--model sc", report: left.report(), examples: &[] };
    let found = compare::differences([&left, &right]);
    let comparison = Comparison::new([&left, &right], &found, None);
    assert!(!comparison.same);
    hold("compare.txt", &compare::render(&comparison, [&left, &right], &found, None, Colour::Off));
    let same = Comparison::new([&left, &left], &compare::differences([&left, &left]), None);
    assert!(same.same && same.complete && !same.is_inconclusive());
}

#[test]
fn estimates() {
    let estimate = Estimate {
        schema: 1,
        raveler: "0.1.0".into(),
        file: "queue.litmus".into(),
        model: "rc20".into(),
        equivalence: "rf".into(),
        probes: 1000,
        seed: 1,
        executions: 123456.0,
        std_error: 23456.0,
        largest: 1.2e7,
        blocked: 12.0,
        cut: 0.0,
        failed: 0.0,
        time_s: 0.5,
        reductions: Vec::new(),
        note: None,
    };
    hold("estimate.txt", &estimate::render(&estimate, Colour::Off));
    let note = Some("only a part is estimated".to_string());
    let noted = estimate::render(&Estimate { note, ..estimate }, Colour::Off);
    assert!(noted.contains("\n   = only a part is estimated\n"), "{noted}");
}
