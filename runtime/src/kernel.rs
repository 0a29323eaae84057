//! Kernels and their arguments.

use crate::buffer::Buffer;
use crate::client::ClientSlot;
use crate::context::Context;
use crate::device::Device;
use crate::error::{Code, Error, Result};
use crate::image::Image;
use crate::launch::Launch;
use crate::mem_object::{MemFlags, MemObject};
use crate::program::{Program, not_built};
use crate::sampler::Sampler;
use crate::work_group_size;
use device_sim::scratchpad;
use kernel_compiler::executable::{Executable, KernelInterface, Specialisation, WorkGroupCode};
use kernel_compiler::image_argument::KnownArgument;
use parking_lot::Mutex;
use std::sync::Arc;

pub use kernel_compiler::executable::{ArgumentKind, KernelArgument};

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
#[derive(Clone)]
enum Argument {
    Bytes(Box<[u8]>),
    /// Kept alive: programs release memory objects that a kernel still has as arguments.
    MemObject(Option<MemObject>),
    Local(u64),
}

/// A kernel's code on one device.
struct Variant {
    device: Arc<Device>,
    executable: Arc<Executable>,
    /// Its number among the executable's kernels.
    number: usize,
}

/// A kernel object.
pub struct Kernel {
    client: ClientSlot,
    program: Arc<Program>,
    interface: KernelInterface,
    variants: Vec<Variant>,
    arguments: Mutex<Vec<Option<Argument>>>,
    local_sizes: Mutex<Vec<[u64; 3]>>,
    known_images: Mutex<Vec<Vec<KnownArgument>>>,
}

impl Kernel {
    /// `clCreateKernel`.
    ///
    /// # Errors
    /// `InvalidProgramExecutable`, `InvalidKernelName`, `InvalidKernelDefinition`.
    pub fn new(program: &Arc<Program>, name: &str) -> Result<Arc<Self>> {
        let executables = program.executables();
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
        program.count_kernel_object(true);
        Ok(Arc::new(Self {
            client: ClientSlot::default(),
            program: Arc::clone(program),
            arguments: Mutex::new(vec![None; interface.arguments.len()]),
            interface,
            variants,
            local_sizes: Mutex::default(),
            known_images: Mutex::default(),
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
                if bytes.len() != argument.size {
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
                Argument::MemObject(buffer.map(MemObject::Buffer))
            }
            (ArgumentKind::Image, ArgumentValue::Image(image)) => {
                self.check_context(image.context(), Code::InvalidMemObject)?;
                check_image(argument, &image)?;
                Argument::MemObject(Some(MemObject::Image(image)))
            }
            (ArgumentKind::Sampler, ArgumentValue::Sampler(sampler)) => {
                self.check_context(sampler.context(), Code::InvalidSampler)?;
                Argument::Bytes(sampler.bits().to_ne_bytes().into())
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
        self.arguments.lock()[index] = Some(value);
        Ok(())
    }

    fn check_context(&self, context: &Arc<Context>, code: Code) -> Result<()> {
        if Arc::ptr_eq(context, self.context()) {
            return Ok(());
        }
        Err(Error::new(code, "the value is of another context"))
    }

    fn variant(&self, device: &Arc<Device>) -> Result<&Variant> {
        self.variants
            .iter()
            .find(|variant| Arc::ptr_eq(&variant.device, device))
            .ok_or_else(|| {
                Error::new(
                    Code::InvalidProgramExecutable,
                    "the program is not built for that device",
                )
            })
    }

    fn code(&self, device: &Arc<Device>, wanted: Specialisation) -> Result<Arc<WorkGroupCode>> {
        let variant = self.variant(device)?;
        variant
            .executable
            .work_group_code(variant.number, wanted)
            .map_err(|failure| {
                self.context().notify(&failure.log);
                Error::new(Code::OutOfResources, failure.log)
            })
    }

    /// Code for any launch; tells what the kernel needs.
    fn general_code(&self, device: &Arc<Device>) -> Result<Arc<WorkGroupCode>> {
        let wanted = Specialisation {
            local_size: self.interface.required_work_group_size,
            small_grid: true,
            ..Default::default()
        };
        self.code(device, wanted)
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
        Ok(own + set.sum::<u64>())
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
    /// Devices it can run on.
    pub fn devices(&self) -> Vec<Arc<Device>> {
        let device = |variant: &Variant| Arc::clone(&variant.device);
        self.variants.iter().map(device).collect()
    }

    /// Everything a launch needs, with the arguments as they are now.
    ///
    /// # Errors
    /// All that `clEnqueueNDRangeKernel` lists about kernel and sizes.
    pub(crate) fn launch(
        &self,
        device: &Arc<Device>,
        global_offset: Option<&[usize]>,
        global_size: &[usize],
        local_size: Option<&[usize]>,
    ) -> Result<Launch> {
        self.variant(device)?;
        let arguments = self.arguments.lock();
        if let Some(missing) = arguments.iter().position(Option::is_none) {
            return Err(Error::new(
                Code::InvalidKernelArgs,
                format!(
                    "argument {} of kernel {} is not set",
                    self.interface.arguments[missing].name, self.interface.name
                ),
            ));
        }
        check_image_arguments(device, &self.interface)?;
        let nd_range = work_group_size::nd_range(
            device,
            self.interface.required_work_group_size,
            global_offset,
            global_size,
            local_size,
        )?;
        let small_grid =
            (0..3).all(|d| nd_range.global_offset[d] + nd_range.global_size[d] <= SMALL_GRID);
        let local_size = nd_range.local_size;
        let images = known_arguments(&self.interface, &arguments);
        let wanted = Specialisation {
            local_size: is_specialised_for(&self.local_sizes, &local_size).then_some(local_size),
            small_grid,
            images: if is_specialised_for(&self.known_images, &images) {
                images
            } else {
                Vec::new()
            },
        };
        let code = self.code(device, wanted)?;

        let mut block = Launch::block(self.interface.argument_block_size);
        let mut local_memory = code.local_memory_bytes;
        let mut mem_objects = Vec::new();
        for (argument, value) in self.interface.arguments.iter().zip(arguments.iter()) {
            let pointer;
            let bytes: &[u8] = match value {
                Some(Argument::Bytes(bytes)) => bytes,
                Some(Argument::MemObject(Some(object))) => {
                    mem_objects.push(object.clone());
                    pointer = address(object).to_ne_bytes();
                    &pointer
                }
                Some(Argument::Local(size)) => {
                    let place = local_memory.next_multiple_of(scratchpad::ALIGNMENT as u64);
                    local_memory = place.saturating_add(*size);
                    pointer = place.to_ne_bytes();
                    &pointer
                }
                Some(Argument::MemObject(None)) | None => continue,
            };
            Launch::write(&mut block, argument.offset, bytes);
        }
        drop(arguments);
        let limit = device.local_memory_size();
        if local_memory > limit {
            return Err(Error::new(
                Code::OutOfResources,
                format!(
                    "kernel {} needs {local_memory} bytes of local memory; the array has {limit}",
                    self.interface.name
                ),
            ));
        }
        let private_memory = code.private_bytes(nd_range.work_items_per_group());
        Ok(Launch {
            device: Arc::clone(device),
            code,
            block,
            nd_range,
            local_memory,
            private_memory,
            _mem_objects: mem_objects,
        })
    }
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

/// The formats and samplers that a version of the code can be made for.
fn known_arguments(interface: &KernelInterface, values: &[Option<Argument>]) -> Vec<KnownArgument> {
    let arguments = interface.arguments.iter().zip(values);
    let known = arguments.filter_map(|(argument, value)| match (argument.kind, value) {
        (ArgumentKind::Image, Some(Argument::MemObject(Some(MemObject::Image(image))))) => {
            Some(Some(image.descriptor().into()))
        }
        (ArgumentKind::Sampler, Some(Argument::Bytes(bits))) => {
            let bits = bits.as_ref().try_into().ok().map(u64::from_ne_bytes);
            Some(bits.map(KnownArgument::Sampler))
        }
        (ArgumentKind::Image | ArgumentKind::Sampler, _) => Some(None),
        _ => None,
    });
    // All or none: they are told apart by their order.
    known.collect::<Option<_>>().unwrap_or_default()
}

/// What a kernel gets for a memory object: where a buffer's bytes are, where an image's
/// descriptor is. Valid while the object lives.
fn address(object: &MemObject) -> u64 {
    let address = match object {
        MemObject::Buffer(buffer) => buffer.start().0.expose_provenance(),
        MemObject::Image(image) => std::ptr::from_ref(image.descriptor()).expose_provenance(),
    };
    address as u64
}

/// # Errors
/// `OutOfResources`: more images or samplers than the device can have as arguments.
fn check_image_arguments(device: &Device, interface: &KernelInterface) -> Result<()> {
    let limits = &device.machine().open_cl.images;
    let count = |wanted: &dyn Fn(&KernelArgument) -> bool| {
        let arguments = interface.arguments.iter();
        arguments.filter(|argument| wanted(argument)).count() as u64
    };
    let written = count(&|argument| {
        argument.kind == ArgumentKind::Image && argument.access_qualifier == "write_only"
    });
    let images = count(&|argument| argument.kind == ArgumentKind::Image);
    let samplers = count(&|argument| argument.kind == ArgumentKind::Sampler);
    for (what, used, limit) in [
        (
            "images that are read",
            images - written,
            &limits.read_arguments,
        ),
        ("images that are written", written, &limits.write_arguments),
        ("samplers", samplers, &limits.samplers),
    ] {
        if used > limit.value {
            return Err(Error::new(
                Code::OutOfResources,
                format!(
                    "kernel {} has {used} {what} as arguments; the device allows {}",
                    interface.name, limit.value
                ),
            ));
        }
    }
    Ok(())
}

/// # Errors
/// `InvalidArgValue`: the image is not of the type that the kernel declares, or was made
/// without the access that the kernel has.
fn check_image(argument: &KernelArgument, image: &Image) -> Result<()> {
    let fail = |sentence: String| Err(Error::new(Code::InvalidArgValue, sentence));
    let (name, wanted) = (&argument.name, &argument.base_type);
    let is = image.image_type().kernel_type();
    if is != wanted {
        return fail(format!("argument {name} is of type {wanted}, not {is}"));
    }
    let access = argument.access_qualifier.as_str();
    let lacks = |flag| image.flags().contains(flag);
    if (access != "write_only" && lacks(MemFlags::WRITE_ONLY))
        || (access != "read_only" && lacks(MemFlags::READ_ONLY))
    {
        return fail(format!(
            "argument {name} is {access}, the image's flags are {:?}",
            image.flags()
        ));
    }
    Ok(())
}

impl Drop for Kernel {
    fn drop(&mut self) {
        self.program.count_kernel_object(false);
    }
}

impl crate::client::ClientObject for Kernel {
    fn client_slot(&self) -> &ClientSlot {
        &self.client
    }
}
