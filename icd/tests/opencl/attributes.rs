//! Attributes: those that the platform cannot honour are errors, the others compile and run.

use crate::session::{Session, ok};
use cl_sys::CL_BUILD_PROGRAM_FAILURE;
use std::ptr::null_mut;

/// Declarations, and the attribute that is refused.
const REFUSED: &[(&str, &str)] = &[
    (
        "int g(int x) { return x; } int f(int) __attribute__((alias(\"g\")));",
        "alias",
    ),
    (
        "static int f(int) __attribute__((weakref(\"g\")));",
        "weakref",
    ),
    ("int f(int x) __asm__(\"memcpy\");", "asm"),
    ("int f(int x) __asm(\"llvm.trap\");", "asm"),
    (
        "__attribute__((constructor)) void f(void) {}",
        "constructor",
    ),
    (
        "__attribute__((destructor(101))) void f(void) {}",
        "destructor",
    ),
    (
        "__attribute__((section(\"s\"))) int f(int x) { return x; }",
        "section",
    ),
    (
        "constant int c __attribute__((section(\"s\"))) = 1;",
        "section",
    ),
    (
        "__attribute__((target(\"avx512f\"))) int f(int x) { return x; }",
        "target",
    ),
    (
        "__attribute__((target_clones(\"avx2\", \"default\"))) int f(int x) { return x; }",
        "target_clones",
    ),
    (
        "__attribute__((cpu_specific(ivybridge))) int f(int x) { return x; }",
        "cpu_specific",
    ),
    (
        "__attribute__((cpu_dispatch(ivybridge))) int f(int x) {}",
        "cpu_dispatch",
    ),
    ("__attribute__((interrupt)) void f(void *x) {}", "interrupt"),
    (
        "__attribute__((no_caller_saved_registers)) int f(int x) { return x; }",
        "no_caller_saved_registers",
    ),
    (
        "int f(int x) __attribute__((returns_twice));",
        "returns_twice",
    ),
    (
        "__attribute__((ms_abi)) int f(int x) { return x; }",
        "ms_abi",
    ),
    (
        "__attribute__((sysv_abi)) int f(int x) { return x; }",
        "sysv_abi",
    ),
    (
        "__attribute__((device_kernel)) void f(void) {} kernel void g(void) { f(); }",
        "device_kernel",
    ),
    (
        "__attribute__((amdgpu_kernel)) void f(void) {}",
        "amdgpu_kernel",
    ),
    (
        "__attribute__((vectorcall)) int f(int x) { return x; }",
        "vectorcall",
    ),
    (
        "__attribute__((regcall)) int f(int x) { return x; }",
        "regcall",
    ),
    (
        "__attribute__((preserve_all)) void f(void) {}",
        "preserve_all",
    ),
    (
        "__attribute__((swiftcall)) int f(int x) { return x; }",
        "swiftcall",
    ),
    (
        "void f(__attribute__((address_space(257))) int *x) { *x = 1; }",
        "address_space",
    ),
    (
        "typedef __attribute__((address_space(9))) int I;",
        "address_space",
    ),
    (
        "int g(int x) { return x; } int f(int x) { __attribute__((musttail)) return g(x); }",
        "musttail",
    ),
    (
        "#pragma clang attribute push(__attribute__((naked)), apply_to = function)
         void f(void) {}
         #pragma clang attribute pop",
        "naked",
    ),
];

#[test]
fn what_cannot_be_honoured_is_an_error_that_names_the_attribute() {
    let session = Session::open();
    for (declaration, name) in REFUSED {
        let program = session.program(&format!("{declaration}\nkernel void k(void) {{}}"));
        let code = session.build(program, "");
        let log = session.log(program);
        assert_eq!(code, CL_BUILD_PROGRAM_FAILURE, "{declaration}\n{log}");
        // One may bring another: a weak reference is an alias as well.
        let mut errors = log.lines().filter(|line| {
            line.contains("error: attribute '")
                && line.ends_with("' is not supported in OpenCL programs")
        });
        assert!(
            errors.any(|line| line.contains(name)),
            "{declaration}\n{log}"
        );
    }
    // On the kernel itself.
    for name in ["naked", "interrupt", "ms_abi", "sysv_abi", "preserve_most"] {
        let program = session.program(&format!("__attribute__(({name})) kernel void k(void) {{}}"));
        assert_eq!(
            session.build(program, ""),
            CL_BUILD_PROGRAM_FAILURE,
            "{name}"
        );
    }
}

#[test]
fn attributes_without_harm_stay() {
    let session = Session::open();
    let functions = [
        "noinline",
        "always_inline",
        "const",
        "pure",
        "flatten",
        "cold",
        "hot",
        "overloadable",
        "unused",
        "deprecated",
        "nothrow",
        "warn_unused_result",
        "visibility(\"hidden\")",
        "minsize",
        "nodebug",
        "convergent",
        "annotate(\"text\")",
        "no_instrument_function",
        "weak",
        "used",
    ];
    for attribute in functions {
        let source = format!(
            "__attribute__(({attribute})) int add(int x) {{ return x + 41; }}
             typedef struct __attribute__((packed, aligned(4))) {{ char c; int i; }} S;
             __attribute__((reqd_work_group_size(1, 1, 1), vec_type_hint(int)))
             kernel void k(global int *x) {{
                 S s __attribute__((aligned(16))) = {{ 0, *x }};
                 __attribute__((opencl_unroll_hint(2)))
                 for (int i = 0; i < 2; ++i) s.c += 1;
                 *x = add(s.i) + s.c - 2;
             }}"
        );
        let kernel = session.kernel(&source, "k");
        let buffer = session.buffer(&[1i32]);
        ok(session.set(kernel, 0, &buffer));
        ok(session.launch(session.queue, kernel, &[1], Some(&[1]), &[], null_mut()));
        assert_eq!(session.read::<i32>(buffer, 1), [42], "{attribute}");
    }
}

#[test]
fn names_of_the_compiler_and_builtins_of_unwinding_are_refused() {
    let session = Session::open();
    for (source, reason) in [
        (
            "void __mocl3_barrier(int, int); kernel void k(void) { __mocl3_barrier(1, 2); }",
            "reserved",
        ),
        (
            "int mocl3_printf(int); kernel void k(global int *x) { *x = mocl3_printf(1); }",
            "reserved",
        ),
        (
            "extern constant int __mocl3_c; kernel void k(global int *x) { *x = __mocl3_c; }",
            "reserved",
        ),
        (
            "kernel void k(void) { __builtin_eh_return(1, 0); }",
            "builtin is not supported",
        ),
    ] {
        let program = session.program(source);
        assert_eq!(
            session.build(program, ""),
            CL_BUILD_PROGRAM_FAILURE,
            "{source}"
        );
        let log = session.log(program);
        assert!(
            log.contains("error:") && log.contains(reason),
            "{source}\n{log}"
        );
    }
}
