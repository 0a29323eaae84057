//! Memory objects of more than 2 and 4 GiB. Storage is backed only where it is touched, so
//! the tests touch a few places: around the limits of signed and unsigned 32-bit numbers,
//! and at the end.

use crate::session::{Session, made, ok};
use cl_sys::*;
use std::ptr::{null, null_mut};
use std::sync::MutexGuard;

const GIB: usize = 1 << 30;
/// The largest buffer that there can be.
const LARGE: usize = 8 * GIB;
/// Another one, which a device has room for besides.
const OTHER: usize = 4 * GIB + GIB / 2;
/// Where 32-bit numbers end, and the end.
const PLACES: [usize; 5] = [GIB - 32, 2 * GIB - 32, 4 * GIB - 32, 6 * GIB, LARGE - 64];

/// Two large buffers on a device that no other test has meanwhile.
struct Large {
    session: Session,
    large: cl_mem,
    other: cl_mem,
    _turn: MutexGuard<'static, ()>,
}

impl Large {
    fn new() -> Self {
        let (session, turn) = Session::with_a_device_alone();
        let create = |size| {
            // SAFETY: there is no host memory.
            made(|code| unsafe { clCreateBuffer(session.context, 0, size, null_mut(), code) })
        };
        Self {
            large: create(LARGE),
            other: create(OTHER),
            session,
            _turn: turn,
        }
    }

    fn write(&self, buffer: cl_mem, offset: usize, bytes: &[u8]) {
        // SAFETY: the call blocks.
        ok(unsafe {
            let start = bytes.as_ptr().cast();
            let (queue, size) = (self.session.queue, bytes.len());
            clEnqueueWriteBuffer(
                queue,
                buffer,
                CL_TRUE,
                offset,
                size,
                start,
                0,
                null(),
                null_mut(),
            )
        });
    }

    fn read(&self, buffer: cl_mem, offset: usize, size: usize) -> Vec<u8> {
        let mut bytes = vec![0u8; size];
        // SAFETY: the vector has room, and the call blocks.
        ok(unsafe {
            let start = bytes.as_mut_ptr().cast();
            clEnqueueReadBuffer(
                self.session.queue,
                buffer,
                CL_TRUE,
                offset,
                size,
                start,
                0,
                null(),
                null_mut(),
            )
        });
        bytes
    }

    /// Launches a kernel with a buffer as its first argument.
    fn launch(&self, kernel: cl_kernel, buffer: cl_mem, offset: usize, size: usize, local: usize) {
        ok(self.session.set(kernel, 0, &buffer));
        // SAFETY: sizes are read during the call.
        unsafe {
            ok(clEnqueueNDRangeKernel(
                self.session.queue,
                kernel,
                1,
                &offset,
                &size,
                &local,
                0,
                null(),
                null_mut(),
            ));
        }
    }
}

impl Drop for Large {
    fn drop(&mut self) {
        // SAFETY: both are valid, and no command uses them any more.
        unsafe {
            ok(clFinish(self.session.queue));
            ok(clReleaseMemObject(self.large));
            ok(clReleaseMemObject(self.other));
        }
    }
}

/// 64 bytes that tell places apart.
fn mark(place: usize) -> Vec<u8> {
    let bytes = (0..64).map(|index| (place / 32 + 7 * index + 1) as u8);
    bytes.collect()
}

/// Builds a kernel with and without optimisation.
fn kernels(session: &Session, source: &str, name: &str) -> [cl_kernel; 2] {
    ["", "-cl-opt-disable"].map(|options| {
        let program = session.program(source);
        let built = session.build(program, options);
        assert_eq!(built, CL_SUCCESS, "{}", session.log(program));
        session.kernel_of(program, name)
    })
}

#[test]
fn written_and_read_at_once_and_from_buffer_to_buffer() {
    let all = Large::new();
    for place in PLACES {
        all.write(all.large, place, &mark(place));
    }
    for place in PLACES {
        assert_eq!(all.read(all.large, place, 64), mark(place), "{place}");
    }
    // From beyond 4 GiB to beyond 4 GiB, in another buffer and in the same.
    let (from, to, within) = (6 * GIB, 4 * GIB - 16, 5 * GIB + 8);
    for (destination, offset) in [(all.other, to), (all.large, within)] {
        // SAFETY: there is nothing to read or write of the host program's.
        unsafe {
            ok(clEnqueueCopyBuffer(
                all.session.queue,
                all.large,
                destination,
                from,
                offset,
                64,
                0,
                null(),
                null_mut(),
            ));
        }
        assert_eq!(all.read(destination, offset, 64), mark(from));
    }
}

#[test]
fn filled_across_the_limits() {
    let all = Large::new();
    let pattern = [1u8, 2, 3, 4];
    for place in PLACES {
        // SAFETY: the pattern is read during the call.
        unsafe {
            ok(clEnqueueFillBuffer(
                all.session.queue,
                all.large,
                pattern.as_ptr().cast(),
                4,
                place,
                64,
                0,
                null(),
                null_mut(),
            ));
        }
        assert_eq!(
            all.read(all.large, place, 64),
            pattern.repeat(16),
            "{place}"
        );
    }
}

/// Rectangles with slices of 2 GiB: two rows of 16 bytes in each of four.
#[test]
fn rectangles_with_slices_of_gibibytes() {
    let all = Large::new();
    let queue = all.session.queue;
    let (row, slice) = (1usize << 20, 2 * GIB);
    let origin = [24usize, 1023, 0];
    let region = [16usize, 2, 4];
    let zero = [0usize; 3];
    let bytes: Vec<u8> = (0..128).collect();
    let place = |y: usize, z: usize| 24 + (1023 + y) * row + z * slice;
    let mut back = vec![0u8; 128];
    // SAFETY: the host program's side is tight and has 128 bytes; the calls block.
    unsafe {
        ok(clEnqueueWriteBufferRect(
            queue,
            all.large,
            CL_TRUE,
            origin.as_ptr(),
            zero.as_ptr(),
            region.as_ptr(),
            row,
            slice,
            0,
            0,
            bytes.as_ptr().cast(),
            0,
            null(),
            null_mut(),
        ));
        ok(clEnqueueReadBufferRect(
            queue,
            all.large,
            CL_TRUE,
            origin.as_ptr(),
            zero.as_ptr(),
            region.as_ptr(),
            row,
            slice,
            0,
            0,
            back.as_mut_ptr().cast(),
            0,
            null(),
            null_mut(),
        ));
        // To slices of 1 GiB and a little, the last of which begins beyond 4 GiB.
        let (row, slice) = (1usize << 19, GIB + (GIB >> 2));
        ok(clEnqueueCopyBufferRect(
            queue,
            all.large,
            all.other,
            origin.as_ptr(),
            [8usize, 1, 0].as_ptr(),
            region.as_ptr(),
            1 << 20,
            2 * GIB,
            row,
            slice,
            0,
            null(),
            null_mut(),
        ));
    }
    assert_eq!(back, bytes);
    for (index, row_bytes) in bytes.chunks(16).enumerate() {
        let (y, z) = (index % 2, index / 2);
        assert_eq!(all.read(all.large, place(y, z), 16), row_bytes);
        let there = 8 + (1 + y) * (1 << 19) + z * (GIB + (GIB >> 2));
        assert_eq!(all.read(all.other, there, 16), row_bytes);
    }
}

#[test]
fn mapped_whole_and_beyond_the_limits() {
    let all = Large::new();
    let map = |offset, size, flags| all.session.map(all.large, flags, offset, size).unwrap();
    let unmap = |pointer| ok(all.session.unmap(all.large, pointer));
    let whole = map(0, LARGE, CL_MAP_READ);
    for place in PLACES {
        let part = map(place, 64, CL_MAP_WRITE);
        assert_eq!(part.addr() - whole.addr(), place);
        // SAFETY: 64 bytes are mapped there for writing.
        unsafe { std::slice::from_raw_parts_mut(part.cast::<u8>(), 64) }
            .copy_from_slice(&mark(place));
        unmap(part);
        assert_eq!(all.read(all.large, place, 64), mark(place));
    }
    unmap(whole);
}

#[test]
fn sub_buffers_beyond_the_limits() {
    let all = Large::new();
    let (origin, size) = (5 * GIB, 3 * GIB);
    let region = [origin, size];
    // SAFETY: the region is read during the call.
    let part = made(|code| unsafe {
        clCreateSubBuffer(
            all.large,
            0,
            CL_BUFFER_CREATE_TYPE_REGION,
            region.as_ptr().cast(),
            code,
        )
    });
    for query in [(CL_MEM_OFFSET, origin), (CL_MEM_SIZE, size)] {
        let mut answer = 0usize;
        // SAFETY: there is room for the answer.
        unsafe {
            let to = (&raw mut answer).cast();
            ok(clGetMemObjectInfo(part, query.0, 8, to, null_mut()));
        }
        assert_eq!(answer, query.1);
    }
    let source = "kernel void mark(global uchar *x, ulong place) {
        x[place + get_global_id(0)] = get_global_id(0) + 100;
    }";
    let expected: Vec<u8> = (100..164).collect();
    for (kernel, place) in kernels(&all.session, source, "mark")
        .into_iter()
        .zip([2 * GIB - 32, 3 * GIB - 64])
    {
        ok(all.session.set(kernel, 1, &(place as u64)));
        all.launch(kernel, part, 0, 64, 64);
        assert_eq!(all.read(part, place, 64), expected);
        assert_eq!(all.read(all.large, origin + place, 64), expected);
    }
    // SAFETY: no command uses it any more.
    ok(unsafe { clReleaseMemObject(part) });
}

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
