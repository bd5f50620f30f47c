//! Circles of executions that are not sequentially consistent, and what is delayed in them.

mod samples;

use raveler_core::outcome::{WitnessEvent, WitnessThread};
use raveler_core::{EventId, Model, Order, Witness};
use raveler_report::delays::{Delayed, circle};
use samples::{at, fence, read, update, write};

const INIT: EventId = EventId::INIT;
const RLX: Order = Order::Relaxed;

fn id(thread: u32, index: u32) -> EventId {
    EventId::new(thread, index)
}

/// An execution in which each location has the given writes, in this order.
fn execution(threads: &[Vec<WitnessEvent>], coherence: &[&[EventId]]) -> Witness {
    let thread =
        |events: &Vec<WitnessEvent>| WitnessThread { events: events.clone(), ..WitnessThread::default() };
    let order = |(i, writes): (usize, &&[EventId])| {
        let all = [INIT].into_iter().chain(writes.iter().copied()).collect();
        (at(i), all)
    };
    Witness {
        threads: threads.iter().map(thread).collect(),
        coherence: coherence.iter().enumerate().map(order).collect(),
        ..Witness::default()
    }
}

/// The store and the overtaking access of each delayed pair.
fn delayed(witness: &Witness, model: Model) -> Option<Vec<(EventId, EventId)>> {
    let mut pairs: Vec<_> =
        circle(witness, model)?.delayed.iter().map(|&Delayed { store, past, .. }| (store, past)).collect();
    pairs.sort();
    Some(pairs)
}

#[test]
fn store_buffering() {
    let one = vec![write(0, 1, RLX, 1), read(1, 0, RLX, INIT, 2)];
    let other = vec![write(1, 1, RLX, 3), read(0, 0, RLX, INIT, 4)];
    let witness = execution(&[one, other.clone()], &[&[id(0, 0)], &[id(1, 0)]]);
    let both = vec![(id(0, 0), id(0, 1)), (id(1, 0), id(1, 1))];
    for model in [Model::Tso, Model::Pso] {
        assert_eq!(delayed(&witness, model), Some(both.clone()));
    }
    let fenced = vec![write(0, 1, RLX, 1), fence(Order::SeqCst, 5), read(1, 0, RLX, INIT, 2)];
    let witness = execution(&[fenced, other.clone()], &[&[id(0, 0)], &[id(1, 0)]]);
    assert_eq!(delayed(&witness, Model::Tso), Some(vec![(id(1, 0), id(1, 1))]));
    let strong = vec![write(0, 1, Order::SeqCst, 1), read(1, 0, RLX, INIT, 2)];
    let witness = execution(&[strong, other.clone()], &[&[id(0, 0)], &[id(1, 0)]]);
    assert_eq!(delayed(&witness, Model::Tso), Some(vec![(id(1, 0), id(1, 1))]));
    let updating = vec![write(0, 1, RLX, 1), update(2, (0, 1), RLX, INIT, 5), read(1, 0, RLX, INIT, 2)];
    let witness = execution(&[updating, other], &[&[id(0, 0)], &[id(1, 0)], &[id(0, 1)]]);
    assert_eq!(delayed(&witness, Model::Tso), Some(vec![(id(1, 0), id(1, 1))]));
}

#[test]
fn message_passing() {
    let reader = vec![read(1, 1, RLX, id(0, 1), 3), read(0, 0, RLX, INIT, 4)];
    let writer = vec![write(0, 1, RLX, 1), write(1, 1, RLX, 2)];
    let witness = execution(&[writer, reader.clone()], &[&[id(0, 0)], &[id(0, 1)]]);
    assert_eq!(delayed(&witness, Model::Tso), None, "tso does not have this execution");
    assert_eq!(delayed(&witness, Model::Pso), Some(vec![(id(0, 0), id(0, 1))]));
    let release = vec![write(0, 1, RLX, 1), write(1, 1, Order::Release, 2)];
    let witness = execution(&[release, reader.clone()], &[&[id(0, 0)], &[id(0, 1)]]);
    assert_eq!(delayed(&witness, Model::Pso), None, "nor pso with a release store");
    let fenced = vec![write(0, 1, RLX, 1), fence(Order::Release, 5), write(1, 1, RLX, 2)];
    let reader = vec![read(1, 1, RLX, id(0, 2), 3), reader[1].clone()];
    let witness = execution(&[fenced, reader], &[&[id(0, 0)], &[id(0, 2)]]);
    assert_eq!(delayed(&witness, Model::Pso), None);
}

#[test]
fn the_fence_belongs_after_the_last_store() {
    let one = vec![write(0, 1, RLX, 1), write(2, 1, RLX, 5), read(1, 0, RLX, INIT, 2)];
    let other = vec![write(1, 1, RLX, 3), read(0, 0, RLX, INIT, 4)];
    let witness = execution(&[one, other], &[&[id(0, 0)], &[id(1, 0)], &[id(0, 1)]]);
    let found = circle(&witness, Model::Tso).expect("a circle");
    let last = Delayed { store: id(0, 0), past: id(0, 2), last_store: id(0, 1) };
    assert!(found.delayed.contains(&last), "{found:?}");
}

#[test]
fn the_circle_with_the_fewest_delayed_stores() {
    // Store buffering twice: threads 0 and 1 without fences, threads 2 and 3 with one.
    let two = vec![write(0, 1, RLX, 1), read(1, 0, RLX, INIT, 2)];
    let three = vec![write(1, 1, RLX, 3), fence(Order::SeqCst, 6), read(0, 0, RLX, INIT, 4)];
    let zero = vec![write(2, 1, RLX, 7), read(3, 0, RLX, INIT, 8)];
    let one = vec![write(3, 1, RLX, 9), read(2, 0, RLX, INIT, 10)];
    let orders: [&[EventId]; 4] = [&[id(2, 0)], &[id(3, 0)], &[id(0, 0)], &[id(1, 0)]];
    let witness = execution(&[zero, one, two, three], &orders);
    assert_eq!(delayed(&witness, Model::Tso), Some(vec![(id(2, 0), id(2, 1))]));
}

#[test]
fn sequentially_consistent_executions_have_none() {
    let one = vec![write(0, 1, RLX, 1), read(1, 0, RLX, INIT, 2)];
    let other = vec![write(1, 1, RLX, 3), read(0, 1, RLX, id(0, 0), 4)];
    let witness = execution(&[one, other], &[&[id(0, 0)], &[id(1, 0)]]);
    assert_eq!(circle(&witness, Model::Pso), None);
}
