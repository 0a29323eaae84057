//! Kernels put into queues.

use crate::event::user_event;
use crate::objects::{image, sampler};
use crate::session::{Session, ok};
use crate::stale;
use crate::table::{Entry, table};
use cl_sys::*;
use std::ffi::c_void;
use std::ptr::{null, null_mut};

const SOURCE: &str = "
    kernel void none() {}
    kernel void one(global int *x) { if (x) *x = 1; }
    kernel __attribute__((reqd_work_group_size(8, 1, 1))) void eight() {}
    kernel __attribute__((reqd_work_group_size(8, 2, 1))) void plane() {}
    kernel void scratch(local int *a, local int *b) { *a = *b = 1; }";

/// Kernels beyond this platform's limits; others may refuse to build them.
const EXCESSIVE: &str = "
    kernel __attribute__((reqd_work_group_size(2048, 1, 1))) void crowd() {}
    kernel void large() { local int x[200000]; x[get_global_id(0)] = 1; }";

/// A launch: mostly a good one.
struct Launch {
    queue: cl_command_queue,
    kernel: cl_kernel,
    dimensions: u32,
    offset: Option<[usize; 3]>,
    global: Option<[usize; 3]>,
    local: Option<[usize; 3]>,
    wait_list: Vec<cl_event>,
    events: Option<u32>,
}

impl Launch {
    fn new(session: &Session, kernel: &str) -> Self {
        Self {
            queue: session.queue,
            kernel: session.kernel(
                match kernel {
                    "crowd" | "large" => EXCESSIVE,
                    _ => SOURCE,
                },
                kernel,
            ),
            dimensions: 1,
            offset: None,
            global: Some([16, 1, 1]),
            local: None,
            wait_list: Vec::new(),
            events: None,
        }
    }

    fn none(session: &Session) -> Self {
        Self::new(session, "none")
    }

    fn run(self) -> cl_int {
        let sizes = |sizes: &Option<[usize; 3]>| sizes.as_ref().map_or(null(), |s| s.as_ptr());
        let list = if self.wait_list.is_empty() {
            null()
        } else {
            self.wait_list.as_ptr()
        };
        // SAFETY: sizes and list are read during the call; more events than there are
        // must be refused without a look at them.
        unsafe {
            clEnqueueNDRangeKernel(
                self.queue,
                self.kernel,
                self.dimensions,
                sizes(&self.offset),
                sizes(&self.global),
                sizes(&self.local),
                self.events.unwrap_or(self.wait_list.len() as u32),
                list,
                null_mut(),
            )
        }
    }

    /// As a task.
    fn task(self) -> cl_int {
        let list = if self.wait_list.is_empty() {
            null()
        } else {
            self.wait_list.as_ptr()
        };
        let count = self.events.unwrap_or(self.wait_list.len() as u32);
        // SAFETY: as above.
        unsafe { clEnqueueTask(self.queue, self.kernel, count, list, null_mut()) }
    }
}

/// A kernel that is built for the session's second device only.
fn built_for_the_other_device(session: &Session) -> cl_kernel {
    let program = session.program(SOURCE);
    let device = &session.devices[1];
    // SAFETY: the list is read during the call.
    ok(unsafe { clBuildProgram(program, 1, device, null(), None, null_mut()) });
    session.kernel_of(program, "none")
}

/// A kernel that wants two pieces of local memory of these sizes.
fn wanting_local_memory(session: &Session, sizes: [usize; 2]) -> Launch {
    let launch = Launch::new(session, "scratch");
    for (index, size) in sizes.into_iter().enumerate() {
        // SAFETY: there is no value to be read.
        ok(unsafe { clSetKernelArg(launch.kernel, index as u32, size, null()) });
    }
    launch
}

/// A kernel whose buffer is gone.
fn without_its_buffer(session: &Session) -> Launch {
    let launch = Launch::new(session, "one");
    let buffer = session.buffer(&[0]);
    ok(session.set(launch.kernel, 0, &buffer));
    // SAFETY: the buffer is valid.
    ok(unsafe { clReleaseMemObject(buffer) });
    launch
}

/// A kernel with `count` arguments of a type, set to `value` or to one local byte.
fn with_arguments<T>(session: &Session, ty: &str, count: u32, value: &T) -> Launch {
    let list: Vec<String> = (0..count).map(|index| format!("{ty} x{index}")).collect();
    let source = format!("kernel void k({}) {{}}", list.join(", "));
    let kernel = session.kernel(&source, "k");
    for index in 0..count {
        ok(session.set(kernel, index, value));
    }
    Launch {
        kernel,
        ..Launch::none(session)
    }
}

extern "C" fn nothing(_: *mut c_void) {}

type Function = extern "C" fn(*mut c_void);

/// A native kernel: mostly a good one, with a buffer in its block.
struct Native {
    queue: cl_command_queue,
    function: Option<Function>,
    block: Option<Box<[cl_mem; 2]>>,
    bytes: usize,
    objects: u32,
    list: Option<[cl_mem; 1]>,
    /// Where in the block the handle is, bytes.
    location: Option<usize>,
    wait_list: Vec<cl_event>,
    events: Option<u32>,
}

impl Native {
    fn new(session: &Session) -> Self {
        let buffer = session.buffer(&[0u8; 64]);
        Self {
            queue: session.queue,
            function: Some(nothing),
            block: Some(Box::new([null_mut(), buffer])),
            bytes: 16,
            objects: 1,
            list: Some([buffer]),
            location: Some(8),
            wait_list: Vec::new(),
            events: None,
        }
    }

    fn run(self) -> cl_int {
        let block = self.block.as_ref().map_or(null(), |block| block.as_ptr());
        let place = self
            .location
            .map(|offset| block.cast::<u8>().wrapping_add(offset).cast());
        let mut place: Option<[*const c_void; 1]> = place.map(|place| [place]);
        let list = if self.wait_list.is_empty() {
            null()
        } else {
            self.wait_list.as_ptr()
        };
        // SAFETY: lists have one element each; the block has 16 bytes; more events than
        // there are must be refused without a look at them.
        unsafe {
            clEnqueueNativeKernel(
                self.queue,
                self.function,
                block.cast_mut().cast(),
                self.bytes,
                self.objects,
                self.list.as_ref().map_or(null(), |list| list.as_ptr()),
                place
                    .as_mut()
                    .map_or(null_mut(), |place| place.as_mut_ptr()),
                self.events.unwrap_or(self.wait_list.len() as u32),
                list,
                null_mut(),
            )
        }
    }
}

/// The cases.
pub static CASES: &[Entry] = table! {
    clEnqueueNDRangeKernel {
        CL_INVALID_PROGRAM_EXECUTABLE {
            not_built_for_the_device: |session| {
                let kernel = built_for_the_other_device(session);
                Launch { kernel, ..Launch::none(session) }.run()
            },
        }
        CL_INVALID_COMMAND_QUEUE {
            null: |session| Launch { queue: null_mut(), ..Launch::none(session) }.run(),
            released: |session| {
                Launch { queue: stale::queue(session), ..Launch::none(session) }.run()
            },
            a_context: |session| {
                Launch { queue: session.context.cast(), ..Launch::none(session) }.run()
            },
        }
        CL_INVALID_KERNEL {
            null: |session| Launch { kernel: null_mut(), ..Launch::none(session) }.run(),
            released: |session| {
                Launch { kernel: stale::kernel(session), ..Launch::none(session) }.run()
            },
            a_program: |session| {
                Launch { kernel: session.built(SOURCE).cast(), ..Launch::none(session) }.run()
            },
        }
        CL_INVALID_CONTEXT {
            a_kernel_of_another_context: |session| {
                Launch { queue: session.queue, ..Launch::none(&session.another()) }.run()
            },
            an_event_of_another_context: |session| {
                let wait_list = vec![user_event(session), user_event(&session.another())];
                Launch { wait_list, ..Launch::none(session) }.run()
            },
        }
        CL_INVALID_KERNEL_ARGS {
            not_set: |session| Launch::new(session, "one").run(),
            only_some_set: |session| {
                let launch = Launch::new(session, "scratch");
                // SAFETY: there is no value to be read.
                ok(unsafe { clSetKernelArg(launch.kernel, 0, 4, null()) });
                launch.run()
            },
            a_buffer_has_been_released: |session| without_its_buffer(session).run(),
        }
        CL_INVALID_WORK_DIMENSION {
            none: |session| Launch { dimensions: 0, ..Launch::none(session) }.run(),
            four: |session| Launch { dimensions: 4, ..Launch::none(session) }.run(),
        }
        CL_INVALID_GLOBAL_WORK_SIZE {
            null: |session| Launch { global: None, ..Launch::none(session) }.run(),
            size_0: |session| Launch { global: Some([0, 1, 1]), ..Launch::none(session) }.run(),
            size_0_in_the_third_dimension: |session| {
                Launch { dimensions: 3, global: Some([4, 4, 0]), ..Launch::none(session) }.run()
            },
            more_work_items_than_size_t_counts: |session| {
                Launch { dimensions: 2, global: Some([1 << 40; 3]), ..Launch::none(session) }.run()
            },
        }
        CL_INVALID_GLOBAL_OFFSET {
            ids_beyond_size_t: |session| {
                Launch { offset: Some([usize::MAX - 14; 3]), ..Launch::none(session) }.run()
            },
            ids_beyond_size_t_in_the_second_dimension: |session| {
                Launch {
                    dimensions: 2,
                    offset: Some([0, usize::MAX, 0]),
                    ..Launch::none(session)
                }
                .run()
            },
        }
        CL_INVALID_WORK_GROUP_SIZE {
            not_as_the_kernel_demands: |session| {
                Launch { local: Some([4, 1, 1]), ..Launch::new(session, "eight") }.run()
            },
            left_out_and_the_required_one_does_not_divide: |session| {
                Launch { global: Some([20, 1, 1]), ..Launch::new(session, "eight") }.run()
            },
            left_out_and_the_required_one_has_more_dimensions: |session| {
                Launch::new(session, "plane").run()
            },
            left_out_and_the_required_one_too_large: |session| {
                Launch { global: Some([4096, 1, 1]), ..Launch::new(session, "crowd") }.run()
            },
            does_not_divide: |session| {
                Launch { local: Some([5, 1, 1]), ..Launch::none(session) }.run()
            },
            does_not_divide_though_demanded: |session| {
                Launch {
                    local: Some([8, 1, 1]),
                    global: Some([20, 1, 1]),
                    ..Launch::new(session, "eight")
                }
                .run()
            },
            too_many_work_items: |session| {
                Launch {
                    dimensions: 2,
                    global: Some([64; 3]),
                    local: Some([64, 64, 1]),
                    ..Launch::none(session)
                }
                .run()
            },
            size_0: |session| Launch { local: Some([0; 3]), ..Launch::none(session) }.run(),
        }
        CL_INVALID_WORK_ITEM_SIZE {
            larger_than_the_devices: |session| {
                Launch {
                    global: Some([4096, 1, 1]),
                    local: Some([4096, 1, 1]),
                    ..Launch::none(session)
                }
                .run()
            },
            largest: |session| {
                Launch { local: Some([usize::MAX; 3]), ..Launch::none(session) }.run()
            },
        }
        CL_INVALID_EVENT_WAIT_LIST {
            null_but_counted: |session| Launch { events: Some(1), ..Launch::none(session) }.run(),
            count_0: |session| {
                Launch {
                    wait_list: vec![user_event(session)],
                    events: Some(0),
                    ..Launch::none(session)
                }
                .run()
            },
            a_null_event: |session| {
                Launch { wait_list: vec![null_mut()], ..Launch::none(session) }.run()
            },
            a_released_event: |session| {
                Launch { wait_list: vec![stale::event(session)], ..Launch::none(session) }.run()
            },
        }
        CL_OUT_OF_RESOURCES {
            local_variables_too_large: |session| Launch::new(session, "large").run(),
            local_arguments_too_large: |session| {
                wanting_local_memory(session, [640 << 10, 4]).run()
            },
            local_arguments_whose_sum_overflows: |session| {
                wanting_local_memory(session, [usize::MAX, 128]).run()
            },
            too_many_samplers: |session| {
                with_arguments(session, "sampler_t", 17, &sampler(session)).run()
            },
            too_many_images: |session| {
                with_arguments(session, "write_only image2d_t", 129, &image(session, 0)).run()
            },
            arguments_too_large: |session| {
                with_arguments(session, "long16", 9, &[0u64; 16]).run()
            },
        }
    }
    clEnqueueTask {
        CL_INVALID_PROGRAM_EXECUTABLE {
            not_built_for_the_device: |session| {
                let kernel = built_for_the_other_device(session);
                Launch { kernel, ..Launch::none(session) }.task()
            },
        }
        CL_INVALID_COMMAND_QUEUE {
            null: |session| Launch { queue: null_mut(), ..Launch::none(session) }.task(),
            released: |session| {
                Launch { queue: stale::queue(session), ..Launch::none(session) }.task()
            },
        }
        CL_INVALID_KERNEL {
            null: |session| Launch { kernel: null_mut(), ..Launch::none(session) }.task(),
            released: |session| {
                Launch { kernel: stale::kernel(session), ..Launch::none(session) }.task()
            },
        }
        CL_INVALID_CONTEXT {
            a_kernel_of_another_context: |session| {
                Launch { queue: session.queue, ..Launch::none(&session.another()) }.task()
            },
            an_event_of_another_context: |session| {
                let wait_list = vec![user_event(&session.another())];
                Launch { wait_list, ..Launch::none(session) }.task()
            },
        }
        CL_INVALID_KERNEL_ARGS {
            not_set: |session| Launch::new(session, "one").task(),
            a_buffer_has_been_released: |session| without_its_buffer(session).task(),
        }
        CL_INVALID_WORK_GROUP_SIZE {
            the_kernel_demands_another: |session| Launch::new(session, "eight").task(),
        }
        CL_INVALID_EVENT_WAIT_LIST {
            null_but_counted: |session| Launch { events: Some(1), ..Launch::none(session) }.task(),
            a_null_event: |session| {
                Launch { wait_list: vec![null_mut()], ..Launch::none(session) }.task()
            },
        }
        CL_OUT_OF_RESOURCES {
            local_variables_too_large: |session| Launch::new(session, "large").task(),
        }
    }
    clEnqueueNativeKernel {
        CL_INVALID_COMMAND_QUEUE {
            null: |session| Native { queue: null_mut(), ..Native::new(session) }.run(),
            released: |session| {
                Native { queue: stale::queue(session), ..Native::new(session) }.run()
            },
        }
        CL_INVALID_CONTEXT {
            an_event_of_another_context: |session| {
                let wait_list = vec![user_event(&session.another())];
                Native { wait_list, ..Native::new(session) }.run()
            },
            a_buffer_of_another_context: |session| {
                Native { queue: session.queue, ..Native::new(&session.another()) }.run()
            },
        }
        CL_INVALID_VALUE {
            function_null: |session| Native { function: None, ..Native::new(session) }.run(),
            arguments_null_but_counted: |session| {
                Native { block: None, objects: 0, list: None, location: None, ..Native::new(session) }
                    .run()
            },
            arguments_null_but_there_are_buffers: |session| {
                Native { block: None, bytes: 0, ..Native::new(session) }.run()
            },
            cb_args_0: |session| {
                Native { bytes: 0, objects: 0, list: None, location: None, ..Native::new(session) }
                    .run()
            },
            mem_list_null: |session| Native { list: None, ..Native::new(session) }.run(),
            args_mem_loc_null: |session| Native { location: None, ..Native::new(session) }.run(),
            mem_list_without_a_count: |session| {
                Native { objects: 0, location: None, ..Native::new(session) }.run()
            },
            args_mem_loc_without_a_count: |session| {
                Native { objects: 0, list: None, ..Native::new(session) }.run()
            },
            a_location_outside_the_arguments: |session| {
                Native { location: Some(9), ..Native::new(session) }.run()
            },
        }
        CL_INVALID_MEM_OBJECT {
            released: |session| {
                Native { list: Some([stale::buffer(session)]), ..Native::new(session) }.run()
            },
            an_image: |session| {
                Native { list: Some([image(session, 0)]), ..Native::new(session) }.run()
            },
            a_queue: |session| {
                Native { list: Some([session.queue.cast()]), ..Native::new(session) }.run()
            },
        }
        CL_INVALID_EVENT_WAIT_LIST {
            null_but_counted: |session| Native { events: Some(1), ..Native::new(session) }.run(),
            a_released_event: |session| {
                Native { wait_list: vec![stale::event(session)], ..Native::new(session) }.run()
            },
        }
    }
};
