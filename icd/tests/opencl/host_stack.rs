//! Kernels whose code on the host has large frames.

use crate::session::{Session, ok};
use cl_sys::*;
use std::fmt::Write;
use std::ptr::{null, null_mut};
use std::thread::Builder;

/// Barriers under conditions, twice as many as there are conditions. Such a kernel is too long to
/// be optimised; its frame has about 350 bytes for each condition.
const CONDITIONS: usize = 1200;

/// Work-items of the launch, in groups of `LOCAL`.
const GLOBAL: usize = 64;

const LOCAL: usize = 8;

/// Stack of the launching thread, bytes: it executes kernels itself, and has less than the frame.
const STACK: usize = 300 << 10;

fn source() -> String {
    let mut source = String::from(
        "kernel void long_kernel(global int *x, local int *kept, int least) {\n\
         size_t i = get_global_id(0), l = get_local_id(0);\nint y = x[i];\n",
    );
    for condition in 0..CONDITIONS {
        let (limit, other) = (condition % 100, condition % 8);
        writeln!(
            source,
            "if (least <= {limit}) {{ kept[l] = y; barrier(CLK_LOCAL_MEM_FENCE);\n\
             y = kept[l ^ {other}] + {condition}; barrier(CLK_LOCAL_MEM_FENCE); }}"
        )
        .unwrap();
    }
    source + "x[i] = y;\n}\n"
}

/// What the kernel computes where `least` is 0.
fn expected() -> Vec<i32> {
    let mut y: Vec<i32> = (0..GLOBAL as i32).collect();
    for condition in 0..CONDITIONS {
        let kept = y.clone();
        for (i, y) in y.iter_mut().enumerate() {
            *y = kept[i ^ (condition % 8)] + condition as i32;
        }
    }
    y
}

#[test]
fn a_launch_has_the_stack_that_its_code_needs() {
    let launch = || {
        let session = Session::open();
        let kernel = session.kernel_of(session.built_with(&source(), ""), "long_kernel");
        let numbers: Vec<i32> = (0..GLOBAL as i32).collect();
        let buffer = session.buffer(&numbers);
        ok(session.set(kernel, 0, &buffer));
        ok(session.set(kernel, 2, &0_i32));
        // SAFETY: local memory has no value to be read; the sizes are locals.
        unsafe {
            ok(clSetKernelArg(kernel, 1, LOCAL * 4, null()));
            ok(clEnqueueNDRangeKernel(
                session.queue,
                kernel,
                1,
                null(),
                &GLOBAL,
                &LOCAL,
                0,
                null(),
                null_mut(),
            ));
        }
        assert_eq!(session.read::<i32>(buffer, GLOBAL), expected());
    };
    let thread = Builder::new().stack_size(STACK).spawn(launch);
    thread.unwrap().join().unwrap();
}
