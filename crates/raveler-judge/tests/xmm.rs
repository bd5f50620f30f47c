//! The oracle of XMM against known numbers of executions, and against the definition taken word by word.

#[path = "xmm/notation.rs"]
mod notation;

use raveler_core::{Equivalence, XmmRules};
use raveler_judge::xmm::{self, Limits};

/// Counts with (co) and without (rf) the coherence order under RC20, then under each rule set.
fn counts(text: &str) -> Option<[[usize; 2]; 5]> {
    let program = notation::program(text)?;
    let limits = Limits { traces: 3000, combinations: 3_000_000, candidates: 300_000, graphs: 30_000 };
    let judged = match xmm::judge(&program, &XmmRules::ALL, limits) {
        Ok(judged) => judged,
        Err(skip) => {println!("{text}: too much work: {skip:?}"); return None;}
    };
    let both = [Equivalence::Coherence, Equivalence::ReadsFrom];
    let mut all = [[0; 2]; 5];
    all[0] = both.map(|equivalence| judged.acyclic(equivalence).len());
    for (at, rules) in XmmRules::ALL.into_iter().enumerate() {
        all[at + 1] = both.map(|equivalence| judged.executions(rules, equivalence).len());
    }
    Some(all)
}

#[test]
#[ignore]
fn table() {
    let table = std::fs::read_to_string(std::env::var("XMM_TABLE").unwrap()).unwrap();
    let mut done = 0;
    for row in table.lines().filter(|line| !line.starts_with('#')) {
        let f: Vec<&str> = row.split('\t').collect();
        let start = std::time::Instant::now();
        let Some(got) = counts(f[1]) else {
            println!("{}: cannot be said", f[0]);
            continue;
        };
        done += 1;
        let n = |s: &str| s.parse::<usize>().unwrap();
        let rc = [n(f[2]), n(f[4])];
        let x = [n(f[3]), n(f[5])];
        let key = |k: &str| {
            f[7].split("; ").find_map(|p| p.strip_prefix(k)).map(|v| {
                let (a, b) = v.split_once('/').unwrap();
                [n(a), n(b)]
            })
        };
        let nocr = key("no-causal-restriction=").unwrap_or(x);
        let printed = key("definition-as-printed=").unwrap_or(nocr);
        let strict = key("strict=").unwrap_or(x);
        let want = [rc, x, nocr, printed, strict];
        println!("{} {:?} {} ms", if want == got { "ok" } else { "DIFFERS" }, f[0], start.elapsed().as_millis());
        if want != got {
            println!("   want {want:?}\n   got  {got:?}");
        }
    }
    println!("{done} rows");
}
