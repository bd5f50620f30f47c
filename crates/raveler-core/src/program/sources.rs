//! Names and sites for reports: how threads, memory and observed values are called, and where actions stand
//! in the source.
//!
//! The engine only passes the numbers on; front-ends fill in the map, reports read it.

use crate::id::{Address, SiteId};

/// From numbers to sites and names.
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
    /// Where accesses are `volatile` and nothing else, sorted.
    pub volatile: Vec<SiteId>,
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
    /// What to write after the name of a piece of memory for what lies at this offset, such as `.slots[2].seq`.
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
    /// The site with this id; none for [`SiteId::NONE`].
    pub fn site(&self, site: SiteId) -> Option<&Site> {
        self.sites.get(site.index())
    }
}

/// A site: one place in the source.
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
