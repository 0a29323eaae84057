//! Versions of OpenCL C (`-cl-std=`): programs of later versions that use nothing beyond what
//! there is run, and what is missing is named where it is used.

use crate::session::{Session, ok};
use cl_sys::{CL_BUILD_PROGRAM_FAILURE, CL_INVALID_BUILD_OPTIONS};
use std::ptr::null_mut;

/// Work-items of a case, in groups of half as many.
const COUNT: i32 = 16;
const VERSIONS: [&str; 4] = ["CL1.1", "CL1.2", "CL2.0", "CL3.0"];
const LATER: [&str; 2] = ["CL2.0", "CL3.0"];

/// Runs kernel `k(global int *o)`; work-item `i` must leave `expected(i)` in `o[i]`.
#[track_caller]
fn check(versions: &[&str], source: &str, expected: impl Fn(i32) -> i32) {
    let session = Session::open();
    let expected: Vec<i32> = (0..COUNT).map(expected).collect();
    for version in versions {
        let program = session.built_with(source, &format!("-cl-std={version} -Werror"));
        let kernel = session.kernel_of(program, "k");
        let buffer = session.buffer(&[0i32; COUNT as usize]);
        ok(session.set(kernel, 0, &buffer));
        let (global, local) = ([COUNT as usize], [COUNT as usize / 2]);
        ok(session.launch(
            session.queue,
            kernel,
            &global,
            Some(&local),
            &[],
            null_mut(),
        ));
        assert_eq!(
            session.read::<i32>(buffer, COUNT as usize),
            expected,
            "{version}"
        );
    }
}

/// The build must fail with an error on line 2 that names what is missing.
#[track_caller]
fn refused(versions: &[&str], line: &str, missing: &str) {
    let session = Session::open();
    for version in versions {
        let program = session.program(&format!("\n{line}\nkernel void k(void) {{}}"));
        let code = session.build(program, &format!("-cl-std={version}"));
        let log = session.log(program);
        assert_eq!(code, CL_BUILD_PROGRAM_FAILURE, "{version} {line}\n{log}");
        assert!(log.contains("program.cl:2:"), "{version} {line}\n{log}");
        assert!(log.contains(missing), "{version} {line}\n{log}");
    }
}

#[test]
fn no_macro_is_a_lie() {
    let absent = [
        "__opencl_c_atomic_scope_all_devices",
        "__opencl_c_device_enqueue",
        "__opencl_c_generic_address_space",
        "__opencl_c_pipes",
        "__opencl_c_program_scope_global_variables",
        "__opencl_c_read_write_images",
        "__opencl_c_subgroups",
        "__opencl_c_work_group_collective_functions",
        "__opencl_c_integer_dot_product_input_4x8bit",
        "cl_khr_subgroups",
        "cl_khr_depth_images",
        "cl_khr_mipmap_image",
        "cl_intel_subgroups",
        "__EMBEDDED_PROFILE__",
    ];
    let absent: String = absent
        .iter()
        .map(|name| format!("#ifdef {name}\n#error {name}\n#endif\n"))
        .collect();
    for (version, number) in [
        ("CL1.1", 110),
        ("CL1.2", 120),
        ("CL2.0", 200),
        ("CL3.0", 300),
    ] {
        let source = format!(
            "#if __OPENCL_C_VERSION__ != {number} || __OPENCL_VERSION__ != 120
            #error version
            #endif
            #if {number} >= 200 && !(defined __opencl_c_images && defined __opencl_c_fp64 && \\
                defined __opencl_c_3d_image_writes && defined __opencl_c_int64 && \\
                defined __opencl_c_atomic_order_acq_rel && \\
                defined __opencl_c_atomic_order_seq_cst && \\
                defined __opencl_c_atomic_scope_device)
            #error feature
            #endif
            #if !defined cl_khr_fp64 || !defined __IMAGE_SUPPORT__
            #error extension
            #endif
            {absent}
            kernel void k(global int *o) {{ o[get_global_id(0)] = __OPENCL_C_VERSION__; }}"
        );
        check(&[version], &source, |_| number);
    }
}

#[test]
fn programs_of_1_2_run_in_every_version() {
    check(
        &VERSIONS,
        "constant int table[4] = { 1, 2, 3, 4 };
        int of(global const int *p) { return *p + 1; }
        kernel void k(global int *o) {
            local int shared[8];
            int i = get_global_id(0), l = get_local_id(0);
            float whole, part = fract(i + 0.5f, &whole);
            shared[l] = table[l % 4];
            barrier(CLK_LOCAL_MEM_FENCE);
            o[i] = i;
            atomic_add(&o[i], shared[7 - l] * 10);
            o[i] = of(&o[i]) + (int)whole + (int)(part * 2) + vload4(0, shared).w;
        }",
        |i| i + (4 - i % 4) * 10 + 1 + i + 1 + 4,
    );
}

#[test]
fn images_doubles_and_halves_are_there_in_later_versions() {
    let session = Session::open();
    for version in VERSIONS {
        session.built_with(
            "#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable
            #pragma OPENCL EXTENSION cl_khr_fp64 : enable
            #pragma OPENCL EXTENSION cl_khr_fp16 : enable
            kernel void k(read_only image2d_t a, write_only image3d_t b, sampler_t s,
                          global double *d, global half *h) {
                write_imagef(b, (int4)(0), read_imagef(a, s, (int2)(1)));
                d[0] = sqrt(d[1]) + convert_double(h[0] * h[1]);
            }",
            &format!("-cl-std={version}"),
        );
    }
}

#[test]
fn trailing_zeros_are_counted_in_every_version() {
    check(
        &VERSIONS,
        "kernel void k(global int *o) {
            int i = get_global_id(0);
            o[i] = ctz(i);
        }",
        |i| i.trailing_zeros() as i32,
    );
    for (scalar, bits) in [("char", 8), ("short", 16), ("int", 32), ("long", 64)] {
        for unsigned in ["", "u"] {
            for width in ["2", "3", "4", "8", "16"] {
                let ty = format!("{unsigned}{scalar}");
                check(
                    &["CL1.2"],
                    &format!(
                        "kernel void k(global int *o) {{
                            int i = get_global_id(0);
                            {ty}{width} v = ({ty}{width})(0);
                            v.s0 = ({ty})(({ty})1 << (i % {bits}));
                            {ty}{width} n = ctz(v);
                            o[i] = n.s0 + 100 * n.s1 + 10000 * ctz(v.s0);
                        }}"
                    ),
                    |i| 10001 * (i % bits) + 100 * bits,
                );
            }
        }
    }
}

#[test]
fn programs_of_1_2_may_have_a_ctz_of_their_own() {
    check(
        &["CL1.2"],
        "int ctz(int x) { return x + 7; }
        kernel void k(global int *o) { o[get_global_id(0)] = ctz(1); }",
        |_| 8,
    );
    check(
        &["CL1.2"],
        "kernel void k(global int *o) { int ctz = 5; o[get_global_id(0)] = ctz; }",
        |_| 5,
    );
}

#[test]
fn work_item_functions_and_barriers_of_later_versions() {
    check(
        &LATER,
        "kernel void k(global int *o) {
            local int shared[8];
            int i = get_global_linear_id(), l = get_local_linear_id();
            shared[l] = i;
            work_group_barrier(CLK_LOCAL_MEM_FENCE);
            int other = shared[7 - l];
            work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group);
            o[i] = other + 100 * get_enqueued_local_size(0);
        }",
        |i| 800 + i / 8 * 8 + 7 - i % 8,
    );
}

#[test]
fn atomics_of_later_versions() {
    check(
        &LATER,
        "kernel void k(global int *o) {
            local atomic_int sum;
            local atomic_uint least;
            local atomic_flag flag;
            local int first;
            int l = get_local_id(0);
            if (l == 0) {
                atomic_init(&sum, 0);
                atomic_init(&least, 100u);
                atomic_flag_clear_explicit(&flag, memory_order_relaxed, memory_scope_work_group);
                first = 0;
            }
            work_group_barrier(CLK_LOCAL_MEM_FENCE);
            atomic_fetch_add_explicit(&sum, l, memory_order_relaxed, memory_scope_work_group);
            atomic_fetch_min_explicit(&least, 5u + l, memory_order_relaxed,
                                      memory_scope_work_group);
            if (!atomic_flag_test_and_set_explicit(&flag, memory_order_relaxed,
                                                   memory_scope_work_group))
                first = 1;
            work_group_barrier(CLK_LOCAL_MEM_FENCE);
            int expected = 28;
            bool same = l == 0 && atomic_compare_exchange_strong_explicit(&sum, &expected, 50,
                memory_order_relaxed, memory_order_relaxed, memory_scope_work_group);
            atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_acq_rel,
                                   memory_scope_work_group);
            work_group_barrier(CLK_LOCAL_MEM_FENCE);
            int after = atomic_load_explicit(&sum, memory_order_relaxed, memory_scope_work_group);
            uint lowest = atomic_load_explicit(&least, memory_order_relaxed,
                                               memory_scope_work_group);
            o[get_global_id(0)] = after + 100 * lowest + 1000 * first + 10000 * same;
        }",
        |i| 50 + 500 + 1000 + if i % 8 == 0 { 10000 } else { 0 },
    );
}

#[test]
fn atomics_without_scope_or_order_hold_for_the_device() {
    check(
        &LATER,
        "kernel void k(global int *o) {
            global atomic_int *a = (global atomic_int *)o;
            local atomic_int sum;
            local atomic_flag flag;
            local int first;
            int l = get_local_id(0);
            if (l == 0) {
                atomic_store(&sum, 0);
                atomic_flag_clear(&flag);
            }
            work_group_barrier(CLK_LOCAL_MEM_FENCE);
            atomic_fetch_add(&sum, 1);
            atomic_fetch_add_explicit(&sum, 1, memory_order_relaxed);
            int expected = atomic_load_explicit(&sum, memory_order_acquire);
            while (!atomic_compare_exchange_weak(&sum, &expected, expected + 1))
                ;
            if (!atomic_flag_test_and_set_explicit(&flag, memory_order_seq_cst))
                first = 1000;
            work_group_barrier(CLK_LOCAL_MEM_FENCE);
            // Both groups add to each number.
            atomic_fetch_add(&a[l], atomic_load(&sum));
            atomic_fetch_add_explicit(&a[l + 8], first, memory_order_acq_rel);
        }",
        |i| if i < 8 { 48 } else { 2000 },
    );
}

#[test]
fn what_is_missing_is_named_where_it_is_used() {
    refused(&LATER, "void f(read_only pipe int p) {}", "'pipe'");
    refused(&LATER, "void f(void) { generic int *p; }", "'generic'");
    refused(
        &LATER,
        "void f(global int *x) { int *p = x; }",
        "the generic address space of OpenCL C 2.0 is not supported",
    );
    refused(
        &VERSIONS,
        "global int counter = 1;",
        "variables of program scope in global memory",
    );
    refused(&LATER, "void f(read_write image2d_t i) {}", "read_write");
    refused(
        &LATER,
        "int f(int x) { return work_group_reduce_add(x); }",
        "it needs work-group collective functions",
    );
    refused(
        &LATER,
        "void f(void) { sub_group_barrier(1); }",
        "it needs sub-groups",
    );
    refused(
        &LATER,
        "uint f(void) { return get_sub_group_id(); }",
        "it needs sub-groups",
    );
    refused(&LATER, "void f(void) { queue_t q; }", "queue_t");
    refused(
        &LATER,
        "void f(void) { get_default_queue(); }",
        "it needs device enqueue",
    );
    refused(
        &LATER,
        "void f(void) { void (^b)(void) = ^{}; }",
        "device_enqueue",
    );
    refused(
        &LATER,
        "void f(void) { work_group_barrier(1, memory_scope_all_svm_devices); }",
        "it needs shared virtual memory",
    );
    refused(
        &LATER,
        "global int *f(int *x) { return to_global(x); }",
        "it needs the generic address space",
    );
}

#[test]
fn other_versions_are_invalid_options() {
    let session = Session::open();
    let program = session.program("kernel void k(void) {}");
    for version in [
        "CL1.0",
        "CL2.1",
        "CL2.2",
        "CL3.1",
        "CLC++",
        "CLC++2021",
        "",
        "c11",
    ] {
        let code = session.build(program, &format!("-cl-std={version}"));
        assert_eq!(code, CL_INVALID_BUILD_OPTIONS, "{version}");
    }
}
