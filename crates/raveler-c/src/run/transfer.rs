//! Copying and filling memory, piece by piece: what is shared takes an event for each piece.

use raveler_core::{Action, Address, Operation, Order, SiteId, Width};

use super::step::Stop;
use super::{CProgram, Cursor};
use crate::address::{self, Target};
use crate::code::Cells;

/// A copy on its way: all is read before anything is written, so that the two may overlap.
#[derive(Clone)]
pub(super) struct Transfer {
    to: u64,
    from: u64,
    /// Bytes read so far, each with the bits that nobody set.
    bytes: Vec<(u8, u8)>,
    /// How many bytes there are.
    size: u64,
    written: u64,
    /// The width of the piece that is being read or written.
    piece: Width,
    reading: bool,
    part: Part,
}

/// What is known of the piece, if it is a part of an atomic object (`parts.rs`).
#[derive(Clone, Copy, Default)]
enum Part {
    /// It is none.
    #[default]
    Not,
    /// It is read by itself; where it lies in the object.
    Read { shift: u8 },
    /// It is to be written: the object is read before.
    Fetching,
    /// The object, and which of its bits nobody set.
    Fetched(u64, u64),
    /// The object is written; which of its bits nobody has set then.
    Writing { unset: u64 },
}

impl Transfer {
    pub fn is_reading(&self) -> bool {
        self.reading || matches!(self.part, Part::Fetching)
    }

    /// The bits that nobody set of the piece that is being written.
    pub fn unset(&self) -> u64 {
        if let Part::Writing { unset } = self.part {
            return unset;
        }
        let piece = self.bytes.get(self.written as usize..).unwrap_or_default();
        let piece = piece.iter().take(self.piece.bytes() as usize);
        if self.is_reading() {
            0
        } else {
            piece.rev().fold(0, |bits, &(_, unset)| bits << 8 | u64::from(unset))
        }
    }
}

/// Nobody copies more at once.
const MAX_TRANSFER: u64 = 1 << 22;

impl Cursor {
    /// `memcpy`, `memmove`
    pub(super) fn copy(&mut self, program: &CProgram, to: u64, from: u64, size: u64) -> Result<(), Stop> {
        self.begin(Transfer {
            to,
            from,
            bytes: Vec::new(),
            size,
            written: 0,
            piece: Width::B1,
            reading: true,
            part: Part::Not,
        })?;
        self.go_on(program)
    }

    /// `memset`
    pub(super) fn fill(&mut self, program: &CProgram, to: u64, byte: u8, size: u64) -> Result<(), Stop> {
        self.begin(Transfer {
            to,
            from: 0,
            bytes: if size <= MAX_TRANSFER { vec![(byte, 0); size as usize] } else { Vec::new() },
            size,
            written: 0,
            piece: Width::B1,
            reading: false,
            part: Part::Not,
        })?;
        self.go_on(program)
    }

    /// Write these bytes.
    pub(super) fn write_bytes(&mut self, program: &CProgram, to: u64, bytes: Vec<u8>) -> Result<(), Stop> {
        let size = bytes.len() as u64;
        let bytes = bytes.into_iter().map(|byte| (byte, 0)).collect();
        let (piece, part) = (Width::B1, Part::Not);
        self.begin(Transfer { to, from: 0, bytes, size, written: 0, piece, reading: false, part })?;
        let done = self.go_on(program);
        self.transferring(done)
    }

    fn begin(&mut self, transfer: Transfer) -> Result<(), Stop> {
        if transfer.size > MAX_TRANSFER {
            return Err(Stop::unsupported("more than 4 MiB are copied at once"));
        }
        self.transfer = Some(Box::new(transfer));
        Ok(())
    }

    /// The answer to the last piece came.
    pub(super) fn transfer_answered(&mut self, answer: u64, unset: u64) {
        let Some(transfer) = &mut self.transfer else { return };
        let n = transfer.piece.bytes();
        let part = std::mem::take(&mut transfer.part);
        if let Part::Fetching = part {
            transfer.part = Part::Fetched(answer, unset);
        } else if transfer.reading {
            let shift = if let Part::Read { shift } = part { shift } else { 0 };
            let bytes = (answer >> shift).to_le_bytes().into_iter().zip((unset >> shift).to_le_bytes());
            transfer.bytes.extend(bytes.take(n as usize));
        } else {
            transfer.written += n;
        }
    }

    /// Copy until something shared is met, or until the end.
    pub(super) fn go_on(&mut self, program: &CProgram) -> Result<(), Stop> {
        let Some(mut transfer) = self.transfer.take() else { return Ok(()) };
        while transfer.reading && (transfer.bytes.len() as u64) < transfer.size {
            let at = transfer.bytes.len() as u64;
            let width = self.piece(program, &transfer, at);
            let source = transfer.from.wrapping_add(at);
            match self.load_own(program, source, width)? {
                Some((value, unknown)) => {
                    let bytes = value.to_le_bytes().into_iter().zip(unknown.to_le_bytes());
                    transfer.bytes.extend(bytes.take(width.bytes() as usize));
                }
                None => {
                    transfer.piece = width;
                    self.waits.access(source, true);
                    let order = Order::Plain;
                    let operation = match program.part_at(source, width) {
                        Some(part) => {
                            transfer.part = Part::Read { shift: part.shift() };
                            part.read(order)
                        }
                        None => Operation::Read { address: program.engine(source), width, order },
                    };
                    self.transfer = Some(transfer);
                    return Err(Stop::Action(operation));
                }
            }
        }
        transfer.reading = false;
        while transfer.written < transfer.size {
            let at = transfer.written;
            let width = self.piece(program, &transfer, at);
            let n = width.bytes();
            let bytes = &transfer.bytes[at as usize..(at + n) as usize];
            let target = transfer.to.wrapping_add(at);
            let (value, unknown) = bytes.iter().rev().fold((0, 0), |(value, unknown), &(byte, bits)| {
                (value << 8 | u64::from(byte), unknown << 8 | u64::from(bits))
            });
            if self.store_own(program, target, width, (value, unknown))? {
                transfer.written += n;
                continue;
            }
            let is_unset = bytes.iter().all(|&(_, unknown)| unknown == u8::MAX);
            if is_unset && self.is_padding(program, &transfer, at) {
                // Nothing to write.
                transfer.written += n;
                continue;
            }
            if unknown != 0 {
                program.writes_unset();
            }
            transfer.piece = width;
            let operation = match (program.part_at(target, width), transfer.part) {
                (None, _) => {
                    self.waits.effect();
                    let address = program.engine(target);
                    Operation::Write { address, width, order: Order::Plain, value }
                }
                (Some(part), Part::Fetched(whole, unset)) => {
                    self.waits.effect();
                    let unset = part.with(unset, unknown);
                    if unset != 0 {
                        program.writes_unset();
                    }
                    transfer.part = Part::Writing { unset };
                    part.write(Order::Plain, part.with(whole, value))
                }
                (Some(part), _) => {
                    self.may_write_parts(program, Order::Plain)?;
                    self.waits.access(target, true);
                    transfer.part = Part::Fetching;
                    part.fetch(Order::Plain)
                }
            };
            self.transfer = Some(transfer);
            return Err(Stop::Action(operation));
        }
        Ok(())
    }

    /// The least piece of either object that is known to begin here.
    fn known_piece(&self, program: &CProgram, transfer: &Transfer, at: u64) -> Option<Width> {
        let (to, from) = (transfer.to.wrapping_add(at), transfer.from.wrapping_add(at));
        [self.cell_at(program, to), self.cell_at(program, from)].into_iter().flatten().min()
    }

    /// Does no member begin here, as far as is known of either object?
    fn is_padding(&self, program: &CProgram, transfer: &Transfer, at: u64) -> bool {
        let (to, from) = (transfer.to.wrapping_add(at), transfer.from.wrapping_add(at));
        let has_parts = |at| self.cells_of(program, at).is_some_and(|(cells, _)| cells.stride != 0);
        self.known_piece(program, transfer, at).is_none() && (has_parts(to) || has_parts(from))
    }

    /// The next piece: as the objects are divided, else as large as alignment allows.
    fn piece(&self, program: &CProgram, transfer: &Transfer, at: u64) -> Width {
        let left = transfer.size - at;
        let (to, from) = (transfer.to.wrapping_add(at), transfer.from.wrapping_add(at));
        let known = self.known_piece(program, transfer, at);
        let mut width = known.unwrap_or(Width::B8);
        let aligned = |width: Width| {
            to.is_multiple_of(width.bytes()) && (transfer.from == 0 || from.is_multiple_of(width.bytes()))
        };
        let whole = |at| program.part_at(at, Width::B1).map_or(8, |part| part.rest());
        let left = left.min(whole(to)).min(if transfer.from == 0 { 8 } else { whole(from) });
        while width.bytes() > left || (known.is_none() && !aligned(width)) {
            width = match width {
                Width::B8 => Width::B4,
                Width::B4 => Width::B2,
                _ => return Width::B1,
            };
        }
        width
    }
}

impl Cursor {
    /// The width of the piece of an object that begins at this address, if one is known.
    fn cell_at(&self, program: &CProgram, at: u64) -> Option<Width> {
        if let Some(width) = program.divided.at(program.engine(at).0) {
            return Some(width);
        }
        self.cells_of(program, at).and_then(|(cells, offset)| cells.at(offset))
    }

    /// How the object at this address is divided, as far as is known, and where in it the address lies.
    fn cells_of<'p>(&self, program: &'p CProgram, at: u64) -> Option<(&'p Cells, u64)> {
        let of_place = |place: u16, offset| {
            let place = program.code.places.get(usize::from(place))?;
            Some((&place.cells, offset))
        };
        match address::decode(at) {
            Target::Global { index, offset } => {
                Some((&program.code.globals.get(index as usize)?.cells, offset))
            }
            Target::Private { key, offset } => of_place(program.private(key).place, offset),
            Target::Engine(engine) => {
                let start = Address(program.engine(at).0.wrapping_sub(engine.offset));
                let local = self.shared.iter().find(|local| local.address == start)?;
                of_place(local.place, engine.offset)
            }
            _ => None,
        }
    }
}

impl Stop {
    /// The action with its place.
    pub(super) fn at(self, site: SiteId) -> Action {
        match self {
            Stop::Action(operation) => Action { site, operation },
        }
    }

    pub(super) fn unsupported(message: impl Into<String>) -> Stop {
        Stop::Action(Operation::Unsupported(message.into()))
    }
}
