//! The one interface between a program and the engine: what does this thread do next, given the answers so far?

pub mod action;

use self::action::{Action, Order, ThreadName, Value, Width};
use crate::id::{Address, SiteId};

/// Where a thread starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Entry {
    /// One of the threads that exist from the start.
    Initial(u32),
    /// A spawned one, with what the spawn gave it.
    Spawned {
        /// Which code.
        code: u64,
        /// Its argument.
        argument: Value,
        /// What programs call it: the answer to the spawn.
        name: ThreadName,
    },
}

/// A program: deterministic threads that talk to the world only through actions.
///
/// The rule that makes everything else possible: a cursor depends only on the answers it was given.
pub trait Program: Sync {
    /// Where one thread stands. Copying one must be cheap; where it cannot be, see [`Replay`].
    type Cursor: Clone;
    /// How many threads exist from the start.
    fn threads(&self) -> u32;
    /// A thread's beginning.
    fn start(&self, entry: Entry) -> Self::Cursor;
    /// What does this thread do next, given the answer to its last action (0 at the start)?
    fn step(&self, cursor: &mut Self::Cursor, answer: Value) -> Action;
    /// The same when the last action was a weak compare-exchange that failed although it read what it expected: the
    /// one case in which the value read does not tell. Only asked where settings allow such failures.
    fn step_failed(&self, cursor: &mut Self::Cursor, answer: Value) -> Action {
        self.step(cursor, answer)
    }
    /// A compare-exchange of a retry loop failed, and the thread stands at `there`. Would it do the same from now on if it
    /// stood at `here`, where an earlier read would have led it? Such explorations are left out; never saying so is
    /// right, too.
    fn same(&self, _here: &Self::Cursor, _there: &Self::Cursor) -> bool {
        false
    }
    /// Did this thread go once round a waiting loop only because something may be wrong there? MicroStep the execution is
    /// explored for its violations, but does not count.
    fn spared(&self, _cursor: &Self::Cursor) -> bool {
        false
    }
    /// A thread would be dropped after a failed try, since another execution shows what follows. It made these reads in
    /// the try: may something be wrong only there, and show only later? MicroStep true, once; [`Program::spared`] says so
    /// from then on.
    fn spare(&self, _cursor: &mut Self::Cursor, _reads: &[(Address, Order)]) -> bool {
        false
    }
    /// The search starts again because a thread asked for it ([`crate::Operation::RestartReason`]): take into account what was
    /// learned. Called when no thread runs.
    fn again(&self) {}
    /// Two accesses overlap without being the same bytes, which the engine cannot have. Will they be made in pieces that
    /// fit if the search starts again? Called when no thread runs.
    fn divide(&self, _overlap: &Overlap) -> bool {
        false
    }
    /// The memory that exists from the start.
    fn objects(&self) -> &[Object];
    /// Names and places for reports.
    fn sources(&self) -> &SourceMap;
}

/// Two accesses to some of the same bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Overlap {
    /// Where the later one begins, and its width.
    pub here: (Address, Width),
    /// The earlier one.
    pub there: (Address, Width),
    /// The place of the later one.
    pub site: SiteId,
}

/// A piece of memory that exists from the start.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Object {
    /// Its name in the source.
    pub name: String,
    /// Where it begins.
    pub address: Address,
    /// How many bytes it has.
    pub size: u64,
    /// How wide its cells are; element `i` of `initial` lies at `address + i * cell`.
    pub cell: Width,
    /// The cells' initial values; cells beyond the list are uninitialised.
    pub initial: Vec<Value>,
}

/// From ids to places and names.
#[derive(Clone, Default, Debug)]
pub struct SourceMap {
    /// The file's name as the user gave it.
    pub file: String,
    /// Its text.
    pub text: String,
    /// Indexed by [`SiteId`].
    pub sites: Vec<Site>,
    /// The threads' names: those that exist from the start.
    pub threads: Vec<String>,
    /// What other threads are called, by the code they run ([`crate::Operation::Spawn`]); may be empty.
    pub spawned: Vec<String>,
    /// The names of observed values.
    pub names: Vec<String>,
    /// How the parts of objects are called, by the object's address.
    pub shapes: Vec<(Address, Shape)>,
    /// What allocated memory is called, by the number that its allocation gives ([`crate::Operation::Alloc`]).
    pub allocated: Vec<(String, Shape)>,
}

/// How the parts of a piece of memory are called.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Shape {
    /// It has none.
    #[default]
    Whole,
    /// Members with names.
    Members(Vec<Member>),
    /// Elements with numbers.
    Elements {
        /// How they are made themselves.
        of: Box<Shape>,
        /// How many bytes each has.
        size: u64,
    },
}

/// A part with a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Member {
    /// Its name; empty if it is only there to hold others.
    pub name: String,
    /// Where it begins.
    pub offset: u64,
    /// How many bytes it has.
    pub size: u64,
    /// How it is made itself.
    pub shape: Shape,
}

impl Shape {
    /// What to write behind the name of a piece of memory for what lies at this offset, such as `.write_indices[2].seq`.
    ///
    /// ```
    /// use raveler_core::{Member, Shape};
    /// let next = Member { name: "next".into(), offset: 8, size: 8, shape: Shape::Whole };
    /// let nodes = Shape::Elements { of: Box::new(Shape::Members(vec![next])), size: 16 };
    /// assert_eq!(nodes.path(24), "[1].next");
    /// ```
    pub fn path(&self, offset: u64) -> String {
        match self {
            Shape::Whole if offset == 0 => String::new(),
            Shape::Whole => format!("+{offset}"),
            Shape::Members(members) => {
                let inside = |member: &&Member| offset.wrapping_sub(member.offset) < member.size.max(1);
                match members.iter().find(inside) {
                    Some(member) => {
                        let dot = if member.name.is_empty() { "" } else { "." };
                        format!("{dot}{}{}", member.name, member.shape.path(offset - member.offset))
                    }
                    None => format!("+{offset}"),
                }
            }
            Shape::Elements { of, size } => {
                let (index, rest) = (offset / size.max(&1), offset % size.max(&1));
                format!("[{index}]{}", of.path(rest))
            }
        }
    }
}

impl SourceMap {
    /// The place with this id, if it is one.
    pub fn site(&self, site: SiteId) -> Option<&Site> {
        self.sites.get(site.index())
    }
}

/// One place in the source.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Site {
    /// The file, if it is not the map's own.
    pub file: Option<String>,
    /// From 1.
    pub line: u32,
    /// From 1.
    pub column: u32,
    /// The function (for litmus the thread) it stands in.
    pub function: String,
    /// The piece of source, trimmed, such as `x = 1`.
    pub text: String,
}

/// A program whose threads cannot be copied: given all answers so far it runs a thread from its start and says
/// what it asks next.
pub trait Rerun: Sync {
    /// How many threads exist from the start.
    fn threads(&self) -> u32;
    /// Run the thread with these answers and return its next action.
    fn run(&self, entry: Entry, answers: &[Value]) -> Action;
    /// The memory that exists from the start.
    fn objects(&self) -> &[Object];
    /// Names and places for reports.
    fn sources(&self) -> &SourceMap;
}

/// Makes a [`Program`] of a [`Rerun`]: the cursor is the list of answers. The engine cannot tell the difference.
pub struct Replay<R>(pub R);

impl<R: Rerun> Program for Replay<R> {
    type Cursor = (Entry, Option<Vec<Value>>);

    fn threads(&self) -> u32 {
        self.0.threads()
    }

    fn start(&self, entry: Entry) -> Self::Cursor {
        (entry, None)
    }

    fn step(&self, (entry, answers): &mut Self::Cursor, answer: Value) -> Action {
        match answers {
            None => *answers = Some(Vec::new()),
            Some(list) => list.push(answer),
        }
        self.0.run(*entry, answers.as_deref().unwrap_or_default())
    }

    fn objects(&self) -> &[Object] {
        self.0.objects()
    }

    fn sources(&self) -> &SourceMap {
        self.0.sources()
    }
}
