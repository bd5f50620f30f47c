//! Is a program well formed?

use super::{REGISTERS, Stmt, TestProgram, target, visit};

impl TestProgram {
    /// What is wrong with it, if something is: names out of range, threads spawned twice or joined by strangers.
    pub fn check(&self) -> Result<(), String> {
        let mut spawner = vec![None; self.threads.len()];
        let mut complaint = Ok(());
        for (thread, body) in self.threads.iter().enumerate() {
            visit(body, &mut |stmt| {
                if let Stmt::Spawn(child) = stmt
                    && let Some(slot) = spawner.get_mut(*child as usize)
                    && slot.replace(thread).is_some()
                {
                    complaint = Err(format!("thread {child} is spawned twice"));
                }
            });
        }
        for (thread, body) in self.threads.iter().enumerate() {
            visit(body, &mut |stmt| {
                if let Err(message) = self.check_stmt(thread, stmt, &spawner) {
                    complaint = Err(message);
                }
            });
        }
        for body in &self.threads {
            check_joins(body, &mut Vec::new())?;
            check_waits(body)?;
        }
        if !self.threads.is_empty() && spawner.iter().all(Option::is_some) {
            return Err("no thread runs from the start".to_string());
        }
        complaint?;
        self.check_objects()
    }

    fn check_stmt(&self, thread: usize, stmt: &Stmt, spawner: &[Option<usize>]) -> Result<(), String> {
        let location = |loc: u8| {
            if (loc as usize) < self.heap().places().end { Ok(()) } else { Err(format!("no location {loc}")) }
        };
        if target(stmt).is_some_and(|reg| reg as usize >= REGISTERS) {
            return Err("no such register".to_string());
        }
        match stmt {
            Stmt::Load { loc, .. }
            | Stmt::Store { loc, .. }
            | Stmt::Update { loc, .. }
            | Stmt::Cas { loc, .. }
            | Stmt::WeakCas { loc, .. } => location(*loc),
            Stmt::Spawn(child) | Stmt::Join(child) => match spawner.get(*child as usize) {
                Some(Some(parent)) if *parent == thread && *child as usize != thread => Ok(()),
                _ => Err(format!("thread {thread} may not spawn or join thread {child}")),
            },
            Stmt::Lock(lock)
            | Stmt::ReadLock(lock)
            | Stmt::Unlock(lock)
            | Stmt::TryLock { lock, .. }
            | Stmt::Await { lock, .. }
                if *lock >= self.locks =>
            {
                Err(format!("no lock {lock}"))
            }
            Stmt::Await { condition, .. } | Stmt::Notify { condition, .. }
                if *condition >= self.conditions =>
            {
                Err(format!("no condition variable {condition}"))
            }
            _ => Ok(()),
        }
    }
}

/// A join needs its spawn before it, in the same or an outer block.
fn check_joins(body: &[Stmt], spawned: &mut Vec<u8>) -> Result<(), String> {
    let outside = spawned.len();
    for stmt in body {
        match stmt {
            Stmt::Spawn(child) => spawned.push(*child),
            Stmt::Join(child) if !spawned.contains(child) => {
                return Err(format!("thread {child} may not have been spawned where it is joined"));
            }
            Stmt::If { then, otherwise, .. } => {
                check_joins(then, spawned)?;
                check_joins(otherwise, spawned)?;
            }
            _ => {}
        }
    }
    spawned.truncate(outside);
    Ok(())
}

/// A wait stands right after the load of what it waits for.
fn check_waits(body: &[Stmt]) -> Result<(), String> {
    for (position, stmt) in body.iter().enumerate() {
        match stmt {
            Stmt::Wait(cond) => match position.checked_sub(1).map(|before| &body[before]) {
                Some(Stmt::Load { reg, .. }) if *reg == cond.reg => {}
                _ => return Err("a wait without its load".to_string()),
            },
            Stmt::If { then, otherwise, .. } => {
                check_waits(then)?;
                check_waits(otherwise)?;
            }
            _ => {}
        }
    }
    Ok(())
}
