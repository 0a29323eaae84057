//! As much of OpenCL's host side as the programs need: a device with context and queue,
//! typed buffers, programs from source, launches with their arguments.
//!
//! Calls are safe for kernels that keep to their buffers, as all in this crate do.

use crate::feature::Feature;
use crate::platform;
use crate::random::Random;
use anyhow::{Context as _, Result, bail};
use bytemuck::{Pod, Zeroable};
use opencl3::command_queue::CommandQueue;
use opencl3::context::Context;
use opencl3::device::{CL_DEVICE_TYPE_ALL, CL_EXEC_NATIVE_KERNEL, Device};
use opencl3::event::Event;
use opencl3::kernel::{Kernel, create_kernel};
use opencl3::memory::{
    CL_MAP_READ, CL_MAP_WRITE, CL_MEM_COPY_HOST_PTR, CL_MEM_READ_WRITE, ClMem as _,
};
use opencl3::platform::Platform;
use opencl3::program::{
    CL_PROGRAM_BINARIES, CL_PROGRAM_BUILD_LOG, build_program, compile_program,
    create_program_with_binary, create_program_with_source, get_program_build_info,
    get_program_info, link_program, release_program,
};
use opencl3::types::{CL_BLOCKING, cl_device_id, cl_event, cl_program};
use std::ffi::CString;
use std::fs::File;
use std::io::Write as _;
use std::path::PathBuf;
use std::ptr::{null, null_mut};

/// A device with a context and an in-order queue.
pub struct Session {
    /// The device under test.
    pub device: Device,
    /// A context with this device, or with all devices of the platform ([`Session::on_all_devices`]).
    pub context: Context,
    /// In order.
    pub queue: CommandQueue,
    settings: Settings,
}

/// What a session is opened with.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Part of the platform's name or version, in any case.
    pub platform: String,
    /// Build options that all programs get, after their own.
    pub options: String,
    /// For cases with random input.
    pub seed: u64,
    /// A file to which the source of every program is added.
    pub sources: Option<PathBuf>,
}

/// A buffer of `T`, read and written by kernels.
pub struct Buffer<T> {
    memory: opencl3::memory::Buffer<T>,
    elements: usize,
}

impl<T> Buffer<T> {
    /// The handle, for calls that this module does not make; valid while `self` is.
    pub fn handle(&self) -> opencl3::types::cl_mem {
        self.memory.get()
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.elements
    }

    /// A sub-buffer of the elements from `first` on.
    ///
    /// # Errors
    /// `clCreateSubBuffer`'s.
    pub fn part(&self, first: usize, elements: usize) -> Result<Self> {
        // SAFETY: the region is read during the call.
        let memory = unsafe {
            self.memory
                .create_sub_buffer(CL_MEM_READ_WRITE, first, elements)
        }
        .context("clCreateSubBuffer")?;
        Ok(Self { memory, elements })
    }

    /// Never true: OpenCL has no empty buffers.
    pub fn is_empty(&self) -> bool {
        self.elements == 0
    }
}

/// `count` elements of `T` in local memory, as a kernel argument.
pub struct Local<T> {
    count: usize,
    element: std::marker::PhantomData<T>,
}

impl<T> Local<T> {
    /// `count` elements.
    pub fn new(count: usize) -> Self {
        Self {
            count,
            element: std::marker::PhantomData,
        }
    }
}

/// What a kernel can be given: a buffer, local memory, an image or a sampler, or a value
/// with the layout of the kernel's parameter.
pub trait Argument {
    /// Sets it as the argument `index` of the kernel.
    ///
    /// # Errors
    /// `clSetKernelArg`'s.
    fn set(&self, kernel: &Kernel, index: u32) -> Result<()>;
}

impl<T: Pod> Argument for T {
    fn set(&self, kernel: &Kernel, index: u32) -> Result<()> {
        // SAFETY: the value is copied during the call.
        Ok(unsafe { kernel.set_arg(index, self) }?)
    }
}

impl<T> Argument for Buffer<T> {
    fn set(&self, kernel: &Kernel, index: u32) -> Result<()> {
        // SAFETY: the handle is copied during the call.
        Ok(unsafe { kernel.set_arg(index, &self.memory.get()) }?)
    }
}

impl<T> Argument for Local<T> {
    fn set(&self, kernel: &Kernel, index: u32) -> Result<()> {
        // SAFETY: a size alone is passed.
        Ok(unsafe { kernel.set_arg_local_buffer(index, self.count * size_of::<T>()) }?)
    }
}

/// A program object.
pub struct Program(cl_program);

impl Drop for Program {
    fn drop(&mut self) {
        // SAFETY: this is the only owner.
        unsafe { release_program(self.0) }.expect("clReleaseProgram");
    }
}

impl Program {
    /// The handle, for calls that this module does not make.
    pub fn get(&self) -> cl_program {
        self.0
    }

    /// Its binary for the context's first device.
    ///
    /// # Errors
    /// `clGetProgramInfo`'s.
    pub fn binary(&self) -> Result<Vec<u8>> {
        let binaries: Vec<Vec<u8>> = get_program_info(self.0, CL_PROGRAM_BINARIES)
            .map_err(opencl3::error_codes::ClError)
            .context("CL_PROGRAM_BINARIES")?
            .into();
        binaries
            .into_iter()
            .next()
            .context("the program has no devices")
    }

    /// The kernel of that name.
    ///
    /// # Errors
    /// `clCreateKernel`'s.
    pub fn kernel(&self, name: &str) -> Result<Kernel> {
        let name = CString::new(name)?;
        let kernel = create_kernel(self.0, &name)
            .map_err(opencl3::error_codes::ClError)
            .with_context(|| format!("kernel {name:?}"))?;
        Ok(Kernel::new(kernel))
    }
}

impl Session {
    /// On the first device of a platform.
    ///
    /// # Errors
    /// No such platform, or no context or queue on its device.
    pub fn open(settings: &Settings) -> Result<Self> {
        let device = platform::first_device(&settings.platform)?;
        Self::with_devices(&[device.id()], settings)
    }

    /// With a context for all devices of the platform.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn on_all_devices(&self) -> Result<Self> {
        let devices = self.platform()?.get_devices(CL_DEVICE_TYPE_ALL)?;
        Self::with_devices(&devices, &self.settings)
    }

    fn with_devices(devices: &[cl_device_id], settings: &Settings) -> Result<Self> {
        let context = Context::from_devices(devices, &[], None, null_mut())?;
        let queue = CommandQueue::create_default(&context, 0)?;
        Ok(Self {
            device: Device::new(context.default_device()),
            context,
            queue,
            settings: settings.clone(),
        })
    }

    /// Random input: the same for the same seed.
    pub fn random(&self) -> Random {
        Random::new(self.settings.seed)
    }

    /// Whether the device, or the platform, has a feature.
    ///
    /// # Errors
    /// `clGetDeviceInfo`'s.
    pub fn has(&self, feature: Feature) -> Result<bool> {
        Ok(match feature {
            Feature::Images => self.device.image_support()?,
            Feature::Extension(name) => {
                let extensions = self.device.extensions()?;
                extensions.split_whitespace().any(|has| has == name)
            }
            Feature::NativeKernels => {
                self.device.execution_capabilities()? & CL_EXEC_NATIVE_KERNEL != 0
            }
            Feature::Devices(count) => {
                self.platform()?.get_devices(CL_DEVICE_TYPE_ALL)?.len() >= count
            }
            Feature::ComputeUnits(count) => self.device.max_compute_units()? >= count,
            Feature::BufferBytes(bytes) => self.device.max_mem_alloc_size()? >= bytes,
        })
    }

    /// Another queue, on one of the context's devices.
    ///
    /// # Errors
    /// `clCreateCommandQueue`'s.
    pub fn queue_on(&self, device: usize, properties: u64) -> Result<CommandQueue> {
        let device = self.context.devices()[device];
        // SAFETY: the device is the context's.
        Ok(unsafe { CommandQueue::create(&self.context, device, properties) }?)
    }

    fn platform(&self) -> Result<Platform> {
        Ok(Platform::new(
            self.device.platform()? as opencl3::types::cl_platform_id
        ))
    }

    /// What the platform says of its version.
    ///
    /// # Errors
    /// `clGetDeviceInfo`'s and `clGetPlatformInfo`'s.
    pub fn platform_version(&self) -> Result<String> {
        Ok(self.platform()?.version()?)
    }

    /// A program object with source, not built.
    ///
    /// # Errors
    /// `clCreateProgramWithSource`'s.
    pub fn source(&self, source: &str) -> Result<Program> {
        self.show_source(source)?;
        let program = create_program_with_source(self.context.get(), &[source])
            .map_err(opencl3::error_codes::ClError)?;
        Ok(Program(program))
    }

    /// What it was opened with.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Puts the source of a program into the report, should the case fail.
    ///
    /// # Errors
    /// The file of sources cannot be written.
    pub fn show_source(&self, source: &str) -> Result<()> {
        if let Some(path) = &self.settings.sources {
            let mut file = File::options().append(true).create(true).open(path)?;
            writeln!(file, "{}", source.trim_end())?;
        }
        Ok(())
    }

    /// Leaves the programs made so far out of the report: they were right.
    ///
    /// # Errors
    /// The file of sources cannot be made empty.
    pub fn forget_sources(&self) -> Result<()> {
        if let Some(path) = &self.settings.sources {
            File::create(path)?;
        }
        Ok(())
    }

    /// A program built from source.
    ///
    /// # Errors
    /// Holds the build log.
    pub fn program(&self, source: &str, options: &str) -> Result<Program> {
        let program = self.source(source)?;
        let options = self.with_options(options)?;
        let built = build_program(
            program.0,
            self.context.devices(),
            &options,
            None,
            null_mut(),
        );
        self.check("clBuildProgram", &program, built)?;
        Ok(program)
    }

    /// A program from its binary for this session's device, built.
    ///
    /// # Errors
    /// `clCreateProgramWithBinary`'s, or the build log.
    pub fn program_from_binary(&self, binary: &[u8]) -> Result<Program> {
        // SAFETY: device and binary are valid during the call.
        let program = unsafe {
            create_program_with_binary(self.context.get(), &[self.device.id()], &[binary])
        };
        let program = Program(
            program
                .map_err(opencl3::error_codes::ClError)
                .context("clCreateProgramWithBinary")?,
        );
        let built = build_program(program.0, &[self.device.id()], c"", None, null_mut());
        self.check("clBuildProgram", &program, built)?;
        Ok(program)
    }

    /// `clCompileProgram` with one header that the source includes by its name. (Version
    /// 0.13 of the crate cl3 passes more than one header name wrongly.)
    ///
    /// # Errors
    /// Holds the build log.
    pub fn compile(&self, source: &str, options: &str, header: (&str, &str)) -> Result<Program> {
        let program = self.source(source)?;
        let options = self.with_options(options)?;
        let name = CString::new(header.0)?;
        let header = self.source(header.1)?;
        let compiled = compile_program(
            program.0,
            self.context.devices(),
            &options,
            &[header.0],
            &[&name],
            None,
            null_mut(),
        );
        self.check("clCompileProgram", &program, compiled)?;
        Ok(program)
    }

    /// `clLinkProgram`.
    ///
    /// # Errors
    /// The code that the call returned.
    pub fn link(&self, programs: &[&Program], options: &str) -> Result<Program> {
        let options = CString::new(options)?;
        let programs: Vec<cl_program> = programs.iter().map(|program| program.0).collect();
        // SAFETY: the device is the context's.
        let linked = unsafe {
            link_program(
                self.context.get(),
                self.context.devices(),
                &options,
                &programs,
                None,
                null_mut(),
            )
        };
        let linked = linked
            .map_err(opencl3::error_codes::ClError)
            .context("clLinkProgram")?;
        Ok(Program(linked))
    }

    /// Build options of a program's own, with those of the run behind them.
    ///
    /// # Errors
    /// They contain NUL.
    pub fn with_options(&self, options: &str) -> Result<CString> {
        Ok(CString::new(format!(
            "{options} {}",
            self.settings.options
        ))?)
    }

    fn check(&self, call: &str, program: &Program, result: Result<(), i32>) -> Result<()> {
        let Err(code) = result else { return Ok(()) };
        let log = get_program_build_info(program.0, self.device.id(), CL_PROGRAM_BUILD_LOG)
            .map_or_else(|_| "no build log".to_owned(), String::from);
        bail!("{call} returned {code}: {}", log.trim());
    }

    /// A buffer with a copy of these elements.
    ///
    /// # Errors
    /// `clCreateBuffer`'s.
    pub fn buffer<T: Pod>(&self, elements: &[T]) -> Result<Buffer<T>> {
        let flags = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
        let start = elements.as_ptr().cast_mut().cast();
        // SAFETY: the elements are copied during the call.
        let memory = unsafe {
            opencl3::memory::Buffer::create(&self.context, flags, elements.len(), start)
        }?;
        Ok(Buffer {
            memory,
            elements: elements.len(),
        })
    }

    /// A buffer of `elements` zeros.
    ///
    /// # Errors
    /// `clCreateBuffer`'s.
    pub fn zeros<T: Pod>(&self, elements: usize) -> Result<Buffer<T>> {
        self.buffer(&vec![T::zeroed(); elements])
    }

    /// A buffer of as many elements, without contents.
    ///
    /// # Errors
    /// `clCreateBuffer`'s.
    pub fn unset<T: Pod>(&self, elements: usize) -> Result<Buffer<T>> {
        // SAFETY: no host memory is passed.
        let memory = unsafe {
            opencl3::memory::Buffer::create(&self.context, CL_MEM_READ_WRITE, elements, null_mut())
        }?;
        Ok(Buffer { memory, elements })
    }

    /// All elements of a buffer, once the queue has got there.
    ///
    /// # Errors
    /// `clEnqueueReadBuffer`'s, and those of commands before it.
    pub fn read<T: Pod>(&self, buffer: &Buffer<T>) -> Result<Vec<T>> {
        let mut elements = vec![T::zeroed(); buffer.elements];
        // SAFETY: the vector has room, every value is a T, and the call blocks.
        unsafe {
            self.queue
                .enqueue_read_buffer(&buffer.memory, CL_BLOCKING, 0, &mut elements, &[])
        }?;
        Ok(elements)
    }

    /// Copies elements between buffers, on any queue of the context, after `events`.
    ///
    /// # Errors
    /// `clEnqueueCopyBuffer`'s.
    pub fn copy<T>(
        &self,
        queue: &CommandQueue,
        (from, first): (&Buffer<T>, usize),
        (to, place): (&mut Buffer<T>, usize),
        elements: usize,
        events: &[cl_event],
    ) -> Result<Event> {
        let [first, place, bytes] = [first, place, elements].map(|n| n * size_of::<T>());
        // SAFETY: the events are read during the call.
        Ok(unsafe {
            queue.enqueue_copy_buffer(&from.memory, &mut to.memory, first, place, bytes, events)
        }?)
    }

    /// Maps a whole buffer, lets `change` change its elements and unmaps it; waits for all.
    ///
    /// # Errors
    /// `clEnqueueMapBuffer`'s and `clEnqueueUnmapMemObject`'s.
    pub fn map<T: Pod>(
        &self,
        queue: &CommandQueue,
        buffer: &Buffer<T>,
        change: impl FnOnce(&mut [T]),
    ) -> Result<()> {
        let bytes = buffer.elements * size_of::<T>();
        let mut start = null_mut();
        let flags = CL_MAP_READ | CL_MAP_WRITE;
        // SAFETY: the region is the whole buffer, every value is a T, mapped memory is
        // aligned for every type (section 5.2.1), and nothing else uses it until it is
        // unmapped.
        unsafe {
            queue
                .enqueue_map_buffer(
                    &buffer.memory,
                    CL_BLOCKING,
                    flags,
                    0,
                    bytes,
                    &mut start,
                    &[],
                )
                .context("clEnqueueMapBuffer")?;
            change(std::slice::from_raw_parts_mut(
                start.cast(),
                buffer.elements,
            ));
            queue
                .enqueue_unmap_mem_object(buffer.memory.get(), start, &[])
                .context("clEnqueueUnmapMemObject")?
                .wait()?;
        }
        Ok(())
    }

    /// Overwrites the first elements of a buffer.
    ///
    /// # Errors
    /// `clEnqueueWriteBuffer`'s.
    pub fn write<T: Pod>(&self, buffer: &mut Buffer<T>, elements: &[T]) -> Result<()> {
        // SAFETY: the call blocks.
        unsafe {
            self.queue
                .enqueue_write_buffer(&mut buffer.memory, CL_BLOCKING, 0, elements, &[])
        }?;
        Ok(())
    }

    /// Enqueues a kernel. `local` may be empty: then the platform chooses.
    ///
    /// # Errors
    /// `clSetKernelArg`'s and `clEnqueueNDRangeKernel`'s.
    pub fn run(
        &self,
        kernel: &Kernel,
        global: &[usize],
        local: &[usize],
        arguments: &[&dyn Argument],
    ) -> Result<()> {
        self.run_from(kernel, &[], global, local, arguments)
    }

    /// The same with a global offset, which may be empty.
    ///
    /// # Errors
    /// As [`Self::run`].
    pub fn run_from(
        &self,
        kernel: &Kernel,
        offset: &[usize],
        global: &[usize],
        local: &[usize],
        arguments: &[&dyn Argument],
    ) -> Result<()> {
        self.enqueue(&self.queue, kernel, [offset, global, local], arguments, &[])?;
        Ok(())
    }

    /// Enqueues a kernel on any queue of the context, after `events`. Of offset, global and
    /// local size the first and the last may be empty.
    ///
    /// # Errors
    /// As [`Self::run`].
    pub fn enqueue(
        &self,
        queue: &CommandQueue,
        kernel: &Kernel,
        [offset, global, local]: [&[usize]; 3],
        arguments: &[&dyn Argument],
        events: &[cl_event],
    ) -> Result<Event> {
        for (index, argument) in arguments.iter().enumerate() {
            argument
                .set(kernel, index as u32)
                .with_context(|| format!("clSetKernelArg for argument {index}"))?;
        }
        let pointer = |sizes: &[usize]| {
            if sizes.is_empty() {
                null()
            } else {
                sizes.as_ptr()
            }
        };
        // SAFETY: offset, sizes and events are read during the call.
        unsafe {
            queue.enqueue_nd_range_kernel(
                kernel.get(),
                global.len() as u32,
                pointer(offset),
                global.as_ptr(),
                pointer(local),
                events,
            )
        }
        .context("clEnqueueNDRangeKernel")
    }
}

/// OpenCL's `float2`, aligned as in kernels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C, align(8))]
pub struct Float2(pub [f32; 2]);

/// OpenCL's `float4`, aligned as in kernels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C, align(16))]
pub struct Float4(pub [f32; 4]);
