//! Paper 000, Tracer (Abdulla, Atig, Jonsson, Ngo, OOPSLA 2018): release-acquire by reads-from, beside RCMC, which counts
//! coherence orders as well.

use super::row::Subject::{C, Nothing};
use super::row::{Row, same, without};
use super::table::Table;

const RF: &str = "--model ra";
const CO: &str = "--model ra --equivalence co";
const RF_LOCKS: &str = "--model ra --locks ordered";
const CO_LOCKS: &str = "--model ra --locks ordered --equivalence co";

/// Its tables.
pub fn tables() -> Vec<Table> {
    vec![
        Table::new("000-parametric", parametric()),
        Table::new("000-programs", programs()),
        Table::new("000-other", other()),
    ]
}

/// More executions than this, and a line is run only if it is asked for.
const SHORT: u64 = 20_000;

fn sized(row: Row) -> Row {
    if row.ours.is_some_and(|count| count > SHORT) { row.long() } else { row }
}

fn parametric() -> Vec<Row> {
    let row = |name: &str, n: u64, file, flags, options, count| {
        sized(same(format!("{name}({n})"), C(file, flags), options, count))
    };
    let mut rows = Vec::new();
    let flags = ["-DN=5", "-DN=6", "-DN=7", "-DN=8", "-DN=9", "-DN=10", "-DN=11", "-DN=12"];
    let with = |n: u64| flags[n as usize - 5];
    for n in 7..=10 {
        let orders: u64 = (1..=n + 1).product();
        rows.push(row("n_writers_a_reader", n, "families/n_writers_a_reader", with(n), RF, n + 1));
        rows.push(row("n_writers_a_reader", n, "families/n_writers_a_reader", with(n), CO, orders));
    }
    for (n, flags) in [(5, "-DN=5"), (10, "-DN=10"), (15, "-DN=15"), (20, "-DN=20")] {
        let seconds = if n == 20 { "0.14" } else { "" };
        let rf = row("redundant_co", n, "families/redundant_co", flags, RF, 3 * n * n + 3 * n + 1);
        rows.push(rf.took(seconds));
        if let Some(orders) = [(5, 16_632), (10, 42_678_636)].iter().find(|(size, _)| *size == n) {
            rows.push(row("redundant_co", n, "families/redundant_co", flags, CO, orders.1));
        }
    }
    for n in [6, 8, 10, 12] {
        let seconds = if n == 12 { "0.79" } else { "" };
        let rf = (1 << n) + 2 * n + 1;
        rows.push(row("control_flow", n, "families/control_flow", with(n), RF, rf).took(seconds));
        if n <= 8 {
            let orders: u64 = (1..=n).product::<u64>() * rf;
            rows.push(row("control_flow", n, "families/control_flow", with(n), CO, orders));
        }
    }
    for n in 5..=9u64 {
        let seconds = if n == 9 { "33.6" } else { "" };
        rows.push(row("sigma", n, "families/sigma", with(n), RF, (1..=n).product()).took(seconds));
        if n <= 8 {
            let orders = (1..=n).map(|k| 2 * k - 1).product();
            rows.push(row("sigma", n, "families/sigma", with(n), CO, orders));
        }
    }
    let three = "the paper's number is 3 less for every N, and nothing is known of why; ours are those of GenMC's graphs";
    let bug = [
        ("-DN=6", 6, 15_604, 1_203_446),
        ("-DN=7", 7, 22_844, 2_833_112),
        ("-DN=8", 8, 32_316, 6_158_718),
        ("-DN=9", 9, 44_431, 12_526_576),
    ];
    for (flags, n, rf, orders) in bug {
        let one = row("exponential_bug", n, "families/exponential_bug", flags, RF_LOCKS, rf);
        rows.push(one.printed(rf - 3, three));
        rows.push(row("exponential_bug", n, "families/exponential_bug", flags, CO_LOCKS, orders));
    }
    rows
}

fn programs() -> Vec<Row> {
    let mut rows = Vec::new();
    let fib = "its LB 6 are 5 rounds of each thread";
    rows.push(same("Fibonacci, LB 6", C("families/fib", "-DNUM=5"), RF, 525_630).remark(fib).long());
    rows.push(same("Fibonacci, LB 6", C("families/fib", "-DNUM=5"), CO, 525_630).remark(fib).long());
    let indexer = [
        (13, "-DN=13", 64, ""),
        (14, "-DN=14", 512, ""),
        (15, "-DN=15", 4096, ""),
        (16, "-DN=16", 32_768, "25.8"),
    ];
    for (n, flags, count, seconds) in indexer {
        let row = same(format!("Indexer({n})"), C("families/indexer", flags), RF_LOCKS, count).took(seconds);
        rows.push(if n > 13 { row.long() } else { row });
    }
    let filesystem =
        [(16, "-DN=16", 8, ""), (19, "-DN=19", 64, ""), (22, "-DN=22", 512, ""), (25, "-DN=25", 4096, "3.1")];
    for (n, flags, count, seconds) in filesystem {
        let row =
            same(format!("Filesystem({n})"), C("families/filesystem", flags), RF_LOCKS, count).took(seconds);
        rows.push(if n > 19 { row.long() } else { row });
    }
    rows.push(same("Pthread_demo, LB 10", C("families/pthread_demo", "-DLB=10"), RF_LOCKS, 184_756).long());
    rows.push(same("Stack_true, SIZE 12", C("families/stack_true", "-DSIZE=12"), RF_LOCKS, 2_704_156).long());
    let ticket = C("families/ticket_mutex", "-DTHREADS=3 -DLB=10");
    rows.push(same("Ticket_mutex(3), LB 10", ticket, RF, 4026));
    rows.push(same("Ticket_mutex(3), LB 10", ticket, CO, 4026));
    let four = "four threads: one writer and three readers";
    rows.push(
        same("Barrier(3), LB 10", C("families/barrier", "-DTHREADS=4 -DLB=10"), RF, 31_944)
            .remark(four)
            .long(),
    );
    rows
}

/// Programs whose text the paper does not give: what is ours is another program of the same name.
fn other() -> Vec<Row> {
    const OWN: &str = "another text: the paper's is not known";
    let mut rows = Vec::new();
    let mut own = |name: &str, subject, options: &str, paper, ours, remark: &str| {
        let row = same(name, subject, options, ours).printed(paper, remark);
        rows.push(sized(row));
    };
    own("Gcd, LB 8", C("families/gcd_own", "-DLB=8"), RF_LOCKS, 1_162_333, 129_038, OWN);
    own("Gcd, LB 8", C("families/gcd_own", "-DLB=8"), CO_LOCKS, 1_162_333, 129_038, OWN);
    let szymanski = "another text: one round; the paper's is not known";
    own("Szymanski, LB 6", C("families/szymanski", "-DR=1 -DLB=6"), CO, 26_037_490, 124_587, szymanski);
    let turn = "another text: the paper's cannot be the textbook's, where both threads write `turn` and nothing orders \
                the writes, so that `rf` and `co` differ; ours has 2 rounds";
    own("Dekker, LB 10", C("families/dekker", "-DR=2 -DLB=4"), CO, 3_121_870, 378_861, turn);
    own("Peterson, LB 6", C("families/peterson", "-DR=2 -DLB=6"), CO, 1_897_228, 609_560, turn);
    let lamport = "another text: 2 rounds and LB 2; the paper's is not known";
    own("Lamport, LB 8", C("families/lamport", "-DR=2 -DLB=2"), CO, 6_580_870, 131_922, lamport);
    let nine = "nine sections of one lock, 9!; ours, with six, has 6!";
    own("Queue_ok, LB 12", C("families/queue_ok", "-DENQ=3 -DDEQ=3 -DSIZE=4"), RF_LOCKS, 362_880, 720, nine);
    let clh = "another text: 6·(10·11 + 1)";
    own("CLH_c11(3), LB 10", C("families/clh", "-DTHREADS=3 -DLB=10"), RF, 732, 666, clh);
    let linux = C("families/linux_rwlock", "-DLB=6 -DONE_READER_ONE_WRITER");
    own("Linux_lock(2), LB 6", linux, RF, 21, 18, "another text: one reader and one writer");
    let seqlock = "another text: one writer and two readers";
    own("Seqlock(3), LB 5", C("families/seqlock", "-DREADERS=2 -DLB=5"), RF, 14_864, 961, seqlock);
    let mpmc = "another text: two threads, as in GenMC's tests";
    own("MPMC_queue(3), LB 5", C("families/mpmc_queue_bnd", "-DLB=5"), RF, 239_254, 11_096, mpmc);
    let missing: [(&str, &str, u64); 19] = [
        ("Szymanski, LB 6", RF, 12_209_410),
        ("Dekker, LB 10", RF, 3_121_870),
        ("Peterson, LB 6", RF, 1_897_228),
        ("Lamport, LB 8", RF, 3_372_868),
        ("Linux_lock(2), LB 6", CO, 21),
        ("Linux_lock(3), LB 6", RF, 412_814),
        ("Linux_lock(3), LB 6", CO, 412_814),
        ("Correia_Ramalhete(3), LB 5", RF, 5355),
        ("Correia_Ramalhete(3), LB 5", CO, 5355),
        ("Correia_Ramalhete_turn(3), LB 2", RF, 96_184),
        ("MCS_lock(2), LB 5", RF, 70_072),
        ("Cliffc_hashtable(4)", RF, 4576),
        ("Concurrent_hashmap(4)", RF, 42),
        ("Chase_Lev_deque(2)", RF, 20_852),
        ("SPSC_queue(2), LB 3", RF, 57),
        ("Tidex(3), LB 5", RF, 748),
        ("Tidex_nps(2), LB 5", RF, 10_254),
        ("CLH_rwlock_c11(3), LB 10", RF, 6),
        ("MPSC_c11(3), LB 10", RF, 4824),
    ];
    for (name, options, paper) in missing {
        rows.push(without(name, options, paper, "not there: the text is not known"));
    }
    debug_assert!(rows.iter().all(|row| row.ours.is_some() != (row.subject == Nothing)));
    rows
}
