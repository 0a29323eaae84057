//! Kernels and images on large buffers.

use super::buffers::{GIB, LARGE, Large, kernels};
use crate::session::{made, ok};
use cl_sys::*;
use std::ptr::null_mut;

/// A kernel that computes an address from its id, and the elements that it must write.
struct Indexing {
    what: &'static str,
    /// In `kernel void go(global uchar *x, ulong n)`, where `n` is the place of the first.
    body: &'static str,
    /// First id.
    offset: usize,
    /// Byte of the buffer that item `id` writes.
    place: fn(usize) -> usize,
    n: u64,
}

const INDEXING: &[Indexing] = &[
    Indexing {
        what: "size_t",
        body: "x[n + get_global_id(0)] = get_global_id(0) + 1;",
        offset: 0,
        place: |id| 4 * GIB - 32 + id,
        n: (4 * GIB - 32) as u64,
    },
    Indexing {
        what: "uint beyond int",
        body: "uint at = (uint)n + (uint)get_global_id(0); x[at] = get_global_id(0) + 1;",
        offset: 0,
        place: |id| 2 * GIB - 32 + id,
        n: (2 * GIB - 32) as u64,
    },
    Indexing {
        what: "uint that wraps",
        body: "uint at = (uint)n + (uint)get_global_id(0); x[at] = get_global_id(0) + 1;",
        offset: 0,
        place: |id| (4 * GIB - 32 + id) % (4 * GIB),
        n: (4 * GIB - 32) as u64,
    },
    Indexing {
        what: "int, backwards from the end",
        body: "global uchar *end = x + n; int back = -1 - (int)get_global_id(0);
               end[back] = get_global_id(0) + 1;",
        offset: 0,
        place: |id| LARGE - 1 - id,
        n: LARGE as u64,
    },
    Indexing {
        what: "int, of elements",
        body: "global ulong *y = (global ulong *)x; int at = (int)n + (int)get_global_id(0);
               y[at] = get_global_id(0) + 1;",
        offset: 0,
        place: |id| LARGE - 8 * 64 + 8 * id,
        n: (LARGE / 8 - 64) as u64,
    },
    Indexing {
        what: "int, of vectors",
        body: "global uint4 *y = (global uint4 *)x; int at = (int)n + (int)get_global_id(0);
               y[at] = (uint4)(get_global_id(0) + 1);",
        offset: 0,
        place: |id| LARGE - 16 * 64 + 16 * id,
        n: (LARGE / 16 - 64) as u64,
    },
    Indexing {
        what: "vstore",
        body: "vstore4((uchar4)(get_global_id(0) + 1), n + get_global_id(0), x);",
        offset: 0,
        place: |id| 6 * GIB + 4 * id,
        n: (6 * GIB / 4) as u64,
    },
    Indexing {
        what: "ids beyond int",
        body: "x[get_global_id(0)] = get_global_id(0) - n + 1;",
        offset: 2 * GIB - 32,
        place: |id| 2 * GIB - 32 + id,
        n: (2 * GIB - 32) as u64,
    },
    Indexing {
        what: "ids of elements",
        body: "((global uint *)x)[get_global_id(0)] = get_global_id(0) - n + 1;",
        offset: 2 * GIB - 64,
        place: |id| LARGE - 4 * 64 + 4 * id,
        n: (2 * GIB - 64) as u64,
    },
    Indexing {
        what: "ids beyond uint",
        body: "x[get_global_id(0)] = get_global_id(0) - n + 1;",
        offset: 4 * GIB - 32,
        place: |id| 4 * GIB - 32 + id,
        n: (4 * GIB - 32) as u64,
    },
    Indexing {
        what: "items far apart, size_t",
        body: "x[(get_global_id(0) & 7) * n + (get_global_id(0) >> 3)] = get_global_id(0) + 1;",
        offset: 0,
        place: |id| (id & 7) * (GIB - 4096) + (id >> 3),
        n: (GIB - 4096) as u64,
    },
    Indexing {
        what: "items far apart, int",
        body: "int id = get_global_id(0);
               ((global ulong *)x)[((id & 7) << 27) + (id >> 3)] = id + 1;",
        offset: 0,
        place: |id| (id & 7) * GIB + 8 * (id >> 3),
        n: 0,
    },
    Indexing {
        what: "pointer differences",
        body: "global uchar *low = x + get_global_id(0), *high = low + n;
               long apart = high - low;
               *high = apart == n && high > low ? get_global_id(0) + 1 : 0;",
        offset: 0,
        place: |id| 7 * GIB + id,
        n: (7 * GIB) as u64,
    },
    Indexing {
        what: "atomics",
        body: "atomic_add((global uint *)(x + n) + get_global_id(0), (uint)get_global_id(0) + 1);",
        offset: 0,
        place: |id| 5 * GIB + 64 + 4 * id,
        n: (5 * GIB + 64) as u64,
    },
    Indexing {
        what: "asynchronous copies",
        body: "local uchar there[64]; there[get_local_id(0)] = get_global_id(0) + 1;
               barrier(CLK_LOCAL_MEM_FENCE);
               event_t event = async_work_group_copy(x + n, there, 64, 0);
               wait_group_events(1, &event);",
        offset: 0,
        place: |id| 6 * GIB + 128 + id,
        n: (6 * GIB + 128) as u64,
    },
];

#[test]
fn kernels_index_beyond_the_limits() {
    const ITEMS: usize = 64;
    for indexing in INDEXING {
        let all = Large::new();
        let source = format!(
            "kernel void go(global uchar *x, ulong n) {{ {} }}",
            indexing.body
        );
        for (kernel, local) in kernels(&all.session, &source, "go")
            .into_iter()
            .zip([64, 64])
        {
            for item in 0..ITEMS {
                all.write(all.large, (indexing.place)(item), &[0]);
            }
            ok(all.session.set(kernel, 1, &indexing.n));
            all.launch(kernel, all.large, indexing.offset, ITEMS, local);
            for item in 0..ITEMS {
                let place = (indexing.place)(item);
                let value = all.read(all.large, place, 1)[0];
                assert_eq!(value, item as u8 + 1, "{} {place}", indexing.what);
            }
        }
    }
}

/// A 1D image of the largest buffer, with pixels of 16 bytes.
#[test]
fn pixels_of_large_buffers() {
    let all = Large::new();
    let pixels = LARGE / 16;
    let format = cl_image_format {
        image_channel_order: CL_RGBA,
        image_channel_data_type: CL_UNSIGNED_INT32,
    };
    // SAFETY: numbers and null pointers only.
    let mut shape: cl_image_desc = unsafe { std::mem::zeroed() };
    shape.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER;
    shape.image_width = pixels;
    shape.buffer = all.large;
    // SAFETY: format and shape are read during the call.
    let image = made(|code| unsafe {
        clCreateImage(all.session.context, 0, &format, &shape, null_mut(), code)
    });
    let [put, get] = [
        (
            "kernel void put(write_only image1d_buffer_t x, int n) {
                int at = n + (int)get_global_id(0);
                write_imageui(x, at, (uint4)(at, 1, 2, 3));
            }",
            "put",
        ),
        (
            "kernel void get(read_only image1d_buffer_t x, int n, global uint4 *y) {
                int at = n + (int)get_global_id(0);
                y[get_global_id(0)] = read_imageui(x, at);
            }",
            "get",
        ),
    ]
    .map(|(source, name)| all.session.kernel(source, name));
    for first in [(1 << 27) - 8, (1 << 28) - 8, pixels - 16] {
        ok(all.session.set(put, 1, &(first as i32)));
        all.launch(put, image, 0, 16, 16);
        ok(all.session.set(get, 1, &(first as i32)));
        ok(all.session.set(get, 2, &all.other));
        all.launch(get, image, 0, 16, 16);
        let expected: Vec<u8> = (first..first + 16)
            .flat_map(|at| [at as u32, 1, 2, 3])
            .flat_map(u32::to_ne_bytes)
            .collect();
        assert_eq!(all.read(all.large, first * 16, 256), expected);
        assert_eq!(all.read(all.other, 0, 256), expected);
    }
    // SAFETY: no command uses it any more.
    ok(unsafe { clReleaseMemObject(image) });
}
