//! How types lie in memory: sizes, alignments and offsets of a 64-bit machine.

use raveler_core::Width;

use crate::code::Cells;
use crate::ir::Type;

/// The named types of a module.
#[derive(Clone, Copy)]
pub struct Layout<'a> {
    /// As in [`crate::ir::Module::types`].
    pub types: &'a [(String, Type)],
}

/// One scalar of an aggregate in registers, or in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scalar {
    /// Where it lies.
    pub offset: u64,
    /// How many bits it has.
    pub bits: u32,
}

/// Objects with more pieces than this are not taken apart.
const MAX_PIECES: usize = 4096;

/// Integers have no more bits than this.
pub const WIDEST: u32 = 1 << 10;

impl<'a> Layout<'a> {
    /// The type that a name stands for.
    pub fn resolve<'t>(&self, ty: &'t Type) -> &'t Type
    where
        'a: 't,
    {
        match ty {
            Type::Named(index) => {
                self.types.get(*index as usize).map_or(&Type::Opaque, |(_, ty)| self.resolve(ty))
            }
            _ => ty,
        }
    }

    /// How many bytes an element of this type takes in an array; none if the type has no size.
    pub fn size(&self, ty: &Type) -> Option<u64> {
        Some(match self.resolve(ty) {
            Type::Int(bits) => int_bytes(*bits),
            Type::Float(80) => 16,
            Type::Float(bits) => u64::from(*bits) / 8,
            Type::Pointer => 8,
            Type::Array(count, element) => count.checked_mul(self.size(element)?)?,
            Type::Vector(count, element) => {
                count.checked_mul(self.size(element)?)?.checked_next_power_of_two()?
            }
            Type::Struct { .. } => self.fields(ty)?.1,
            Type::Void | Type::Named(_) | Type::Function(_) | Type::Opaque | Type::Other => return None,
        })
    }

    /// The alignment of a type.
    pub fn align(&self, ty: &Type) -> Option<u64> {
        Some(match self.resolve(ty) {
            Type::Int(bits) if *bits > 128 => 8,
            Type::Int(bits) => int_bytes(*bits).min(16),
            Type::Array(_, element) => self.align(element)?,
            Type::Struct { packed: true, .. } => 1,
            Type::Struct { fields, .. } => {
                let mut align = 1;
                for field in fields {
                    align = align.max(self.align(field)?);
                }
                align
            }
            _ => self.size(ty)?.min(16),
        })
    }

    /// The offsets of a struct's members, and its size.
    pub fn fields(&self, ty: &Type) -> Option<(Vec<u64>, u64)> {
        let Type::Struct { fields, packed } = self.resolve(ty) else { return None };
        let mut offsets = Vec::with_capacity(fields.len());
        let (mut end, mut align) = (0u64, 1);
        for field in fields {
            if !packed {
                let own = self.align(field)?;
                align = align.max(own);
                end = end.next_multiple_of(own);
            }
            offsets.push(end);
            end = end.checked_add(self.size(field)?)?;
        }
        Some((offsets, if *packed { end } else { end.next_multiple_of(align) }))
    }

    /// The member of an aggregate: its type and offset.
    pub fn member<'t>(&self, ty: &'t Type, index: u64) -> Option<(&'t Type, u64)>
    where
        'a: 't,
    {
        match self.resolve(ty) {
            Type::Struct { fields, .. } => {
                let offsets = self.fields(ty)?.0;
                Some((fields.get(index as usize)?, *offsets.get(index as usize)?))
            }
            Type::Array(_, element) | Type::Vector(_, element) => {
                Some((element, index.checked_mul(self.size(element)?)?))
            }
            _ => None,
        }
    }

    /// The scalars of a value in order; none if it has one that registers cannot hold.
    pub fn scalars(&self, ty: &Type) -> Option<Vec<Scalar>> {
        let mut out = Vec::new();
        self.add_scalars(ty, 0, &mut out).then_some(out)
    }

    fn add_scalars(&self, ty: &Type, offset: u64, out: &mut Vec<Scalar>) -> bool {
        if out.len() > MAX_PIECES {
            return false;
        }
        match self.resolve(ty) {
            Type::Int(bits) if *bits <= 64 => out.push(Scalar { offset, bits: *bits }),
            // Several registers each.
            Type::Int(bits @ 65..=WIDEST) | Type::Float(bits @ 80) => {
                for word in 0..bits.div_ceil(64) {
                    let offset = offset + 8 * u64::from(word);
                    out.push(Scalar { offset, bits: (bits - 64 * word).min(64) });
                }
            }
            Type::Float(bits @ (32 | 64)) => out.push(Scalar { offset, bits: *bits }),
            Type::Pointer => out.push(Scalar { offset, bits: 64 }),
            Type::Array(count, element) | Type::Vector(count, element) => {
                let Some(size) = self.size(element) else { return false };
                if size == 0 {
                    return true;
                }
                return *count <= MAX_PIECES as u64
                    && (0..*count).all(|i| self.add_scalars(element, offset + i * size, out));
            }
            Type::Struct { fields, .. } => {
                let Some((offsets, _)) = self.fields(ty) else { return false };
                return fields
                    .iter()
                    .zip(offsets)
                    .all(|(field, at)| self.add_scalars(field, offset + at, out));
            }
            Type::Void => {}
            _ => return false,
        }
        true
    }

    /// How an object of this type is divided.
    pub fn cells(&self, ty: &Type) -> Cells {
        let element = match self.resolve(ty) {
            Type::Array(_, element) => return self.cells(element),
            other => other,
        };
        let (Some(stride), Some(scalars)) = (self.size(element), self.scalars(element)) else {
            return Cells::default();
        };
        let mut pieces = Vec::with_capacity(scalars.len());
        for scalar in scalars {
            let Some(width) = width_of(scalar.bits) else { return Cells::default() };
            pieces.push((scalar.offset, width));
        }
        Cells { stride, pieces }
    }
}

/// The cells of so many bytes of pointers.
pub fn bytes_of(size: u64) -> Cells {
    if size.is_multiple_of(8) { Cells { stride: 8, pieces: vec![(0, Width::B8)] } } else { Cells::default() }
}

/// The width of an access to so many bits.
pub fn width_of(bits: u32) -> Option<Width> {
    Some(match bits {
        1..=8 => Width::B1,
        9..=16 => Width::B2,
        17..=32 => Width::B4,
        33..=64 => Width::B8,
        _ => return None,
    })
}

fn int_bytes(bits: u32) -> u64 {
    let bytes = u64::from(bits.max(1)).div_ceil(8);
    if bytes > 16 { bytes.next_multiple_of(8) } else { bytes.next_power_of_two() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn structs_have_padding_unless_packed() {
        let fields = vec![Type::Int(8), Type::Int(32), Type::Pointer, Type::Int(16)];
        let layout = Layout { types: &[] };
        let plain = Type::Struct { fields: fields.clone(), packed: false };
        assert_eq!(layout.fields(&plain), Some((vec![0, 4, 8, 16], 24)));
        let packed = Type::Struct { fields, packed: true };
        assert_eq!(layout.fields(&packed), Some((vec![0, 1, 5, 13], 15)));
        assert_eq!(layout.cells(&plain).at(24 + 4), Some(Width::B4));
        assert_eq!(layout.cells(&plain).at(5), None);
    }
}
