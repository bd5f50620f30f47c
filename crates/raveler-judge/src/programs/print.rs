//! Programs as C text.

use std::fmt::Write;

use super::ast::{Cond, Expr, INTS, Order, Place, Program, Reg, SPARE, Stmt, Update, VarKind, visit};

/// The program in its language.
pub fn text(program: &Program) -> String {
    match program.spelling {
        None => c(program),
        Some(seed) => super::cpp::print(program, seed),
    }
}

/// The program in C, with pthreads, `<stdatomic.h>` and `<raveler.h>`.
pub fn c(program: &Program) -> String {
    let mut out = String::new();
    let used = Used::of(program);
    for header in ["pthread.h", "stdatomic.h", "raveler.h"] {
        let _ = writeln!(out, "#include <{header}>");
    }
    if used.semaphores {
        out.push_str("#include <semaphore.h>\n");
    }
    if used.asserts {
        out.push_str("#include <assert.h>\n");
    }
    if used.nodes {
        out.push_str("#include <stdlib.h>\n\nstruct node { atomic_int a; int d; };\n");
    }
    out.push('\n');
    for (index, kind) in program.vars.iter().enumerate().filter(|(index, _)| used.vars & 1 << index != 0) {
        let name = var(program, index as u8);
        let _ = match kind {
            VarKind::Atomic => writeln!(out, "static atomic_int {name};"),
            VarKind::Plain => writeln!(out, "static int {name};"),
            VarKind::AtomicPointer => writeln!(out, "static _Atomic(struct node *) {name};"),
        };
    }
    for m in (0..program.mutexes).filter(|m| used.mutexes & 1 << m != 0) {
        let _ = writeln!(out, "static pthread_mutex_t m{m} = PTHREAD_MUTEX_INITIALIZER;");
    }
    if used.rwlocks {
        for w in 0..program.rwlocks {
            let _ = writeln!(out, "static pthread_rwlock_t w{w} = PTHREAD_RWLOCK_INITIALIZER;");
        }
    }
    if used.conditions {
        for c in 0..program.conditions {
            let _ = writeln!(out, "static pthread_cond_t c{c} = PTHREAD_COND_INITIALIZER;");
        }
    }
    if used.semaphores {
        for s in 0..program.semaphores.len() {
            let _ = writeln!(out, "static sem_t s{s};");
        }
    }
    if used.barriers {
        for b in 0..program.barriers.len() {
            let _ = writeln!(out, "static pthread_barrier_t b{b};");
        }
    }
    if used.onces {
        for (o, &adds) in program.onces.iter().enumerate() {
            let name = var(program, adds);
            let _ = writeln!(out, "static pthread_once_t o{o} = PTHREAD_ONCE_INIT;");
            let _ = writeln!(
                out,
                "static void once{o}(void) {{ atomic_fetch_add_explicit(&{name}, 1, memory_order_relaxed); }}"
            );
        }
    }
    if program.has(|stmt| *stmt == Stmt::ExitInside) {
        out.push_str("static void leave(void) { pthread_exit(NULL); }\n");
    }
    for (index, thread) in program.threads.iter().enumerate() {
        let number = index + 1;
        if function_of(program, index) != index {
            continue;
        }
        let _ = writeln!(out, "\nstatic void *t{number}(void *unused) {{\n  (void)unused;");
        let mut printer = Printer { program, thread: number, observed: 0, locals: 0, out: &mut out };
        printer.registers(thread);
        printer.own_nodes(thread);
        printer.list(thread, 1);
        out.push_str("  return NULL;\n}\n");
    }
    let main = &program.main;
    out.push_str("\nint main(void) {\n");
    let all = [&main.before[..], &main.middle, &main.after].concat();
    let mut printer = Printer { program, thread: 0, observed: 0, locals: 0, out: &mut out };
    printer.registers(&all);
    printer.own_nodes(&all);
    for (s, value) in program.semaphores.iter().enumerate().filter(|_| used.semaphores) {
        let _ = writeln!(printer.out, "  sem_init(&s{s}, 0, {value});");
    }
    for (b, count) in program.barriers.iter().enumerate().filter(|_| used.barriers) {
        let _ = writeln!(printer.out, "  pthread_barrier_init(&b{b}, NULL, {count});");
    }
    let handles: Vec<String> = (1..=program.threads.len()).map(|t| format!("h{t}")).collect();
    if !handles.is_empty() {
        let _ = writeln!(printer.out, "  pthread_t {};", handles.join(", "));
    }
    printer.list(&main.before, 1);
    for t in 1..=program.threads.len() {
        let function = function_of(program, t - 1) + 1;
        let _ = writeln!(printer.out, "  pthread_create(&h{t}, NULL, t{function}, NULL);");
    }
    printer.list(&main.middle, 1);
    for (index, &joined) in main.joined.iter().enumerate() {
        if joined {
            let _ = writeln!(printer.out, "  pthread_join(h{}, NULL);", index + 1);
        }
    }
    printer.list(&main.after, 1);
    out.push_str("  return 0;\n}\n");
    out
}

/// The thread whose function this one has: the first with the same text, where nothing in it names the thread.
fn function_of(program: &Program, index: usize) -> usize {
    let thread = &program.threads[index];
    let mut observes = false;
    visit(thread, &mut |stmt| observes |= matches!(stmt, Stmt::Observe(_)));
    let same = program.threads.iter().position(|other| other == thread);
    same.filter(|_| !observes).unwrap_or(index)
}

/// The name of an observed value: the thread and its how-manieth it is in the text.
pub fn observed(thread: usize, ordinal: usize) -> String {
    format!("t{thread}.{ordinal}")
}

pub(super) fn var(program: &Program, index: u8) -> String {
    match program.vars[usize::from(index)] {
        VarKind::Atomic => format!("x{index}"),
        VarKind::Plain => format!("d{index}"),
        VarKind::AtomicPointer => format!("p{index}"),
    }
}

pub(super) fn reg(reg: Reg) -> String {
    if !(INTS..SPARE).contains(&reg) { format!("r{reg}") } else { format!("q{}", reg - INTS) }
}

pub(super) fn order(order: Order) -> &'static str {
    match order {
        Order::Plain | Order::Relaxed => "memory_order_relaxed",
        Order::Acquire => "memory_order_acquire",
        Order::Release => "memory_order_release",
        Order::AcqRel => "memory_order_acq_rel",
        Order::SeqCst => "memory_order_seq_cst",
    }
}

/// What has to be declared: shrunk programs say nothing that does not matter.
#[derive(Default)]
pub(super) struct Used {
    pub vars: u32,
    pub mutexes: u32,
    pub rwlocks: bool,
    pub conditions: bool,
    pub semaphores: bool,
    pub barriers: bool,
    pub latches: bool,
    pub onces: bool,
    pub nodes: bool,
    pub asserts: bool,
}

impl Used {
    pub fn of(program: &Program) -> Used {
        let mut used = Used::default();
        program.visit(&mut |stmt| {
            registers_of(stmt, &mut |reg| used.nodes |= (INTS..SPARE).contains(&reg));
            match stmt {
                Stmt::Load { place: Place::Var(v), .. }
                | Stmt::Store { place: Place::Var(v), .. }
                | Stmt::Rmw { place: Place::Var(v), .. }
                | Stmt::Cas { place: Place::Var(v), .. } => {
                    used.vars |= 1 << v;
                    used.nodes |= program.vars[usize::from(*v)] == VarKind::AtomicPointer;
                }
                Stmt::Lock(m) | Stmt::Unlock(m) | Stmt::Try { mutex: m, .. } => used.mutexes |= 1 << m,
                Stmt::LockBoth(a, b) => used.mutexes |= 1 << a | 1 << b,
                Stmt::Until { var, .. } => used.vars |= 1 << var,
                Stmt::Wait { mutex, .. } => {
                    used.mutexes |= 1 << mutex;
                    used.conditions = true;
                }
                Stmt::Signal(_) | Stmt::Broadcast(_) => used.conditions = true,
                Stmt::ReadLock(_)
                | Stmt::WriteLock(_)
                | Stmt::RwUnlock(_)
                | Stmt::TryRead { .. }
                | Stmt::TryWrite { .. } => used.rwlocks = true,
                Stmt::Down(_)
                | Stmt::Up(_)
                | Stmt::Acquire(_)
                | Stmt::Release(_)
                | Stmt::TryAcquire { .. } => used.semaphores = true,
                Stmt::Arrive(_)
                | Stmt::ArriveAnd { .. }
                | Stmt::Meet(_)
                | Stmt::Come { .. }
                | Stmt::Await(_)
                | Stmt::Drop(_) => used.barriers = true,
                Stmt::CountDown { .. }
                | Stmt::AwaitLatch(_)
                | Stmt::ArriveLatch(_)
                | Stmt::TryLatch { .. } => used.latches = true,
                Stmt::Once(o) => {
                    used.onces = true;
                    used.vars |= 1 << program.onces[usize::from(*o)];
                }
                Stmt::Assert(_) => used.asserts = true,
                _ => {}
            }
        });
        used
    }
}

struct Printer<'a> {
    program: &'a Program,
    thread: usize,
    observed: usize,
    locals: usize,
    out: &'a mut String,
}

impl Printer<'_> {
    fn registers(&mut self, list: &[Stmt]) {
        let mut used = [false; super::ast::REGS];
        visit(list, &mut |stmt| registers_of(stmt, &mut |reg| used[usize::from(reg)] = true));
        for (index, _) in used.iter().enumerate().filter(|(_, used)| **used) {
            let name = reg(index as Reg);
            let _ = if (index as Reg) < INTS {
                writeln!(self.out, "  int {name} = 0;")
            } else {
                writeln!(self.out, "  struct node *{name} = NULL;")
            };
        }
    }

    fn own_nodes(&mut self, list: &[Stmt]) {
        let mut count = 0;
        visit(list, &mut |stmt| count += usize::from(matches!(stmt, Stmt::Local(_))));
        for number in 1..=count {
            let _ = writeln!(self.out, "  struct node n{number};");
        }
    }

    fn place(&self, place: Place) -> String {
        match place {
            Place::Var(index) => var(self.program, index),
            Place::Atom(pointer) => format!("{}->a", reg(pointer)),
            Place::Data(pointer) => format!("{}->d", reg(pointer)),
        }
    }

    fn value(&self, value: Expr, pointer: bool) -> String {
        match value {
            Expr::Const(0) if pointer => "NULL".into(),
            Expr::Const(v) => v.to_string(),
            Expr::Reg(r) => reg(r),
            Expr::Plus(r, v) => format!("{} + {v}", reg(r)),
            Expr::Other(r) => format!("1 - {}", reg(r)),
        }
    }

    fn is_pointer(&self, place: Place) -> bool {
        matches!(place, Place::Var(v) if self.program.vars[usize::from(v)] == VarKind::AtomicPointer)
    }

    fn cond(&self, cond: Cond) -> String {
        let number = |r: Reg, v: i8| if r < INTS { v.to_string() } else { "NULL".to_string() };
        match cond {
            Cond::Is(r, v) => format!("{} == {}", reg(r), number(r, v)),
            Cond::Not(r, v) => format!("{} != {}", reg(r), number(r, v)),
            Cond::Same(a, b) => format!("{} == {}", reg(a), reg(b)),
            Cond::Differ(a, b) => format!("{} != {}", reg(a), reg(b)),
            Cond::Either(a, b) => format!("{} || {}", reg(a), reg(b)),
            Cond::Both(a, b) => format!("{} && {}", reg(a), reg(b)),
        }
    }

    fn load(&self, place: Place, of: Order) -> String {
        match of {
            Order::Plain => self.place(place),
            _ => format!("atomic_load_explicit(&{}, {})", self.place(place), order(of)),
        }
    }

    fn list(&mut self, list: &[Stmt], depth: usize) {
        for stmt in list {
            self.stmt(stmt, depth);
        }
    }

    fn line(&mut self, depth: usize, text: &str) {
        let _ = writeln!(self.out, "{}{text}", "  ".repeat(depth));
    }

    fn stmt(&mut self, stmt: &Stmt, depth: usize) {
        let text = match stmt {
            Stmt::Load { to, place, order } => format!("{} = {};", reg(*to), self.load(*place, *order)),
            Stmt::Store { place, value, order: Order::Plain } => {
                format!("{} = {};", self.place(*place), self.value(*value, false))
            }
            Stmt::Store { place, value, order: of } => format!(
                "atomic_store_explicit(&{}, {}, {});",
                self.place(*place),
                self.value(*value, self.is_pointer(*place)),
                order(*of)
            ),
            Stmt::Rmw { to, place, update, operand, order: of } => {
                let function = match update {
                    Update::Exchange => "exchange",
                    Update::Add => "fetch_add",
                    Update::Or => "fetch_or",
                };
                format!(
                    "{} = atomic_{function}_explicit(&{}, {}, {});",
                    reg(*to),
                    self.place(*place),
                    self.value(*operand, self.is_pointer(*place)),
                    order(*of)
                )
            }
            Stmt::Cas { ok, expected, place, new, success, failure } => format!(
                "{} = atomic_compare_exchange_strong_explicit(&{}, &{}, {}, {}, {});",
                reg(*ok),
                self.place(*place),
                reg(*expected),
                self.value(*new, self.is_pointer(*place)),
                order(*success),
                order(*failure)
            ),
            Stmt::Fence(of) => format!("atomic_thread_fence({});", order(*of)),
            Stmt::Set(r, value) => format!("{} = {};", reg(*r), self.value(*value, *r >= INTS)),
            Stmt::If(cond, then, otherwise) => {
                let head = format!("if ({}) {{", self.cond(*cond));
                self.line(depth, &head);
                self.list(then, depth + 1);
                if !otherwise.is_empty() {
                    self.line(depth, "} else {");
                    self.list(otherwise, depth + 1);
                }
                "}".to_string()
            }
            Stmt::Loop { body, plain } => return self.repeat(body, *plain, depth),
            Stmt::Break(cond) => format!("if ({}) break;", self.cond(*cond)),
            Stmt::Assert(cond) => format!("assert({});", self.cond(*cond)),
            Stmt::Assume(cond) => format!("rv_assume({});", self.cond(*cond)),
            Stmt::Observe(r) => {
                self.observed += 1;
                format!("rv_observe(\"{}\", {});", observed(self.thread, self.observed), reg(*r))
            }
            Stmt::Choose(r) => format!("{} = rv_choose(0, 1);", reg(*r)),
            Stmt::Lock(m) => format!("pthread_mutex_lock(&m{m});"),
            Stmt::Unlock(m) => format!("pthread_mutex_unlock(&m{m});"),
            Stmt::Try { to, mutex } => format!("{} = pthread_mutex_trylock(&m{mutex}) == 0;", reg(*to)),
            Stmt::ReadLock(w) => format!("pthread_rwlock_rdlock(&w{w});"),
            Stmt::WriteLock(w) => format!("pthread_rwlock_wrlock(&w{w});"),
            Stmt::RwUnlock(w) => format!("pthread_rwlock_unlock(&w{w});"),
            Stmt::TryRead { to, lock } => format!("{} = pthread_rwlock_tryrdlock(&w{lock}) == 0;", reg(*to)),
            Stmt::TryWrite { to, lock } => {
                format!("{} = pthread_rwlock_trywrlock(&w{lock}) == 0;", reg(*to))
            }
            Stmt::Wait { condition, mutex } => format!("pthread_cond_wait(&c{condition}, &m{mutex});"),
            Stmt::Signal(c) => format!("pthread_cond_signal(&c{c});"),
            Stmt::Broadcast(c) => format!("pthread_cond_broadcast(&c{c});"),
            Stmt::Down(s) => format!("sem_wait(&s{s});"),
            Stmt::Up(s) => format!("sem_post(&s{s});"),
            Stmt::Arrive(b) => format!("pthread_barrier_wait(&b{b});"),
            Stmt::ArriveAnd { to, barrier } => {
                format!("{} = pthread_barrier_wait(&b{barrier}) != 0;", reg(*to))
            }
            Stmt::Once(o) => format!("pthread_once(&o{o}, once{o});"),
            Stmt::Malloc(r) => format!("{} = malloc(sizeof(struct node));", reg(*r)),
            Stmt::Free(r) => format!("free({});", reg(*r)),
            Stmt::Return if self.thread == 0 => "return 0;".to_string(),
            Stmt::Return => "return NULL;".to_string(),
            Stmt::Exit => "pthread_exit(NULL);".to_string(),
            Stmt::ExitInside => "leave();".to_string(),
            Stmt::Local(r) => {
                self.locals += 1;
                format!("{} = &n{};", reg(*r), self.locals)
            }
            cpp => unreachable!("in C there is nothing like {cpp:?}"),
        };
        self.line(depth, &text);
    }

    /// Loops in the spelling that programs use: which one it is must not matter, so all are printed.
    fn repeat(&mut self, body: &[Stmt], plain: bool, depth: usize) {
        if !plain {
            // `while (load != v);`
            if let [Stmt::Load { to, place, order }, Stmt::Break(cond @ (Cond::Is(r, v) | Cond::Not(r, v)))] =
                body
                && to == r
                && *to < INTS
            {
                let sign = if matches!(cond, Cond::Is(..)) { "!=" } else { "==" };
                let load = self.load(*place, *order);
                return self.line(depth, &format!("while (({} = {load}) {sign} {v}) ;", reg(*to)));
            }
            if let [first @ .., Stmt::Break(cond)] = body
                && let Some(stays) = cond.negated()
            {
                self.line(depth, "do {");
                self.list(first, depth + 1);
                let end = format!("}} while ({});", self.cond(stays));
                return self.line(depth, &end);
            }
            if let [Stmt::Break(cond), rest @ ..] = body
                && let Some(stays) = cond.negated()
            {
                let head = format!("while ({}) {{", self.cond(stays));
                self.line(depth, &head);
                self.list(rest, depth + 1);
                return self.line(depth, "}");
            }
        }
        self.line(depth, "for (;;) {");
        self.list(body, depth + 1);
        self.line(depth, "}");
    }
}

/// The registers that a statement names itself.
pub fn registers_of(stmt: &Stmt, see: &mut dyn FnMut(Reg)) {
    let mut places: Vec<Place> = Vec::new();
    let mut values: Vec<Expr> = Vec::new();
    let mut conds: Vec<Cond> = Vec::new();
    match stmt {
        Stmt::Load { to, place, .. } => {
            see(*to);
            places.push(*place);
        }
        Stmt::Store { place, value, .. } => {
            places.push(*place);
            values.push(*value);
        }
        Stmt::Rmw { to, place, operand, .. } => {
            see(*to);
            places.push(*place);
            values.push(*operand);
        }
        Stmt::Cas { ok, expected, place, new, .. } => {
            see(*ok);
            see(*expected);
            places.push(*place);
            values.push(*new);
        }
        Stmt::Set(r, value) => {
            see(*r);
            values.push(*value);
        }
        Stmt::If(cond, ..) | Stmt::Break(cond) | Stmt::Assert(cond) | Stmt::Assume(cond) => conds.push(*cond),
        Stmt::Observe(r)
        | Stmt::Choose(r)
        | Stmt::ArriveAnd { to: r, .. }
        | Stmt::Try { to: r, .. }
        | Stmt::TryRead { to: r, .. }
        | Stmt::TryWrite { to: r, .. }
        | Stmt::TryAcquire { to: r, .. }
        | Stmt::TryLatch { to: r, .. }
        | Stmt::Malloc(r)
        | Stmt::Local(r)
        | Stmt::Free(r) => see(*r),
        _ => {}
    }
    for place in places {
        if let Place::Atom(r) | Place::Data(r) = place {
            see(r);
        }
    }
    for value in values {
        if let Expr::Reg(r) | Expr::Plus(r, _) | Expr::Other(r) = value {
            see(r);
        }
    }
    for cond in conds {
        match cond {
            Cond::Is(r, _) | Cond::Not(r, _) => see(r),
            Cond::Same(a, b) | Cond::Differ(a, b) | Cond::Either(a, b) | Cond::Both(a, b) => {
                see(a);
                see(b);
            }
        }
    }
}
