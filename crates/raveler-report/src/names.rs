//! From addresses to the names of the source.

use std::fmt;
use std::sync::Arc;

use raveler_core::{Address, Object, Shape, Value, Width};

/// The names of the memory that exists from the start.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// Sorted by address.
    objects: Vec<Named>,
    pointers: Pointers,
}

/// What pointers to memory that no event is about are called, such as that of one thread alone.
type PointerName = dyn Fn(Value) -> Option<String> + Send + Sync;

#[derive(Clone, Default)]
struct Pointers(Option<Arc<PointerName>>);

/// A pointer to something with this name; a string literal stands for itself.
fn pointer(name: &str) -> String {
    if name.starts_with('"') { name.to_string() } else { format!("&{name}") }
}

impl fmt::Debug for Pointers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "some" } else { "none" })
    }
}

#[derive(Clone, Debug)]
struct Named {
    name: String,
    start: u64,
    size: u64,
    cell: u64,
    initial: Vec<Value>,
    shape: Shape,
}

impl Names {
    /// The names of a program's objects (`Program::objects()`).
    ///
    /// ```
    /// use raveler_core::{Address, Object, Width};
    /// let array = Object { name: "a".into(), address: Address(64), size: 12, cell: Width::B4, initial: vec![] };
    /// let names = raveler_report::Names::new(&[array]);
    /// assert_eq!(names.location(Address(72)), "a[2]");
    /// ```
    pub fn new(objects: &[Object]) -> Names {
        Names::with_shapes(objects, &[])
    }

    /// The same, and how the objects' parts are called.
    pub fn with_shapes(objects: &[Object], shapes: &[(Address, Shape)]) -> Names {
        let shape = |address: Address| shapes.iter().find(|(at, _)| *at == address);
        let mut objects: Vec<Named> = objects
            .iter()
            .map(|o| Named {
                name: o.name.clone(),
                start: o.address.0,
                size: o.size,
                cell: o.cell.bytes(),
                initial: o.initial.clone(),
                shape: shape(o.address).map(|(_, shape)| shape.clone()).unwrap_or_default(),
            })
            .collect();
        objects.sort_by_key(|o| o.start);
        Names { objects, pointers: Pointers::default() }
    }

    /// With names for what values of eight bytes point to, where nothing else is known of it.
    pub fn with_pointers(self, name: impl Fn(Value) -> Option<String> + Send + Sync + 'static) -> Names {
        Names { pointers: Pointers(Some(Arc::new(name))), ..self }
    }

    /// What the source calls this address: `x`, `a[2]`; an address in hexadecimal if nothing is known there.
    pub fn location(&self, address: Address) -> String {
        let Some(object) = self.object(address) else {
            return format!("{:#x}", address.0);
        };
        let offset = address.0 - object.start;
        if object.shape != Shape::Whole {
            return format!("{}{}", object.name, object.shape.path(offset));
        }
        if object.size <= object.cell && offset == 0 {
            return object.name.clone();
        }
        let (index, rest) = (offset / object.cell, offset % object.cell);
        match rest {
            0 => format!("{}[{index}]", object.name),
            _ => format!("{}[{index}]+{rest}", object.name),
        }
    }

    /// A value as people read it: signed, or `&x` for the address of something with a name.
    pub fn value(&self, value: Value, width: Width) -> String {
        match self.object(Address(value)) {
            Some(object) if width == Width::B8 && object.start == value => pointer(&object.name),
            Some(object) if width == Width::B8 && (value - object.start).is_multiple_of(object.cell) => {
                format!("&{}", self.location(Address(value)))
            }
            _ => {
                let name = || self.pointers.0.as_ref()?(value);
                let name = (width == Width::B8).then(name).flatten();
                name.map_or_else(|| width.signed(value).to_string(), |name| format!("&{name}"))
            }
        }
    }

    /// The initial value at this address, if one is known.
    pub fn initial(&self, address: Address) -> Option<Value> {
        let object = self.object(address)?;
        let offset = address.0 - object.start;
        let index = offset.is_multiple_of(object.cell).then_some(offset / object.cell)?;
        object.initial.get(index as usize).copied()
    }

    fn object(&self, address: Address) -> Option<&Named> {
        let after = self.objects.partition_point(|o| o.start <= address.0);
        let object = &self.objects[after.checked_sub(1)?];
        (address.0 - object.start < object.size.max(1)).then_some(object)
    }
}
