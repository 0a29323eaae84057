//! `cl_khr_fp16`: what the device says of it, and halves as arguments, in structs, in
//! local memory and between functions. Sums of small integers are exact in halves.

use crate::session::{Session, ok};
use cl_sys::*;
use std::ptr::null_mut;

const ENABLE: &str = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n";

/// The half that is a whole number from 0 to 2048.
fn half(n: u16) -> u16 {
    assert!(n <= 2048);
    if n == 0 {
        return 0;
    }
    let exponent = n.ilog2() as u16;
    let significand = (u32::from(n) << 10 >> exponent) as u16 & 0x3ff;
    (exponent + 15) << 10 | significand
}

fn answer<T: Default>(device: cl_device_id, name: u32) -> T {
    let mut value = T::default();
    let to = std::ptr::from_mut(&mut value).cast();
    // SAFETY: the value has the size given.
    ok(unsafe { clGetDeviceInfo(device, name, size_of::<T>(), to, null_mut()) });
    value
}

#[test]
fn the_device_says_what_it_does_with_halves() {
    const CL_DEVICE_HALF_FP_CONFIG: u32 = 0x1033;
    let session = Session::open();
    let device = session.devices[0];
    let mut text = vec![0u8; 4096];
    // SAFETY: the vector has room.
    ok(unsafe {
        clGetDeviceInfo(
            device,
            CL_DEVICE_EXTENSIONS,
            text.len(),
            text.as_mut_ptr().cast(),
            null_mut(),
        )
    });
    let text = String::from_utf8(text).unwrap();
    assert!(text.split(' ').any(|name| name == "cl_khr_fp16"), "{text}");
    let demanded = CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST;
    let config: u64 = answer(device, CL_DEVICE_HALF_FP_CONFIG);
    assert_eq!(config & demanded, demanded);
    assert_eq!(
        config & (CL_FP_DENORM | CL_FP_FMA),
        CL_FP_DENORM | CL_FP_FMA
    );
    assert_eq!(
        answer::<u32>(device, CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF),
        1
    );
    assert_eq!(
        answer::<u32>(device, CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF),
        16
    );
}

#[test]
fn halves_of_all_widths_are_arguments() {
    let session = Session::open();
    for options in ["", "-cl-opt-disable"] {
        let source = format!(
            "{ENABLE}kernel void k(half a, half2 b, half3 c, half4 d, half8 e, half16 f, half g,
                                   local half *scratch, constant half *table, global half *out) {{
                int i = get_local_id(0);
                scratch[i] = table[i] + a;
                barrier(CLK_LOCAL_MEM_FENCE);
                half sum = b.x + b.y + c.x + c.y + c.z + d.w + e.s7 + f.s0 + f.sf + g;
                out[i] = scratch[get_local_size(0) - 1 - i] + sum;
            }}"
        );
        let kernel = session.kernel_of(session.built_with(&source, options), "k");
        assert_eq!(session.set(kernel, 0, &1f32), CL_INVALID_ARG_SIZE);
        ok(session.set(kernel, 0, &half(1)));
        ok(session.set(kernel, 1, &[half(2), half(3)]));
        assert_eq!(session.set(kernel, 2, &[half(4); 3]), CL_INVALID_ARG_SIZE);
        ok(session.set(kernel, 2, &[half(4), half(5), half(6), 0xffff]));
        ok(session.set(kernel, 3, &[0, 0, 0, half(7)]));
        ok(session.set(kernel, 4, &[half(8); 8]));
        let mut sixteen = [half(1000); 16];
        (sixteen[0], sixteen[15]) = (half(9), half(10));
        ok(session.set(kernel, 5, &sixteen));
        ok(session.set(kernel, 6, &half(11)));
        // SAFETY: local memory has no value to be read.
        ok(unsafe { clSetKernelArg(kernel, 7, 32, std::ptr::null()) });
        let table: Vec<u16> = (0..16).map(|i| half(10 * i)).collect();
        let (table, out) = (session.buffer(&table), session.buffer(&[0u16; 16]));
        ok(session.set(kernel, 8, &table));
        ok(session.set(kernel, 9, &out));
        ok(session.launch(session.queue, kernel, &[16], Some(&[16]), &[], null_mut()));
        let others = 2 + 3 + 4 + 5 + 6 + 7 + 8 + 9 + 10 + 11;
        let right: Vec<u16> = (0..16).map(|i| half(10 * (15 - i) + 1 + others)).collect();
        assert_eq!(
            session.read::<u16>(out, 16),
            right,
            "with options `{options}`"
        );
    }
}

#[test]
fn halves_in_structs_functions_and_constant_tables() {
    let session = Session::open();
    let kernel = session.kernel(
        &format!(
            "{ENABLE}
            typedef struct {{ half a; int n; half3 v; half list[3]; }} part;
            constant half weights[4] = {{1.0h, 2.0h, 4.0h, 8}};
            constant half4 offset = (half4)(1, 2, 3, 4);
            half weigh(half x, int i) {{ return x * weights[i & 3]; }}
            half4 shift(half4 x) {{ return x + offset; }}
            part grow(part p, half by) {{
                p.a += by;
                p.n += (int)by;
                p.v.z *= by;
                p.list[p.n % 3] = p.v.z;
                return p;
            }}
            kernel __attribute__((vec_type_hint(half4)))
            void k(part given, global part *parts, global half4 *out) {{
                int i = get_global_id(0);
                part p = grow(given, (half)i);
                p = grow(p, 1.0h);
                parts[i] = p;
                half most = i > 3 ? p.a : p.v.z;
                out[i] = shift((half4)(weigh(most, i), p.list[0], p.list[1], p.n));
            }}"
        ),
        "k",
    );
    #[repr(C, align(8))]
    #[derive(Clone, Copy, Default, PartialEq, Debug)]
    struct Part {
        a: u16,
        n: i32,
        v: [u16; 4],
        list: [u16; 3],
    }
    let given = Part {
        a: half(5),
        n: 7,
        v: [half(1), half(2), half(3), 0],
        list: [half(20), half(21), half(22)],
    };
    let (parts, out) = (session.buffer(&[given; 8]), session.buffer(&[[0u16; 4]; 8]));
    ok(session.set(kernel, 0, &given));
    ok(session.set(kernel, 1, &parts));
    ok(session.set(kernel, 2, &out));
    ok(session.launch(session.queue, kernel, &[8], Some(&[4]), &[], null_mut()));
    let (parts, out) = (
        session.read::<Part>(parts, 8),
        session.read::<[u16; 4]>(out, 8),
    );
    for i in 0..8u16 {
        let scaled = 3 * i;
        let mut list = [20, 21, 22];
        list[usize::from((7 + i) % 3)] = scaled;
        list[usize::from((8 + i) % 3)] = scaled;
        let got = parts[usize::from(i)];
        assert_eq!((got.a, got.n), (half(6 + i), i32::from(8 + i)));
        assert_eq!(got.v[..3], [half(1), half(2), half(scaled)]);
        assert_eq!(got.list, list.map(half));
        let most = if i > 3 { 6 + i } else { scaled };
        let right = [(most << (i & 3)) + 1, list[0] + 2, list[1] + 3, 8 + i + 4];
        assert_eq!(out[usize::from(i)], right.map(half), "work-item {i}");
    }
}

#[test]
fn argument_information_names_halves() {
    let session = Session::open();
    let kernel = session.kernel(
        &format!("{ENABLE}kernel void k(half a, half3 b, global const half16 *c) {{}}"),
        "k",
    );
    for (index, right) in ["half", "half3", "half16*"].into_iter().enumerate() {
        let mut name = [0u8; 32];
        // SAFETY: the array has room.
        ok(unsafe {
            clGetKernelArgInfo(
                kernel,
                index as u32,
                CL_KERNEL_ARG_TYPE_NAME,
                name.len(),
                name.as_mut_ptr().cast(),
                null_mut(),
            )
        });
        let end = name.iter().position(|byte| *byte == 0).unwrap();
        assert_eq!(std::str::from_utf8(&name[..end]), Ok(right));
    }
}

/// Sums over a group, by a tree in local memory.
#[test]
fn halves_are_reduced_in_local_memory() {
    let session = Session::open();
    let kernel = session.kernel(
        &format!(
            "{ENABLE}kernel void k(global const half *in, global half *out) {{
                local half sums[64];
                int i = get_local_id(0);
                sums[i] = in[get_global_id(0)];
                for (int n = 32; n > 0; n /= 2) {{
                    barrier(CLK_LOCAL_MEM_FENCE);
                    if (i < n) sums[i] += sums[i + n];
                }}
                if (i == 0) out[get_group_id(0)] = sums[0];
            }}"
        ),
        "k",
    );
    let values: Vec<u16> = (0..256).map(|i| half(i / 8)).collect();
    let (from, to) = (session.buffer(&values), session.buffer(&[0u16; 4]));
    ok(session.set(kernel, 0, &from));
    ok(session.set(kernel, 1, &to));
    ok(session.launch(session.queue, kernel, &[256], Some(&[64]), &[], null_mut()));
    let right: Vec<u16> = (0..4u16)
        .map(|group| half((0..64).map(|i| (64 * group + i) / 8).sum()))
        .collect();
    assert_eq!(session.read::<u16>(to, 4), right);
}

#[test]
fn what_halves_are_not_for_is_refused() {
    let session = Session::open();
    for (source, reason) in [
        (
            "kernel void k(half x, global half *out) { *out = x; }",
            "cl_khr_fp16 : enable",
        ),
        (
            "#pragma OPENCL EXTENSION cl_khr_fp16 : enable
             kernel void k(global half *out) { atomic_xchg(out, 1.0h); }",
            "atomic_xchg",
        ),
        (
            "#pragma OPENCL EXTENSION cl_khr_fp16 : enable
             kernel void k(global half *out) { *out = *out % 2.0h; }",
            "invalid operands",
        ),
    ] {
        let program = session.program(source);
        let code = session.build(program, "");
        let log = session.log(program);
        assert_eq!(code, CL_BUILD_PROGRAM_FAILURE, "{source}");
        assert!(log.contains("error:") && log.contains(reason), "{log}");
    }
}
