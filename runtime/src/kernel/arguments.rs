//! The arguments of a kernel: set by the host program, captured by launches.

use crate::check;
use crate::context::Context;
use crate::error::{Code, Error, Result};
use crate::fault;
use crate::kernel::argument_block::ArgumentBlock;
use crate::memory::buffer::Buffer;
use crate::memory::flags::MemFlags;
use crate::memory::image::Image;
use crate::memory::mem_object::MemObject;
use crate::memory::memory_access::{MemoryAccess, MemoryAccesses};
use crate::memory::residency::AccessKind;
use crate::memory::sampler::Sampler;
use host_exec::memory_checker::ArgumentMemory;
use host_exec::memory_checker::images::ImageSize;
use host_exec::scratchpad;
use kernel_compiler::executable::{
    AccessQualifier, ArgumentKind, KernelArgument, KernelInterface, TypeQualifiers,
};
use kernel_compiler::image_argument::KnownArgument;
use parking_lot::Mutex;
use std::sync::{Arc, Weak};

/// A value for `clSetKernelArg`, of the argument's kind.
pub enum ArgumentValue<'a> {
    /// The bytes of a by-value argument.
    Bytes {
        /// The number of bytes that the host program gives.
        size: usize,
        /// Reads these bytes. Called only if `size` is the argument's: the host program may have
        /// less memory there.
        read: &'a dyn Fn() -> &'a [u8],
    },
    /// A buffer, or none (a null pointer in the kernel).
    Buffer(Option<Arc<Buffer>>),
    /// An image.
    Image(Arc<Image>),
    /// A sampler.
    Sampler(Arc<Sampler>),
    /// `__local` memory of this many bytes.
    Local(usize),
}

/// An argument that has been set.
enum Argument {
    Bytes(Box<[u8]>),
    /// The sampler value that the kernel receives.
    Sampler(u64),
    /// A null pointer.
    Null,
    // Weak: the host program relies on an object's memory being free once it has released the
    // object itself (5.7.2, footnote).
    Buffer(Weak<Buffer>),
    Image(Weak<Image>),
    /// Size of local memory in bytes.
    Local(u64),
}

impl Argument {
    /// # Errors
    /// `InvalidArgSize`, `InvalidArgValue`, `InvalidMemObject`, `InvalidSampler`.
    fn new(
        argument: &KernelArgument,
        value: ArgumentValue<'_>,
        context: &Arc<Context>,
    ) -> Result<Self> {
        Ok(match (argument.kind, value) {
            (ArgumentKind::Value, ArgumentValue::Bytes { size, read }) => {
                if size != argument.size && fault::argument_sizes_are_checked() {
                    return Err(Error::new(
                        Code::InvalidArgSize,
                        format!(
                            "argument {} has {} bytes, not {size}",
                            argument.name, argument.size
                        ),
                    ));
                }
                Self::Bytes(read().into())
            }
            (
                ArgumentKind::GlobalPointer | ArgumentKind::ConstantPointer,
                ArgumentValue::Buffer(None),
            ) => Self::Null,
            (
                ArgumentKind::GlobalPointer | ArgumentKind::ConstantPointer,
                ArgumentValue::Buffer(Some(buffer)),
            ) => {
                check_context(context, buffer.context(), Code::InvalidMemObject)?;
                Self::Buffer(Arc::downgrade(&buffer))
            }
            (ArgumentKind::Image, ArgumentValue::Image(image)) => {
                check_context(context, image.context(), Code::InvalidMemObject)?;
                check_image(argument, &image)?;
                Self::Image(Arc::downgrade(&image))
            }
            (ArgumentKind::Sampler, ArgumentValue::Sampler(sampler)) => {
                check_context(context, sampler.context(), Code::InvalidSampler)?;
                Self::Sampler(sampler.bits())
            }
            (ArgumentKind::LocalPointer, ArgumentValue::Local(size)) => {
                if size == 0 {
                    return Err(Error::new(
                        Code::InvalidArgSize,
                        format!("argument {} has no bytes of local memory", argument.name),
                    ));
                }
                Self::Local(size as u64)
            }
            (kind, _) => {
                return Err(Error::new(
                    Code::InvalidArgValue,
                    format!("argument {} is a {kind:?}", argument.name),
                ));
            }
        })
    }
}

impl Argument {
    /// The memory that it points to, if it is a pointer that is not null, or an image.
    fn memory(&self) -> Option<ArgumentMemory> {
        match self {
            Self::Buffer(buffer) => {
                let buffer = buffer.upgrade()?;
                Some(ArgumentMemory {
                    address: buffer.start().0.expose_provenance() as u64,
                    bytes: buffer.size() as u64,
                    is_readable: !buffer.flags().contains(MemFlags::WRITE_ONLY),
                    is_writable: !buffer.flags().contains(MemFlags::READ_ONLY),
                    shadow: buffer
                        .shadow()
                        .map_or(0, |shadow| shadow.0.expose_provenance() as u64),
                    image: None,
                })
            }
            Self::Local(bytes) => Some(ArgumentMemory {
                bytes: *bytes,
                is_readable: true,
                is_writable: true,
                ..ArgumentMemory::default()
            }),
            Self::Image(image) => {
                let image = image.upgrade()?;
                let descriptor = image.descriptor();
                Some(ArgumentMemory {
                    bytes: image.size() as u64,
                    image: Some(ImageSize {
                        pixels: [descriptor.width, descriptor.height, descriptor.depth],
                        layers: descriptor.array_size,
                    }),
                    ..ArgumentMemory::default()
                })
            }
            Self::Bytes(_) | Self::Sampler(_) | Self::Null => None,
        }
    }
}

/// # Errors
/// `code`: the object's context is not the kernel's.
pub(crate) fn check_context(
    kernel: &Arc<Context>,
    object: &Arc<Context>,
    code: Code,
) -> Result<()> {
    if Arc::ptr_eq(kernel, object) {
        return Ok(());
    }
    Err(Error::new(code, "it is of another context than the kernel"))
}

/// # Errors
/// `InvalidMemObject`: the image is not of the type that the kernel declares.
/// `InvalidArgValue`: its flags forbid the access that the kernel declares.
fn check_image(argument: &KernelArgument, image: &Image) -> Result<()> {
    let (name, declared) = (&argument.name, &argument.base_type);
    let actual = image.image_type().kernel_type();
    if actual != declared {
        return Err(Error::new(
            Code::InvalidMemObject,
            format!("argument {name} is of type {declared}, not {actual}"),
        ));
    }
    let access = argument.access;
    let flags = image.flags();
    if (access != AccessQualifier::WriteOnly && flags.contains(MemFlags::WRITE_ONLY))
        || (access != AccessQualifier::ReadOnly && flags.contains(MemFlags::READ_ONLY))
    {
        return Err(Error::new(
            Code::InvalidArgValue,
            format!(
                "argument {name} is {}, the image's flags are {flags:?}",
                access.name()
            ),
        ));
    }
    Ok(())
}

/// The access of a kernel to a memory object that is its argument.
fn access(argument: &KernelArgument, object: MemObject) -> MemoryAccess {
    let only_reads = argument.kind == ArgumentKind::ConstantPointer
        || argument.type_qualifiers.contains(TypeQualifiers::CONST)
        || argument.access == AccessQualifier::ReadOnly
        || object.flags().contains(MemFlags::READ_ONLY);
    let kind = if only_reads {
        AccessKind::Read
    } else {
        AccessKind::Update
    };
    MemoryAccess::to_all(object, kind)
}

/// The arguments of a kernel object.
pub(crate) struct Arguments(Mutex<Vec<Option<Argument>>>);

impl Arguments {
    /// The arguments of a new kernel object: none is set.
    pub fn new(interface: &KernelInterface) -> Self {
        Self(Mutex::new(
            interface.arguments.iter().map(|_| None).collect(),
        ))
    }

    /// Sets argument `index`, which `argument` describes.
    ///
    /// # Errors
    /// `InvalidArgSize`, `InvalidArgValue`, `InvalidMemObject`, `InvalidSampler`.
    pub fn set(
        &self,
        index: usize,
        argument: &KernelArgument,
        value: ArgumentValue<'_>,
        context: &Arc<Context>,
    ) -> Result<()> {
        let value = Argument::new(argument, value, context)?;
        let previous = self.0.lock()[index].replace(value);
        // Not under the lock: dropping an object may call the host program.
        drop(previous);
        Ok(())
    }

    /// Bytes of local memory that the arguments set now request.
    pub fn local_memory(&self) -> u64 {
        let arguments = self.0.lock();
        let sizes = arguments.iter().flatten().map(|argument| match argument {
            Argument::Local(size) => *size,
            _ => 0,
        });
        sizes.fold(0, u64::saturating_add)
    }

    /// The arguments as a launch receives them.
    ///
    /// # Errors
    /// `InvalidKernelArgs`: one is not set, or is a released memory object.
    pub fn capture(&self, interface: &KernelInterface) -> Result<CapturedArguments> {
        let fail = |index: usize, what: &str| {
            let (name, kernel) = (&interface.arguments[index].name, &interface.name);
            Error::new(
                Code::InvalidKernelArgs,
                format!("argument {index} (`{name}`) of kernel `{kernel}` {what}"),
            )
        };
        let mut captured = CapturedArguments {
            block: ArgumentBlock::new(interface.argument_block_size),
            accesses: MemoryAccesses::new(),
            images: Vec::new(),
            local_pointers: Vec::new(),
            checked: Vec::new(),
        };
        let is_checked = check::is_on();
        // Unlocked before a memory object of which this has the last reference is dropped, which
        // may call the host program.
        let arguments = self.0.lock();
        let values = interface.arguments.iter().zip(arguments.iter());
        for (index, (argument, value)) in values.enumerate() {
            if is_checked {
                let memory = value.as_ref().and_then(Argument::memory);
                captured.checked.push(memory.unwrap_or_default());
            }
            let released = || fail(index, "is a memory object that has been released");
            let number;
            let bytes: &[u8] = match value {
                None => return Err(fail(index, "is not set")),
                Some(Argument::Null) => continue,
                Some(Argument::Bytes(bytes)) => bytes,
                Some(Argument::Sampler(bits)) => {
                    captured.images.push(KnownArgument::Sampler(*bits));
                    number = bits.to_ne_bytes();
                    &number
                }
                Some(Argument::Buffer(buffer)) => {
                    let buffer = buffer.upgrade().ok_or_else(released)?;
                    number = (buffer.start().0.expose_provenance() as u64).to_ne_bytes();
                    let object = MemObject::Buffer(buffer);
                    captured.accesses.push(access(argument, object));
                    &number
                }
                Some(Argument::Image(image)) => {
                    let image = image.upgrade().ok_or_else(released)?;
                    let descriptor = std::ptr::from_ref(image.descriptor());
                    number = (descriptor.expose_provenance() as u64).to_ne_bytes();
                    captured.images.push(image.descriptor().into());
                    let object = MemObject::Image(image);
                    captured.accesses.push(access(argument, object));
                    &number
                }
                Some(Argument::Local(size)) => {
                    captured.local_pointers.push((argument.offset, *size));
                    continue;
                }
            };
            captured.block.write(argument.offset, bytes);
        }
        drop(arguments);
        Ok(captured)
    }
}

/// A kernel's arguments at the time of a launch.
pub(crate) struct CapturedArguments {
    /// The argument block; pointers to local memory are missing until `place_local_pointers`.
    pub block: ArgumentBlock,
    /// Accesses to the memory objects, which keep these alive.
    pub accesses: MemoryAccesses,
    /// Images and samplers in the order of the arguments.
    pub images: Vec<KnownArgument>,
    /// Offset in the block, and size in bytes, of each pointer to local memory.
    pub local_pointers: Vec<(usize, u64)>,
    /// The memory of each argument, if accesses are checked.
    pub checked: Vec<ArgumentMemory>,
}

impl CapturedArguments {
    /// Places the arguments in local memory after the first `used` bytes; returns the total size
    /// in bytes. `check` is called with each intermediate size.
    ///
    /// # Errors
    /// Errors of `check`.
    pub fn place_local_pointers(
        &mut self,
        mut used: u64,
        check: impl Fn(u64) -> Result<()>,
    ) -> Result<u64> {
        check(used)?;
        for (offset, size) in &self.local_pointers {
            let start = used.next_multiple_of(scratchpad::ALIGNMENT as u64);
            let end = start.saturating_add(*size);
            used = fault::local_memory_end(used, end);
            check(used)?;
            self.block.write(*offset, &start.to_ne_bytes());
        }
        Ok(used)
    }
}
