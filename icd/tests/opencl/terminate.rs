//! cl_khr_terminate_context.

use crate::session::{Session, answer, function, made, ok, refused};
use cl_sys::*;
use error_cases::session::{CL_CONTEXT_TERMINATE_KHR, CL_CONTEXT_TERMINATED_KHR, TerminateContext};
use std::ffi::{CStr, c_char, c_void};
use std::ptr::{null, null_mut};
use std::sync::mpsc::{Receiver, Sender, channel};

const CL_DEVICE_TERMINATE_CAPABILITY_KHR: cl_device_info = 0x2031;

/// The arguments of a callback.
type Notification = (cl_int, String);

extern "C" fn context_notify(
    sentence: *const c_char,
    _: *const c_void,
    _: usize,
    sender: *mut c_void,
) {
    // SAFETY: the sentence ends with NUL; the sender is never freed.
    let (sentence, sender) = unsafe {
        (
            CStr::from_ptr(sentence),
            &*sender.cast::<Sender<Notification>>(),
        )
    };
    sender.send((0, sentence.to_str().unwrap().into())).unwrap();
}

extern "C" fn event_notify(_: cl_event, status: cl_int, sender: *mut c_void) {
    // SAFETY: the sender is never freed.
    let sender = unsafe { &*sender.cast::<Sender<Notification>>() };
    sender.send((status, "event".into())).unwrap();
}

/// A session whose context can be terminated, and the arguments of its callback.
fn terminable() -> (Session, Receiver<Notification>, *mut c_void) {
    let (sender, receiver) = channel::<Notification>();
    let sender: *mut c_void = Box::into_raw(Box::new(sender)).cast();
    let mut session = Session::open();
    let list = [CL_CONTEXT_TERMINATE_KHR, CL_TRUE as isize, 0];
    let device = session.devices[0];
    // SAFETY: list and device are read during the calls; handles are valid.
    unsafe {
        session.context = made(|code| {
            clCreateContext(
                list.as_ptr(),
                1,
                &device,
                Some(context_notify),
                sender,
                code,
            )
        });
        let context = session.context;
        let queue =
            |properties| made(|code| clCreateCommandQueue(context, device, properties, code));
        session.queue = queue(CL_QUEUE_PROFILING_ENABLE);
        session.out_of_order = queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    }
    (session, receiver, sender)
}

fn terminate(session: &Session) -> cl_int {
    let call: TerminateContext = function(session.platform, c"clTerminateContextKHR");
    // SAFETY: the context is valid.
    unsafe { call(session.context) }
}

fn status(event: cl_event) -> cl_int {
    let bytes = answer(|size, value, size_ret| {
        // SAFETY: `answer` gives room.
        unsafe {
            clGetEventInfo(
                event,
                CL_EVENT_COMMAND_EXECUTION_STATUS,
                size,
                value,
                size_ret,
            )
        }
    });
    cl_int::from_ne_bytes(bytes.try_into().unwrap())
}

/// By today's numbers, and by those of headers of OpenCL 1.2's time.
#[test]
fn the_device_says_that_it_can() {
    let session = Session::open();
    let device = session.devices[0];
    for (query, property) in [
        (CL_DEVICE_TERMINATE_CAPABILITY_KHR, CL_CONTEXT_TERMINATE_KHR),
        (0x200F, 0x2010),
    ] {
        let bytes = answer(|size, value, size_ret| {
            // SAFETY: `answer` gives room.
            unsafe { clGetDeviceInfo(device, query, size, value, size_ret) }
        });
        assert_eq!(bytes, 1u64.to_ne_bytes());
        let list = [property, CL_TRUE as isize, 0];
        let call: TerminateContext = function(session.platform, c"clTerminateContextKHR");
        // SAFETY: list and device are read during the call; the context is valid.
        unsafe {
            let context =
                made(|code| clCreateContext(list.as_ptr(), 1, &device, None, null_mut(), code));
            ok(call(context));
            ok(clReleaseContext(context));
        }
    }
}

#[test]
fn what_waits_ends_at_once_and_all_callbacks_run() {
    let (session, received, sender) = terminable();
    let context = session.context;
    let buffer = session.buffer(&[7u32; 16]);
    let mut waiting = Vec::new();
    // SAFETY: handles are valid; what is read into is never written, since nothing runs.
    unsafe {
        // Its status is not set before the end.
        let gate = made(|code| clCreateUserEvent(context, code));
        let mut bytes = [0u8; 64];
        for queue in [session.queue, session.out_of_order] {
            for _ in 0..3 {
                let mut event = null_mut();
                let to = bytes.as_mut_ptr().cast();
                ok(clEnqueueReadBuffer(
                    queue, buffer, CL_FALSE, 0, 64, to, 1, &gate, &mut event,
                ));
                waiting.push(event);
            }
        }
        ok(clSetEventCallback(
            waiting[5],
            CL_COMPLETE,
            Some(event_notify),
            sender,
        ));
        let blocked = {
            let queue = session.queue.addr();
            std::thread::spawn(move || {
                clFinish(std::ptr::with_exposed_provenance_mut::<c_void>(queue))
            })
        };
        session.queue.expose_provenance();

        ok(terminate(&session));
        let mut calls = [received.recv().unwrap(), received.recv().unwrap()];
        calls.sort();
        assert_eq!(calls[0], (CL_CONTEXT_TERMINATED_KHR, "event".into()));
        assert_eq!(calls[1], (0, "the context has been terminated".into()));
        ok(blocked.join().unwrap());
        for &event in &waiting {
            assert_eq!(status(event), CL_CONTEXT_TERMINATED_KHR);
            assert_eq!(
                clWaitForEvents(1, &event),
                CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST
            );
            let mut time = 0u64;
            let to = (&raw mut time).cast();
            assert_eq!(
                clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, 8, to, null_mut()),
                CL_PROFILING_INFO_NOT_AVAILABLE
            );
        }
        // Callbacks registered later receive the same.
        ok(clSetEventCallback(
            waiting[0],
            CL_COMPLETE,
            Some(event_notify),
            sender,
        ));
        assert_eq!(received.recv().unwrap().0, CL_CONTEXT_TERMINATED_KHR);
        assert_eq!(status(gate), CL_SUBMITTED);
        ok(clSetUserEventStatus(gate, CL_COMPLETE));
        ok(clReleaseEvent(gate));
        assert_eq!(bytes, [0; 64]);

        assert_eq!(terminate(&session), CL_CONTEXT_TERMINATED_KHR);
        for &event in &waiting {
            ok(clRetainEvent(event));
            ok(clReleaseEvent(event));
            ok(clReleaseEvent(event));
        }
        ok(clReleaseMemObject(buffer));
    }
}

#[test]
fn nothing_is_created_or_enqueued_any_more() {
    let (session, _received, _) = terminable();
    let (context, queue) = (session.context, session.queue);
    let buffer = session.buffer(&[7u32; 16]);
    let program = session.built("kernel void k(global int *x) { *x = 1; }");
    let kernel = session.kernel_of(program, "k");
    ok(session.set(kernel, 0, &buffer));
    ok(terminate(&session));

    let end = CL_CONTEXT_TERMINATED_KHR;
    let source = c"kernel void k() {}".as_ptr();
    let mut format = cl_image_format {
        image_channel_order: CL_RGBA,
        image_channel_data_type: CL_UNORM_INT8,
    };
    let region = [0usize, 16];
    // SAFETY: handles are valid; all pointers are to locals.
    unsafe {
        let device = session.devices[0];
        assert_eq!(
            refused(|code| clCreateCommandQueue(context, device, 0, code)),
            end
        );
        assert_eq!(
            refused(|code| clCreateBuffer(context, 0, 64, null_mut(), code)),
            end
        );
        assert_eq!(
            refused(|code| clCreateImage2D(context, 0, &mut format, 4, 4, 0, null_mut(), code)),
            end
        );
        assert_eq!(
            refused(|code| {
                clCreateSampler(context, CL_FALSE, CL_ADDRESS_NONE, CL_FILTER_NEAREST, code)
            }),
            end
        );
        assert_eq!(refused(|code| clCreateUserEvent(context, code)), end);
        assert_eq!(
            refused(|code| clCreateProgramWithSource(context, 1, &source, null(), code)),
            end
        );
        assert_eq!(
            refused(|code| clCreateKernel(program, c"k".as_ptr(), code)),
            end
        );
        assert_eq!(
            refused(|code| {
                let region = region.as_ptr().cast();
                clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, region, code)
            }),
            end
        );
        assert_eq!(
            session.launch(queue, kernel, &[1], None, &[], null_mut()),
            end
        );
        assert_eq!(
            clEnqueueMarkerWithWaitList(queue, 0, null(), null_mut()),
            end
        );
        assert_eq!(
            refused(|code| {
                clEnqueueMapBuffer(
                    queue,
                    buffer,
                    CL_TRUE,
                    CL_MAP_READ,
                    0,
                    64,
                    0,
                    null(),
                    null_mut(),
                    code,
                )
            }),
            end
        );
        // Queries, references, and ends of objects are as ever.
        let devices = answer(|size, value, size_ret| {
            clGetContextInfo(context, CL_CONTEXT_DEVICES, size, value, size_ret)
        });
        assert_eq!(devices, device.addr().to_ne_bytes());
        let maps = answer(|size, value, size_ret| {
            clGetMemObjectInfo(buffer, CL_MEM_MAP_COUNT, size, value, size_ret)
        });
        assert_eq!(maps, 0u32.to_ne_bytes());
        ok(clFlush(queue));
        ok(clFinish(queue));
        ok(clRetainContext(context));
        ok(clReleaseContext(context));
        ok(clReleaseKernel(kernel));
        ok(clReleaseProgram(program));
        ok(clReleaseMemObject(buffer));
        ok(clReleaseCommandQueue(queue));
        ok(clReleaseCommandQueue(session.out_of_order));
        ok(clReleaseContext(context));
    }
}

#[test]
fn a_running_launch_stops_between_its_work_groups() {
    let (session, _received, _) = terminable();
    // All groups would take days.
    let kernel = session.kernel(
        "kernel void k(global uint *x, uint rounds) {
            uint y = get_global_id(0);
            for (uint i = 0; i < rounds; ++i) y = y * 1664525u + (y >> 7);
            x[get_global_id(0) % 16] = y;
        }",
        "k",
    );
    let buffer = session.buffer(&[0u32; 16]);
    ok(session.set(kernel, 0, &buffer));
    ok(session.set(kernel, 1, &1_000_000u32));
    let (mut running, mut behind) = (null_mut(), null_mut());
    let launch = |event| session.launch(session.queue, kernel, &[1 << 30], Some(&[1]), &[], event);
    ok(launch(&mut running));
    ok(launch(&mut behind));
    while status(running) > CL_RUNNING {
        std::thread::yield_now();
    }
    ok(terminate(&session));
    assert_eq!(status(behind), CL_CONTEXT_TERMINATED_KHR);
    // SAFETY: the event is valid.
    let waited = unsafe { clWaitForEvents(1, &running) };
    assert_eq!(waited, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    assert_eq!(status(running), CL_CONTEXT_TERMINATED_KHR);
    // Other contexts continue.
    let other = Session::open();
    let buffer = other.buffer(&[5u32]);
    assert_eq!(other.read::<u32>(buffer, 1), [5]);
}
