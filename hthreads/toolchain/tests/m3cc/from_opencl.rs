//! Kernels of OpenCL C that the kernel compiler writes as C for m3cc.

use crate::tree::{TREE, build_texts, repository};
use kernel_compiler::Unsupported;
use kernel_compiler::executable::{Executable, Specialisation};
use kernel_compiler::options::{BuildCall, BuildOptions};
use std::fs;

/// The only kernel of a program as C.
fn written(source: &str, local_size: Option<[u64; 3]>) -> Result<String, Unsupported> {
    let options = BuildOptions::from_words(Vec::new(), BuildCall::Build).unwrap();
    let unit = kernel_compiler::compile_named("k.cl", source, &options, &[]).unwrap();
    let program = Executable::link(&[&unit]).unwrap();
    let version = Specialisation {
        local_size,
        ..Default::default()
    };
    let version = program.normalise(0, version);
    program.m3000_c(0, &version).unwrap()
}

/// Local memory, a barrier, an asynchronous copy and a builtin function, for any and for one size of
/// work-groups.
#[test]
fn the_example_runs() {
    let example = repository("examples/hthreads-from-opencl");
    let source = fs::read_to_string(example.join("smooth.cl")).unwrap();
    for local_size in [None, Some([128, 1, 1])] {
        let folder = tempfile::tempdir().unwrap();
        let here = folder.path();
        TREE.succeed(&format!("cp {}/* .", example.display()), here);
        fs::write(
            here.join("smooth_kernel.c"),
            written(&source, local_size).unwrap(),
        )
        .unwrap();
        TREE.succeed("make", here);
        let printed = TREE.succeed("./smooth 3", here);
        assert_eq!(printed, "3 threads, 128000 elements, 0 wrong\n");
    }
}

#[test]
fn what_has_no_counterpart_is_named() {
    let image = "kernel void k(read_only image2d_t picture, global int4 *to)\n\
                 { to[0] = read_imagei(picture, (int2)(0, 0)); }";
    assert_eq!(
        written(image, None),
        Err(Unsupported::Image("picture".into()))
    );
    let choosing = "kernel void k(int x) { printf(x ? \"%d\" : \"%x\", x); }";
    assert_eq!(written(choosing, None), Err(Unsupported::Format));
}

/// A host program that runs a kernel, and prints its status and elements of `to`.
struct Host {
    kernel: &'static str,
    threads: u32,
    /// The words of the NDRange.
    range: &'static str,
    /// Declares the buffers and fills them.
    buffers: &'static str,
    /// The buffers that are arguments of the kernel.
    arguments: &'static str,
    elements: u32,
}

const ONE_ITEM: &str = "1, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1";

impl Host {
    fn text(&self) -> String {
        let Self {
            kernel,
            threads,
            range,
            buffers,
            arguments,
            elements,
        } = self;
        format!(
            r#"
#include "hthread_host.h"
#include <stdio.h>
#include <string.h>
int main(void)
{{
    hthread_dev_open(0);
    hthread_dat_load(0, "kernel.dat");
    uint64_t words[] = {{ {range} }};
    uint64_t *range = hthread_malloc(0, sizeof words, HT_MEM_RO);
    memcpy(range, words, sizeof words);
    {buffers}
    void *buffers[] = {{ range, {arguments} }};
    int count = sizeof buffers / sizeof *buffers;
    int group = hthread_group_create(0, {threads}, "{kernel}", 0, count, (uint64_t *)buffers);
    printf("%d:", hthread_group_wait(group));
    for (int i = 0; i < {elements}; i++)
        printf(" %ld", (long)to[i]);
    printf("\n");
    hthread_dev_close(0);
    return 0;
}}
"#
        )
    }
}

/// Builds a kernel and a host program, and runs that; its output.
fn run(kernel: &str, host: &Host) -> String {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let kernel = written(kernel, None).unwrap();
    build_texts(here, &kernel, &host.text(), "-O2 -fenable-m3000");
    TREE.succeed("./program", here)
}

/// What OpenCL's `printf` has besides C's, and what it treats otherwise.
const PRINTING: &str = r#"
kernel void printing(global int *to, global const float *from)
{
    private char letters[3] = {'a', (char)from[0] + 'a', 0};
    printf("%d %5.2f|%v4hlf|%#v4hhx %s %c%%\n", -1, from[0], vload4(0, from), (uchar4)(250, 253, 252, 0),
           "te\"xt", 'z');
    printf("%hhd %v2d %v3hd %v2lx %s|%-4.1s|\n", 511, (int2)(1, -2), (short3)(1, -2, 3), (long2)(-1, 5), letters,
           letters);
    printf("%v8hlg\n", (float8)(vload4(0, from), vload4(0, from)));
    printf("%f %5.1F %a %+g\n", -NAN, from[4] / 0.0f, 1.0, as_float(0xffc00000));
    to[0] = printf("%d %s %d?""?=\n", 1, 2, 3);
    printf("\n");
    to[1] = printf("%1500d|\n", 7);
}"#;

const PRINTING_HOST: Host = Host {
    kernel: "printing",
    threads: 1,
    range: ONE_ITEM,
    buffers: "int *to = hthread_malloc(0, 8, HT_MEM_RW);
        float *from = hthread_malloc(0, 20, HT_MEM_RO);
        from[0] = 1, from[1] = 2.5f, from[2] = -3, from[3] = 4.25f, from[4] = 1;",
    arguments: "to, from",
    elements: 2,
};

#[test]
fn printf_prints_what_opencl_prints() {
    let printed = run(PRINTING, &PRINTING_HOST);
    let expected = [
        "-1  1.00|1.000000,2.500000,-3.000000,4.250000|0xfa,0xfd,0xfc,0 te\"xt z%",
        "-1 1,-2 1,-2,3 ffffffffffffffff,5 ab|a   |",
        "1,2.5,-3,4.25,1,2.5,-3,4.25",
        "nan   INF 0x1p+0 +nan",
        "1 %s %d??=",
        "",
        &format!("{:>1500}|", 7),
        "0: -1 0",
    ];
    assert_eq!(printed, expected.join("\n") + "\n");
}

/// Types and operations that C does not have as LLVM does.
const OPERATIONS: &str = "
kernel void transfer(global int *to, global const int *from)
{
    int x = from[0];
    to[0] = add_sat((char)x, (char)100);
    to[1] = mul24(x, x);
    to[2] = as_int(as_float(x) < 1.0f ? NAN : 2.0f);
    to[3] = clz((short)x);
    to[4] = rotate((uchar)x, (uchar)3);
    int3 v = vload3(0, from);
    vstore3(v.zyx + (v > 7 ? (int3)(1) : (int3)(2)), 0, to + 5);
    to[8] = atomic_add(to + 9, 5);
    to[10] = mul_hi((long)x << 40, (long)x << 30);
    switch (x) { case 70: to[11] = 1; break; case 99: to[11] = 2; break; default: to[11] = 3; }
    to[12] = !isless(as_float(0x7fc00000 + x), 1.0f);
    to[13] = atomic_cmpxchg(to + 14, 0, 8);
    to[15] = convert_int_sat(1e20f * x);
    to[16] = isnormal(as_float(x)) + 2 * isnormal((float)x);
    int4 infinite = isinf((float4)(x, as_float(0x7f800000), 1.0f, NAN));
    to[17] = infinite.x + 2 * infinite.y + 4 * infinite.w;
}";

const OPERATIONS_HOST: Host = Host {
    kernel: "transfer",
    threads: 2,
    range: ONE_ITEM,
    buffers: "int *to = hthread_malloc(0, 72, HT_MEM_RW), *from = hthread_malloc(0, 64, HT_MEM_RO);
        for (int i = 0; i < 18; i++)
            to[i] = 0;
        from[0] = 70, from[1] = 7, from[2] = -3;",
    arguments: "to, from",
    elements: 18,
};

#[test]
fn operations_have_the_results_of_opencl() {
    let printed = run(OPERATIONS, &OPERATIONS_HOST);
    // As the kernel gives by OpenCL.
    assert_eq!(
        printed,
        "0: 127 4900 2147483647 9 50 -2 9 72 0 5 313600 1 1 0 8 2147483647 2 -2\n"
    );
}

/// Item 0 waits at a barrier in the loop once more than the others, which return.
const DIVERGENT: &str = "
kernel void divergent(global int *to)
{
    local int turns;
    int item = get_local_id(0);
    if (item == 0)
        turns = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 3 + (item == 0); i++) {
        if (item == i)
            turns += 10 * item + 1;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (item == 3)
        return;
    barrier(CLK_LOCAL_MEM_FENCE);
    to[get_global_id(0)] = turns;
}";

const DIVERGENT_HOST: Host = Host {
    kernel: "divergent",
    threads: 2,
    range: "1, 0, 0, 0, 8, 1, 1, 4, 1, 1, 2, 1, 1",
    buffers: "int *to = hthread_malloc(0, 32, HT_MEM_RW);
        for (int i = 0; i < 8; i++)
            to[i] = -1;",
    arguments: "to",
    elements: 8,
};

#[test]
fn barriers_that_some_work_items_do_not_reach_wait_for_the_others() {
    let printed = run(DIVERGENT, &DIVERGENT_HOST);
    assert_eq!(printed, "0: 33 33 33 -1 33 33 33 -1\n");
}

/// Integers of 128 bits, and of the width of three components.
const WIDE: &str = "
__attribute__((noinline)) char3 choose(char3 a, int which, char3 b) { return which ? a : b; }
kernel void wide(global long *to, global const long *from)
{
    __int128 product = (__int128)from[0] * from[1];
    __int128 least = -((__int128)5 << 80);
    to[0] = (product < least ? least : product) >> 64;
    to[1] = product / from[2];
    to[2] = (long)(product % (from[2] + 7));
    to[3] = mad_sat(from[0], from[1], from[2]);
    to[4] = mad_sat((ulong)from[0], (ulong)from[1], (ulong)from[2]);
    to[5] = mad_sat(from[2], from[2], from[2]);
    to[6] = (product < 0 ? -product : product) >> 60;
    to[7] = (long)((float)product * 0x1p-64f);
    char3 bytes = choose((char3)(from[2], 1, 2), from[2] & 1, (char3)(from[2], -4, 5));
    to[8] = bytes.x + 10 * bytes.y + 1000 * bytes.z;
    long4 truths = (long4)(from[0], from[1], from[2], 1) < 0;
    to[9] = any(truths) + 2 * all(truths);
}";

/// Runs the kernel `wide`.
const WIDE_HOST: Host = Host {
    kernel: "wide",
    threads: 1,
    range: ONE_ITEM,
    buffers:
        "long *to = hthread_malloc(0, 80, HT_MEM_RW), *from = hthread_malloc(0, 24, HT_MEM_RO);
        from[0] = -0x123456789abcdef0, from[1] = 0x7edcba9876543210, from[2] = 99;",
    arguments: "to, from",
    elements: 10,
};

#[test]
fn integers_of_any_width_have_the_results_of_opencl() {
    let (a, b, c): (i64, i64, i128) = (-0x1234_5678_9abc_def0, 0x7edc_ba98_7654_3210, 99);
    let product = i128::from(a) * i128::from(b);
    let least = -(5i128 << 80);
    let expected: [i64; 10] = [
        (product.max(least) >> 64) as i64,
        (product / c) as i64,
        (product % (c + 7)) as i64,
        i64::MIN,
        u64::MAX as i64,
        9900,
        (product.abs() >> 60) as i64,
        (product as f32 * 2f32.powi(-64)) as i64,
        2109,
        1,
    ];
    let expected = expected.map(|number| format!(" {number}"));
    assert_eq!(run(WIDE, &WIDE_HOST), format!("0:{}\n", expected.concat()));
}

/// A denormal number of 16 bits is not normal, though it is as a `float`.
const HALVES: &str = "
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void wide(global long *to, global const long *from)
{
    ushort bits = from[2];
    for (int i = 0; i < 10; i++)
        to[i] = 10 * isnormal(as_half((ushort)(bits << i)));
}";

#[test]
fn denormal_numbers_of_16_bits_are_not_normal() {
    // 99 << 4 is the first that has a bit of the exponent.
    assert_eq!(run(HALVES, &WIDE_HOST), "0: 0 0 0 0 10 10 10 10 10 10\n");
}

/// The image's function replaces that of C's library.
#[test]
fn kernels_may_have_the_names_of_functions_of_the_library() {
    let kernel = HALVES.replace("wide", "malloc");
    let host = Host {
        kernel: "malloc",
        ..WIDE_HOST
    };
    assert_eq!(run(&kernel, &host), "0: 0 0 0 0 10 10 10 10 10 10\n");
}
