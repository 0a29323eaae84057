//! One command of each type.

use crate::cases::calls;
use anyhow::Result;
use cl_sys::*;
use harness::call::{code, made, ok};
use harness::feature::Feature;
use harness::object::{Event, Kernel, Memory, Object, Queue};
use harness::session::Session;
use std::ffi::c_void;
use std::ptr::{null, null_mut};

/// Size of buffers, of images (4 by 4 pixels, RGBA of 8 bits) and of host memory, in bytes.
pub const BYTES: usize = 64;

const ORIGIN: [usize; 3] = [0; 3];
const BOX: [usize; 3] = [8, 4, 1];
const PIXELS: [usize; 3] = [4, 4, 1];

/// The objects on which commands operate. Queues must have finished before they are dropped.
pub struct Commands {
    context: cl_context,
    kernel: Object<Kernel>,
    /// A buffer of bytes `0xA0`, which commands read.
    pub from: Object<Memory>,
    /// A buffer of bytes `0xB0`, which commands write.
    pub to: Object<Memory>,
    /// Images of bytes `0xB0`, if the device supports images.
    images: Option<[Object<Memory>; 2]>,
    /// Host memory of bytes `0xC0`.
    host: *mut [u8],
    /// A queue for maps before unmap commands, which do not wait.
    maps: Object<Queue>,
}

impl Drop for Commands {
    fn drop(&mut self) {
        // SAFETY: it is the box of `new`; no command uses it any more.
        drop(unsafe { Box::from_raw(self.host) });
    }
}

/// Enqueues a command with a wait list. Returns the code.
type Enqueue = fn(&Commands, cl_command_queue, cl_uint, *const cl_event, *mut cl_event) -> cl_int;

/// A type of commands.
pub struct Kind {
    /// The function.
    pub name: &'static str,
    /// `CL_EVENT_COMMAND_TYPE`
    pub command: cl_uint,
    /// Whether the command uses images.
    of_images: bool,
    enqueue: Enqueue,
}

macro_rules! kind {
    ($function:ident $command:ident $of_images:literal
     |$commands:ident| ($($argument:expr),* $(,)?)) => {
        Kind {
            name: stringify!($function),
            command: $command,
            of_images: $of_images,
            enqueue: |$commands, queue, count, list, event| {
                code!($function(queue, $($argument,)* count, list, event))
            },
        }
    };
}

const KINDS: [Kind; 19] = [
    kind!(clEnqueueNDRangeKernel CL_COMMAND_NDRANGE_KERNEL false |commands| (
        commands.kernel.get(), 1, null(), [BYTES].as_ptr(), null()
    )),
    kind!(clEnqueueTask CL_COMMAND_TASK false |commands| (commands.kernel.get())),
    kind!(clEnqueueReadBuffer CL_COMMAND_READ_BUFFER false |commands| (
        commands.from.get(), CL_FALSE, 0, BYTES, commands.host()
    )),
    kind!(clEnqueueWriteBuffer CL_COMMAND_WRITE_BUFFER false |commands| (
        commands.to.get(), CL_FALSE, 0, BYTES, commands.host()
    )),
    kind!(clEnqueueCopyBuffer CL_COMMAND_COPY_BUFFER false |commands| (
        commands.from.get(), commands.to.get(), 0, 0, BYTES
    )),
    kind!(clEnqueueFillBuffer CL_COMMAND_FILL_BUFFER false |commands| (
        commands.to.get(), [BYTES].as_ptr().cast(), 4, 0, BYTES
    )),
    kind!(clEnqueueReadBufferRect CL_COMMAND_READ_BUFFER_RECT false |commands| (
        commands.from.get(), CL_FALSE, ORIGIN.as_ptr(), ORIGIN.as_ptr(), BOX.as_ptr(),
        8, 0, 8, 0, commands.host()
    )),
    kind!(clEnqueueWriteBufferRect CL_COMMAND_WRITE_BUFFER_RECT false |commands| (
        commands.to.get(), CL_FALSE, ORIGIN.as_ptr(), ORIGIN.as_ptr(), BOX.as_ptr(),
        8, 0, 8, 0, commands.host()
    )),
    kind!(clEnqueueCopyBufferRect CL_COMMAND_COPY_BUFFER_RECT false |commands| (
        commands.from.get(), commands.to.get(), ORIGIN.as_ptr(), ORIGIN.as_ptr(), BOX.as_ptr(),
        8, 0, 8, 0
    )),
    kind!(clEnqueueMigrateMemObjects CL_COMMAND_MIGRATE_MEM_OBJECTS false |commands| (
        1, &commands.from.get(), 0
    )),
    kind!(clEnqueueMarkerWithWaitList CL_COMMAND_MARKER false |_commands| ()),
    kind!(clEnqueueBarrierWithWaitList CL_COMMAND_BARRIER false |_commands| ()),
    Kind {
        name: "clEnqueueMapBuffer",
        command: CL_COMMAND_MAP_BUFFER,
        of_images: false,
        enqueue: |commands, queue, count, list, event| {
            let (memory, flags, mut code) = (commands.from.get(), CL_MAP_READ, CL_SUCCESS);
            code!(clEnqueueMapBuffer(
                queue,
                memory,
                CL_FALSE,
                flags,
                0,
                BYTES,
                count,
                list,
                event,
                &raw mut code
            ));
            code
        },
    },
    Kind {
        name: "clEnqueueUnmapMemObject",
        command: CL_COMMAND_UNMAP_MEM_OBJECT,
        of_images: false,
        enqueue: |commands, queue, count, list, event| {
            let (memory, flags, mut code) = (commands.from.get(), CL_MAP_READ, CL_SUCCESS);
            let none = null_mut();
            let start = code!(clEnqueueMapBuffer(
                commands.maps.get(),
                memory,
                CL_TRUE,
                flags,
                0,
                BYTES,
                0,
                null(),
                none,
                &raw mut code
            ));
            if code != CL_SUCCESS {
                return code;
            }
            code!(clEnqueueUnmapMemObject(
                queue, memory, start, count, list, event
            ))
        },
    },
    kind!(clEnqueueReadImage CL_COMMAND_READ_IMAGE true |commands| (
        commands.image(0), CL_FALSE, ORIGIN.as_ptr(), PIXELS.as_ptr(), 0, 0, commands.host()
    )),
    kind!(clEnqueueWriteImage CL_COMMAND_WRITE_IMAGE true |commands| (
        commands.image(1), CL_FALSE, ORIGIN.as_ptr(), PIXELS.as_ptr(), 0, 0, commands.host()
    )),
    kind!(clEnqueueCopyImage CL_COMMAND_COPY_IMAGE true |commands| (
        commands.image(0), commands.image(1), ORIGIN.as_ptr(), ORIGIN.as_ptr(), PIXELS.as_ptr()
    )),
    kind!(clEnqueueCopyImageToBuffer CL_COMMAND_COPY_IMAGE_TO_BUFFER true |commands| (
        commands.image(0), commands.to.get(), ORIGIN.as_ptr(), PIXELS.as_ptr(), 0
    )),
    kind!(clEnqueueCopyBufferToImage CL_COMMAND_COPY_BUFFER_TO_IMAGE true |commands| (
        commands.from.get(), commands.image(1), 0, ORIGIN.as_ptr(), PIXELS.as_ptr()
    )),
];

impl Commands {
    /// Creates buffers, images if the device supports them, and a kernel that writes `to`.
    pub fn new(session: &Session) -> Result<Self> {
        let context = session.context.get();
        let source = "kernel void test(global const uchar *from, global uchar *to)\n\
                      {\n    to[get_global_id(0)] = from[get_global_id(0)] + 1;\n}\n";
        session.show_source(source)?;
        let program = calls::program(context, source)?;
        calls::is(
            "clBuildProgram",
            calls::build(session, program.get(), "")?,
            CL_SUCCESS,
        )?;
        let kernel = made!(clCreateKernel(program.get(), c"test".as_ptr())).map(Object::new)?;
        let from = calls::buffer(context, CL_MEM_READ_WRITE, &[0xA0; BYTES])?;
        let to = calls::buffer(context, CL_MEM_READ_WRITE, &[0xB0; BYTES])?;
        for (index, memory) in [&from, &to].into_iter().enumerate() {
            let handle = memory.get();
            ok!(clSetKernelArg(
                kernel.get(),
                index as cl_uint,
                size_of::<cl_mem>(),
                (&raw const handle).cast()
            ))?;
        }
        let images = if session.has(Feature::Images)? {
            let image = || {
                let mut format = cl_image_format {
                    image_channel_order: CL_RGBA,
                    image_channel_data_type: CL_UNSIGNED_INT8,
                };
                let mut pixels = [0xB0u8; BYTES];
                made!(clCreateImage2D(
                    context,
                    CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                    &raw mut format,
                    PIXELS[0],
                    PIXELS[1],
                    0,
                    pixels.as_mut_ptr().cast()
                ))
                .map(Object::new)
            };
            Some([image()?, image()?])
        } else {
            None
        };
        let host = Box::into_raw(vec![0xC0u8; BYTES].into_boxed_slice());
        Ok(Self {
            context,
            kernel,
            from,
            to,
            images,
            host,
            maps: calls::queue(session, 0)?,
        })
    }

    fn host(&self) -> *mut c_void {
        self.host.cast()
    }

    fn image(&self, number: usize) -> cl_mem {
        self.images
            .as_ref()
            .map_or(null_mut(), |images| images[number].get())
    }

    /// The types of commands that the device supports.
    pub fn kinds(&self) -> impl Iterator<Item = &'static Kind> {
        let has_images = self.images.is_some();
        KINDS
            .iter()
            .filter(move |kind| has_images || !kind.of_images)
    }

    /// Enqueues a command with a wait list.
    ///
    /// # Errors
    /// The call fails; the error names the function.
    pub fn enqueue(
        &self,
        kind: &Kind,
        queue: &Object<Queue>,
        after: &[cl_event],
    ) -> Result<Object<Event>> {
        let mut event = null_mut();
        let list = if after.is_empty() {
            null()
        } else {
            after.as_ptr()
        };
        let count = after.len() as cl_uint;
        let code = (kind.enqueue)(self, queue.get(), count, list, &raw mut event);
        calls::is(kind.name, code, CL_SUCCESS)?;
        Ok(Object::new(event))
    }

    /// The contents of `from`, `to`, the second image and the host memory. All commands must have
    /// ended.
    pub fn contents(&self, session: &Session) -> Result<Vec<(&'static str, Vec<u8>)>> {
        let queue = calls::queue(session, 0)?;
        let mut all = Vec::new();
        for (name, memory) in [
            ("the first buffer", &self.from),
            ("the second buffer", &self.to),
        ] {
            let mut bytes = vec![0; BYTES];
            ok!(clEnqueueReadBuffer(
                queue.get(),
                memory.get(),
                CL_TRUE,
                0,
                BYTES,
                bytes.as_mut_ptr().cast(),
                0,
                null(),
                null_mut()
            ))?;
            all.push((name, bytes));
        }
        if self.images.is_some() {
            let mut bytes = vec![0u8; BYTES];
            ok!(clEnqueueReadImage(
                queue.get(),
                self.image(1),
                CL_TRUE,
                ORIGIN.as_ptr(),
                PIXELS.as_ptr(),
                0,
                0,
                bytes.as_mut_ptr().cast(),
                0,
                null(),
                null_mut()
            ))?;
            all.push(("the second image", bytes));
        }
        // SAFETY: no command writes it any more.
        all.push(("the host's memory", unsafe { (*self.host).to_vec() }));
        Ok(all)
    }

    /// The context of all objects.
    pub fn context(&self) -> cl_context {
        self.context
    }
}
