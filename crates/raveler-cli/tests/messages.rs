//! What messages about C and C++ programs say. Without clang on the PATH nothing is run.

mod command;

use command::{Ran, file, has_clang, raveler};

fn check(name: &str, text: &str, options: &[&str]) -> Option<Ran> {
    if !has_clang() {
        println!("no clang on the PATH: nothing was run");
        return None;
    }
    let file = file(name, text);
    let mut arguments = vec!["check", file.path()];
    arguments.extend(options);
    Some(raveler(&arguments))
}

#[test]
fn pointers_have_names_whoever_uses_what_they_point_to() {
    let text = "#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct node {
  int value;
  struct node *next;
};
static _Atomic(void *) seen;
static int global;
static void *work(void *unused) {
  struct node *node = malloc(sizeof *node);
  int local;
  atomic_store(&seen, &node->next);
  atomic_store(&seen, &local);
  atomic_store(&seen, &global);
  atomic_store(&seen, (void *)work);
  free(node);
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  assert(!atomic_load(&seen));
}
";
    let Some(ran) = check("pointers.c", text, &[]) else { return };
    for name in ["&(allocated at pointers.c:12)", "&local", "&global", "&work"] {
        assert!(ran.stdout.contains(name), "{name}: {}", ran.stdout);
    }
}

#[test]
fn threads_of_cpp_are_called_after_the_program() {
    let text = "#include <atomic>
#include <cassert>
#include <thread>
std::atomic<int> sum;
static void add(int n) { sum += n; }
int main() {
  std::thread a(add, 1), b([] { sum += 2; });
  a.join();
  b.join();
  assert(sum == 4);
}
";
    let Some(ran) = check("threads.cpp", text, &[]) else { return };
    assert!(ran.stdout.contains("thread 1 (add)"), "{}", ran.stdout);
    for internal in ["__invoke", "_State_impl", "_M_run"] {
        assert!(!ran.stdout.contains(internal), "{internal}: {}", ran.stdout);
    }
}

#[test]
fn threads_that_run_lambdas_and_callable_objects_have_names() {
    let text = "#include <atomic>
#include <cassert>
#include <thread>
std::atomic<int> sum;
struct Adder {
  void operator()() const { sum += 1; }
};
int main() {
  std::thread a(Adder{});
  std::thread b([] {
    sum += 2;
  });
  a.join();
  b.join();
  assert(sum == 4);
}
";
    let Some(ran) = check("callable.cpp", text, &[]) else { return };
    for name in ["thread 1 (Adder::operator())", "thread 2 (lambda at callable.cpp:"] {
        assert!(ran.stdout.contains(name), "{name}: {}", ran.stdout);
    }
}

#[test]
fn objects_that_one_line_allocates_are_told_apart() {
    let text = "#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static _Atomic(void *) last;
static void *work(void *unused) {
  atomic_store(&last, malloc(8));
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_join(b, NULL);
  assert(!atomic_load(&last));
}
";
    let Some(ran) = check("line.c", text, &[]) else { return };
    for line in ["last = &(allocated at line.c:7) ", "last = &(allocated at line.c:7, #2) "] {
        assert!(ran.stdout.contains(line), "{line}: {}", ran.stdout);
    }
    assert!(ran.stdout.contains("last is &(allocated at line.c:7, #2)"), "{}", ran.stdout);
}

#[test]
fn a_headline_says_nothing_twice() {
    let text = "#include <stdlib.h>\nint main(void) {\n  int *p = malloc(4);\n  return *p;\n}\n";
    let Some(ran) = check("unset.c", text, &[]) else { return };
    let line = ran.stdout.lines().next().unwrap_or_default();
    assert!(line.starts_with("violation: "), "{line}");
    assert_eq!(line.matches("uninitialised").count(), 1, "{line}");
}

#[test]
fn a_very_long_loop_is_not_said_to_have_been_followed() {
    let text = "static volatile long sum;
int main(void) {
  for (long i = 0; i < 10000000000; i++)
    sum += i;
}
";
    let Some(ran) = check("long.c", text, &[]) else { return };
    assert_eq!(ran.code, 3, "{ran:?}");
    assert!(
        ran.stdout.contains("long.c:3") && !ran.stdout.contains("followed for 5 rounds"),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains("`i` changes in every round"), "{}", ran.stdout);
}

#[test]
fn memory_that_a_library_allocates_is_called_after_the_program() {
    let text = "#include <atomic>
#include <thread>
#include <vector>
struct Shape {
  virtual int area() { return 0; }
  virtual ~Shape() = default;
};
int *first;
Shape *shape;
void (*called)(int);
namespace my {
void handler(int) {}
}
int main() {
  std::thread thread([] {
    shape = new Shape;
    called = &my::handler;
    std::vector<int> sizes{1};
    first = sizes.data();
  });
  bool none = !first && !shape;
  thread.join();
  delete shape;
  return none && called;
}
";
    let Some(ran) = check("allocates.cpp", text, &["--all", "--print-executions"]) else { return };
    for name in ["&(allocated at allocates.cpp:18)", "&vtable for Shape", "&handler"] {
        assert!(ran.stdout.contains(name), "{name}: {}", ran.stdout);
    }
    assert!(!ran.stdout.contains("_Z") && !ran.stdout.contains("new_allocator.h"), "{}", ran.stdout);
}

#[test]
fn a_thread_that_nobody_joined_is_named() {
    let text = "#include <thread>
int main() { std::thread thread([] {}); }
";
    let Some(ran) = check("nobody_joined.cpp", text, &[]) else { return };
    assert!(ran.stdout.contains("a `std::thread` is destroyed that was neither joined"), "{}", ran.stdout);
}

#[test]
fn a_loop_that_is_cut_is_not_said_to_have_ended() {
    let text = "#include <pthread.h>
#include <stdatomic.h>
static atomic_int sum;
int main(void) {
  for (long i = 0; i < 10000000000; i++)
    atomic_fetch_add(&sum, 1);
}
";
    let Some(ran) = check("long.c", text, &[]) else { return };
    let said = "the loop at long.c:5 goes on for longer than is followed, so it was cut after";
    assert!(ran.stdout.contains(said), "{}", ran.stdout);
}

#[test]
fn a_racing_store_to_a_part_says_what_else_would_do() {
    let text = "#include <pthread.h>
#include <stdatomic.h>
static union {
  atomic_uint whole;
  atomic_uchar part[4];
} x;
static void *work(void *unused) {
  atomic_store_explicit(&x.part[0], 1, memory_order_relaxed);
  atomic_load_explicit(&x.part[1], memory_order_relaxed);
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  atomic_load(&x.whole);
  pthread_join(thread, NULL);
}
";
    let Some(ran) = check("parts.c", text, &["--model", "tso"]) else { return };
    assert!(ran.stderr.contains("put a seq_cst fence between"), "{}", ran.stderr);
    let Some(ran) = check("parts.c", text, &["--model", "rc20"]) else { return };
    assert!(ran.stderr.contains("can be written only where nothing races with it"), "{}", ran.stderr);
    assert!(ran.stderr.contains("= help: --model sc and --model tso know such stores"), "{}", ran.stderr);
    let Some(ran) = check("parts.c", text, &["--model", "sc"]) else { return };
    assert!(ran.stdout.starts_with("verified"), "{} {}", ran.stdout, ran.stderr);
}

#[test]
fn a_standard_that_is_too_old_is_named() {
    let text = "#include <concepts>
template <std::integral T> T same(T a) { return a; }
int main() { return same(0); }
";
    let Some(ran) = check("concepts.cpp", text, &[]) else { return };
    assert!(ran.stderr.contains("-std=c++20"), "{}", ran.stderr);
}

#[test]
fn parts_of_the_compiled_library_say_what_else_there_is() {
    let text = "#include <fstream>
int main() { std::ofstream(\"x\") << 1; }
";
    let Some(ran) = check("stream.cpp", text, &[]) else { return };
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("std::ostringstream are known"), "{}", ran.stderr);
    let text = "#include <regex>
int main() { return std::regex_match(\"acb\", std::regex(\"a.b\")); }
";
    let Some(ran) = check("regex.cpp", text, &[]) else { return };
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("locales and regular expressions are not supported"), "{}", ran.stderr);
    let longest = ran.stderr.lines().map(str::len).max().unwrap_or_default();
    assert!(longest < 1000, "{}", ran.stderr);
}

#[test]
fn loops_say_what_they_do_in_every_round() {
    let spins = "#include <atomic>
#include <thread>
struct Cached { std::atomic<int> now{0}; int last = 0; };
int main() {
  Cached cached;
  std::thread thread([&] { while (cached.last == 0) cached.last = cached.now.load(std::memory_order_acquire); });
  cached.now.store(1, std::memory_order_release);
  thread.join();
}
";
    let Some(ran) = check("cached.cpp", spins, &[]) else { return };
    assert!(ran.stdout.contains("it writes shared memory in every round, at cached.cpp:6"), "{}", ran.stdout);
    // Threads that were started before the loop are not started by it.
    let waits = "#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *run(void *unused) { atomic_store(&x, 1); return unused; }
static void begin(pthread_t *thread) { pthread_create(thread, 0, run, 0); }
int main(void) {
  pthread_t thread;
  begin(&thread);
  for (int left = 1000; left; left--)
    if (atomic_load(&x)) break;
  pthread_join(thread, 0);
}
";
    let Some(ran) = check("spins.c", waits, &["--unroll", "2"]) else { return };
    assert!(!ran.stdout.contains("starts a thread"), "{}", ran.stdout);
    assert!(ran.stdout.contains("spins.c:9"), "{}", ran.stdout);
}

#[test]
fn threads_that_start_themselves_without_end_are_named() {
    let text = "#include <pthread.h>
static void *again(void *unused) {
  pthread_t thread;
  pthread_create(&thread, 0, again, 0);
  return unused;
}
int main(void) { again(0); }
";
    let Some(ran) = check("again.c", text, &[]) else { return };
    assert_eq!(ran.code, 3, "{}", ran.stdout);
    assert!(ran.stdout.contains("there is no end of threads in sight"), "{}", ran.stdout);
    let named = "`again` was not started at again.c:4: threads are followed for three generations";
    assert!(ran.stdout.contains(named), "{}", ran.stdout);
    // A bound that grows goes on while loops are cut, too, and ends where only threads are.
    let text = "#include <assert.h>
#include <pthread.h>
static int x;
static void *again(void *unused) {
  pthread_t thread;
  for (int i = 0; i < 3; i++)
    assert(__atomic_fetch_add(&x, 1, __ATOMIC_SEQ_CST) < 6);
  pthread_create(&thread, 0, again, 0);
  return unused;
}
int main(void) { again(0); }
";
    let Some(ran) = check("again.c", text, &["--model", "sc", "--unroll", "auto"]) else { return };
    assert_eq!(ran.code, 1, "{}", ran.stdout);
    let text = text.replace("< 6", "< 60");
    let Some(ran) = check("again.c", &text, &["--model", "sc", "--unroll", "auto"]) else { return };
    assert_eq!(ran.code, 3, "{}", ran.stdout);
    assert!(ran.stdout.contains("there is no end of threads in sight"), "{}", ran.stdout);
}

#[test]
fn what_c_programs_print_stands_in_the_story() {
    let text = "#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
static atomic_int x, y;
static void *work(void *unused) {
  puts(\"work\");
  atomic_store(&x, 1);
  while (!atomic_load(&y))
    printf(\"waits\\n\");
  int now = atomic_load(&y);
  printf(\"y is \");
  fflush(stdout);
  printf(\"%d, %s\\n\", now, \"good\");
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  int seen = atomic_load(&x);
  fprintf(stderr, \"%#x\\a\", seen + 15);
  atomic_store(&y, 1);
  pthread_join(thread, NULL);
  printf(\"end\");
  assert(!seen);
}
";
    let Some(ran) = check("prints.c", text, &[]) else { return };
    let told: Vec<&str> = ran.stdout.lines().filter(|line| line.contains("thread ")).collect();
    let place = |what: &str| {
        let at = told.iter().position(|line| line.contains(what));
        at.unwrap_or_else(|| panic!("{what} is not told: {}", ran.stdout))
    };
    let order = [
        "starts thread 1",
        "prints \"work\"",
        "x = 1",
        "x is 1",
        "prints \"0x10\\u{7}\" to stderr",
        "y = 1",
        "y is 1",
        "prints \"y is 1, good\"",
        "joins thread 1",
        "prints \"end\"",
    ];
    assert!(order.windows(2).all(|pair| place(pair[0]) < place(pair[1])), "{}", ran.stdout);
    assert!(!ran.stdout.contains("waits"), "a round that changes nothing is not told: {}", ran.stdout);

    let Some(ran) = check("prints.c", text, &["--json"]) else { return };
    let threads = &command::json(&ran)["violations"][0]["execution"]["threads"];
    assert_eq!(threads[1]["output"][0]["text"], "work\n");
    assert!(threads[1]["output"][0]["after"].is_null());
    assert_eq!(threads[1]["output"][1]["text"], "y is 1, good\n");
    assert_eq!(threads[0]["output"][0]["stream"], "stderr");
    assert_eq!(threads[0]["output"][0]["after"], "0.1");

    let Some(ran) = check("prints.c", text, &["--print-executions"]) else { return };
    assert!(ran.stdout.contains("prints \"end\""), "{}", ran.stdout);
    // No model and no search tells it in another way, and an execution that is run again says the same.
    for options in [
        &["--model", "sc", "--engine", "interleaving"][..],
        &["--model", "xmm"],
        &["--locks", "ordered", "--equivalence", "co"],
        &["--model", "tso", "--random", "1"],
    ] {
        let Some(ran) = check("prints.c", text, options) else { return };
        for what in &order {
            assert!(ran.stdout.contains(what), "{what}, {options:?}: {}", ran.stdout);
        }
    }
}

#[test]
fn what_streams_print_stands_in_the_story() {
    let text = "#include <cassert>
#include <iomanip>
#include <iostream>
#include <string>
#include <thread>
#ifdef STRINGS
#include <sstream>
static std::string other() { std::ostringstream out; out << 1; return out.str(); }
#else
static std::string other() { return \"1\"; }
#endif
struct P { int x; };
static std::ostream &operator<<(std::ostream &out, const P &p) { return out << \"P(\" << p.x << ')'; }
int main() {
  std::string s = \"text\";
  std::cout << s << ' ' << -3 << ' ' << std::hex << std::showbase << 255 << std::dec << ' ' << true << std::boolalpha
            << true << std::endl;
  std::cerr << P{4} << std::setw(4) << std::setfill('0') << 42u << \"\\n\";
  std::thread([] { std::clog << 1.5 << (short)-1 << other() << nullptr << '\\n'; }).join();
  assert(s.empty());
}
";
    for flags in [&[][..], &["--", "-DSTRINGS"]] {
        let Some(ran) = check("streams.cpp", text, flags) else { return };
        for line in ["\"text -3 0xff 1true\"", "\"P(4)0042\" to stderr", "\"1.5-11nullptr\" to stderr"] {
            assert!(ran.stdout.contains(&format!("prints {line}")), "{line}: {}", ran.stdout);
        }
    }
}

#[test]
fn what_is_not_known_is_refused_with_what_else_would_do() {
    let jumps = "#include <setjmp.h>\nstatic jmp_buf b;\nint main(void) { return setjmp(b); }\n";
    let wide = "#include <pthread.h>\nstatic _Alignas(16) __int128 x;\nstatic void *f(void *p) {\n  __int128 v = 1;\n  \
                __atomic_store(&x, &v, 0);\n  return p;\n}\nint main(void) {\n  pthread_t t;\n  \
                pthread_create(&t, 0, f, 0);\n  f(0);\n  pthread_join(t, 0);\n}\n";
    let files = "#include <stdio.h>\nint main(void) { return fopen(\"a\", \"r\") != 0; }\n";
    let pages = "#include <sys/mman.h>\nint main(void) { return mmap(0, 1, 0, 0, 0, 0) != 0; }\n";
    let polls = "#include <sys/epoll.h>\nint main(void) { return epoll_create(1); }\n";
    let loads = "#include <dlfcn.h>\nint main(void) { return dlopen(\"a\", 0) != 0; }\n";
    let signals = "#include <signal.h>\nint main(void) { return raise(2); }\n";
    let newer = "int main(void) { return nullptr != 0; }\n";
    for (text, help) in [
        (jumps, "jumps out of functions are not supported"),
        (files, "there are no files and no input"),
        (wide, "let a pointer and its tag share 8 bytes"),
        (pages, "allocate with `malloc` or `aligned_alloc`"),
        (polls, "wait for a condition variable"),
        (loads, "call the function itself"),
        (signals, "let a thread do what the handler does"),
        (newer, "-std=c2x"),
    ] {
        let Some(ran) = check("refused.c", text, &["--model", "rc20"]) else { return };
        assert_eq!(ran.code, 2, "{ran:?}");
        assert!(ran.stderr.contains(help) && ran.stderr.contains("refused.c:"), "{}", ran.stderr);
    }
}

#[test]
fn of_several_files_the_one_that_does_not_compile_is_named() {
    if !has_clang() {
        return;
    }
    let (good, bad) = (file("good.c", "int main(void) {}\n"), file("bad.c", "int f(void) { return g; }\n"));
    let ran = raveler(&["check", good.path(), bad.path()]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains(bad.path()) && !ran.stderr.contains("good.c"), "{}", ran.stderr);
}
