//! Statements in C++, each in one of several spellings.
//!
//! This file is long because all spellings of a statement stand side by side.

use std::fmt::Write;

use super::shape::{Atom, Home, Shape};
use crate::programs::ast::{
    Cond, Expr, INTS, Order, Place, Program, REGS, Reg, SPARE, Stmt, Update, VarKind, visit,
};
use crate::programs::print::{observed, reg, registers_of, var};

/// Writes the statements of one thread.
pub struct Writer<'a> {
    program: &'a Program,
    shape: &'a Shape,
    thread: usize,
    observed: usize,
    locals: usize,
    names: usize,
    /// Mutexes that a `std::unique_lock` in scope holds, with its name.
    guards: Vec<(u8, String)>,
    /// By enclosing loop: is it left by an exception?
    thrown: Vec<bool>,
    /// Registers that something looks at.
    looked: Vec<bool>,
    pub out: &'a mut String,
}

impl<'a> Writer<'a> {
    /// For a thread; the first is `main`.
    pub fn new(program: &'a Program, shape: &'a Shape, thread: usize, out: &'a mut String) -> Writer<'a> {
        let main = &program.main;
        let lists: Vec<&Vec<Stmt>> = match thread {
            0 => vec![&main.before, &main.middle, &main.after],
            _ => vec![&program.threads[thread - 1]],
        };
        let mut looked = vec![false; REGS + 1];
        for list in lists {
            visit(list, &mut |stmt| looks(stmt, &mut |reg| looked[usize::from(reg)] = true));
        }
        let (guards, thrown) = (Vec::new(), Vec::new());
        Writer { program, shape, thread, observed: 0, locals: 0, names: 0, guards, thrown, looked, out }
    }

    /// All of a thread.
    pub fn body(&mut self, list: &[Stmt], depth: usize) {
        self.registers(list, depth);
        let mut count = 0;
        visit(list, &mut |stmt| count += usize::from(matches!(stmt, Stmt::Local(_))));
        for number in 1..=count {
            self.line(depth, &format!("node n{number};"));
        }
        let mut leaves = false;
        visit(list, &mut |stmt| leaves |= matches!(stmt, Stmt::Return | Stmt::Exit | Stmt::ExitInside));
        if leaves && self.shape.throws {
            self.line(depth, "try {");
            self.list(list, depth + 1);
            let last = match self.shape.spelling.pick("catch", &list, 2) {
                0 => "} catch (const stop &) {",
                _ => "} catch (stop given) {",
            };
            self.line(depth, last);
            self.line(depth, "}");
        } else {
            self.list(list, depth);
        }
    }

    /// What is done at the end of a phase.
    pub fn completion(&mut self, list: &[Stmt]) {
        let mut uses = false;
        visit(list, &mut |stmt| registers_of(stmt, &mut |_| uses = true));
        if uses {
            self.line(1, &format!("int {} = 0;", reg(SPARE)));
        }
        self.looked = vec![true; REGS + 1];
        self.list(list, 1);
    }

    /// The registers of a thread.
    pub fn registers(&mut self, list: &[Stmt], depth: usize) {
        let mut used = [false; REGS];
        visit(list, &mut |stmt| registers_of(stmt, &mut |reg| used[usize::from(reg)] = true));
        for index in (0..REGS as Reg).filter(|index| used[usize::from(*index)]) {
            let text = match index < INTS {
                true => format!("int {} = 0;", reg(index)),
                false => format!("node *{} = nullptr;", reg(index)),
            };
            self.line(depth, &text);
        }
        let mut comes = false;
        visit(list, &mut |stmt| comes |= matches!(stmt, Stmt::Come { .. } | Stmt::Await(_)));
        if comes {
            let barrier = self.shared("b", 0);
            let class = format!("std::remove_reference_t<decltype({barrier})>::arrival_token");
            self.line(depth, &format!("std::optional<{class}> token0;"));
        }
    }

    fn pick(&self, question: &str, stmt: &Stmt, count: usize) -> usize {
        self.shape.spelling.pick(question, &(self.thread, stmt), count)
    }

    fn line(&mut self, depth: usize, text: &str) {
        let _ = writeln!(self.out, "{:1$}{text}", "", 2 * depth);
    }

    fn name(&mut self) -> String {
        self.names += 1;
        format!("g{}", self.names)
    }

    fn shared(&self, name: &str, number: u8) -> String {
        format!("{}{name}{number}", self.shape.prefix())
    }

    /// The statements of a list; some belong together.
    pub fn list(&mut self, list: &[Stmt], depth: usize) {
        let mut at = 0;
        while at < list.len() {
            let taken = self.together(&list[at..], depth);
            if taken == 0 {
                self.stmt(&list[at], depth);
            }
            at += taken.max(1);
        }
    }

    /// What is one thing in C++; how many statements that was.
    fn together(&mut self, list: &[Stmt], depth: usize) -> usize {
        let choice = self.pick("guard", &list[0], 5);
        match list {
            [Stmt::Lock(m), rest @ ..] if choice > 0 => {
                let Some(end) = rest.iter().position(|stmt| *stmt == Stmt::Unlock(*m)) else { return 0 };
                let body = &rest[..end];
                if !can_be_guarded(body, &|stmt| names_mutex(stmt, *m)) {
                    return 0;
                }
                let waits = waits_with(body, *m);
                let name = self.name();
                let mutex = self.shared("m", *m);
                let guard = match choice {
                    _ if waits => format!("std::unique_lock<std::mutex> {name}({mutex});"),
                    1 => format!("std::lock_guard<std::mutex> {name}({mutex});"),
                    2 => format!("std::unique_lock<std::mutex> {name}({mutex});"),
                    3 => format!("std::scoped_lock {name}({mutex});"),
                    _ => format!("std::unique_lock {name}{{{mutex}, std::defer_lock}}; {name}.lock();"),
                };
                self.line(depth, "{");
                self.line(depth + 1, &guard);
                self.guards.push((*m, name));
                self.list(body, depth + 1);
                self.guards.pop();
                self.line(depth, "}");
                end + 2
            }
            [Stmt::LockBoth(a, b), rest @ ..] if choice > 1 => {
                let ours = |stmt: &Stmt| names_mutex(stmt, *a) || names_mutex(stmt, *b);
                let Some(end) = rest.iter().position(ours) else { return 0 };
                let (Stmt::Unlock(first), Some(Stmt::Unlock(second))) = (&rest[end], rest.get(end + 1))
                else {
                    return 0;
                };
                let body = &rest[..end];
                if first == second || !can_be_guarded(body, &ours) {
                    return 0;
                }
                let name = self.name();
                let (first, second) = (self.shared("m", *first), self.shared("m", *second));
                self.line(depth, "{");
                self.line(depth + 1, &format!("std::scoped_lock {name}({first}, {second});"));
                self.list(body, depth + 1);
                self.line(depth, "}");
                end + 3
            }
            [Stmt::ReadLock(w) | Stmt::WriteLock(w), rest @ ..] if choice > 1 => {
                let ours = |stmt: &Stmt| names_rwlock(stmt, *w);
                let Some(end) = rest.iter().position(ours) else { return 0 };
                let body = &rest[..end];
                if rest[end] != Stmt::RwUnlock(*w) || !can_be_guarded(body, &ours) {
                    return 0;
                }
                let name = self.name();
                let lock = self.shared("w", *w);
                let guard = match (&list[0], choice) {
                    (Stmt::ReadLock(_), _) => "std::shared_lock<std::shared_mutex>",
                    (_, 2) => "std::lock_guard<std::shared_mutex>",
                    _ => "std::unique_lock<std::shared_mutex>",
                };
                self.line(depth, "{");
                self.line(depth + 1, &format!("{guard} {name}({lock});"));
                self.list(body, depth + 1);
                self.line(depth, "}");
                end + 2
            }
            [Stmt::Try { to, mutex }, Stmt::If(Cond::Is(of, 1), then, otherwise), ..]
                if to == of && otherwise.is_empty() && choice > 1 =>
            {
                let Some((Stmt::Unlock(m), body)) = then.split_last() else { return 0 };
                if m != mutex || !can_be_guarded(body, &|stmt| names_mutex(stmt, *m)) || waits_with(body, *m)
                {
                    return 0;
                }
                let name = self.name();
                let lock = format!("std::unique_lock {name}({}, std::try_to_lock)", self.shared("m", *m));
                self.line(depth, &format!("if ({lock}; ({} = {name}.owns_lock())) {{", reg(*to)));
                self.list(body, depth + 1);
                self.line(depth, "}");
                2
            }
            [
                Stmt::Malloc(node),
                Stmt::Store { place: Place::Atom(first), value: Expr::Const(one), order: Order::Relaxed },
                Stmt::Store { place: Place::Data(second), value: Expr::Const(two), .. },
                ..,
            ] if node == first && node == second && choice > 1 && !self.shape.malloc => {
                let made = match choice {
                    2 => format!("new node{{{one}, {two}}}"),
                    3 => format!("std::unique_ptr<node>(new node{{{one}, {two}}}).release()"),
                    _ => format!("std::make_unique<node>(node{{{one}, {two}}}).release()"),
                };
                // An atomic object cannot be moved.
                let made = match self.shape.newer || choice != 4 {
                    true => made,
                    false => format!("new node{{{one}, {two}}}"),
                };
                self.line(depth, &format!("{} = {made};", reg(*node)));
                3
            }
            _ => 0,
        }
    }

    fn stmt(&mut self, stmt: &Stmt, depth: usize) {
        let text = match stmt {
            Stmt::Load { to, place, order } => {
                let load = self.load(stmt, *place, *order);
                format!("{} = {load};", reg(*to))
            }
            Stmt::Store { place, value, order } => self.store(stmt, *place, *value, *order),
            Stmt::Rmw { to, place, update, operand, order } => {
                self.rmw(stmt, *to, *place, *update, *operand, *order)
            }
            Stmt::Cas { ok, expected, place, new, success, failure } => {
                let orders = self.orders(stmt, *success, *failure);
                format!(
                    "{} = {}.compare_exchange_{}({}, {}{orders});",
                    reg(*ok),
                    self.place(*place),
                    ["weak", "strong"][self.pick("weak", stmt, 2)],
                    reg(*expected),
                    self.value(*new, self.is_pointer(*place)),
                )
            }
            Stmt::Fence(of) => format!("std::atomic_thread_fence({});", self.order(*of)),
            Stmt::Set(r, value) => {
                format!("{} = {};", reg(*r), self.value(*value, (INTS..SPARE).contains(r)))
            }
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
            Stmt::Loop { body, plain } => return self.repeat(stmt, body, *plain, depth),
            Stmt::Break(cond) => {
                let thrown = self.thrown.last() == Some(&true);
                format!("if ({}) {}", self.cond(*cond), if thrown { "throw 'b';" } else { "break;" })
            }
            Stmt::Assert(cond) => format!("assert({});", self.cond(*cond)),
            Stmt::Assume(cond) => format!("rv_assume({});", self.cond(*cond)),
            Stmt::Observe(r) => {
                self.observed += 1;
                format!("rv_observe(\"{}\", {});", observed(self.thread, self.observed), reg(*r))
            }
            Stmt::Choose(r) => format!("{} = rv_choose(0, 1);", reg(*r)),
            Stmt::Lock(m) => format!("{}.lock();", self.shared("m", *m)),
            Stmt::Unlock(m) => format!("{}.unlock();", self.shared("m", *m)),
            Stmt::Try { to, mutex } => {
                self.attempt(stmt, *to, "std::mutex", "unique_lock", &self.shared("m", *mutex))
            }
            Stmt::TryWrite { to, lock } => {
                self.attempt(stmt, *to, "std::shared_mutex", "unique_lock", &self.shared("w", *lock))
            }
            Stmt::TryRead { to, lock } => {
                self.attempt(stmt, *to, "std::shared_mutex", "shared_lock", &self.shared("w", *lock))
            }
            Stmt::LockBoth(a, b) => format!("std::lock({}, {});", self.shared("m", *a), self.shared("m", *b)),
            Stmt::ReadLock(w) => format!("{}.lock_shared();", self.shared("w", *w)),
            Stmt::WriteLock(w) => format!("{}.lock();", self.shared("w", *w)),
            // The library does the same for both.
            Stmt::RwUnlock(w) => {
                format!("{}.unlock{}();", self.shared("w", *w), ["", "_shared"][self.pick("unlock", stmt, 2)])
            }
            Stmt::Wait { condition, mutex } => self.wait(*condition, *mutex, ""),
            Stmt::Signal(c) => format!("{}.notify_one();", self.shared("c", *c)),
            Stmt::Broadcast(c) => format!("{}.notify_all();", self.shared("c", *c)),
            Stmt::Acquire(s) => format!("{}.acquire();", self.shared("s", *s)),
            Stmt::Release(s) => {
                format!("{}.release({});", self.shared("s", *s), ["", "1"][self.pick("one", stmt, 2)])
            }
            Stmt::TryAcquire { to, semaphore } => {
                format!("{} = {}.try_acquire();", reg(*to), self.shared("s", *semaphore))
            }
            Stmt::Meet(b) => {
                let b = self.shared("b", *b);
                [format!("{b}.arrive_and_wait();"), format!("{b}.wait({b}.arrive());")]
                    [self.pick("meet", stmt, 5) / 4]
                    .clone()
            }
            Stmt::Come { barrier, count } => {
                let count = if *count == 1 { String::new() } else { count.to_string() };
                let b = self.shared("b", *barrier);
                format!("token{barrier}.emplace({b}.arrive({count}));")
            }
            Stmt::Await(b) => format!("if (token{b}) {}.wait(std::move(*token{b}));", self.shared("b", *b)),
            Stmt::Drop(b) => format!("{}.arrive_and_drop();", self.shared("b", *b)),
            Stmt::CountDown { latch, count } => {
                let count = if *count == 1 { String::new() } else { count.to_string() };
                format!("{}.count_down({count});", self.shared("l", *latch))
            }
            Stmt::AwaitLatch(l) => format!("{}.wait();", self.shared("l", *l)),
            Stmt::ArriveLatch(l) => format!("{}.arrive_and_wait();", self.shared("l", *l)),
            Stmt::TryLatch { to, latch } => {
                format!("{} = {}.try_wait();", reg(*to), self.shared("l", *latch))
            }
            Stmt::Until { var, not, order } => {
                let object = self.place(Place::Var(*var));
                let not = if self.shape.atoms[usize::from(*var)] == Atom::Flag {
                    "false".into()
                } else {
                    not.to_string()
                };
                match *order == Order::SeqCst {
                    true => format!("{object}.wait({not});"),
                    false => format!("{object}.wait({not}, {});", self.order(*order)),
                }
            }
            Stmt::Once(o) if self.shape.home == Home::Main => {
                let add = format!(
                    "{}.fetch_add(1, std::memory_order_relaxed)",
                    self.place(Place::Var(self.program.onces[usize::from(*o)]))
                );
                format!("std::call_once(s.o{o}, [&s] {{ {add}; }});")
            }
            Stmt::Once(o) => format!("once{o}();"),
            Stmt::Malloc(r) if self.shape.malloc => {
                format!("{} = static_cast<node *>(std::malloc(sizeof(node)));", reg(*r))
            }
            Stmt::Malloc(r) => format!("{} = new node;", reg(*r)),
            Stmt::Free(r) => self.free(stmt, *r),
            Stmt::Return if self.thread == 0 => "return 0;".to_string(),
            Stmt::Return | Stmt::Exit | Stmt::ExitInside => self.leave(stmt),
            Stmt::Local(r) => {
                self.locals += 1;
                format!("{} = &n{};", reg(*r), self.locals)
            }
            c => unreachable!("{c:?} is no C++"),
        };
        self.line(depth, &text);
    }

    fn free(&mut self, stmt: &Stmt, r: Reg) -> String {
        let r = reg(r);
        if self.shape.malloc {
            return format!("std::free({r});");
        }
        match self.pick("free", stmt, 5) {
            0 => format!("std::unique_ptr<node>({r}).reset();"),
            1 => {
                let name = self.name();
                format!("{{ std::unique_ptr<node> {name}({r}); }}")
            }
            // This one may throw.
            2 if self.shape.throws => format!("std::shared_ptr<node>({r}).reset();"),
            _ => format!("delete {r};"),
        }
    }

    /// The end of a thread.
    fn leave(&self, stmt: &Stmt) -> String {
        let unwinds = self.shape.throws
            && !matches!(self.shape.start, super::shape::Start::Async | super::shape::Start::Task);
        match stmt {
            _ if self.thread > 0 && self.shape.throws && self.pick("leave", stmt, 3) == 0 => {
                "throw stop{1};".into()
            }
            _ if self.thread > 0 && self.shape.throws && self.pick("leave", stmt, 3) == 1 => {
                "give_up(2);".into()
            }
            Stmt::Exit if unwinds => "pthread_exit(nullptr);".into(),
            Stmt::ExitInside if unwinds => "leave();".into(),
            _ => "return;".into(),
        }
    }

    fn wait(&mut self, condition: u8, mutex: u8, until: &str) -> String {
        let condition = self.shared("c", condition);
        if let Some((_, guard)) = self.guards.iter().rev().find(|(of, _)| *of == mutex) {
            return format!("{condition}.wait({guard}{until});");
        }
        let mutex = self.shared("m", mutex);
        let name = self.name();
        format!(
            "{{ std::unique_lock<std::mutex> {name}({mutex}, std::adopt_lock); {condition}.wait({name}{until}); {name}.release(); }}"
        )
    }

    fn attempt(&self, stmt: &Stmt, to: Reg, class: &str, guard: &str, lock: &str) -> String {
        let to = reg(to);
        match self.pick("try", stmt, 3) {
            0 => format!(
                "{{ std::{guard}<{class}> g({lock}, std::try_to_lock); {to} = g.owns_lock(); g.release(); }}"
            ),
            _ if guard == "shared_lock" => format!("{to} = {lock}.try_lock_shared();"),
            _ => format!("{to} = {lock}.try_lock();"),
        }
    }

    fn order(&self, order: Order) -> String {
        let name = match order {
            Order::Plain | Order::Relaxed => "relaxed",
            Order::Acquire => "acquire",
            Order::Release => "release",
            Order::AcqRel => "acq_rel",
            Order::SeqCst => "seq_cst",
        };
        let colons = if self.shape.newer && self.shape.spelling.chance("scoped", 50) { "::" } else { "_" };
        format!("std::memory_order{colons}{name}")
    }

    /// The orders of a compare-exchange, behind its other arguments.
    fn orders(&self, stmt: &Stmt, success: Order, failure: Order) -> String {
        let derived = match success {
            Order::AcqRel => Order::Acquire,
            Order::Release => Order::Relaxed,
            other => other,
        };
        match self.pick("orders", stmt, 2) {
            0 if derived == failure && success == Order::SeqCst => String::new(),
            0 if derived == failure => format!(", {}", self.order(success)),
            _ => format!(", {}, {}", self.order(success), self.order(failure)),
        }
    }

    fn place(&self, place: Place) -> String {
        match place {
            Place::Var(index) => {
                let name = format!("{}{}", self.shape.prefix(), var(self.program, index));
                match self.shape.atoms[usize::from(index)] {
                    Atom::Ref => format!("std::atomic_ref<int>{{{name}}}"),
                    _ => name,
                }
            }
            Place::Atom(pointer) if self.shape.newer => {
                format!("std::atomic_ref<int>{{{}->a}}", reg(pointer))
            }
            Place::Atom(pointer) => format!("{}->a", reg(pointer)),
            Place::Data(pointer) => format!("{}->d", reg(pointer)),
        }
    }

    fn is_flag(&self, place: Place) -> bool {
        matches!(place, Place::Var(v) if self.shape.atoms[usize::from(v)] == Atom::Flag)
    }

    fn is_pointer(&self, place: Place) -> bool {
        matches!(place, Place::Var(v) if self.program.vars[usize::from(v)] == VarKind::AtomicPointer)
    }

    fn value(&self, value: Expr, pointer: bool) -> String {
        match value {
            Expr::Const(_) if pointer => "nullptr".to_string(),
            Expr::Const(value) => value.to_string(),
            Expr::Reg(r) => reg(r),
            Expr::Plus(r, value) => format!("{} + {value}", reg(r)),
            Expr::Other(r) => format!("1 - {}", reg(r)),
        }
    }

    fn cond(&self, cond: Cond) -> String {
        let number = |r: Reg, v: i8| if r < INTS { v.to_string() } else { "nullptr".to_string() };
        match cond {
            Cond::Is(r, v) => format!("{} == {}", reg(r), number(r, v)),
            Cond::Not(r, v) => format!("{} != {}", reg(r), number(r, v)),
            Cond::Same(a, b) => format!("{} == {}", reg(a), reg(b)),
            Cond::Differ(a, b) => format!("{} != {}", reg(a), reg(b)),
            Cond::Either(a, b) => format!("{} || {}", reg(a), reg(b)),
            Cond::Both(a, b) => format!("{} && {}", reg(a), reg(b)),
        }
    }

    fn load(&self, stmt: &Stmt, place: Place, order: Order) -> String {
        let object = self.place(place);
        match (order, self.pick("load", stmt, 3)) {
            (Order::Plain, _) => object,
            (Order::SeqCst, 0) if self.is_flag(place) => format!("{object}.test()"),
            (Order::SeqCst, 0) => object,
            (Order::SeqCst, 1) if !self.is_flag(place) => format!("{object}.load()"),
            _ if self.is_flag(place) => format!("{object}.test({})", self.order(order)),
            _ => format!("{object}.load({})", self.order(order)),
        }
    }

    fn store(&self, stmt: &Stmt, place: Place, value: Expr, order: Order) -> String {
        let object = self.place(place);
        let value = self.value(value, self.is_pointer(place));
        let choice = self.pick("store", stmt, 3);
        // Who waits looks by itself: who tells it makes no difference.
        let told = match (self.shape.newer && order != Order::Plain, self.pick("tell", stmt, 6)) {
            (true, 0) => format!(" {object}.notify_one();"),
            (true, 1) => format!(" {object}.notify_all();"),
            _ => String::new(),
        };
        let text = match order {
            Order::Plain => format!("{object} = {value};"),
            Order::SeqCst if self.is_flag(place) && choice == 0 => format!("{object}.clear();"),
            _ if self.is_flag(place) => format!("{object}.clear({});", self.order(order)),
            Order::SeqCst if choice == 0 => format!("{object} = {value};"),
            Order::SeqCst if choice == 1 => format!("{object}.store({value});"),
            _ => format!("{object}.store({value}, {});", self.order(order)),
        };
        text + &told
    }

    fn rmw(&self, stmt: &Stmt, to: Reg, place: Place, update: Update, operand: Expr, order: Order) -> String {
        let object = self.place(place);
        let looked = self.looked[usize::from(to)];
        let operand_text = self.value(operand, self.is_pointer(place));
        let choice = self.pick("update", stmt, 5);
        let strong = order == Order::SeqCst;
        let given = match strong && choice.is_multiple_of(2) {
            true => String::new(),
            false => format!(", {}", self.order(order)),
        };
        let call = |function: &str, operand: &str| format!("{object}.{function}({operand}{given})");
        let result = match update {
            Update::Exchange if self.is_flag(place) => {
                format!("{object}.test_and_set({})", given.trim_start_matches(", "))
            }
            Update::Add if strong && !looked && choice == 1 => return format!("{object} += {operand_text};"),
            Update::Add if strong && operand == Expr::Const(1) && choice == 2 => format!("{object}++"),
            Update::Add if strong && operand == Expr::Const(1) && choice == 3 => format!("++{object} - 1"),
            Update::Add if strong && choice == 4 => {
                format!("({object} += {operand_text}) - ({operand_text})")
            }
            Update::Add if choice == 1 => call("fetch_sub", &format!("-({operand_text})")),
            Update::Or if strong && !looked && choice == 1 => return format!("{object} |= {operand_text};"),
            Update::Exchange => call("exchange", &operand_text),
            Update::Add => call("fetch_add", &operand_text),
            Update::Or => call("fetch_or", &operand_text),
        };
        match looked || choice == 0 {
            true => format!("{} = {result};", reg(to)),
            false => format!("{result};"),
        }
    }

    /// Loops in the spelling that programs use.
    fn repeat(&mut self, stmt: &Stmt, body: &[Stmt], plain: bool, depth: usize) {
        if let [first @ .., Stmt::Break(cond), Stmt::Wait { condition, mutex }] = body
            && !plain
            && first.iter().all(|stmt| matches!(stmt, Stmt::Load { .. }))
        {
            let loads: String = first
                .iter()
                .map(|stmt| match stmt {
                    Stmt::Load { to, place, order } => {
                        format!("{} = {}; ", reg(*to), self.load(stmt, *place, *order))
                    }
                    _ => String::new(),
                })
                .collect();
            let until = format!(", [&] {{ {loads}return {}; }}", self.cond(*cond));
            let text = self.wait(*condition, *mutex, &until);
            return self.line(depth, &text);
        }
        let choice = self.pick("loop", stmt, 6);
        if !plain {
            if let [
                load @ Stmt::Load { to, place, order },
                Stmt::Break(cond @ (Cond::Is(r, v) | Cond::Not(r, v))),
            ] = body
                && to == r
                && *to < INTS
            {
                let sign = if matches!(cond, Cond::Is(..)) { "!=" } else { "==" };
                let load = self.load(load, *place, *order);
                return self.line(depth, &format!("while (({} = {load}) {sign} {v}) ;", reg(*to)));
            }
            if let [first @ .., Stmt::Break(cond)] = body
                && let Some(stays) = cond.negated()
            {
                self.line(depth, "do {");
                self.thrown.push(false);
                self.list(first, depth + 1);
                self.thrown.pop();
                let end = format!("}} while ({});", self.cond(stays));
                return self.line(depth, &end);
            }
            if let [Stmt::Break(cond), rest @ ..] = body
                && let Some(stays) = cond.negated()
            {
                let head = format!("while ({}) {{", self.cond(stays));
                self.line(depth, &head);
                self.thrown.push(false);
                self.list(rest, depth + 1);
                self.thrown.pop();
                return self.line(depth, "}");
            }
        }
        let thrown = self.shape.throws && choice == 0;
        if thrown {
            self.line(depth, "try {");
        }
        self.line(depth, if choice.is_multiple_of(2) { "for (;;) {" } else { "while (true) {" });
        self.thrown.push(thrown);
        self.list(body, depth + 1);
        self.thrown.pop();
        self.line(depth, "}");
        if thrown {
            self.line(depth, "} catch (char) {");
            self.line(depth, "}");
        }
    }
}

/// Can these statements stand in a block that gives back what `ours` names at its end, however they end?
fn can_be_guarded(body: &[Stmt], ours: &dyn Fn(&Stmt) -> bool) -> bool {
    body.iter().all(|stmt| match stmt {
        Stmt::Break(_) | Stmt::Return | Stmt::Exit | Stmt::ExitInside => false,
        Stmt::If(_, then, otherwise) => can_be_guarded(then, ours) && can_be_guarded(otherwise, ours),
        // What leaves a loop in the block stays in the block.
        Stmt::Loop { body, .. } => {
            let inside: Vec<Stmt> =
                body.iter().filter(|stmt| !matches!(stmt, Stmt::Break(_))).cloned().collect();
            can_be_guarded(&inside, ours)
        }
        stmt => matches!(stmt, Stmt::Wait { .. }) || !ours(stmt),
    })
}

fn waits_with(body: &[Stmt], mutex: u8) -> bool {
    let mut waits = false;
    visit(body, &mut |stmt| waits |= matches!(stmt, Stmt::Wait { mutex: of, .. } if *of == mutex));
    waits
}

fn names_mutex(stmt: &Stmt, mutex: u8) -> bool {
    match stmt {
        Stmt::Lock(m) | Stmt::Unlock(m) | Stmt::Try { mutex: m, .. } | Stmt::Wait { mutex: m, .. } => {
            *m == mutex
        }
        Stmt::LockBoth(a, b) => *a == mutex || *b == mutex,
        _ => false,
    }
}

fn names_rwlock(stmt: &Stmt, lock: u8) -> bool {
    matches!(
        stmt,
        Stmt::ReadLock(w)
            | Stmt::WriteLock(w)
            | Stmt::RwUnlock(w)
            | Stmt::TryRead { lock: w, .. }
            | Stmt::TryWrite { lock: w, .. } if *w == lock
    )
}

/// The registers that a statement looks at.
fn looks(stmt: &Stmt, see: &mut dyn FnMut(Reg)) {
    match stmt {
        Stmt::Load { place, .. } => {
            if let Place::Atom(r) | Place::Data(r) = place {
                see(*r);
            }
        }
        Stmt::Rmw { place, operand, order, .. } => {
            let store = Stmt::Store { place: *place, value: *operand, order: *order };
            registers_of(&store, see);
        }
        other => registers_of(other, see),
    }
}
