//! The operands of a built-in kernel's launch.

use crate::error::{Code, Error, Result};
use crate::kernel::arguments::CapturedArguments;
use crate::memory::mem_object::MemObject;
use crate::memory::memory_access::{MemoryAccess, MemoryAccesses};
use crate::memory::residency::{AccessKind, AccessedRange};
use built_in_kernels::{Access, ArgumentKind, Declaration, Element};
use kernel_compiler::executable::KernelInterface;

/// The operands of a launch, in the order of the arguments.
pub(super) struct Operands(pub Vec<Operand>);

/// The value of an argument.
pub(super) enum Operand {
    /// The first bytes of a buffer.
    Array(Array),
    /// An array without elements.
    Empty,
    Size(i64),
    Number(f64),
}

/// The first bytes of a buffer.
pub(super) struct Array {
    pub object: MemObject,
    pub bytes: usize,
    pub access: Access,
    pub element: Element,
}

impl Operands {
    /// The operands of captured arguments.
    ///
    /// # Errors
    /// `InvalidKernelArgs`: the sizes do not meet what the kernel requires, or a buffer is missing or too
    /// small.
    pub fn new(
        declaration: &Declaration,
        interface: &KernelInterface,
        captured: &CapturedArguments,
    ) -> Result<Self> {
        let offset = |place: usize| interface.arguments[place].offset;
        let size = |name: &str| {
            let mut arguments = declaration.arguments.iter();
            let place = arguments.position(|argument| argument.name == name)?;
            let bits = captured.block.word(offset(place));
            declaration.arguments[place].kind.size(bits)
        };
        let invalid = |sentence: String| Error::new(Code::InvalidKernelArgs, sentence);
        declaration
            .check(&size)
            .map_err(|error| invalid(format!("`{}`: {error}", declaration.name)))?;
        // Those of pointers that are not null.
        let mut objects = captured.accesses.iter().map(|access| &access.object);
        let mut operands = Vec::new();
        for (place, argument) in declaration.arguments.iter().enumerate() {
            let bits = captured.block.word(offset(place));
            operands.push(match argument.kind {
                ArgumentKind::Array {
                    access, element, ..
                } => {
                    let bytes = argument.bytes(&size);
                    let object = match captured.block.pointer(offset(place)) {
                        0 => None,
                        _ => objects.next(),
                    };
                    let has = object.map_or(0, MemObject::size);
                    match object {
                        _ if bytes == 0 => Operand::Empty,
                        Some(object) if bytes <= has as u64 => Operand::Array(Array {
                            object: object.clone(),
                            bytes: bytes as usize,
                            access,
                            element,
                        }),
                        _ => {
                            return Err(invalid(format!(
                                "argument {place} (`{}`) of `{}` has {bytes} bytes with these \
                                 sizes; the buffer has {has}",
                                argument.name, declaration.name
                            )));
                        }
                    }
                }
                ArgumentKind::Size { .. } => {
                    Operand::Size(argument.kind.size(bits).unwrap_or_default())
                }
                ArgumentKind::Number(Element::Double) => {
                    let bits = captured.block.pointer(offset(place)) as u64;
                    Operand::Number(f64::from_bits(bits))
                }
                ArgumentKind::Number(_) => Operand::Number(f32::from_bits(bits).into()),
            });
        }
        Ok(Self(operands))
    }

    /// The size of an argument of that name.
    pub fn size(&self, declaration: &Declaration, name: &str) -> Option<i64> {
        let mut arguments = declaration.arguments.iter().zip(&self.0);
        let (_, operand) = arguments.find(|(argument, _)| argument.name == name)?;
        match operand {
            Operand::Size(size) => Some(*size),
            _ => None,
        }
    }

    /// The arrays that have elements.
    pub fn arrays(&self) -> impl Iterator<Item = &Array> {
        self.0.iter().filter_map(|operand| match operand {
            Operand::Array(array) => Some(array),
            _ => None,
        })
    }

    /// Accesses to buffers, with the bytes that are used of each.
    pub fn accesses(&self) -> MemoryAccesses {
        let accesses = self.arrays().map(|array| {
            let start = array.object.range().start;
            MemoryAccess {
                object: array.object.clone(),
                accessed: AccessedRange::whole(start..start + array.bytes),
                kind: match array.access {
                    Access::Read => AccessKind::Read,
                    Access::Write => AccessKind::Overwrite,
                    Access::Update => AccessKind::Update,
                },
            }
        });
        accesses.collect()
    }
}
