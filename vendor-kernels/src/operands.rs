//! The operands of a kernel, by the names of its arguments.

use crate::call::{ComputeError, RawOperand};
use crate::real::Real;
use built_in_kernels::{Access, ArgumentKind, Declaration, Element};
use half::f16;
use std::ops::Range;
use std::slice;

/// The arrays of a call, as a kernel that computes with T has them: copies of those that are of another
/// type, that are not aligned, or that overlap another one that is written.
pub struct Memory<'d, T> {
    declaration: &'d Declaration,
    arrays: Vec<Array<T>>,
}

enum Array<T> {
    /// None: the operand is a size or a number.
    None(RawOperand),
    /// The program's memory.
    Own {
        start: *mut T,
        count: usize,
        is_written: bool,
    },
    /// A copy, what it was at first, and where it is written to.
    Copy {
        numbers: Vec<T>,
        before: Vec<T>,
        original: Original,
        is_written: bool,
    },
    /// Whole numbers.
    Integers {
        numbers: Vec<i32>,
        original: Original,
        is_written: bool,
    },
}

/// An array of the program.
#[derive(Clone, Copy)]
struct Original {
    start: *mut u8,
    element: Element,
}

/// The operands of a call.
pub struct Operands<'a, T> {
    by_name: Vec<(&'a str, Operand<'a, T>)>,
}

enum Operand<'a, T> {
    Read(&'a [T]),
    /// None once it has been taken.
    Written(Option<&'a mut [T]>),
    Integers(&'a [i32]),
    WrittenIntegers(Option<&'a mut [i32]>),
    Size(i64),
    Number(T),
}

/// Computes a kernel.
pub type Body<T> = fn(&mut Operands<'_, T>) -> Result<(), ComputeError>;

/// What computes a kernel. Half precision is computed in single precision.
#[derive(Clone, Copy, Debug)]
pub enum Compute {
    /// A function for each precision.
    ByPrecision {
        single: Body<f32>,
        double: Body<f64>,
    },
    /// Always in double precision.
    InDouble(Body<f64>),
}

impl<'d, T: Real> Memory<'d, T> {
    /// # Safety
    /// As `VendorKernel::compute`, while this exists.
    pub unsafe fn new(declaration: &'d Declaration, operands: &[RawOperand]) -> Self {
        let addresses = |operand: &RawOperand| match operand {
            RawOperand::Array { start, bytes } => start.addr()..start.addr() + bytes,
            RawOperand::Size(_) | RawOperand::Number(_) => 0..0,
        };
        let overlap = |a: &Range<usize>, b: &Range<usize>| a.start < b.end && b.start < a.end;
        let is_written = |kind: &ArgumentKind| matches!(kind, ArgumentKind::Array { access, .. } if *access != Access::Read);
        let arguments = || declaration.arguments.iter().zip(operands);
        let arrays = arguments().map(|(argument, operand)| {
            let (ArgumentKind::Array { element, .. }, &RawOperand::Array { start, bytes }) =
                (&argument.kind, operand)
            else {
                return Array::None(*operand);
            };
            let original = Original {
                start,
                element: *element,
            };
            let is_output = is_written(&argument.kind);
            let mut others = arguments().filter(|(other, _)| other.name != argument.name);
            let meets_output = others.any(|(other, memory)| {
                is_written(&other.kind) && overlap(&addresses(operand), &addresses(memory))
            });
            let is_aligned = start.cast::<T>().is_aligned();
            if *element == T::ELEMENT && is_aligned && !meets_output {
                return Array::Own {
                    start: start.cast(),
                    count: bytes / size_of::<T>(),
                    is_written: is_output,
                };
            }
            // SAFETY: the array has these bytes.
            let bytes = unsafe { slice::from_raw_parts(start, bytes) };
            match element {
                Element::Integer => Array::Integers {
                    numbers: numbers(bytes).map(i32::from_ne_bytes).collect(),
                    original,
                    is_written: is_output,
                },
                _ => {
                    let numbers: Vec<T> = widened(*element, bytes);
                    Array::Copy {
                        before: numbers.clone(),
                        numbers,
                        original,
                        is_written: is_output,
                    }
                }
            }
        });
        Self {
            declaration,
            arrays: arrays.collect(),
        }
    }

    /// Computes a kernel, and writes its results.
    ///
    /// # Errors
    /// Those of the kernel.
    pub fn run(mut self, body: Body<T>) -> Result<(), ComputeError> {
        let arguments = self.declaration.arguments.iter();
        let by_name = arguments.zip(&mut self.arrays).map(|(argument, array)| {
            let operand = match array {
                Array::None(RawOperand::Size(size)) => Operand::Size(*size),
                Array::None(RawOperand::Number(number)) => Operand::Number(T::narrow(*number)),
                Array::Own {
                    start,
                    count,
                    is_written: true,
                } => {
                    // SAFETY: the caller of `new` promises the memory; no other array overlaps one that
                    // is written.
                    let array = unsafe { slice::from_raw_parts_mut(*start, *count) };
                    Operand::Written(Some(array))
                }
                Array::Own { start, count, .. } => {
                    // SAFETY: as above.
                    Operand::Read(unsafe { slice::from_raw_parts(*start, *count) })
                }
                Array::Copy {
                    numbers,
                    is_written,
                    ..
                } => match is_written {
                    true => Operand::Written(Some(numbers)),
                    false => Operand::Read(numbers),
                },
                Array::Integers {
                    numbers,
                    is_written,
                    ..
                } => match is_written {
                    true => Operand::WrittenIntegers(Some(numbers)),
                    false => Operand::Integers(numbers),
                },
                Array::None(RawOperand::Array { .. }) => Operand::Read(&[]),
            };
            (argument.name.as_str(), operand)
        });
        let by_name = by_name.collect();
        let outcome = body(&mut Operands { by_name });
        for array in self.arrays {
            // SAFETY: the originals have as many elements.
            unsafe { array.write_back() };
        }
        outcome
    }
}

/// The bytes of each number.
fn numbers<const N: usize>(bytes: &[u8]) -> impl Iterator<Item = [u8; N]> {
    let (numbers, _) = bytes.as_chunks::<N>();
    numbers.iter().copied()
}

/// The numbers of some type in T, exactly.
fn widened<T: Real>(element: Element, bytes: &[u8]) -> Vec<T> {
    match element {
        Element::Half => {
            let halves = numbers(bytes).map(f16::from_ne_bytes);
            halves.map(|number| T::narrow(number.to_f64())).collect()
        }
        Element::Single => {
            let singles = numbers(bytes).map(f32::from_ne_bytes);
            singles.map(|number| T::narrow(number.into())).collect()
        }
        Element::Double => numbers(bytes)
            .map(f64::from_ne_bytes)
            .map(T::narrow)
            .collect(),
        Element::Integer => Vec::new(),
    }
}

impl<T: Real> Array<T> {
    /// Writes the elements of a copy that have changed to its original: two vectors may have their elements
    /// between each other's.
    ///
    /// # Safety
    /// The original has as many elements.
    unsafe fn write_back(&self) {
        match self {
            Self::Copy {
                numbers,
                before,
                original,
                is_written: true,
            } => {
                let numbers = numbers.iter().zip(before).enumerate();
                let changed = numbers.filter(|(_, (now, before))| {
                    bytemuck::bytes_of(*now) != bytemuck::bytes_of(*before)
                });
                for (place, (number, _)) in changed {
                    let number = number.widen();
                    // SAFETY: as the caller promises.
                    unsafe {
                        match original.element {
                            Element::Half => original.set(place, f16::from_f64(number).to_bits()),
                            Element::Single => original.set(place, number as f32),
                            _ => original.set(place, number),
                        }
                    }
                }
            }
            Self::Integers {
                numbers,
                original,
                is_written: true,
            } => {
                for (place, number) in numbers.iter().enumerate() {
                    // SAFETY: as the caller promises.
                    unsafe { original.set(place, *number) };
                }
            }
            _ => {}
        }
    }
}

impl Original {
    /// Writes an element.
    ///
    /// # Safety
    /// There is one of this type at the place.
    unsafe fn set<N>(&self, place: usize, number: N) {
        // SAFETY: as the caller promises.
        unsafe { self.start.cast::<N>().add(place).write_unaligned(number) };
    }
}

/// Names are those of the table, whose kernels are all tested.
impl<'a, T: Real> Operands<'a, T> {
    fn operand(&mut self, name: &str) -> &mut Operand<'a, T> {
        let mut operands = self.by_name.iter_mut();
        let found = operands.find(|(known, _)| *known == name);
        &mut found.expect("the table has the argument").1
    }

    /// A size; 0 if it is negative.
    pub fn size(&mut self, name: &str) -> usize {
        self.signed(name).max(0) as usize
    }

    /// A size.
    pub fn signed(&mut self, name: &str) -> i64 {
        match self.operand(name) {
            Operand::Size(size) => *size,
            _ => unreachable!("{name} is a size"),
        }
    }

    /// A size that is 0 or 1.
    pub fn flag(&mut self, name: &str) -> bool {
        self.signed(name) != 0
    }

    /// A number.
    pub fn number(&mut self, name: &str) -> T {
        match self.operand(name) {
            Operand::Number(number) => *number,
            _ => unreachable!("{name} is a number"),
        }
    }

    /// An array that is read.
    pub fn read(&mut self, name: &str) -> &'a [T] {
        match self.operand(name) {
            Operand::Read(array) => array,
            _ => unreachable!("{name} is read"),
        }
    }

    /// An array that is written, once.
    pub fn written(&mut self, name: &str) -> &'a mut [T] {
        match self.operand(name) {
            Operand::Written(array) => array.take().unwrap_or_default(),
            _ => unreachable!("{name} is written"),
        }
    }

    /// An array of whole numbers that is read.
    pub fn integers(&mut self, name: &str) -> &'a [i32] {
        match self.operand(name) {
            Operand::Integers(array) => array,
            _ => unreachable!("{name} has whole numbers"),
        }
    }

    /// An array of whole numbers that is written, once.
    pub fn written_integers(&mut self, name: &str) -> &'a mut [i32] {
        match self.operand(name) {
            Operand::WrittenIntegers(array) => array.take().unwrap_or_default(),
            _ => unreachable!("{name} has whole numbers"),
        }
    }
}
