//! Arguments of kernels: what is captured when, and who keeps what.

use crate::session::{Session, answer, made, ok, text};
use cl_sys::*;
use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

#[test]
fn launches_keep_the_arguments_that_they_were_given() {
    let session = Session::open();
    let kernel = session.kernel(
        "kernel void k(global int *x, int value, local int *scratch) {
            *scratch = value; *x += *scratch;
        }",
        "k",
    );
    let buffers = [session.buffer(&[0]), session.buffer(&[0])];
    // SAFETY: the context is valid.
    let gate = made(|code| unsafe { clCreateUserEvent(session.context, code) });
    for value in 1..=10 {
        ok(session.set(kernel, 0, &buffers[value as usize % 2]));
        ok(session.set(kernel, 1, &value));
        // SAFETY: local memory has no value to be read.
        ok(unsafe { clSetKernelArg(kernel, 2, 4 * value as usize, null()) });
        ok(session.launch(session.queue, kernel, &[1], None, &[gate], null_mut()));
    }
    // SAFETY: the handles are valid.
    unsafe {
        // Neither the kernel nor its arguments are needed for what is in the queue.
        ok(clReleaseKernel(kernel));
        ok(clSetUserEventStatus(gate, CL_COMPLETE));
    }
    let sums = buffers.map(|buffer| session.read::<i32>(buffer, 1)[0]);
    assert_eq!(sums, [2 + 4 + 6 + 8 + 10, 1 + 3 + 5 + 7 + 9]);
}

#[test]
fn a_launch_keeps_its_buffers_and_a_kernel_does_not() {
    extern "C" fn count(_: cl_mem, data: *mut c_void) {
        // SAFETY: the test gives such a counter, which is static.
        let counter = unsafe { &*data.cast::<AtomicUsize>() };
        counter.fetch_add(1, Ordering::SeqCst);
    }
    static GONE: AtomicUsize = AtomicUsize::new(0);
    let session = Session::open();
    let kernel = session.kernel("kernel void k(global int *x) { *x = 1; }", "k");
    let buffer = session.buffer(&[0]);
    let counter = (&raw const GONE).cast_mut().cast();
    // SAFETY: the counter is static.
    ok(unsafe { clSetMemObjectDestructorCallback(buffer, Some(count), counter) });
    ok(session.set(kernel, 0, &buffer));
    // SAFETY: the context is valid.
    let gate = made(|code| unsafe { clCreateUserEvent(session.context, code) });
    let launch =
        |wait: &[cl_event]| session.launch(session.queue, kernel, &[1], None, wait, null_mut());
    ok(launch(&[gate]));
    // SAFETY: the handles are valid.
    unsafe {
        ok(clReleaseMemObject(buffer));
        assert_eq!(GONE.load(Ordering::SeqCst), 0);
        ok(clSetUserEventStatus(gate, CL_COMPLETE));
        ok(clFinish(session.queue));
    }
    // The last to hold it may be another thread, which has just ended the command.
    while GONE.load(Ordering::SeqCst) == 0 {
        thread::yield_now();
    }
    assert_eq!(launch(&[]), CL_INVALID_KERNEL_ARGS);
    let another = session.buffer(&[0]);
    ok(session.set(kernel, 0, &another));
    ok(launch(&[]));
    assert_eq!(session.read::<i32>(another, 1), [1]);
}

#[test]
fn null_is_a_buffer() {
    let session = Session::open();
    let kernel = session.kernel(
        "kernel void k(global int *x, global int *a, constant int *b) { *x = !a + 2 * !b; }",
        "k",
    );
    let buffer = session.buffer(&[7]);
    ok(session.set(kernel, 0, &buffer));
    let run = || {
        ok(session.launch(session.queue, kernel, &[1], None, &[], null_mut()));
        session.read::<i32>(buffer, 1)[0]
    };
    let none: cl_mem = null_mut();
    ok(session.set(kernel, 1, &none));
    // SAFETY: there is no value to be read.
    ok(unsafe { clSetKernelArg(kernel, 2, size_of::<cl_mem>(), null()) });
    assert_eq!(run(), 3);
    ok(session.set(kernel, 1, &buffer));
    assert_eq!(run(), 2);
}

#[test]
fn values_are_what_they_were() {
    let session = Session::open();
    let kernel = session.kernel(
        "typedef struct { char a; short3 b; struct { double c; uchar d[3]; } e[2]; } deep;
         kernel void k(char a, short b, uchar3 c, float4 d, deep e, double f, ulong g,
                       global double *out) {
            out[0] = a; out[1] = b; out[2] = c.x + 10 * c.y + 100 * c.z;
            out[3] = d.x + 10 * d.y + 100 * d.z + 1000 * d.w;
            out[4] = e.a + 10 * e.b.x + 100 * e.b.y + 1000 * e.b.z;
            out[5] = e.e[1].c; out[6] = e.e[1].d[2]; out[7] = f; out[8] = g;
         }",
        "k",
    );
    #[repr(C)]
    struct Inner {
        c: f64,
        d: [u8; 3],
    }
    #[repr(C)]
    struct Deep {
        a: i8,
        b: Short3,
        e: [Inner; 2],
    }
    #[repr(C, align(8))]
    struct Short3([i16; 3]);
    let inner = |c, d| Inner { c, d: [0, 0, d] };
    let deep = Deep {
        a: -3,
        b: Short3([1, 2, 3]),
        e: [inner(0.0, 0), inner(-0.25, 77)],
    };
    ok(session.set(kernel, 0, &-7i8));
    ok(session.set(kernel, 1, &-300i16));
    ok(session.set(kernel, 2, &[1u8, 2, 3, 255]));
    ok(session.set(kernel, 3, &[1f32, 2.0, 3.0, 4.0]));
    ok(session.set(kernel, 4, &deep));
    ok(session.set(kernel, 5, &1e300f64));
    ok(session.set(kernel, 6, &(1u64 << 40)));
    let out = session.buffer(&[0f64; 9]);
    ok(session.set(kernel, 7, &out));
    ok(session.launch(session.queue, kernel, &[1], None, &[], null_mut()));
    assert_eq!(
        session.read::<f64>(out, 9),
        [
            -7.0,
            -300.0,
            321.0,
            4321.0,
            3207.0,
            -0.25,
            77.0,
            1e300,
            (1u64 << 40) as f64
        ]
    );
}

#[test]
fn work_group_queries_count_local_arguments() {
    let session = Session::open();
    let program = session.built(
        "kernel __attribute__((reqd_work_group_size(4, 2, 1)))
         void k(local float *a, local float *b, global float *x) {
             local float own[100];
             own[get_local_id(0)] = a[0] + b[0];
             barrier(CLK_LOCAL_MEM_FENCE);
             *x = own[3];
         }
         kernel void plain(global int *x) { *x = 1; }",
    );
    let query = |kernel, name| {
        answer(|size, value, size_ret| {
            let device = session.devices[1];
            // SAFETY: `answer` gives room.
            unsafe { clGetKernelWorkGroupInfo(kernel, device, name, size, value, size_ret) }
        })
    };
    let number = |kernel, name| u64::from_ne_bytes(query(kernel, name).try_into().unwrap());
    let (kernel, plain) = (
        session.kernel_of(program, "k"),
        session.kernel_of(program, "plain"),
    );
    let own = number(kernel, CL_KERNEL_LOCAL_MEM_SIZE);
    assert!((400..1000).contains(&own));
    // SAFETY: local memory has no value to be read.
    unsafe {
        ok(clSetKernelArg(kernel, 0, 4096, null()));
        assert_eq!(number(kernel, CL_KERNEL_LOCAL_MEM_SIZE), own + 4096);
        ok(clSetKernelArg(kernel, 1, usize::MAX, null()));
        assert_eq!(number(kernel, CL_KERNEL_LOCAL_MEM_SIZE), u64::MAX);
        ok(clSetKernelArg(kernel, 1, 4, null()));
        ok(clSetKernelArg(kernel, 0, 8, null()));
    }
    assert_eq!(number(kernel, CL_KERNEL_LOCAL_MEM_SIZE), own + 12);
    assert_eq!(number(plain, CL_KERNEL_LOCAL_MEM_SIZE), 0);
    let demanded: Vec<u8> = [4usize, 2, 1]
        .iter()
        .flat_map(|n| n.to_ne_bytes())
        .collect();
    assert_eq!(query(kernel, CL_KERNEL_COMPILE_WORK_GROUP_SIZE), demanded);
    assert_eq!(query(plain, CL_KERNEL_COMPILE_WORK_GROUP_SIZE), [0; 24]);
    assert_eq!(number(plain, CL_KERNEL_WORK_GROUP_SIZE), 1024);
    assert_eq!(
        number(plain, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE),
        16
    );
    assert!(number(plain, CL_KERNEL_PRIVATE_MEM_SIZE) < 1 << 20);
    for options in ["", "-cl-opt-disable"] {
        for between in ["", "barrier(CLK_GLOBAL_MEM_FENCE);"] {
            let source = format!(
                "kernel void k(global int *x) {{
                    volatile int a[1 << 20]; a[*x] = 1; {between} *x = a[*x + 1];
                }}"
            );
            let large = session.kernel_of(session.built_with(&source, options), "k");
            let bytes = number(large, CL_KERNEL_PRIVATE_MEM_SIZE);
            assert!(
                (4 << 20..5 << 20).contains(&bytes),
                "{options} {between} {bytes}"
            );
        }
    }
}

/// A kernel that compares the elements of its argument.
const TORN: &str = "kernel void k(long16 value, global int *torn, global long *seen) {
    long16 first = value.s0;
    if (any(value != first)) atomic_inc(torn);
    seen[0] = value.s0;
}";

#[test]
fn threads_that_take_turns_launch_one_kernel_with_their_own_arguments() {
    let session = Session::open();
    let kernel = session.kernel(TORN, "k").expose_provenance();
    let torn = session.buffer(&[0]).expose_provenance();
    let turn = Mutex::new(());
    let session = &session;
    thread::scope(|scope| {
        for number in 0..6i64 {
            let turn = &turn;
            scope.spawn(move || {
                let handle = std::ptr::with_exposed_provenance_mut::<c_void>;
                let seen = session.buffer(&[0i64]);
                // SAFETY: context and device are valid.
                let queue = made(|code| unsafe {
                    clCreateCommandQueue(session.context, session.devices[0], 0, code)
                });
                for round in 0..200i64 {
                    let value = number * 1000 + round;
                    let turn = turn.lock().unwrap();
                    ok(session.set(handle(kernel), 0, &[value; 16]));
                    ok(session.set(handle(kernel), 1, &handle(torn)));
                    ok(session.set(handle(kernel), 2, &seen));
                    ok(session.launch(queue, handle(kernel), &[1], None, &[], null_mut()));
                    drop(turn);
                    // SAFETY: the queue is valid.
                    ok(unsafe { clFinish(queue) });
                    assert_eq!(session.read::<i64>(seen, 1), [value]);
                }
            });
        }
    });
    let torn = std::ptr::with_exposed_provenance_mut(torn);
    assert_eq!(session.read::<i32>(torn, 1), [0]);
}

#[test]
fn threads_that_do_not_take_turns_never_see_half_an_argument() {
    let session = Session::open();
    let kernel = session.kernel(TORN, "k").expose_provenance();
    let torn = session.buffer(&[0]).expose_provenance();
    let session = &session;
    thread::scope(|scope| {
        for number in 0..6i64 {
            scope.spawn(move || {
                let handle = std::ptr::with_exposed_provenance_mut::<c_void>;
                // SAFETY: context and device are valid.
                let queue = made(|code| unsafe {
                    clCreateCommandQueue(session.context, session.devices[0], 0, code)
                });
                for _ in 0..200 {
                    // Each thread's buffer ends while others may be launching with it.
                    let seen = session.buffer(&[0i64]);
                    ok(session.set(handle(kernel), 0, &[number; 16]));
                    ok(session.set(handle(kernel), 1, &handle(torn)));
                    ok(session.set(handle(kernel), 2, &seen));
                    let local = [1 + number as usize % 3];
                    let global = [local[0] * 2];
                    let code = session.launch(
                        queue,
                        handle(kernel),
                        &global,
                        Some(&local),
                        &[],
                        null_mut(),
                    );
                    assert!(
                        [CL_SUCCESS, CL_INVALID_KERNEL_ARGS].contains(&code),
                        "{code}"
                    );
                    // SAFETY: the handles are valid.
                    unsafe {
                        ok(clFinish(queue));
                        ok(clReleaseMemObject(seen));
                    }
                }
            });
        }
    });
    let torn = std::ptr::with_exposed_provenance_mut(torn);
    assert_eq!(session.read::<i32>(torn, 1), [0]);
}

#[test]
fn kernels_of_one_program_belong_to_their_threads() {
    let session = Session::open();
    let program = session
        .built(
            "kernel void a(global int *x, int n) { x[get_global_id(0)] += n; }
                kernel void b(global int *x, int n) { x[get_global_id(0)] -= 2 * n; }",
        )
        .expose_provenance();
    let session = &session;
    thread::scope(|scope| {
        for number in 1..=6i32 {
            scope.spawn(move || {
                let program = std::ptr::with_exposed_provenance_mut(program);
                let buffer = session.buffer(&[0i32; 256]);
                for round in 1..=50 {
                    for name in ["a", "b"] {
                        let kernel = session.kernel_of(program, name);
                        ok(session.set(kernel, 0, &buffer));
                        ok(session.set(kernel, 1, &number));
                        let queue = session.queue;
                        ok(session.launch(queue, kernel, &[256], None, &[], null_mut()));
                        // SAFETY: the handle is valid.
                        ok(unsafe { clReleaseKernel(kernel) });
                    }
                    assert_eq!(session.read::<i32>(buffer, 256), [-number * round; 256]);
                }
            });
        }
    });
}

/// What `clGetKernelArgInfo` says: address space, access, type qualifiers, type, name.
type Described = (u32, u32, u64, String, String);

fn described(kernel: cl_kernel, index: u32) -> Described {
    let query = |name| {
        // SAFETY: `answer` and `text` give room.
        move |size, value, size_ret| unsafe {
            clGetKernelArgInfo(kernel, index, name, size, value, size_ret)
        }
    };
    let number = |name| u32::from_ne_bytes(answer(query(name)).try_into().unwrap());
    let qualifiers = answer(query(CL_KERNEL_ARG_TYPE_QUALIFIER));
    (
        number(CL_KERNEL_ARG_ADDRESS_QUALIFIER),
        number(CL_KERNEL_ARG_ACCESS_QUALIFIER),
        u64::from_ne_bytes(qualifiers.try_into().unwrap()),
        text(query(CL_KERNEL_ARG_TYPE_NAME)),
        text(query(CL_KERNEL_ARG_NAME)),
    )
}

#[test]
fn arguments_and_attributes_are_described() {
    let session = Session::open();
    let kernel = session.kernel(
        "typedef struct { int x; } point;
         struct tagged { int x; };
         kernel __attribute__((work_group_size_hint(8, 4, 1))) __attribute__((vec_type_hint(float4)))
         void k(global const volatile unsigned int *restrict first, constant float4 *table,
                local uchar *scratch, const int count, unsigned char small, ulong8 wide, point p,
                struct tagged t, read_only image2d_t image, write_only image3d_t cube,
                image1d_buffer_t line, sampler_t sampler, global int *const where) {}",
        "k",
    );
    let [global, local] = [CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_ADDRESS_LOCAL];
    let [constant, private] = [
        CL_KERNEL_ARG_ADDRESS_CONSTANT,
        CL_KERNEL_ARG_ADDRESS_PRIVATE,
    ];
    let [none, read] = [CL_KERNEL_ARG_ACCESS_NONE, CL_KERNEL_ARG_ACCESS_READ_ONLY];
    let write = CL_KERNEL_ARG_ACCESS_WRITE_ONLY;
    let is_const = CL_KERNEL_ARG_TYPE_CONST;
    let all = is_const | CL_KERNEL_ARG_TYPE_RESTRICT | CL_KERNEL_ARG_TYPE_VOLATILE;
    let expected = [
        (global, none, all, "uint*", "first"),
        (constant, none, is_const, "float4*", "table"),
        (local, none, 0, "uchar*", "scratch"),
        (private, none, 0, "int", "count"),
        (private, none, 0, "uchar", "small"),
        (private, none, 0, "ulong8", "wide"),
        (private, none, 0, "point", "p"),
        (private, none, 0, "struct tagged", "t"),
        (global, read, 0, "image2d_t", "image"),
        (global, write, 0, "image3d_t", "cube"),
        (global, read, 0, "image1d_buffer_t", "line"),
        (private, none, 0, "sampler_t", "sampler"),
        (global, none, 0, "int*", "where"),
    ];
    for (index, (space, access, qualifiers, type_name, name)) in expected.into_iter().enumerate() {
        let expected = (space, access, qualifiers, type_name.into(), name.into());
        assert_eq!(described(kernel, index as u32), expected);
    }
    let query = |name| {
        // SAFETY: `answer` and `text` give room.
        move |size, value, size_ret| unsafe { clGetKernelInfo(kernel, name, size, value, size_ret) }
    };
    assert_eq!(text(query(CL_KERNEL_FUNCTION_NAME)), "k");
    assert_eq!(answer(query(CL_KERNEL_NUM_ARGS)), 13u32.to_ne_bytes());
    assert_eq!(answer(query(CL_KERNEL_REFERENCE_COUNT)), 1u32.to_ne_bytes());
    assert_eq!(
        answer(query(CL_KERNEL_CONTEXT)),
        session.context.addr().to_ne_bytes()
    );
    assert_eq!(
        text(query(CL_KERNEL_ATTRIBUTES)),
        "work_group_size_hint(8,4,1) vec_type_hint(float4)"
    );
    let plain = session.kernel("kernel void k() {}", "k");
    let attributes = text(|size, value, size_ret| {
        // SAFETY: `text` gives room.
        unsafe { clGetKernelInfo(plain, CL_KERNEL_ATTRIBUTES, size, value, size_ret) }
    });
    assert_eq!(attributes, "");
}

/// More than `CL_DEVICE_MAX_PARAMETER_SIZE` bytes: such a kernel cannot be launched, others of
/// the program can.
#[test]
fn a_build_warns_of_kernels_with_too_many_bytes_of_arguments() {
    let session = Session::open();
    let program = session.built(
        "typedef struct { int words[1 << 18]; } large;
        kernel void fine(global int *x) { *x = 1; }
        kernel void too_much(global int *x, large y) { *x = y.words[7]; }",
    );
    let log = session.log(program);
    let warning = "kernel too_much has 1048584 bytes of arguments; the device allows 1024";
    assert!(log.contains(warning), "{log}");
    assert!(!log.contains("fine"), "{log}");
    let buffer = session.buffer(&[0]);
    // SAFETY: the names are C strings.
    let [fine, too_much] = [c"fine", c"too_much"]
        .map(|name| made(|code| unsafe { clCreateKernel(program, name.as_ptr(), code) }));
    ok(session.set(too_much, 0, &buffer));
    let large: Box<[u8; 1 << 20]> = vec![7; 1 << 20].try_into().unwrap();
    ok(session.set(too_much, 1, &*large));
    let launch = |kernel| session.launch(session.queue, kernel, &[1], None, &[], null_mut());
    assert_eq!(launch(too_much), CL_OUT_OF_RESOURCES);
    ok(session.set(fine, 0, &buffer));
    ok(launch(fine));
    assert_eq!(session.read::<i32>(buffer, 1), [1]);
}
