//! Kernels and their arguments.

use crate::context::{Context, MemoryInitialisation};
use crate::device::Device;
use crate::dma_check;
use crate::error::{Code, Error, Result};
use crate::handle_slot::HandleSlot;
use crate::kernel::launch::{ArgumentBlock, Launch};
use crate::kernel::precompile;
use crate::kernel::work_group_size;
use crate::memory::buffer::Buffer;
use crate::memory::image::Image;
use crate::memory::mem_object::{MemFlags, MemObject};
use crate::memory::residency::{AccessKind, MemoryAccess, MemoryAccesses};
use crate::memory::sampler::Sampler;
use crate::program::argument_limits;
use crate::program::{Program, not_built};
use crate::queue::CommandQueue;
use fault_injection::Defect;
use host_exec::execute::GroupTimeEstimate;
use host_exec::scratchpad;
use host_exec::work_group::NdRange;
use kernel_compiler::Cause;
use kernel_compiler::executable::{Executable, KernelInterface, Specialisation, WorkGroupCode};
use kernel_compiler::image_argument::KnownArgument;
use parking_lot::Mutex;
use std::sync::{Arc, Weak};

pub use kernel_compiler::executable::{
    AccessQualifier, AddressQualifier, ArgumentKind, KernelArgument, TypeQualifiers,
};

/// Local sizes for each of which a kernel gets a version of its code, and likewise
/// formats of images with samplers; further ones share a version that fits all.
const SPECIALISED_VERSIONS: usize = 8;

/// Global ids below this fit the small grid's arithmetic.
const SMALL_GRID: u64 = 1 << 31;

/// A value for `clSetKernelArg`, as the argument's kind demands it.
pub enum ArgumentValue<'a> {
    /// Bytes of a by-value argument.
    Bytes(&'a [u8]),
    /// A buffer, or none (a null pointer in the kernel).
    Buffer(Option<Arc<Buffer>>),
    /// An image.
    Image(Arc<Image>),
    /// A sampler.
    Sampler(Arc<Sampler>),
    /// `__local` memory of this many bytes.
    Local(usize),
}

/// An argument as it is set.
enum Argument {
    Bytes(Box<[u8]>),
    /// Its bits.
    Sampler(u64),
    /// A null pointer.
    Null,
    // Not kept alive: the host program must be able to tell from what it has released
    // itself when an object's memory is its own again (5.7.2, footnote).
    Buffer(Weak<Buffer>),
    Image(Weak<Image>),
    Local(u64),
}

/// A kernel's code on one device.
struct Variant {
    device: Arc<Device>,
    executable: Arc<Executable>,
    /// Its number among the executable's kernels.
    number: usize,
}

impl Variant {
    fn interface(&self) -> &KernelInterface {
        &self.executable.kernels()[self.number]
    }
}

/// A kernel object.
pub struct Kernel {
    handle: HandleSlot,
    program: Arc<Program>,
    interface: KernelInterface,
    variants: Vec<Variant>,
    arguments: Mutex<Vec<Option<Argument>>>,
    local_sizes: Mutex<Vec<[u64; 3]>>,
    known_images: Mutex<Vec<Vec<KnownArgument>>>,
    last: Mutex<Option<LastLaunch>>,
}

/// The code of the last launch: most launches are like the one before.
struct LastLaunch {
    executable: Arc<Executable>,
    local_size: [u64; 3],
    small_grid: bool,
    images: Vec<KnownArgument>,
    code: Arc<WorkGroupCode>,
    group_time: Arc<GroupTimeEstimate>,
}

impl Kernel {
    /// `clCreateKernel`.
    ///
    /// # Errors
    /// `InvalidProgramExecutable`, `InvalidKernelName`, `InvalidKernelDefinition`.
    pub fn new(program: &Arc<Program>, name: &str) -> Result<Arc<Self>> {
        program.attach(|executables| Self::of(program, name, executables))
    }

    fn of(
        program: &Arc<Program>,
        name: &str,
        executables: Vec<(Arc<Device>, Arc<Executable>)>,
    ) -> Result<Arc<Self>> {
        if executables.is_empty() {
            return Err(not_built());
        }
        let mut variants = Vec::new();
        let mut interface: Option<KernelInterface> = None;
        for (device, executable) in executables {
            let kernels = executable.kernels();
            let Some(number) = kernels.iter().position(|kernel| kernel.name == name) else {
                continue;
            };
            match &interface {
                Some(known) if known.arguments != kernels[number].arguments => {
                    return Err(Error::new(
                        Code::InvalidKernelDefinition,
                        format!("kernel {name} has different arguments on the devices"),
                    ));
                }
                Some(_) => {}
                None => interface = Some(kernels[number].clone()),
            }
            variants.push(Variant {
                device,
                executable,
                number,
            });
        }
        let interface = interface.ok_or_else(|| {
            Error::new(
                Code::InvalidKernelName,
                format!("the program has no kernel {name}"),
            )
        })?;
        for variant in &variants {
            variant.executable.created(variant.number);
        }
        Ok(Arc::new(Self {
            handle: HandleSlot::default(),
            program: Arc::clone(program),
            arguments: Mutex::new(interface.arguments.iter().map(|_| None).collect()),
            interface,
            variants,
            local_sizes: Mutex::default(),
            known_images: Mutex::default(),
            last: Mutex::default(),
        }))
    }
    /// Its program.
    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }
    /// Its context.
    pub fn context(&self) -> &Arc<Context> {
        self.program().context()
    }
    /// Name, arguments, attributes.
    pub fn interface(&self) -> &KernelInterface {
        &self.interface
    }
    /// Argument `index`.
    ///
    /// # Errors
    /// `InvalidArgIndex`.
    pub fn argument(&self, index: usize) -> Result<&KernelArgument> {
        self.interface.arguments.get(index).ok_or_else(|| {
            Error::new(
                Code::InvalidArgIndex,
                format!(
                    "kernel {} has {} arguments, not {index} and one more",
                    self.interface.name,
                    self.interface.arguments.len()
                ),
            )
        })
    }
    /// `clSetKernelArg`. The value's kind must be the argument's.
    ///
    /// # Errors
    /// `InvalidArgIndex`, `InvalidArgSize`, `InvalidArgValue`, `InvalidMemObject`,
    /// `InvalidSampler`.
    pub fn set_argument(&self, index: usize, value: ArgumentValue<'_>) -> Result<()> {
        let argument = self.argument(index)?;
        let value = match (argument.kind, value) {
            (ArgumentKind::Value, ArgumentValue::Bytes(bytes)) => {
                if bytes.len() != argument.size
                    && !fault_injection::is_active(Defect::UncheckedArgumentSizes)
                {
                    return Err(Error::new(
                        Code::InvalidArgSize,
                        format!(
                            "argument {} has {} bytes, not {}",
                            argument.name,
                            argument.size,
                            bytes.len()
                        ),
                    ));
                }
                Argument::Bytes(bytes.into())
            }
            (
                ArgumentKind::GlobalPointer | ArgumentKind::ConstantPointer,
                ArgumentValue::Buffer(buffer),
            ) => {
                if let Some(buffer) = &buffer {
                    self.check_context(buffer.context(), Code::InvalidMemObject)?;
                }
                match buffer {
                    Some(buffer) => Argument::Buffer(Arc::downgrade(&buffer)),
                    None => Argument::Null,
                }
            }
            (ArgumentKind::Image, ArgumentValue::Image(image)) => {
                self.check_context(image.context(), Code::InvalidMemObject)?;
                check_image(argument, &image)?;
                Argument::Image(Arc::downgrade(&image))
            }
            (ArgumentKind::Sampler, ArgumentValue::Sampler(sampler)) => {
                self.check_context(sampler.context(), Code::InvalidSampler)?;
                Argument::Sampler(sampler.bits())
            }
            (ArgumentKind::LocalPointer, ArgumentValue::Local(size)) => {
                if size == 0 {
                    return Err(Error::new(
                        Code::InvalidArgSize,
                        format!("argument {} would have no bytes", argument.name),
                    ));
                }
                Argument::Local(size as u64)
            }
            (kind, _) => {
                return Err(Error::new(
                    Code::InvalidArgValue,
                    format!("argument {} is a {kind:?}", argument.name),
                ));
            }
        };
        // What was set before may be gone then, and call the host program: not under the lock.
        let before = self.arguments.lock()[index].replace(value);
        drop(before);
        Ok(())
    }

    fn check_context(&self, context: &Arc<Context>, code: Code) -> Result<()> {
        if Arc::ptr_eq(context, self.context()) {
            return Ok(());
        }
        Err(Error::new(code, "it is of another context than the kernel"))
    }

    /// The code for a device: its own, or that of the device it is a part of (5.6.5).
    fn variant(&self, device: &Arc<Device>) -> Result<&Variant> {
        let of = |device| {
            let mut variants = self.variants.iter();
            variants.find(|variant| Arc::ptr_eq(&variant.device, device))
        };
        device.lineage().find_map(of).ok_or_else(|| {
            Error::new(
                Code::InvalidProgramExecutable,
                "the program is not built for that device",
            )
        })
    }

    /// Local size that the source demands on a device, if it does.
    ///
    /// # Errors
    /// `InvalidProgramExecutable`.
    pub fn required_work_group_size(&self, device: &Arc<Device>) -> Result<Option<[u64; 3]>> {
        Ok(self.variant(device)?.interface().required_work_group_size)
    }

    fn code(&self, variant: &Variant, wanted: Specialisation) -> Result<Arc<WorkGroupCode>> {
        variant
            .executable
            .work_group_code(variant.number, wanted)
            .map_err(|failure| {
                self.context().notify(&failure.log);
                let code = match failure.cause {
                    Cause::HostMemory => Code::OutOfHostMemory,
                    Cause::Program | Cause::HostThreads => Code::OutOfResources,
                };
                Error::new(code, failure.log)
            })
    }

    /// Code for any launch; tells what the kernel needs.
    fn general_code(&self, device: &Arc<Device>) -> Result<Arc<WorkGroupCode>> {
        let wanted = Specialisation {
            local_size: self.required_work_group_size(device)?,
            small_grid: true,
            ..Default::default()
        };
        self.code(self.variant(device)?, wanted)
    }

    /// Code for a launch with these images and samplers.
    fn code_for(
        &self,
        variant: &Variant,
        nd_range: &NdRange,
        images: Vec<KnownArgument>,
        timed: bool,
    ) -> Result<(Arc<WorkGroupCode>, Arc<GroupTimeEstimate>)> {
        let local_size = nd_range.local_size;
        let small_grid = (0..3)
            .all(|d| nd_range.global_offset[d] + nd_range.global_size[d] <= SMALL_GRID)
            || fault_injection::is_active(Defect::NarrowIds);
        if let Some(last) = &*self.last.lock()
            && Arc::ptr_eq(&last.executable, &variant.executable)
            && last.local_size == local_size
            && last.small_grid == small_grid
            && last.images == images
            && last.code.timed.is_some() == timed
        {
            return Ok((Arc::clone(&last.code), Arc::clone(&last.group_time)));
        }
        argument_limits::check(&variant.device, &self.interface)?;
        let wanted = Specialisation {
            local_size: is_specialised_for(&self.local_sizes, &local_size).then_some(local_size),
            small_grid,
            images: if is_specialised_for(&self.known_images, &images) {
                images.clone()
            } else {
                Vec::new()
            },
            timed: timed.then(|| variant.device.timed()),
            checked: dma_check::is_on(),
        };
        precompile::compile(&variant.executable, variant.number, &wanted);
        let code = self.code(variant, wanted)?;
        let group_time = Arc::default();
        *self.last.lock() = Some(LastLaunch {
            executable: Arc::clone(&variant.executable),
            local_size,
            small_grid,
            images,
            code: Arc::clone(&code),
            group_time: Arc::clone(&group_time),
        });
        Ok((code, group_time))
    }

    /// `CL_KERNEL_LOCAL_MEM_SIZE`: the kernel's own variables and its arguments as set now, bytes.
    ///
    /// # Errors
    /// `InvalidProgramExecutable`; `OutOfResources` if no code can be made.
    pub fn local_memory_size(&self, device: &Arc<Device>) -> Result<u64> {
        let own = self.general_code(device)?.local_memory_bytes;
        let arguments = self.arguments.lock();
        let set = arguments.iter().flatten().map(|argument| match argument {
            Argument::Local(size) => *size,
            _ => 0,
        });
        Ok(set.fold(own, u64::saturating_add))
    }
    /// `CL_KERNEL_PRIVATE_MEM_SIZE`, bytes per work-item.
    ///
    /// # Errors
    /// As `local_memory_size`.
    pub fn private_memory_size(&self, device: &Arc<Device>) -> Result<u64> {
        Ok(self.general_code(device)?.private_memory_bytes)
    }
    /// `CL_KERNEL_WORK_GROUP_SIZE`.
    ///
    /// # Errors
    /// `InvalidProgramExecutable`.
    pub fn max_work_group_size(&self, device: &Arc<Device>) -> Result<u64> {
        self.variant(device)?;
        Ok(device.max_work_group_size())
    }
    /// Whether it can run on a device, which is one of its context's.
    pub fn runs_on(&self, device: &Arc<Device>) -> bool {
        self.context().contains(device) && self.variant(device).is_ok()
    }

    /// The local size that a launch without one uses (`clGetKernelSuggestedLocalWorkSizeKHR`).
    /// Entries beyond the global size's are 1.
    ///
    /// # Errors
    /// As for `launch`.
    pub fn suggested_local_size(
        &self,
        queue: &CommandQueue,
        global_offset: Option<&[usize]>,
        global_size: &[usize],
    ) -> Result<[u64; 3]> {
        let device = queue.device();
        let required = self
            .check_launch(queue)?
            .interface()
            .required_work_group_size;
        self.captured()?;
        work_group_size::nd_range(device, required, global_offset, global_size, None)
            .map(|nd_range| nd_range.local_size)
    }

    /// What launches on a queue are checked for before their sizes are.
    fn check_launch(&self, queue: &CommandQueue) -> Result<&Variant> {
        self.check_context(queue.context(), Code::InvalidContext)?;
        self.variant(queue.device())
    }

    /// Everything a launch needs, with the arguments as they are now.
    ///
    /// # Errors
    /// All that `clEnqueueNDRangeKernel` lists about kernel and sizes.
    pub(crate) fn launch(
        &self,
        queue: &CommandQueue,
        global_offset: Option<&[usize]>,
        global_size: &[usize],
        local_size: Option<&[usize]>,
    ) -> Result<Launch> {
        let device = queue.device();
        let variant = self.check_launch(queue)?;
        let required = variant.interface().required_work_group_size;
        // The lock is not held while code is made, which takes long and may call the
        // host program.
        let CapturedArguments {
            mut block,
            uses,
            images,
            local_pointers,
        } = self.captured()?;
        let nd_range =
            work_group_size::nd_range(device, required, global_offset, global_size, local_size)?;
        let (code, group_time) = self.code_for(
            variant,
            &nd_range,
            images,
            queue.is_timed() && !dma_check::is_on(),
        )?;
        let mut local_memory = code.local_memory_bytes;
        self.check_local_memory(device, local_memory)?;
        for (offset, size) in local_pointers {
            let place = local_memory.next_multiple_of(scratchpad::ALIGNMENT as u64);
            if !fault_injection::is_active(Defect::OverlappingLocalArguments) {
                local_memory = place.saturating_add(size);
            }
            self.check_local_memory(device, local_memory)?;
            block.write(offset, &place.to_ne_bytes());
        }
        let private_memory = code.private_bytes(nd_range.work_items_per_group());
        Ok(Launch {
            context: Arc::clone(self.context()),
            device: Arc::clone(device),
            code,
            group_time,
            block,
            nd_range,
            local_memory,
            zeroed: self.context().initialises(MemoryInitialisation::LOCAL),
            private_memory,
            uses,
        })
    }

    /// Gives a launch the arguments as they are now; only a defective platform does that.
    pub(crate) fn capture_again(&self, launch: &mut Launch) -> Result<()> {
        let mut captured = self.captured()?;
        let mut end = launch.code.local_memory_bytes;
        for (offset, size) in captured.local_pointers {
            let place = end.next_multiple_of(scratchpad::ALIGNMENT as u64);
            end = place + size;
            captured.block.write(offset, &place.to_ne_bytes());
        }
        (launch.block, launch.uses) = (captured.block, captured.uses);
        Ok(())
    }

    fn check_local_memory(&self, device: &Device, bytes: u64) -> Result<()> {
        let limit = device.local_memory_size();
        if bytes <= limit {
            return Ok(());
        }
        Err(Error::new(
            Code::OutOfResources,
            format!(
                "kernel {} needs {bytes} bytes of local memory; the array has {limit}",
                self.interface.name
            ),
        ))
    }

    /// The arguments as a launch takes them.
    fn captured(&self) -> Result<CapturedArguments> {
        let fail = |argument: &KernelArgument, what: &str| {
            let (argument, kernel) = (&argument.name, &self.interface.name);
            Error::new(
                Code::InvalidKernelArgs,
                format!("argument {argument} of kernel {kernel} {what}"),
            )
        };
        let mut captured = CapturedArguments {
            block: ArgumentBlock::new(self.interface.argument_block_size),
            uses: MemoryAccesses::new(),
            images: Vec::new(),
            local_pointers: Vec::new(),
        };
        // Unlocked before a memory object of which this has the last reference may go, and
        // call the host program.
        let arguments = self.arguments.lock();
        for (argument, value) in self.interface.arguments.iter().zip(arguments.iter()) {
            let released = || fail(argument, "is a memory object that has been released");
            let number;
            let bytes: &[u8] = match value {
                None => return Err(fail(argument, "is not set")),
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
                    captured
                        .uses
                        .push(used(argument, MemObject::Buffer(buffer)));
                    &number
                }
                Some(Argument::Image(image)) => {
                    let image = image.upgrade().ok_or_else(released)?;
                    let descriptor = std::ptr::from_ref(image.descriptor());
                    number = (descriptor.expose_provenance() as u64).to_ne_bytes();
                    captured.images.push(image.descriptor().into());
                    captured.uses.push(used(argument, MemObject::Image(image)));
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
struct CapturedArguments {
    /// The argument block, but for pointers to local memory.
    block: ArgumentBlock,
    /// What the pointers point to, and images' descriptors are in; alive with them.
    uses: MemoryAccesses,
    /// What is known of images and samplers, in their order.
    images: Vec<KnownArgument>,
    /// Place in the block, and bytes wanted, of each pointer to local memory.
    local_pointers: Vec<(usize, u64)>,
}

/// Whether to specialise for this: it has been before, or there are not too many yet.
fn is_specialised_for<T: PartialEq + Clone>(versions: &Mutex<Vec<T>>, wanted: &T) -> bool {
    let mut versions = versions.lock();
    if versions.contains(wanted) {
        return true;
    }
    let more = versions.len() < SPECIALISED_VERSIONS;
    if more {
        versions.push(wanted.clone());
    }
    more
}

/// How a kernel uses a memory object that is this argument.
fn used(argument: &KernelArgument, object: MemObject) -> MemoryAccess {
    let reads_only = argument.kind == ArgumentKind::ConstantPointer
        || argument.type_qualifiers.contains(TypeQualifiers::CONST)
        || argument.access == AccessQualifier::ReadOnly
        || object.flags().contains(MemFlags::READ_ONLY);
    let access = if reads_only {
        AccessKind::Read
    } else {
        AccessKind::Update
    };
    MemoryAccess::of_all(object, access)
}

/// # Errors
/// `InvalidMemObject`: the image is not of the type that the kernel declares.
/// `InvalidArgValue`: it was created without the access that the kernel has.
fn check_image(argument: &KernelArgument, image: &Image) -> Result<()> {
    let (name, wanted) = (&argument.name, &argument.base_type);
    let is = image.image_type().kernel_type();
    if is != wanted {
        return Err(Error::new(
            Code::InvalidMemObject,
            format!("argument {name} is of type {wanted}, not {is}"),
        ));
    }
    let access = argument.access;
    let lacks = |flag| image.flags().contains(flag);
    if (access != AccessQualifier::WriteOnly && lacks(MemFlags::WRITE_ONLY))
        || (access != AccessQualifier::ReadOnly && lacks(MemFlags::READ_ONLY))
    {
        return Err(Error::new(
            Code::InvalidArgValue,
            format!(
                "argument {name} is {}, the image's flags are {:?}",
                access.name(),
                image.flags()
            ),
        ));
    }
    Ok(())
}

impl Drop for Kernel {
    fn drop(&mut self) {
        self.program.detach();
    }
}

impl crate::handle_slot::HasHandle for Kernel {
    fn handle_slot(&self) -> &HandleSlot {
        &self.handle
    }
}
