//! What holds of times within a process, whose clock other tests move on meanwhile.

use crate::session::{Session, made, ok};
use cl_sys::*;
use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicBool, Ordering};

const POINTS: [cl_profiling_info; 4] = [
    CL_PROFILING_COMMAND_QUEUED,
    CL_PROFILING_COMMAND_SUBMIT,
    CL_PROFILING_COMMAND_START,
    CL_PROFILING_COMMAND_END,
];

fn time(event: cl_event, point: cl_profiling_info) -> Result<u64, cl_int> {
    let mut time = 0u64;
    let to = (&raw mut time).cast();
    // SAFETY: there is room for the time.
    match unsafe { clGetEventProfilingInfo(event, point, 8, to, null_mut()) } {
        CL_SUCCESS => Ok(time),
        code => Err(code),
    }
}

#[track_caller]
fn times(event: cl_event) -> [u64; 4] {
    let times = POINTS.map(|point| time(event, point).unwrap());
    assert!(times[0] > 0 && times.is_sorted(), "{times:?}");
    times
}

fn user_event(session: &Session) -> cl_event {
    // SAFETY: the context is valid.
    made(|code| unsafe { clCreateUserEvent(session.context, code) })
}

fn set(event: cl_event, status: cl_int) {
    // SAFETY: the event is valid.
    ok(unsafe { clSetUserEventStatus(event, status) });
}

fn wait(events: &[cl_event]) {
    // SAFETY: the events are valid.
    unsafe { clWaitForEvents(events.len() as u32, events.as_ptr()) };
}

fn status(event: cl_event) -> cl_int {
    let mut status: cl_int = 99;
    let to = (&raw mut status).cast();
    // SAFETY: there is room for the status.
    ok(unsafe { clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, 4, to, null_mut()) });
    status
}

fn queue(session: &Session, device: usize, properties: u64) -> cl_command_queue {
    // SAFETY: context and device are valid.
    made(|code| unsafe {
        clCreateCommandQueue(session.context, session.devices[device], properties, code)
    })
}

/// Fills a small buffer of its own; nothing else on the host is shared.
fn fill(session: &Session, queue: cl_command_queue, waits: &[cl_event]) -> cl_event {
    let buffer = session.buffer(&[0u32; 64]);
    let mut event = null_mut();
    let list = if waits.is_empty() {
        null()
    } else {
        waits.as_ptr()
    };
    // SAFETY: handles are valid, the pattern is copied during the call.
    unsafe {
        ok(clEnqueueFillBuffer(
            queue,
            buffer,
            (&raw const FILL).cast(),
            4,
            0,
            256,
            waits.len() as u32,
            list,
            &mut event,
        ));
        ok(clReleaseMemObject(buffer));
    }
    event
}

static FILL: u32 = 7;

#[test]
fn what_waits_for_a_user_event_keeps_no_other_from_being_known() {
    let session = Session::open();
    let timed = CL_QUEUE_PROFILING_ENABLE;
    let out_of_order = queue(&session, 0, timed | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    let gate = user_event(&session);
    let gated = fill(&session, out_of_order, &[gate]);
    let behind = fill(&session, session.profiling, &[gated]);
    let free = fill(&session, out_of_order, &[]);
    let other = fill(&session, queue(&session, 0, timed), &[free]);
    wait(&[other]);
    assert!(times(free)[3] <= times(other)[1]);
    assert_eq!(time(gated, POINTS[0]), Err(CL_PROFILING_INFO_NOT_AVAILABLE));
    set(gate, CL_COMPLETE);
    wait(&[behind]);
    let [gated, behind] = [gated, behind].map(times);
    assert!(
        times(other)[3] <= gated[1],
        "it was known when the event was set"
    );
    assert!(gated[3] <= behind[1]);
}

#[test]
fn what_the_program_knows_of_is_over_for_what_it_does_next() {
    extern "C" fn notify(_: cl_event, _: cl_int, flag: *mut c_void) {
        // SAFETY: the flag outlives the test's wait for it.
        unsafe { &*flag.cast::<AtomicBool>() }.store(true, Ordering::SeqCst);
    }
    let session = Session::open();
    let (one, two) = (
        session.profiling,
        queue(&session, 1, CL_QUEUE_PROFILING_ENABLE),
    );
    let observations: [fn(cl_command_queue, cl_event); 5] = [
        |_, event| wait(&[event]),
        // SAFETY: the queue is valid.
        |queue, _| ok(unsafe { clFinish(queue) }),
        |_, event| {
            while status(event) != CL_COMPLETE {
                std::thread::yield_now();
            }
        },
        |_, event| {
            while time(event, POINTS[3]).is_err() {
                std::thread::yield_now();
            }
        },
        |_, event| {
            static FLAG: AtomicBool = AtomicBool::new(false);
            let flag = (&raw const FLAG).cast_mut().cast();
            // SAFETY: the flag is static.
            ok(unsafe { clSetEventCallback(event, CL_COMPLETE, Some(notify), flag) });
            while !FLAG.load(Ordering::SeqCst) {
                std::thread::yield_now();
            }
        },
    ];
    for observe in observations {
        let first = fill(&session, one, &[]);
        observe(one, first);
        let next = fill(&session, two, &[]);
        wait(&[next]);
        assert!(times(first)[3] < times(next)[0]);
    }
    // A blocking call.
    let buffer = session.buffer(&[1u32; 1024]);
    let mut numbers = [0u32; 1024];
    let mut first = null_mut();
    let to = numbers.as_mut_ptr().cast();
    // SAFETY: the call blocks.
    ok(unsafe { clEnqueueReadBuffer(one, buffer, CL_TRUE, 0, 4096, to, 0, null(), &mut first) });
    let next = fill(&session, two, &[]);
    wait(&[next]);
    assert!(times(first)[3] < times(next)[0]);
}

#[test]
fn untimed_commands_take_no_time_but_their_place() {
    let session = Session::open();
    let gate = user_event(&session);
    let before = fill(&session, session.profiling, &[]);
    let untimed = fill(&session, session.queue, &[before, gate]);
    let after = fill(
        &session,
        queue(&session, 0, CL_QUEUE_PROFILING_ENABLE),
        &[untimed],
    );
    let free = fill(&session, queue(&session, 0, CL_QUEUE_PROFILING_ENABLE), &[]);
    wait(&[free]);
    let known = times(free);
    assert_eq!(
        time(untimed, POINTS[0]),
        Err(CL_PROFILING_INFO_NOT_AVAILABLE)
    );
    set(gate, CL_COMPLETE);
    wait(&[untimed, after]);
    assert_eq!(
        time(untimed, POINTS[0]),
        Err(CL_PROFILING_INFO_NOT_AVAILABLE)
    );
    assert!(known[3] <= times(after)[2], "one processor does both");
}

#[test]
fn failed_commands_have_no_times_and_later_ones_have() {
    let session = Session::open();
    let gate = user_event(&session);
    let failed = fill(&session, session.profiling, &[gate]);
    let later = fill(&session, session.profiling, &[]);
    set(gate, -77);
    wait(&[later, failed]);
    assert!(status(failed) < 0);
    assert_eq!(
        time(failed, POINTS[3]),
        Err(CL_PROFILING_INFO_NOT_AVAILABLE)
    );
    times(later);
}

/// All kinds of queues, waits and questions at once, from several threads: everything ends.
#[test]
fn threads_that_do_anything_hang_nowhere() {
    const THREADS: u64 = 4;
    const STEPS: usize = 400;
    let session = Session::open();
    let timed = CL_QUEUE_PROFILING_ENABLE;
    let out_of_order = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
    let shared: Vec<usize> = (0..2)
        .flat_map(|device| [0, timed, timed | out_of_order].map(|which| (device, which)))
        .map(|(device, which)| queue(&session, device, which).addr())
        .collect();
    std::thread::scope(|scope| {
        for seed in 0..THREADS {
            let (session, shared) = (&session, &shared);
            scope.spawn(move || {
                let mut random = fastrand::Rng::with_seed(seed);
                let mut events: Vec<cl_event> = Vec::new();
                let mut gates: Vec<cl_event> = Vec::new();
                for _ in 0..STEPS {
                    let queue = shared[random.usize(..shared.len())] as cl_command_queue;
                    let mut some = Vec::new();
                    for _ in 0..random.usize(..3) {
                        some.extend(random.choice(&events).copied());
                    }
                    match random.u32(..12) {
                        0 => {
                            gates.push(user_event(session));
                            events.push(gates[gates.len() - 1]);
                        }
                        1 if !gates.is_empty() => {
                            let gate = gates.swap_remove(random.usize(..gates.len()));
                            set(
                                gate,
                                if random.u32(..4) == 0 {
                                    -9
                                } else {
                                    CL_COMPLETE
                                },
                            );
                        }
                        2 => {
                            let mut event = null_mut();
                            let list = if some.is_empty() {
                                null()
                            } else {
                                some.as_ptr()
                            };
                            let count = some.len() as u32;
                            // SAFETY: queue and events are valid.
                            ok(unsafe {
                                if random.bool() {
                                    clEnqueueMarkerWithWaitList(queue, count, list, &mut event)
                                } else {
                                    clEnqueueBarrierWithWaitList(queue, count, list, &mut event)
                                }
                            });
                            events.push(event);
                        }
                        3 | 4 => {
                            for event in some {
                                if let Ok(end) = time(event, POINTS[3]) {
                                    assert_eq!(times(event)[3], end);
                                }
                            }
                        }
                        5 if gates.is_empty() && seed == 0 => {
                            let free = fill(session, session.profiling, &[]);
                            wait(&[free]);
                            times(free);
                        }
                        _ => events.push(fill(session, queue, &some)),
                    }
                }
                for gate in gates {
                    set(gate, CL_COMPLETE);
                }
                // Others' user events may still have to be set.
                events.retain(|event| status(*event) <= 0);
                for event in events {
                    if let Ok(end) = time(event, POINTS[3]) {
                        assert_eq!(times(event)[3], end);
                    }
                }
            });
        }
    });
    for queue in shared {
        // SAFETY: the queue is valid.
        ok(unsafe { clFinish(queue as cl_command_queue) });
    }
}
