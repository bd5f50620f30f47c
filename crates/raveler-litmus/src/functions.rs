//! The functions a thread can call: what their arguments are, and which memory orders they may have.

use raveler_core::Order;

/// The order a word names, with or without `memory_order_` before it.
pub(crate) fn order(word: &str) -> Option<Order> {
    Some(match word.strip_prefix("memory_order_").unwrap_or(word) {
        "relaxed" => Order::Relaxed,
        "consume" | "acquire" => Order::Acquire,
        "release" => Order::Release,
        "acq_rel" => Order::AcqRel,
        "seq_cst" => Order::SeqCst,
        _ => return None,
    })
}

/// What an order is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Purpose {
    Load,
    Store,
    Update,
    Failure,
    Fence,
}

impl Purpose {
    pub fn allows(self, order: Order) -> bool {
        match self {
            Purpose::Load | Purpose::Failure => !matches!(order, Order::Release | Order::AcqRel),
            Purpose::Store => !matches!(order, Order::Acquire | Order::AcqRel),
            Purpose::Update | Purpose::Fence => true,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Purpose::Load => "a load",
            Purpose::Store => "a store",
            Purpose::Update => "a read-modify-write",
            Purpose::Failure => "a compare-exchange that fails",
            Purpose::Fence => "a fence",
        }
    }

    pub fn choices(self) -> &'static str {
        match self {
            Purpose::Load | Purpose::Failure => "use relaxed, acquire or seq_cst",
            Purpose::Store => "use relaxed, release or seq_cst",
            Purpose::Update | Purpose::Fence => "any order will do",
        }
    }
}

/// What a known function does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Function {
    Load,
    Store,
    /// A store without atomicity.
    Init,
    Exchange,
    Add,
    Sub,
    Or,
    Xor,
    And,
    CompareExchange {
        weak: bool,
    },
    ThreadFence,
    /// Orders nothing that other threads can see.
    SignalFence,
    Assert,
    Assume,
}

/// What an argument is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Argument {
    /// Where the access is.
    Address,
    /// Where the expected value of a compare-exchange is kept.
    Expected,
    Value,
    Order(Purpose),
}

/// The function of this name and its arguments.
pub(crate) fn signature(name: &str) -> Option<(Function, Vec<Argument>)> {
    use Argument::{Address, Expected, Order, Value};
    use Purpose::{Failure, Fence, Load, Store, Update};
    let short = name.strip_suffix("_explicit").unwrap_or(name);
    let explicit = short != name;
    let (function, mut arguments, orders): (_, _, &[Purpose]) = match short {
        "atomic_load" => (Function::Load, vec![Address], &[Load]),
        "atomic_store" => (Function::Store, vec![Address, Value], &[Store]),
        "atomic_exchange" => (Function::Exchange, vec![Address, Value], &[Update]),
        "atomic_fetch_add" => (Function::Add, vec![Address, Value], &[Update]),
        "atomic_fetch_sub" => (Function::Sub, vec![Address, Value], &[Update]),
        "atomic_fetch_or" => (Function::Or, vec![Address, Value], &[Update]),
        "atomic_fetch_xor" => (Function::Xor, vec![Address, Value], &[Update]),
        "atomic_fetch_and" => (Function::And, vec![Address, Value], &[Update]),
        "atomic_compare_exchange_strong" | "atomic_compare_exchange_weak" => {
            let weak = short.ends_with("weak");
            (Function::CompareExchange { weak }, vec![Address, Expected, Value], &[Update, Failure])
        }
        _ if explicit => return None,
        "atomic_init" => (Function::Init, vec![Address, Value], &[]),
        "atomic_thread_fence" => (Function::ThreadFence, vec![Order(Fence)], &[]),
        "atomic_signal_fence" => (Function::SignalFence, vec![Order(Fence)], &[]),
        "assert" | "rv_assert" | "__VERIFIER_assert" => (Function::Assert, vec![Value], &[]),
        "rv_assume" | "__VERIFIER_assume" => (Function::Assume, vec![Value], &[]),
        _ => return None,
    };
    if explicit {
        arguments.extend(orders.iter().map(|&purpose| Order(purpose)));
    }
    Some((function, arguments))
}
