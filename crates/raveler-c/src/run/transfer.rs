//! Copying and filling memory, piece by piece: what is shared takes an event for each piece.

use raveler_core::{Action, Address, Operation, Order, SiteId, Width};

use super::step::Stop;
use super::{CProgram, Cursor};
use crate::address::{self, Target};

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
        })?;
        self.go_on(program)
    }

    /// Write these bytes.
    pub(super) fn write_bytes(&mut self, program: &CProgram, to: u64, bytes: Vec<u8>) -> Result<(), Stop> {
        let size = bytes.len() as u64;
        let bytes = bytes.into_iter().map(|byte| (byte, 0)).collect();
        self.begin(Transfer { to, from: 0, bytes, size, written: 0, piece: Width::B1, reading: false })?;
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
    pub(super) fn transfer_answered(&mut self, answer: u64) {
        let Some(transfer) = &mut self.transfer else { return };
        let n = transfer.piece.bytes();
        if transfer.reading {
            transfer.bytes.extend(answer.to_le_bytes()[..n as usize].iter().map(|&byte| (byte, 0)));
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
                    self.transfer = Some(transfer);
                    self.waits.access(source, true);
                    let address = program.engine(source);
                    return Err(Stop::Action(Operation::Read { address, width, order: Order::Plain }));
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
            if bytes.iter().all(|&(_, unknown)| unknown == u8::MAX) {
                // Padding, or what was never written: nothing to write.
                transfer.written += n;
                continue;
            }
            transfer.piece = width;
            self.transfer = Some(transfer);
            self.waits.effect();
            let address = program.engine(target);
            return Err(Stop::Action(Operation::Write { address, width, order: Order::Plain, value }));
        }
        Ok(())
    }

    /// The next piece: as the objects are divided, else as large as alignment allows.
    fn piece(&self, program: &CProgram, transfer: &Transfer, at: u64) -> Width {
        let left = transfer.size - at;
        let (to, from) = (transfer.to.wrapping_add(at), transfer.from.wrapping_add(at));
        let known = [self.cell_at(program, to), self.cell_at(program, from)].into_iter().flatten().min();
        let mut width = known.unwrap_or(Width::B8);
        let aligned = |width: Width| {
            to.is_multiple_of(width.bytes()) && (transfer.from == 0 || from.is_multiple_of(width.bytes()))
        };
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
        let of_place = |place: u16, offset| program.code.places.get(usize::from(place))?.cells.at(offset);
        match address::decode(at) {
            Target::Global { index, offset } => program.code.globals.get(index as usize)?.cells.at(offset),
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
