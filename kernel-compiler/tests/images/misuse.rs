//! What section 6.9 (b) and section 6.12.14.1 forbid is refused, with a sentence that
//! says what is wrong; what they allow is not.

use kernel_compiler::executable::Executable;
use kernel_compiler::options::{BuildCall, BuildOptions};

const DECLARATIONS: &str = "#define READ_ONLY_2D read_only image2d_t\n";

fn build(source: &str) -> Result<std::sync::Arc<Executable>, String> {
    let options = BuildOptions::parse("", BuildCall::Build).unwrap();
    let unit = kernel_compiler::compile(&format!("{DECLARATIONS}{source}"), &options, &[])
        .map_err(|failure| failure.log)?;
    Executable::link(&[&unit]).map_err(|failure| failure.log)
}

#[test]
fn images_and_samplers_are_not_misused() {
    let function_parameter = "can only be used as a function parameter";
    let cases = [
        // Images are parameters and nothing else.
        (
            "struct s { READ_ONLY_2D i; }; kernel void k(global int *o) {}",
            "cannot be used to declare a structure or union field",
        ),
        (
            "union u { sampler_t s; int i; }; kernel void k(global int *o) {}",
            "cannot be used to declare a structure or union field",
        ),
        (
            "kernel void k(READ_ONLY_2D i[2]) {}",
            "array of '__read_only image2d_t' type is invalid",
        ),
        (
            "kernel void k(sampler_t s[2]) {}",
            "array of 'sampler_t' type is invalid",
        ),
        (
            "kernel void k(global image2d_t *i) {}",
            "pointer to type '__global __read_only image2d_t' is invalid",
        ),
        (
            "void f(sampler_t *s) {} kernel void k(global int *o) {}",
            "pointer to type 'sampler_t' is invalid",
        ),
        (
            "kernel void k(READ_ONLY_2D i) { image2d_t j = i; }",
            function_parameter,
        ),
        (
            "constant image2d_t i; kernel void k(global int *o) {}",
            function_parameter,
        ),
        (
            "image2d_t f(READ_ONLY_2D i) { return i; } kernel void k(READ_ONLY_2D i) {}",
            "declaring function return value of type '__read_only image2d_t' is not allowed",
        ),
        (
            "kernel void k(READ_ONLY_2D i, READ_ONLY_2D j) { i = j; }",
            "invalid operands to binary expression",
        ),
        (
            "kernel void k(READ_ONLY_2D i, global ulong *o) { *o = (ulong)&i; }",
            "invalid argument type",
        ),
        (
            "kernel void k(READ_ONLY_2D i, global ulong *o) { *o = (ulong)i; }",
            "where arithmetic or pointer type is required",
        ),
        (
            "kernel void k(global int *p, global float4 *o) {
                 *o = read_imagef((image2d_t)p, (int2)(0, 0)); }",
            "where arithmetic or pointer type is required",
        ),
        // They are read or written as they are declared.
        (
            "kernel void k(READ_ONLY_2D i) { write_imagef(i, (int2)(0, 0), (float4)(0)); }",
            "no matching function for call to 'write_imagef'",
        ),
        (
            "kernel void k(image2d_t i) { write_imagef(i, (int2)(0, 0), (float4)(0)); }",
            "no matching function for call to 'write_imagef'",
        ),
        (
            "kernel void k(write_only image2d_t i, global float4 *o) {
                 *o = read_imagef(i, (int2)(0, 0)); }",
            "no matching function for call to 'read_imagef'",
        ),
        (
            "float4 f(READ_ONLY_2D i) { return read_imagef(i, (int2)(0, 0)); }
             kernel void k(write_only image2d_t i, global float4 *o) { *o = f(i); }",
            "passing '__private __write_only image2d_t' to parameter of incompatible type",
        ),
        (
            "kernel void k(read_write image2d_t i) {}",
            "access qualifier 'read_write' cannot be used",
        ),
        (
            "kernel void k(READ_ONLY_2D i, global float4 *o) {
                 *o = read_imagef(i, (int4)(0, 0, 0, 0)); }",
            "no matching function for call to 'read_imagef'",
        ),
        (
            "kernel void k(image2d_depth_t i) {}",
            "depth images need cl_khr_depth_images",
        ),
        // Samplers are arguments or constants.
        (
            "kernel void k(int n, READ_ONLY_2D i, global float4 *o) {
                 const sampler_t s = n; *o = read_imagef(i, s, (int2)(0, 0)); }",
            "a sampler is made of a constant expression",
        ),
        (
            "kernel void k(int n, READ_ONLY_2D i, global float4 *o) {
                 *o = read_imagef(i, n, (int2)(0, 0)); }",
            "a sampler is made of a constant expression",
        ),
        (
            "constant sampler_t s = CLK_FILTER_NEAREST | CLK_FILTER_LINEAR;
             kernel void k(global float4 *o) {}",
            "one addressing mode and one filter mode",
        ),
        (
            "constant sampler_t s = CLK_ADDRESS_REPEAT | CLK_ADDRESS_MIRRORED_REPEAT;
             kernel void k(global float4 *o) {}",
            "one addressing mode and one filter mode",
        ),
        (
            "kernel void k(READ_ONLY_2D i, global float4 *o) {
                 sampler_t s; *o = read_imagef(i, s, (int2)(0, 0)); }",
            "a sampler variable must be initialized",
        ),
        (
            "constant sampler_t a = CLK_FILTER_NEAREST;
             kernel void k(READ_ONLY_2D i, global float4 *o) {
                 const sampler_t b = a; *o = read_imagef(i, b, (int2)(0, 0)); }",
            "a sampler of the program's scope can only be passed to a function",
        ),
        (
            "kernel void k(sampler_t s, sampler_t t) { s = t; }",
            "invalid operands to binary expression",
        ),
        (
            "global sampler_t s = CLK_FILTER_NEAREST; kernel void k(global float4 *o) {}",
            "sampler type cannot be used with the __local and __global address space",
        ),
        (
            "kernel void k(sampler_t s, global int *o) { *o = s + 1; }",
            "invalid operands to binary expression",
        ),
        (
            "kernel void k(image1d_buffer_t i, sampler_t s, global float4 *o) {
                 *o = read_imagef(i, s, 1); }",
            "no matching function for call to 'read_imagef'",
        ),
    ];
    for (source, reason) in cases {
        let log = build(source)
            .err()
            .unwrap_or_else(|| panic!("accepted: {source}"));
        assert!(
            log.contains("error:") && log.contains(reason),
            "{source}\n{log}"
        );
        assert!(!log.contains("internal error"), "{log}");
    }
}

#[test]
fn what_is_allowed_builds() {
    let cases = [
        // Access qualifiers: the default is read_only, typedefs are names.
        "typedef image2d_t picture;
         float4 f(picture i) { return read_imagef(i, (int2)(1, 1)); }
         kernel void k(image2d_t i, global float4 *o) { *o = f(i); }",
        "kernel void k(__write_only image3d_t i) { write_imagef(i, (int4)(1), (float4)(0)); }",
        "#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable
         kernel void k(write_only image3d_t i) { write_imageui(i, (int4)(1), (uint4)(0)); }",
        // A sampler without a filter, of other constants, in each place.
        "constant int mode = CLK_ADDRESS_CLAMP;
         const sampler_t s = mode | CLK_NORMALIZED_COORDS_FALSE;
         float4 f(image2d_t i, sampler_t s) { return read_imagef(i, s, (int2)(1, 1)); }
         float4 g(image2d_t i) { const sampler_t t = mode; return read_imagef(i, t, (int2)(1, 1)); }
         kernel void k(image2d_t i, sampler_t a, global float4 *o) {
             const sampler_t t = CLK_FILTER_LINEAR;
             o[0] = f(i, s); o[1] = f(i, a); o[2] = f(i, t); o[3] = g(i);
             o[4] = read_imagef(i, o[0].x > 0 ? a : t, (float2)(1, 1));
             o[5] = read_imagef(i, CLK_ADDRESS_NONE | CLK_FILTER_NEAREST, (float2)(1, 1));
         }",
        // A kernel that calls a kernel, with an image.
        "kernel void inner(write_only image2d_t i) { write_imagei(i, (int2)(0, 0), (int4)(1)); }
         kernel void k(write_only image2d_t i) { inner(i); }",
    ];
    for source in cases {
        if let Err(log) = build(source) {
            panic!("{source}\n{log}");
        }
    }
}
