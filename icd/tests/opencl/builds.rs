//! Builds in progress: their status, callbacks, several at the same time.

use crate::held_build::{HeldBuild, Step};
use crate::linking::{binaries, run};
use crate::session::{Session, answer, made, ok, refused, text};
use cl_sys::*;
use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread::{self, ThreadId};

const ADD: &str = "kernel void k(global int *x) { *x += VALUE; }";

unsafe extern "C" {
    // Not in `cl_sys`.
    fn clUnloadPlatformCompiler(platform: cl_platform_id) -> cl_int;
}

/// What `clGetProgramBuildInfo` says of a device.
#[derive(Debug, PartialEq, Eq)]
struct BuildInfo {
    status: cl_int,
    options: String,
    has_log: bool,
    binary_type: u32,
}

fn build_info(program: cl_program, device: cl_device_id) -> BuildInfo {
    let query = |name| {
        // SAFETY: `answer` and `text` give room.
        move |size, value, size_ret| unsafe {
            clGetProgramBuildInfo(program, device, name, size, value, size_ret)
        }
    };
    let number = |name| <[u8; 4]>::try_from(answer(query(name))).unwrap();
    BuildInfo {
        status: cl_int::from_ne_bytes(number(CL_PROGRAM_BUILD_STATUS)),
        options: text(query(CL_PROGRAM_BUILD_OPTIONS)),
        has_log: !text(query(CL_PROGRAM_BUILD_LOG)).is_empty(),
        binary_type: u32::from_ne_bytes(number(CL_PROGRAM_BINARY_TYPE)),
    }
}

fn nothing_built() -> BuildInfo {
    BuildInfo {
        status: CL_BUILD_NONE,
        options: String::new(),
        has_log: false,
        binary_type: CL_PROGRAM_BINARY_TYPE_NONE as u32,
    }
}

fn program_text(program: cl_program, name: cl_program_info) -> String {
    // SAFETY: `text` gives room.
    text(|size, value, size_ret| unsafe { clGetProgramInfo(program, name, size, value, size_ret) })
}

fn build_for(program: cl_program, device: cl_device_id, options: &std::ffi::CStr) -> cl_int {
    // SAFETY: list and options are read during the call.
    unsafe { clBuildProgram(program, 1, &device, options.as_ptr(), None, null_mut()) }
}

#[test]
fn queries_give_the_last_build_or_link_of_each_device() {
    let session = Session::open();
    let [one, other] = [session.devices[0], session.devices[1]];
    let program = session.program(ADD);
    assert_eq!(build_info(program, one), nothing_built());
    assert_eq!(binaries(program), [const { Vec::<u8>::new() }; 2]);

    ok(build_for(program, one, c"-D VALUE=1"));
    let built = BuildInfo {
        status: CL_BUILD_SUCCESS,
        options: "-D VALUE=1".into(),
        has_log: false,
        binary_type: CL_PROGRAM_BINARY_TYPE_EXECUTABLE as u32,
    };
    assert_eq!(build_info(program, one), built);
    assert_eq!(build_info(program, other), nothing_built());
    assert!(!binaries(program)[0].is_empty() && binaries(program)[1].is_empty());

    assert_eq!(build_for(program, other, c""), CL_BUILD_PROGRAM_FAILURE);
    assert_eq!(build_info(program, one), built);
    let failed = BuildInfo {
        status: CL_BUILD_ERROR,
        has_log: true,
        ..nothing_built()
    };
    assert_eq!(build_info(program, other), failed);
    assert_eq!(run(&session, program, 6), 7);

    // A build that fails takes away what an earlier one has made.
    let program = session.program(ADD);
    ok(session.build(program, "-D VALUE=1"));
    assert_eq!(
        session.build(program, "-D VALUE=oops"),
        CL_BUILD_PROGRAM_FAILURE
    );
    assert_eq!(
        build_info(program, one).binary_type,
        CL_PROGRAM_BINARY_TYPE_NONE as u32
    );
    assert_eq!(binaries(program), [const { Vec::<u8>::new() }; 2]);
    // Options that are refused change nothing.
    assert_eq!(session.build(program, "-bad"), CL_INVALID_BUILD_OPTIONS);
    assert_eq!(build_info(program, one).options, "-D VALUE=oops");
    ok(session.build(program, "-D VALUE=2"));
    assert_eq!(run(&session, program, 6), 8);
}

#[test]
fn compiling_is_seen_like_building() {
    let session = Session::open();
    let program = session.program("kernel void k(void) {\n#warning old\n}");
    ok(crate::linking::compile(program, &[]));
    let compiled = BuildInfo {
        status: CL_BUILD_SUCCESS,
        has_log: true,
        binary_type: CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT as u32,
        ..nothing_built()
    };
    assert_eq!(build_info(program, session.devices[1]), compiled);
    ok(session.build(program, "-w"));
    let built = build_info(program, session.devices[1]);
    assert_eq!((built.options.as_str(), built.has_log), ("-w", false));
    assert_eq!(program_text(program, CL_PROGRAM_KERNEL_NAMES), "k");
}

#[test]
fn kernels_of_a_program_are_those_of_all_devices() {
    let session = Session::open();
    let program = session.program(
        "kernel void same(int x) {}
         #ifdef ONE
         kernel void only_one(int x) {}
         kernel __attribute__((reqd_work_group_size(2, 1, 1))) void different(int x) {}
         kernel __attribute__((reqd_work_group_size(2, 1, 1))) void sized(int x) {}
         #else
         kernel void different(float4 x) {}
         kernel void sized(int x) {}
         #endif",
    );
    ok(build_for(program, session.devices[0], c"-D ONE"));
    ok(build_for(program, session.devices[1], c""));
    assert_eq!(
        program_text(program, CL_PROGRAM_KERNEL_NAMES),
        "same;only_one;sized"
    );
    let mut kernels = [null_mut(); 3];
    let mut count = 0;
    // SAFETY: there is room for three kernels.
    ok(unsafe { clCreateKernelsInProgram(program, 3, kernels.as_mut_ptr(), &mut count) });
    assert_eq!(count, 3);
    let name = |kernel| {
        // SAFETY: `text` gives room.
        text(|size, value, size_ret| unsafe {
            clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, size, value, size_ret)
        })
    };
    assert_eq!(kernels.map(name), ["same", "only_one", "sized"]);
    let demanded = |device| {
        let bytes = answer(|size, value, size_ret| {
            let name = CL_KERNEL_COMPILE_WORK_GROUP_SIZE;
            // SAFETY: `answer` gives room.
            unsafe { clGetKernelWorkGroupInfo(kernels[2], device, name, size, value, size_ret) }
        });
        usize::from_ne_bytes(bytes[..8].try_into().unwrap())
    };
    assert_eq!(
        [session.devices[0], session.devices[1]].map(demanded),
        [2, 0]
    );
}

#[test]
fn devices_of_a_program_are_built_for_concurrently() {
    let session = Session::open();
    let [one, other] = [session.devices[0], session.devices[1]];
    let source = "kernel void k(global int *x) { *x += 5; }";
    let held = HeldBuild::begin(&session, &[other], Step::Build, source);
    let program = held.program;
    assert_eq!(build_info(program, other).status, CL_BUILD_IN_PROGRESS);
    assert_eq!(
        build_info(program, other).binary_type,
        CL_PROGRAM_BINARY_TYPE_NONE as u32
    );
    assert_eq!(build_info(program, one), nothing_built());
    assert_eq!(build_for(program, other, c""), CL_INVALID_OPERATION);
    assert_eq!(
        // SAFETY: the name outlives the call.
        refused(|code| unsafe { clCreateKernel(program, c"k".as_ptr(), code) }),
        CL_INVALID_PROGRAM_EXECUTABLE
    );
    drop(held);
    assert_eq!(build_info(program, other).status, CL_BUILD_SUCCESS);
    let kernel = session.kernel_of(program, "k");
    let buffer = session.buffer(&[1]);
    ok(session.set(kernel, 0, &buffer));
    let launch = |queue| session.launch(queue, kernel, &[1], None, &[], null_mut());
    assert_eq!(launch(session.queue), CL_INVALID_PROGRAM_EXECUTABLE);
    // SAFETY: context and device are valid.
    let queue = made(|code| unsafe { clCreateCommandQueue(session.context, other, 0, code) });
    ok(launch(queue));
    // SAFETY: the queue is valid.
    ok(unsafe { clFinish(queue) });
    assert_eq!(session.read::<i32>(buffer, 1), [6]);
}

#[test]
fn a_program_that_is_released_while_it_is_built_lives_until_then() {
    let session = Session::open();
    let held = HeldBuild::begin(&session, &[], Step::Build, ADD);
    // SAFETY: the handle is valid, and is not any more.
    unsafe {
        ok(clReleaseProgram(held.program));
        assert_eq!(clReleaseProgram(held.program), CL_INVALID_PROGRAM);
    }
}

/// What a callback does, given its program; it is called once.
struct Callback {
    work: Box<dyn FnOnce(cl_program) + Send>,
    ended: mpsc::Sender<ThreadId>,
}

extern "C" fn call(program: cl_program, data: *mut c_void) {
    // SAFETY: the test gives the callback away, and the function is called once.
    let callback = unsafe { Box::from_raw(data.cast::<Callback>()) };
    (callback.work)(program);
    callback.ended.send(thread::current().id()).unwrap();
}

/// Builds in the background and waits for the callback; the thread that called it.
fn build_and_wait(
    program: cl_program,
    options: &std::ffi::CStr,
    work: impl FnOnce(cl_program) + Send + 'static,
) -> ThreadId {
    let (ended, receiver) = mpsc::channel();
    let work = Box::new(work);
    let data = Box::into_raw(Box::new(Callback { work, ended })).cast();
    // SAFETY: the function takes what it is given; options are read during the call.
    ok(unsafe { clBuildProgram(program, 0, null(), options.as_ptr(), Some(call), data) });
    receiver.recv().unwrap()
}

#[test]
fn a_background_build_notifies_from_another_thread() {
    let session = Session::open();
    let program = session.program(ADD);
    let expected = program.addr();
    let thread = build_and_wait(program, c"-D VALUE=3", move |program| {
        assert_eq!(program.addr(), expected);
    });
    assert_ne!(thread, thread::current().id());
    assert_eq!(run(&session, program, 4), 7);
    // Failures are reported too, and the call itself has succeeded.
    let program = session.program(ADD);
    build_and_wait(program, c"", |_| ());
    assert_eq!(
        build_info(program, session.devices[0]).status,
        CL_BUILD_ERROR
    );
}

#[test]
fn callbacks_of_builds_use_the_api() {
    let session = Session::open();
    let program = session.program(ADD);
    let device = session.devices[0].expose_provenance();
    build_and_wait(program, c"", move |program| {
        let device = std::ptr::with_exposed_provenance_mut(device);
        assert_eq!(build_info(program, device).status, CL_BUILD_ERROR);
        // The build has ended: there may be another, and kernels, and the last release.
        ok(build_for(program, device, c"-D VALUE=1"));
        let session = Session::open();
        assert_eq!(
            session.build(session.program(ADD), "-D VALUE=1"),
            CL_SUCCESS
        );
        // SAFETY: the name outlives the call; the handles are valid.
        unsafe {
            let kernel = made(|code| clCreateKernel(program, c"k".as_ptr(), code));
            assert_eq!(
                build_for(program, device, c"-D VALUE=1"),
                CL_INVALID_OPERATION
            );
            ok(clReleaseKernel(kernel));
            ok(clReleaseProgram(program));
        }
    });
}

#[test]
fn callbacks_of_builds_build_in_the_background_again_and_wait() {
    let session = Session::open();
    let program = session.program(ADD);
    build_and_wait(program, c"-D VALUE=1", |program| {
        build_and_wait(program, c"-D VALUE=2", |program| {
            build_and_wait(program, c"-D VALUE=3", |_| ());
        });
    });
    assert_eq!(run(&session, program, 0), 3);
}

#[test]
fn the_compiler_is_there_again_after_it_was_unloaded() {
    let session = Session::open();
    // SAFETY: the platform is valid.
    unsafe {
        ok(clUnloadPlatformCompiler(session.platform));
        ok(clUnloadCompiler());
    }
    let program = session.program(ADD);
    ok(session.build(program, "-D VALUE=9"));
    assert_eq!(run(&session, program, 0), 9);
}

#[test]
fn many_threads_build_programs_of_their_own() {
    thread::scope(|scope| {
        for thread in 0..8 {
            scope.spawn(move || {
                let session = Session::open();
                for round in 0..6 {
                    let value = thread * 100 + round;
                    if round % 3 == 2 {
                        let program = session.program(ADD);
                        assert_eq!(session.build(program, ""), CL_BUILD_PROGRAM_FAILURE);
                        continue;
                    }
                    let program = session.built_with(ADD, &format!("-D VALUE={value}"));
                    assert_eq!(run(&session, program, 1), value + 1);
                    // SAFETY: the handle is valid.
                    ok(unsafe { clReleaseProgram(program) });
                }
            });
        }
    });
}

#[test]
fn many_threads_build_the_same_program() {
    let session = Session::open();
    let built = AtomicUsize::new(0);
    for round in 0..8 {
        let program = session.program(ADD);
        let options = format!("-D VALUE={round}");
        let (session, built) = (&session, &built);
        let address = program.expose_provenance();
        thread::scope(|scope| {
            for _ in 0..4 {
                let options = &options;
                scope.spawn(move || {
                    let program = std::ptr::with_exposed_provenance_mut(address);
                    match session.build(program, options) {
                        CL_SUCCESS => {
                            built.fetch_add(1, Ordering::Relaxed);
                        }
                        // Another thread builds it, or has made a kernel of it.
                        CL_INVALID_OPERATION => return,
                        other => panic!("{other}"),
                    }
                    let name = c"k".as_ptr();
                    let mut code = 1;
                    // SAFETY: the name outlives the call.
                    let kernel = unsafe { clCreateKernel(program, name, &mut code) };
                    // Another thread may have begun to build it again.
                    match code {
                        CL_SUCCESS => {
                            // SAFETY: the kernel is valid.
                            ok(unsafe { clReleaseKernel(kernel) });
                        }
                        CL_INVALID_PROGRAM_EXECUTABLE => assert!(kernel.is_null()),
                        other => panic!("{other}"),
                    }
                });
            }
        });
        assert_eq!(run(session, program, 100), 100 + round);
    }
    assert!(built.into_inner() >= 8);
}
