//! Functions of the host program as commands, and tasks.

use crate::session::{Session, answer, made, ok};
use cl_sys::*;
use std::ffi::c_void;
use std::ptr::{null, null_mut};

/// `clEnqueueNativeKernel` with the bytes of `block`, at whose `places` handles of
/// `buffers` are.
fn enqueue<T>(
    session: &Session,
    function: extern "C" fn(*mut c_void),
    block: &T,
    buffers: &[cl_mem],
    places: &[usize],
    wait: &[cl_event],
) -> cl_event {
    let start = std::ptr::from_ref(block).cast::<u8>();
    let places = places.iter().map(|place| start.wrapping_add(*place).cast());
    let mut places: Vec<*const c_void> = places.collect();
    let mut event = null_mut();
    // SAFETY: lists and block are read during the call.
    ok(unsafe {
        clEnqueueNativeKernel(
            session.queue,
            Some(function),
            start.cast_mut().cast(),
            size_of::<T>(),
            buffers.len() as u32,
            crate::linking::start(buffers),
            if places.is_empty() {
                null_mut()
            } else {
                places.as_mut_ptr()
            },
            wait.len() as u32,
            crate::linking::start(wait),
            &mut event,
        )
    });
    event
}

fn command_type(event: cl_event) -> u32 {
    let bytes = answer(|size, value, size_ret| {
        // SAFETY: `answer` gives room.
        unsafe { clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, size, value, size_ret) }
    });
    u32::from_ne_bytes(bytes.try_into().unwrap())
}

/// Adds `count` to the first element; what is in the place of no buffer must be null.
#[repr(C)]
struct Block {
    count: i32,
    from: cl_mem,
    none: cl_mem,
    to: cl_mem,
}

extern "C" fn add(block: *mut c_void) {
    assert_eq!(block.addr() % 16, 0);
    // SAFETY: the test gives such a block, with buffers of one int.
    unsafe {
        let block = &*block.cast::<Block>();
        assert!(block.none.is_null());
        *block.to.cast::<i32>() = *block.from.cast::<i32>() + block.count;
    }
}

#[test]
fn handles_become_pointers_in_a_copy_of_the_block() {
    let session = Session::open();
    let (from, to) = (session.buffer(&[5]), session.buffer(&[0]));
    // SAFETY: the context is valid.
    let gate = made(|code| unsafe { clCreateUserEvent(session.context, code) });
    let mut block = Block {
        count: 3,
        from,
        none: 0x5555 as cl_mem,
        to,
    };
    let places = [
        std::mem::offset_of!(Block, from),
        std::mem::offset_of!(Block, none),
        std::mem::offset_of!(Block, to),
    ];
    let buffers = [from, null_mut(), to];
    let event = enqueue(&session, add, &block, &buffers, &places, &[gate]);
    assert_eq!(command_type(event), CL_COMMAND_NATIVE_KERNEL);
    // The block is the host's again, and so are the buffers but for their memory.
    assert!(block.from == from && block.to == to);
    std::hint::black_box(&mut block).count = 1000;
    // SAFETY: the handles are valid.
    unsafe {
        ok(clReleaseMemObject(from));
        ok(clSetUserEventStatus(gate, CL_COMPLETE));
    }
    assert_eq!(session.read::<i32>(to, 1), [8]);
}

#[test]
fn handles_may_be_anywhere_in_the_block() {
    #[repr(C, packed)]
    struct Packed {
        first: u8,
        buffer: cl_mem,
        value: u32,
    }
    extern "C" fn write(block: *mut c_void) {
        // SAFETY: the test gives such a block, with a buffer of one int.
        unsafe {
            let block = block.cast::<Packed>().read_unaligned();
            *{ block.buffer }.cast::<u32>() = block.value + u32::from(block.first);
        }
    }
    let session = Session::open();
    let buffer = session.buffer(&[0u32]);
    let block = Packed {
        first: 1,
        buffer,
        value: 41,
    };
    enqueue(&session, write, &block, &[buffer], &[1], &[]);
    assert_eq!(session.read::<u32>(buffer, 1), [42]);
}

#[test]
fn a_native_kernel_does_not_hang_by_waiting_for_itself() {
    #[repr(C)]
    struct Own {
        queue: cl_command_queue,
        buffer: cl_mem,
        codes: *mut [i32; 3],
    }
    extern "C" fn wait(block: *mut c_void) {
        // SAFETY: the test gives such a block and waits until the command has ended.
        unsafe {
            let own = &*block.cast::<Own>();
            let mut later = null_mut();
            ok(clEnqueueMarkerWithWaitList(
                own.queue,
                0,
                null(),
                &mut later,
            ));
            let mut byte = 0u8;
            let to = (&raw mut byte).cast();
            *own.codes = [
                clFinish(own.queue),
                clWaitForEvents(1, &later),
                clEnqueueReadBuffer(
                    own.queue,
                    own.buffer,
                    CL_TRUE,
                    0,
                    1,
                    to,
                    0,
                    null(),
                    null_mut(),
                ),
            ];
            ok(clReleaseEvent(later));
        }
    }
    let session = Session::open();
    let mut codes = [1; 3];
    let block = Own {
        queue: session.queue,
        buffer: session.buffer(&[0]),
        codes: &raw mut codes,
    };
    let event = enqueue(&session, wait, &block, &[], &[], &[]);
    // SAFETY: the event is valid.
    ok(unsafe { clWaitForEvents(1, &event) });
    let expected = [
        CL_INVALID_OPERATION,
        CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
        CL_INVALID_OPERATION,
    ];
    assert_eq!(codes, expected);
}

#[test]
fn native_kernels_run_in_their_turn_and_use_the_api() {
    #[repr(C)]
    struct Handles {
        context: cl_context,
        device: cl_device_id,
        buffer: cl_mem,
        bytes: cl_mem,
    }
    extern "C" fn double(block: *mut c_void) {
        // SAFETY: the test gives such a block; the buffer has one int.
        unsafe {
            let handles = &*block.cast::<Handles>();
            *handles.bytes.cast::<i32>() *= 2;
            let queue = made(|code| clCreateCommandQueue(handles.context, handles.device, 0, code));
            let mut value = 0;
            let to = (&raw mut value).cast();
            let buffer = handles.buffer;
            ok(clEnqueueReadBuffer(
                queue,
                buffer,
                CL_TRUE,
                0,
                4,
                to,
                0,
                null(),
                null_mut(),
            ));
            assert_eq!(value, *handles.bytes.cast::<i32>());
            ok(clReleaseCommandQueue(queue));
        }
    }
    let session = Session::open();
    let kernel = session.kernel("kernel void k(global int *x) { *x += 1; }", "k");
    let buffer = session.buffer(&[1]);
    ok(session.set(kernel, 0, &buffer));
    let block = Handles {
        context: session.context,
        device: session.devices[0],
        buffer,
        bytes: buffer,
    };
    let place = std::mem::offset_of!(Handles, bytes);
    for _ in 0..5 {
        ok(session.launch(session.queue, kernel, &[1], None, &[], null_mut()));
        enqueue(&session, double, &block, &[buffer], &[place], &[]);
    }
    assert_eq!(session.read::<i32>(buffer, 1), [94]);
}

#[test]
fn a_native_kernel_may_have_no_arguments() {
    use std::sync::atomic::{AtomicU32, Ordering};
    static CALLS: AtomicU32 = AtomicU32::new(0);
    extern "C" fn count(block: *mut c_void) {
        assert!(block.is_null());
        CALLS.fetch_add(1, Ordering::SeqCst);
    }
    let session = Session::open();
    // SAFETY: there are no arguments.
    unsafe {
        ok(clEnqueueNativeKernel(
            session.queue,
            Some(count),
            null_mut(),
            0,
            0,
            null(),
            null_mut(),
            0,
            null(),
            null_mut(),
        ));
        ok(clFinish(session.queue));
    }
    assert_eq!(CALLS.load(Ordering::SeqCst), 1);
}

#[test]
fn a_task_is_one_work_item() {
    let session = Session::open();
    let kernel = session.kernel(
        "kernel __attribute__((reqd_work_group_size(1, 1, 1))) void k(global ulong *x) {
            x[0] += get_global_size(0) * get_global_size(1) * get_local_size(0)
                + 10 * get_global_id(0) + 100 * get_work_dim();
        }",
        "k",
    );
    let buffer = session.buffer(&[0u64]);
    ok(session.set(kernel, 0, &buffer));
    let mut event = null_mut();
    // SAFETY: there is no wait list.
    ok(unsafe { clEnqueueTask(session.queue, kernel, 0, null(), &mut event) });
    assert_eq!(command_type(event), CL_COMMAND_TASK);
    assert_eq!(session.read::<u64>(buffer, 1), [101]);
}
