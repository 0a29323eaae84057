//! A device with a context and a queue.

use super::objects::{Buffer, Event, Image, Kernel, Program, Sampler};
use super::owned::{Owned, check};
use anyhow::{Result, bail, ensure};
use bytemuck::Pod;
use cl_sys::*;
use std::ffi::{CString, c_void};
use std::marker::PhantomData;
use std::ptr::{null, null_mut};

/// A device of the only platform, with context and queue.
pub struct Session {
    context: Owned<cl_context>,
    device: cl_device_id,
    queue: Owned<cl_command_queue>,
}

impl Session {
    /// Opens the first device.
    ///
    /// # Errors
    /// There is none, or one of the calls failed.
    pub fn open() -> Result<Self> {
        Self::with(CL_DEVICE_TYPE_ALL, 0)
    }

    /// Opens the first device with a queue that profiles its events.
    ///
    /// # Errors
    /// As for [`Self::open`].
    pub fn open_profiled() -> Result<Self> {
        Self::with(CL_DEVICE_TYPE_ALL, CL_QUEUE_PROFILING_ENABLE)
    }

    /// Opens the first custom device with an out-of-order queue that profiles its events.
    ///
    /// # Errors
    /// As for [`Self::open`].
    pub fn open_custom() -> Result<Self> {
        let out_of_order = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
        Self::with(
            CL_DEVICE_TYPE_CUSTOM,
            CL_QUEUE_PROFILING_ENABLE | out_of_order,
        )
    }

    fn with(device_type: u64, properties: cl_command_queue_properties) -> Result<Self> {
        let mut platform = null_mut();
        let mut device = null_mut();
        let mut code = 0;
        // SAFETY: all pointers are to locals that outlive the calls.
        unsafe {
            check(
                "clGetPlatformIDs",
                clGetPlatformIDs(1, &mut platform, null_mut()),
            )?;
            check(
                "clGetDeviceIDs",
                clGetDeviceIDs(platform, device_type, 1, &mut device, null_mut()),
            )?;
            let context = clCreateContext(null(), 1, &device, None, null_mut(), &mut code);
            let context = Owned::new("clCreateContext", context, code, clReleaseContext)?;
            let queue = clCreateCommandQueue(context.handle, device, properties, &mut code);
            let queue = Owned::new("clCreateCommandQueue", queue, code, clReleaseCommandQueue)?;
            Ok(Self {
                context,
                device,
                queue,
            })
        }
    }

    /// Builds a program.
    ///
    /// # Errors
    /// It does not build: the first lines of the build log.
    pub fn program(&self, source: &str, options: &str) -> Result<Program> {
        let source = CString::new(source)?;
        let options = CString::new(options)?;
        let mut code = 0;
        // SAFETY: the strings outlive the calls.
        unsafe {
            let text = source.as_ptr();
            let program =
                clCreateProgramWithSource(self.context.handle, 1, &text, null(), &mut code);
            let program = Owned::new("clCreateProgramWithSource", program, code, clReleaseProgram)?;
            let options = options.as_ptr();
            let code = clBuildProgram(program.handle, 1, &self.device, options, None, null_mut());
            if code != CL_SUCCESS {
                let log = self.build_log(&program);
                let log = log.lines().take(3).collect::<Vec<_>>().join("; ");
                bail!("clBuildProgram returned {code}: {log}");
            }
            Ok(Program(program))
        }
    }

    /// A built-in kernel.
    ///
    /// # Errors
    /// The device has no such kernel.
    pub fn built_in_kernel(&self, name: &str) -> Result<Kernel> {
        let names = CString::new(name)?;
        let mut code = 0;
        // SAFETY: the string outlives the call.
        let program = unsafe {
            // cl-sys declares a pointer to Rust characters.
            let (context, names) = (self.context.handle, names.as_ptr().cast());
            clCreateProgramWithBuiltInKernels(context, 1, &self.device, names, &mut code)
        };
        let call = "clCreateProgramWithBuiltInKernels";
        Program(Owned::new(call, program, code, clReleaseProgram)?).kernel(name)
    }

    fn build_log(&self, program: &Owned<cl_program>) -> String {
        let mut log = vec![0u8; 4096];
        let mut size = 0;
        // SAFETY: the vector has that room.
        unsafe {
            clGetProgramBuildInfo(
                program.handle,
                self.device,
                CL_PROGRAM_BUILD_LOG,
                log.len(),
                log.as_mut_ptr().cast(),
                &mut size,
            );
        }
        log.truncate(size.saturating_sub(1));
        String::from_utf8_lossy(&log).into_owned()
    }

    /// Builds a program and creates one of its kernels.
    ///
    /// # Errors
    /// It does not build, or has no such kernel.
    pub fn kernel(&self, source: &str, name: &str) -> Result<Kernel> {
        self.program(source, "")?.kernel(name)
    }

    /// Creates a buffer with these elements.
    ///
    /// # Errors
    /// The platform's.
    pub fn buffer<T: Pod>(&self, elements: &[T]) -> Result<Buffer<T>> {
        let from = elements.as_ptr().cast_mut().cast();
        self.create(CL_MEM_COPY_HOST_PTR, elements.len(), from)
    }

    /// Creates a buffer of `count` uninitialised elements.
    ///
    /// # Errors
    /// The platform's.
    pub fn unwritten<T: Pod>(&self, elements: usize) -> Result<Buffer<T>> {
        self.create(0, elements, null_mut())
    }

    fn create<T: Pod>(
        &self,
        flags: cl_mem_flags,
        elements: usize,
        from: *mut c_void,
    ) -> Result<Buffer<T>> {
        let mut code = 0;
        // SAFETY: the call copies the elements, if there are any.
        let memory = unsafe {
            clCreateBuffer(
                self.context.handle,
                CL_MEM_READ_WRITE | flags,
                elements * size_of::<T>(),
                from,
                &mut code,
            )
        };
        Ok(Buffer {
            memory: Owned::new("clCreateBuffer", memory, code, clReleaseMemObject)?,
            elements,
            element: PhantomData,
        })
    }

    /// Reads all elements of a buffer.
    ///
    /// # Errors
    /// The platform's.
    pub fn read<T: Pod>(&self, buffer: &Buffer<T>) -> Result<Vec<T>> {
        let mut result = vec![T::zeroed(); buffer.elements];
        self.read_into(buffer, &mut result)?;
        Ok(result)
    }

    /// Reads the first elements of a buffer, as many as there is room for.
    ///
    /// # Errors
    /// There are fewer, or the platform's.
    pub fn read_into<T: Pod>(&self, buffer: &Buffer<T>, elements: &mut [T]) -> Result<()> {
        ensure!(elements.len() <= buffer.elements, "the buffer is too small");
        // SAFETY: there is room for the bytes read; the call blocks.
        let code = unsafe {
            clEnqueueReadBuffer(
                self.queue.handle,
                buffer.memory.handle,
                CL_TRUE,
                0,
                size_of_val(elements),
                elements.as_mut_ptr().cast(),
                0,
                null(),
                null_mut(),
            )
        };
        check("clEnqueueReadBuffer", code)
    }

    /// Maps a buffer for reading and writing, calls `look` with its elements, and enqueues the
    /// unmapping.
    ///
    /// # Errors
    /// The platform's.
    pub fn map<T: Pod, R>(&self, buffer: &Buffer<T>, look: impl FnOnce(&[T]) -> R) -> Result<R> {
        let mut code = 0;
        // SAFETY: the call blocks until the region is mapped; it stays mapped until the unmapping.
        unsafe {
            let start = clEnqueueMapBuffer(
                self.queue.handle,
                buffer.memory.handle,
                CL_TRUE,
                CL_MAP_READ | CL_MAP_WRITE,
                0,
                buffer.elements * size_of::<T>(),
                0,
                null(),
                null_mut(),
                &mut code,
            );
            check("clEnqueueMapBuffer", code)?;
            ensure!(!start.is_null(), "clEnqueueMapBuffer returned NULL");
            let seen = look(std::slice::from_raw_parts(start.cast(), buffer.elements));
            let code = clEnqueueUnmapMemObject(
                self.queue.handle,
                buffer.memory.handle,
                start,
                0,
                null(),
                null_mut(),
            );
            check("clEnqueueUnmapMemObject", code)?;
            Ok(seen)
        }
    }

    /// Overwrites a buffer's first elements.
    ///
    /// # Errors
    /// There are fewer, or the platform's.
    pub fn write<T: Pod>(&self, buffer: &Buffer<T>, elements: &[T]) -> Result<()> {
        ensure!(elements.len() <= buffer.elements, "the buffer is too small");
        // SAFETY: the call blocks until the elements are read.
        let code = unsafe {
            clEnqueueWriteBuffer(
                self.queue.handle,
                buffer.memory.handle,
                CL_TRUE,
                0,
                size_of_val(elements),
                elements.as_ptr().cast(),
                0,
                null(),
                null_mut(),
            )
        };
        check("clEnqueueWriteBuffer", code)
    }

    /// Creates an image with these pixels, row by row: red, green, blue and alpha from 0 to 1.
    ///
    /// # Errors
    /// The platform's.
    pub fn image(&self, width: usize, height: usize, pixels: &[[u8; 4]]) -> Result<Image> {
        ensure!(pixels.len() == width * height, "not as many pixels");
        let format = cl_image_format {
            image_channel_order: CL_RGBA,
            image_channel_data_type: CL_UNORM_INT8,
        };
        let description = cl_image_desc {
            image_type: CL_MEM_OBJECT_IMAGE2D,
            image_width: width,
            image_height: height,
            image_depth: 0,
            image_array_size: 0,
            image_row_pitch: 0,
            image_slice_pitch: 0,
            num_mip_levels: 0,
            num_samples: 0,
            buffer: null_mut(),
        };
        let mut code = 0;
        // SAFETY: the call copies the pixels.
        let memory = unsafe {
            clCreateImage(
                self.context.handle,
                CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                &format,
                &description,
                pixels.as_ptr().cast_mut().cast(),
                &mut code,
            )
        };
        Ok(Image {
            memory: Owned::new("clCreateImage", memory, code, clReleaseMemObject)?,
            width,
            height,
        })
    }

    /// Reads all pixels of an image.
    ///
    /// # Errors
    /// The platform's.
    pub fn read_image(&self, image: &Image) -> Result<Vec<[u8; 4]>> {
        let mut pixels = vec![[0; 4]; image.width * image.height];
        // SAFETY: the vector has room for the pixels; the call blocks.
        let code = unsafe {
            clEnqueueReadImage(
                self.queue.handle,
                image.memory.handle,
                CL_TRUE,
                [0; 3].as_ptr(),
                [image.width, image.height, 1].as_ptr(),
                0,
                0,
                pixels.as_mut_ptr().cast(),
                0,
                null(),
                null_mut(),
            )
        };
        check("clEnqueueReadImage", code)?;
        Ok(pixels)
    }

    /// Creates a sampler with unnormalised coordinates that clamps to the edge.
    ///
    /// # Errors
    /// The platform's.
    pub fn sampler_of_edges(&self) -> Result<Sampler> {
        let mut code = 0;
        // SAFETY: the context lives.
        let sampler = unsafe {
            clCreateSampler(
                self.context.handle,
                CL_FALSE,
                CL_ADDRESS_CLAMP_TO_EDGE,
                CL_FILTER_NEAREST,
                &mut code,
            )
        };
        Owned::new("clCreateSampler", sampler, code, clReleaseSampler).map(Sampler)
    }

    /// Launches a kernel; `None` leaves the local size to the platform.
    ///
    /// # Errors
    /// The platform's.
    pub fn enqueue(
        &self,
        kernel: &Kernel,
        global: &[usize],
        local: Option<&[usize]>,
    ) -> Result<()> {
        self.enqueue_with(&[], null_mut(), kernel, global, local)
    }

    /// Launches a kernel that waits for an event, if one is given, and returns its own event.
    ///
    /// # Errors
    /// The platform's.
    pub fn enqueue_after(
        &self,
        before: Option<&Event>,
        kernel: &Kernel,
        global: &[usize],
        local: Option<&[usize]>,
    ) -> Result<Event> {
        let wait_list: Vec<cl_event> = before.iter().map(|event| event.0.handle).collect();
        let mut event = null_mut();
        self.enqueue_with(&wait_list, &mut event, kernel, global, local)?;
        Owned::new("clEnqueueNDRangeKernel", event, CL_SUCCESS, clReleaseEvent).map(Event)
    }

    /// `event` may be null.
    fn enqueue_with(
        &self,
        wait_list: &[cl_event],
        event: *mut cl_event,
        kernel: &Kernel,
        global: &[usize],
        local: Option<&[usize]>,
    ) -> Result<()> {
        if let Some(local) = local {
            ensure!(local.len() == global.len(), "dimensions differ");
        }
        // SAFETY: the sizes are read during the call.
        let code = unsafe {
            clEnqueueNDRangeKernel(
                self.queue.handle,
                kernel.0.handle,
                global.len() as cl_uint,
                null(),
                global.as_ptr(),
                local.map_or(null(), <[usize]>::as_ptr),
                wait_list.len() as cl_uint,
                if wait_list.is_empty() {
                    null()
                } else {
                    wait_list.as_ptr()
                },
                event,
            )
        };
        check("clEnqueueNDRangeKernel", code)
    }

    /// Waits until all commands have ended.
    ///
    /// # Errors
    /// The platform's.
    pub fn finish(&self) -> Result<()> {
        // SAFETY: the queue lives.
        check("clFinish", unsafe { clFinish(self.queue.handle) })
    }

    /// Launches a kernel and waits for its end.
    ///
    /// # Errors
    /// The platform's.
    pub fn run(&self, kernel: &Kernel, global: &[usize], local: Option<&[usize]>) -> Result<()> {
        self.enqueue(kernel, global, local)?;
        self.finish()
    }
}
