//! Paper 004, LAPOR (Kokologiannakis, Raad, Vafeiadis, OOPSLA 2019): executions with critical sections ordered and not.

use super::row::Subject::C;
use super::row::{Row, same, without};
use super::table::Table;

const ORDERED: &str = "--model rc11 --locks ordered";
const AWARE: &str = "--model rc11 --locks aware";

/// Its tables.
pub fn tables() -> Vec<Table> {
    vec![
        Table::new("004-litmus", small()),
        Table::new("004-svcomp", svcomp()),
        Table::new("004-seekers", seekers()),
        Table::new("004-mixed", mixed()),
    ]
}

/// Both ways, with the seconds that the paper prints for the second.
fn both(
    program: &str,
    (file, flags): (&'static str, &'static str),
    ordered: u64,
    aware: u64,
    seconds: &'static str,
) -> [Row; 2] {
    let ordered_row = same(program, C(file, flags), ORDERED, ordered);
    // The paper's own tool needs time for these, too; ours stays short.
    let ordered_row = if ordered > 20_000 { ordered_row.long() } else { ordered_row };
    [ordered_row, same(program, C(file, flags), AWARE, aware).took(seconds)]
}

fn factorial(n: u64) -> u64 {
    (1..=n).product()
}

const SIZES: [(u64, &str); 3] = [(6, "-DN=6"), (7, "-DN=7"), (8, "-DN=8")];

fn small() -> Vec<Row> {
    let mut rows = Vec::new();
    for (n, flags) in SIZES {
        let plain =
            |name: &str, file, count| same(format!("{name}({n})"), C(file, flags), "--model rc11", count);
        rows.push(plain("nreads", "families/nreads", 1));
        rows.push(plain("nwrites", "families/nwrites", 1));
        rows.push(plain("nww-rr", "families/nww_rr", n * n));
        let rw = plain("rw", "families/rw", (n + 1).pow(n as u32 - 1));
        rows.push(if n > 6 { rw.long() } else { rw });
    }
    for (n, flags) in SIZES {
        let one = "0.04";
        rows.extend(both(
            &format!("nreads-lock({n})"),
            ("families/nreads_lock", flags),
            factorial(n),
            1,
            one,
        ));
        rows.extend(both(
            &format!("nwrites-lock({n})"),
            ("families/nwrites_lock", flags),
            factorial(n),
            1,
            one,
        ));
        rows.extend(both(
            &format!("nww-lock-rr({n})"),
            ("families/nww_lock_rr", flags),
            factorial(n),
            n,
            one,
        ));
        let seconds = ["0.37", "3.10", "38.0"][n as usize - 6];
        let [ordered, aware] =
            both(&format!("rw-lock({n})"), ("families/rw_lock", flags), factorial(n), factorial(n), seconds);
        rows.push(ordered);
        rows.push(if n > 7 { aware.long() } else { aware });
    }
    let text = "the program that fits all four numbers; the paper does not give it";
    let complex = [("-DN=2", "2", 42, 6, "0.04"), ("-DN=3", "3", 11_214, 90, "0.11")];
    for (flags, n, ordered, aware, seconds) in complex {
        let pair =
            both(&format!("complex-lock({n})"), ("families/complex_lock", flags), ordered, aware, seconds);
        rows.extend(pair.map(|row| row.remark(text)));
    }
    rows
}

/// What [`both`] takes.
type Both = (&'static str, (&'static str, &'static str), u64, u64, &'static str);

fn svcomp() -> Vec<Row> {
    let mut rows = Vec::new();
    let programs: [Both; 9] = [
        ("fib_bench(5)", ("families/fib_bench_locked", "-DNUM=5"), 16_632, 5922, "3.83"),
        ("triangular(5)", ("families/triangular", "-DNUM=5"), 16_632, 5922, "2.03"),
        ("indexer(13)", ("families/indexer", "-DN=13"), 64, 64, "2.60"),
        ("stack-1(5)", ("families/stack_true", "-DSIZE=5"), 252, 252, "0.61"),
        ("queue_ok(10)", ("families/queue_ok", "-DENQ=1 -DDEQ=1 -DSIZE=10"), 2, 2, "0.28"),
        ("read_write_lock", ("families/read_write_lock", ""), 96, 96, "0.14"),
        ("lazy", ("families/lazy", ""), 6, 6, "0.04"),
        ("stateful01", ("families/stateful01", ""), 6, 4, "0.04"),
        ("time_var_mutex", ("families/time_var_mutex", ""), 2, 2, "0.04"),
    ];
    for (name, program, ordered, aware, seconds) in programs {
        rows.extend(both(name, program, ordered, aware, seconds));
    }
    let unrolled = "not there: how the paper's tool unrolls its loops is not known, and the text that was tried gives 19, 71, \
                    183 for 2, 3, 4 rounds";
    rows.push(without("gcd(3)", ORDERED, 12, unrolled));
    rows.push(without("gcd(3)", AWARE, 12, unrolled).took("0.06"));
    let driver = "not there: a driver of the Linux kernel, not written again";
    rows.push(without("scull", ORDERED, 1749, driver));
    rows.push(without("scull", AWARE, 922, driver));
    rows
}

/// The six structures: name, file, flags before the size, and whether each node or list has its lock.
const STRUCTURES: [(&str, &str, bool); 6] = [
    ("cset", "locks/set", false),
    ("cbst", "locks/tree", false),
    ("chtable", "locks/table", false),
    ("fset", "locks/set", true),
    ("fbst", "locks/tree", true),
    ("fhtable", "locks/table", true),
];

/// Threads that only look keys up.
fn seekers() -> Vec<Row> {
    const COARSE: [&str; 4] =
        ["-DN=5 -DADDERS=0", "-DN=6 -DADDERS=0", "-DN=7 -DADDERS=0", "-DN=8 -DADDERS=0"];
    const FINE: [&str; 4] = [
        "-DN=5 -DADDERS=0 -DFINE",
        "-DN=6 -DADDERS=0 -DFINE",
        "-DN=7 -DADDERS=0 -DFINE",
        "-DN=8 -DADDERS=0 -DFINE",
    ];
    let seconds = ["0.25", "0.16", "0.11", "0.29", "0.17", "0.07"];
    let mut rows = Vec::new();
    for ((name, file, fine), seconds) in STRUCTURES.into_iter().zip(seconds) {
        for n in 5..=8u64 {
            let flags = if fine { FINE } else { COARSE }[n as usize - 5];
            let program = format!("{name}({n})");
            let ordered = match name {
                // Two sections of each thread: the orders of ten, those within threads fixed.
                "chtable" => (n == 5).then_some(113_400),
                "fhtable" => Some(1 << (n - 4)),
                _ => Some(factorial(n)),
            };
            let seconds = if n == 8 { seconds } else { "" };
            let aware = same(&program, C(file, flags), AWARE, 1).took(seconds);
            if let Some(ordered) = ordered {
                let row = same(&program, C(file, flags), ORDERED, ordered);
                rows.push(if ordered > 1000 { row.long() } else { row });
            }
            rows.push(aware);
        }
    }
    rows
}

/// Half of the threads add keys, the others look keys up.
fn mixed() -> Vec<Row> {
    const COARSE: [&str; 4] = ["-DN=5", "-DN=6", "-DN=7", "-DN=8"];
    const FINE: [&str; 4] = ["-DN=5 -DFINE", "-DN=6 -DFINE", "-DN=7 -DFINE", "-DN=8 -DFINE"];
    let seconds = ["4.95", "4.36", "2.96", "5.99", "5.47", "2.95"];
    let circle =
        "its threads can wait in a circle, which the paper does not mention: `--all` goes on after that";
    let mut rows = Vec::new();
    for ((name, file, fine), seconds) in STRUCTURES.into_iter().zip(seconds) {
        for n in 5..=8u64 {
            let at = n as usize - 5;
            let flags = if fine { FINE } else { COARSE }[at];
            let program = format!("{name}({n})");
            let (ordered, aware) = match name {
                "cset" => (Some(factorial(n)), [4, 6, 6, 18][at]),
                "fset" => (Some([352, 4590, 38_536, 340_348][at]), [4, 6, 6, 18][at]),
                "chtable" => ((n == 5).then_some(113_400), 1 << (n - 4)),
                "fhtable" => (Some(1 << (n - 4)), 1 << (n - 4)),
                _ => (Some(factorial(n)), 5),
            };
            let finish = |row: Row, is_long: bool| {
                let row = if is_long { row.long() } else { row };
                if name == "fset" {
                    Row { options: row.options.clone() + " --all", ..row }.remark(circle)
                } else {
                    row
                }
            };
            if let Some(ordered) = ordered {
                rows.push(finish(same(&program, C(file, flags), ORDERED, ordered), ordered > 1000));
            }
            let row = same(&program, C(file, flags), AWARE, aware).took(if n == 8 { seconds } else { "" });
            rows.push(finish(row, name == "fset" && n == 8));
        }
    }
    rows
}
