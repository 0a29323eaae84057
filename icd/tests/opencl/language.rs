//! The language: programs whose results are known, and what the specification forbids.

use crate::session::{Session, ok};
use cl_sys::*;
use std::ptr::null_mut;

/// Work-items of a case.
const COUNT: i32 = 16;

/// Runs kernel `k(global int *o)` over one group, optimised and not; work-item `i` must
/// leave `expected(i)` in `o[i]`.
#[track_caller]
pub fn check(source: &str, expected: impl Fn(i32) -> i32) {
    let session = Session::open();
    let expected: Vec<i32> = (0..COUNT).map(expected).collect();
    for options in ["", "-cl-opt-disable"] {
        let program = session.built_with(source, options);
        let kernel = session.kernel_of(program, "k");
        let buffer = session.buffer(&[-7i32; COUNT as usize]);
        ok(session.set(kernel, 0, &buffer));
        let sizes = [COUNT as usize];
        let queue = session.queue;
        ok(session.launch(queue, kernel, &sizes, Some(&sizes), &[], null_mut()));
        let result = session.read::<i32>(buffer, COUNT as usize);
        assert_eq!(result, expected, "with options `{options}`");
    }
}

/// The build must fail, and the log say why.
#[track_caller]
fn refused(source: &str, reason: &str) {
    let session = Session::open();
    let program = session.program(source);
    let code = session.build(program, "");
    assert_eq!(code, CL_BUILD_PROGRAM_FAILURE, "{source}");
    let log = session.log(program);
    assert!(log.contains("error:") && log.contains(reason), "{log}");
}

#[test]
fn goto_backwards() {
    check(
        "kernel void k(global int *o) {
            int i = get_global_id(0), s = 0, n = 0;
        again:
            s += n++;
            if (n <= i) goto again;
            o[i] = s;
        }",
        |i| i * (i + 1) / 2,
    );
}

#[test]
fn irreducible_flow_that_diverges() {
    check(
        "kernel void k(global int *o) {
            int i = get_global_id(0), s = 0, n = 0;
            if (i & 1) goto middle;
        top:
            s += 1;
        middle:
            s += 10;
            if (++n < i) goto top;
            o[i] = s;
        }",
        |i| {
            let rounds = i.max(1);
            rounds * 10 + rounds - (i & 1)
        },
    );
}

#[test]
fn switch_into_a_loop() {
    check(
        "kernel void k(global int *o) {
            int i = get_global_id(0), s = 0;
            switch (i % 5) {
            case 0: s += 1;
            case 1: s += 10; break;
            case 2: do { s += 100;
            case 3: s += 1000; } while (s < 2000); break;
            default: s = -1;
            }
            o[i] = s;
        }",
        |i| [11, 10, 2200, 2100, -1][i as usize % 5],
    );
}

#[test]
fn structs_and_unions_by_value() {
    check(
        "typedef struct { int a; float b; char c[3]; int4 v; } S;
        typedef union { uint u; float f; uchar c[4]; } U;
        S changed(S s, int i) { s.a += i; s.v.y = i; s.c[1] = i; return s; }
        kernel void k(global int *o) {
            int i = get_global_id(0);
            S s = { 1, 2.f, { 1, 2, 3 }, (int4)(1) };
            S t = changed(s, i);
            U u;
            u.f = 1.0f;
            o[i] = t.a + t.v.y + t.c[1] + s.c[1] + (int)t.b + u.c[3];
        }",
        |i| 1 + 3 * i + 2 + 2 + 0x3f,
    );
}

#[test]
fn structs_packed_and_aligned() {
    check(
        "typedef struct __attribute__((packed)) { char a; int b; short c; } P;
        typedef struct __attribute__((aligned(32))) { char a; } A;
        typedef struct { int x __attribute__((endian(host))); } E;
        kernel void k(global int *o __attribute__((endian(device)))) {
            int i = get_global_id(0);
            P p[3];
            E e;
            p[1].b = e.x = i;
            o[i] = sizeof(P) * 1000 + sizeof(A) * 10 + p[1].b + e.x;
        }",
        |i| 7320 + 2 * i,
    );
}

#[test]
fn arrays_of_arrays_in_every_address_space() {
    check(
        "constant int table[2][3][4] = {{{1, 2}, {3}}, {{4}, {5, 6, 7, 8}}};
        kernel void k(global int *o) {
            int i = get_global_id(0), m[4][4];
            for (int a = 0; a < 4; a++)
                for (int b = 0; b < 4; b++) m[a][b] = a * b + i;
            local int shared[4][4];
            shared[i / 4][i % 4] = m[i / 4][i % 4];
            barrier(CLK_LOCAL_MEM_FENCE);
            o[i] = shared[i % 4][i / 4] + table[1][1][i % 4];
        }",
        |i| (i % 4) * (i / 4) + (i % 4) * 4 + i / 4 + 5 + i % 4,
    );
}

#[test]
fn constants_at_program_scope_may_point_to_each_other() {
    check(
        "constant float4 vector = (float4)(1, 2, 3, 4);
        constant int numbers[] = { 1, 2, 3, 4, 5 };
        constant char text[] = \"hello\";
        typedef struct { int a; constant char *s; } X;
        constant X both[2] = { { 1, text }, { 2, text + 1 } };
        kernel void k(global int *o) {
            int i = get_global_id(0);
            constant char *letters = \"abcdefghijklmnopq\";
            o[i] = (int)vector.w + numbers[i % 5] + both[i & 1].s[0] + letters[i];
        }",
        |i| 4 + i % 5 + 1 + [i32::from(b'h'), i32::from(b'e')][i as usize & 1] + 97 + i,
    );
}

#[test]
fn kernels_that_call_kernels() {
    check(
        "kernel void inner(global int *o, int x) {
            local int s;
            if (get_local_id(0) == 0) s = x;
            barrier(CLK_LOCAL_MEM_FENCE);
            o[get_global_id(0)] = s + get_local_id(0);
        }
        kernel void k(global int *o) { inner(o, 100); }",
        |i| 100 + i,
    );
}

#[test]
fn barriers_deep_in_calls() {
    check(
        "int f3(local int *s, int i) { barrier(CLK_LOCAL_MEM_FENCE); return s[15 - i]; }
        int f2(local int *s, int i) { return f3(s, i) + 1; }
        int f1(local int *s, int i) {
            for (int j = 0; j < 2; j++) {
                int r = f2(s, i);
                barrier(CLK_LOCAL_MEM_FENCE);
                s[i] = r;
            }
            barrier(CLK_LOCAL_MEM_FENCE);
            return s[i];
        }
        kernel void k(global int *o) {
            local int s[16];
            int i = get_global_id(0);
            s[i] = i;
            o[i] = f1(s, i);
        }",
        |i| i + 2,
    );
}

#[test]
fn vectors_and_their_components() {
    check(
        "kernel void k(global int *o) {
            int i = get_global_id(0);
            int16 v = (int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
            v.s3 = i;
            v.hi.even.lo.x += i;
            v.odd.s01 = v.lo.lo.hi.yx;
            int3 t = v.sFed;
            t.xz = t.zx;
            int4 a = (int4)(i, v.s1, 2, 3), c = a > (int4)(2);
            a = ~((c ? a : (int4)(2)) << 1);
            o[i] = v.s1 * 10000 + v.s3 * 100 + v.s8 + t.x + a.x + any(c);
        }",
        |i| i * 10000 + 200 + 8 + i + 13 + !(if i > 2 { i } else { 2 } << 1) + 1,
    );
}

#[test]
fn sizes_of_types() {
    check(
        "kernel void k(global int *o) {
            int i = get_global_id(0);
            int sizes[16] = { sizeof(float3), sizeof(size_t), sizeof(long), sizeof(char3),
                sizeof(double16), vec_step(float3), vec_step(int), sizeof(void *),
                sizeof(bool), sizeof(half), vec_step((short8)(1)), sizeof(ptrdiff_t),
                sizeof(uchar2), sizeof(ulong3), sizeof(\"abc\"), sizeof(int[3]) };
            o[i] = sizes[i];
        }",
        |i| [16, 8, 8, 4, 128, 4, 1, 8, 1, 2, 8, 8, 2, 32, 4, 12][i as usize],
    );
}

#[test]
fn shifts_take_their_amount_modulo_the_width() {
    check(
        "kernel void k(global int *o) {
            int i = get_global_id(0);
            o[i] = (1 << (32 + i)) + (int)((ulong)1 << (64 + i)) + ((uchar)200 >> (i + 32));
        }",
        |i| (2 << i) + (200 >> i),
    );
}

#[test]
fn thousands_of_statements_without_a_branch() {
    let statements: String = (0..2500)
        .map(|n| {
            format!(
                "a += rotate(b ^ {n}, {}u) + (c & d); d = c; c = b; b = a;\n",
                n % 31 + 1
            )
        })
        .collect();
    check(
        &format!(
            "kernel void k(global int *o) {{
                uint a = get_global_id(0), b = a * 3, c = b ^ 5, d = c + 7;
                {statements}
                o[get_global_id(0)] = a;
            }}"
        ),
        |i| {
            let mut a = i as u32;
            let (mut b, mut c, mut d) = (a * 3, (a * 3) ^ 5, ((a * 3) ^ 5) + 7);
            for n in 0..2500 {
                a = a.wrapping_add((b ^ n).rotate_left(n % 31 + 1).wrapping_add(c & d));
                (d, c, b) = (c, b, a);
            }
            a as i32
        },
    );
}

#[test]
fn attributes_and_pragmas() {
    check(
        "#pragma OPENCL FP_CONTRACT OFF
        __attribute__((reqd_work_group_size(16, 1, 1)))
        __attribute__((work_group_size_hint(16, 1, 1)))
        __attribute__((vec_type_hint(float4)))
        kernel void k(global int *restrict o) {
            int i = get_global_id(0), s = 0;
            #pragma unroll 4
            for (int j = 0; j < i; j++) s += j;
            __attribute__((opencl_unroll_hint(2)))
            for (int j = 0; j < 2; j++) s += j;
            float a = 1.0f + 0x1p-12f * (i + 1), b = a, c = -(a * b);
            volatile int x = a * b + c == 0.0f;
            o[i] = s + x;
        }",
        |i| i * (i - 1) / 2 + 1 + 1,
    );
}

#[test]
fn strided_copies_of_the_group() {
    check(
        "kernel void k(global int *o) {
            local int s[16];
            int i = get_global_id(0);
            o[i] = i;
            barrier(CLK_GLOBAL_MEM_FENCE);
            event_t e = async_work_group_strided_copy(s, o, 8, 2, 0);
            e = async_work_group_copy(s + 8, o, 8, e);
            wait_group_events(1, &e);
            o[i] = s[i];
        }",
        |i| if i < 8 { 2 * i } else { i - 8 },
    );
}

#[test]
fn what_section_6_9_forbids() {
    let cases = [
        (
            "int f(int x) { return x ? f(x - 1) : 0; } kernel void k(global int *o) { *o = f(3); }",
            "recursion is not supported",
        ),
        (
            "int f(int x) { return x; } kernel void k(global int *o) { int (*p)(int) = f; *o = p(1); }",
            "pointers to functions are not allowed",
        ),
        (
            "kernel void k(global int *o, int n) { int a[n]; a[0] = 1; *o = a[0]; }",
            "variable length arrays are not supported",
        ),
        (
            "struct S { int n; int a[]; }; kernel void k(global struct S *s) { s->n = 1; }",
            "flexible array members are not supported",
        ),
        (
            "struct S { int a : 3; }; kernel void k(global struct S *s) { s->a = 1; }",
            "bit-fields are not supported",
        ),
        (
            "kernel void k(constant int *c) { *c = 2; }",
            "read-only variable is not assignable",
        ),
        (
            "constant int c = 1; kernel void k(global int *o) { c = *o; }",
            "read-only variable is not assignable",
        ),
        (
            "kernel void k(constant int *c, global int *o) { *(global int *)c = *o; }",
            "changes address space of pointer",
        ),
        (
            "kernel int k(global int *o) { return 1; }",
            "kernel must have void return type",
        ),
        (
            "kernel void k(global int **o) {}",
            "pointer arguments to kernel functions",
        ),
        (
            "kernel void k(int *o) {}",
            "pointer arguments to kernel functions",
        ),
        (
            "kernel void k(bool b) {}",
            "cannot be used as the type of a kernel parameter",
        ),
        (
            "kernel void k(size_t b) {}",
            "cannot be used as the type of a kernel parameter",
        ),
        (
            "kernel void k(event_t e) {}",
            "cannot be used as the type of a kernel parameter",
        ),
        (
            "struct S { global int *p; }; kernel void k(struct S s) {}",
            "struct kernel parameters may not contain pointers",
        ),
        (
            "int g = 3; kernel void k(global int *o) { *o = g; }",
            "program scope variable must reside in constant address space",
        ),
        (
            "kernel void k(global int *o) { local int x = 3; *o = x; }",
            "'__local' variable cannot have an initializer",
        ),
        (
            "kernel void k(global int *o) { if (*o) { local int x; x = 1; *o = x; } }",
            "outermost scope of a kernel function",
        ),
        (
            "void f(void) { local int x; x = 1; } kernel void k(global int *o) { f(); }",
            "non-kernel function variable cannot be declared in local address space",
        ),
        (
            "kernel void k(global int *o) { static int x; *o = x; }",
            "cannot be declared static",
        ),
        (
            "kernel void k(global int *o) { register int x = 1; *o = x; }",
            "'register'",
        ),
        (
            "int f(int a, ...) { return a; } kernel void k(global int *o) { *o = f(1, 2); }",
            "variadic arguments are not allowed",
        ),
        (
            "#include <stdio.h>\nkernel void k(global int *o) {}",
            "'stdio.h' file not found",
        ),
        (
            "kernel void k(global int *o) { __asm__(\"nop\"); }",
            "inline assembly is disabled",
        ),
        (
            "kernel void k(global int *o) { local int l[2]; global int *g = l; *g = 1; }",
            "changes address space of pointer",
        ),
        (
            "kernel void k(global int4 *o) { int *p = &(*o).x; *p = 1; }",
            "address of vector element requested",
        ),
        (
            "kernel void k(global sampler_t *s) {}",
            "is invalid in OpenCL",
        ),
        (
            "__attribute__((reqd_work_group_size(0, 1, 1))) kernel void k(void) {}",
            "must be greater than 0",
        ),
    ];
    for (source, reason) in cases {
        refused(source, reason);
    }
}
