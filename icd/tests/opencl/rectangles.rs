//! Rectangular reads, writes and copies, and fills, compared with bytes moved one by one.

use crate::session::{Session, ok};
use cl_sys::*;
use std::ptr::{null, null_mut};

const SIZE: usize = 2048;

/// One side of a rectangle.
#[derive(Clone, Copy, Debug)]
struct Side {
    origin: [usize; 3],
    row_pitch: usize,
    slice_pitch: usize,
}

impl Side {
    /// Somewhere in `SIZE` bytes. Pitches may be 0, which means tightly packed.
    fn random(random: &mut fastrand::Rng, region: [usize; 3]) -> Self {
        loop {
            let row_pitch = [0, region[0] + random.usize(..9)][random.usize(..2)];
            let row = if row_pitch == 0 { region[0] } else { row_pitch };
            let slice_pitch = [0, row * (region[1] + random.usize(..3))][random.usize(..2)];
            let side = Self {
                origin: [random.usize(..20), random.usize(..4), random.usize(..3)],
                row_pitch,
                slice_pitch,
            };
            if side.places(region).into_iter().all(|place| place < SIZE) {
                return side;
            }
        }
    }

    /// Where the bytes of a region are, one by one.
    fn places(&self, region: [usize; 3]) -> Vec<usize> {
        let or = |pitch, tight| if pitch == 0 { tight } else { pitch };
        let row = or(self.row_pitch, region[0]);
        let slice = or(self.slice_pitch, row * region[1]);
        let start = self.origin[0] + self.origin[1] * row + self.origin[2] * slice;
        let mut places = Vec::new();
        for z in 0..region[2] {
            for y in 0..region[1] {
                places.extend((0..region[0]).map(|x| start + z * slice + y * row + x));
            }
        }
        places
    }
}

fn moved(from: &[u8], to: &[u8], source: Side, destination: Side, region: [usize; 3]) -> Vec<u8> {
    let mut result = to.to_vec();
    let places = source.places(region).into_iter();
    for (from_place, to_place) in places.zip(destination.places(region)) {
        result[to_place] = from[from_place];
    }
    result
}

fn noise(random: &mut fastrand::Rng) -> Vec<u8> {
    (0..SIZE).map(|_| random.u8(..)).collect()
}

#[test]
fn rectangles_move_what_bytes_one_by_one_would() {
    let session = Session::open();
    let mut random = fastrand::Rng::with_seed(5);
    for _ in 0..150 {
        let region = [
            1 + random.usize(..24),
            1 + random.usize(..6),
            1 + random.usize(..4),
        ];
        let (from, to) = (
            Side::random(&mut random, region),
            Side::random(&mut random, region),
        );
        let (source, mut host) = (noise(&mut random), noise(&mut random));
        let (there, here) = (session.buffer(&source), session.buffer(&host));
        let expected = moved(&source, &host, from, to, region);
        // SAFETY: both sides of all calls have SIZE bytes; calls with host memory block.
        unsafe {
            ok(clEnqueueCopyBufferRect(
                session.queue,
                there,
                here,
                from.origin.as_ptr(),
                to.origin.as_ptr(),
                region.as_ptr(),
                from.row_pitch,
                from.slice_pitch,
                to.row_pitch,
                to.slice_pitch,
                0,
                null(),
                null_mut(),
            ));
            assert_eq!(
                session.read::<u8>(here, SIZE),
                expected,
                "copy {from:?} {to:?} {region:?}"
            );
            ok(clEnqueueReadBufferRect(
                session.queue,
                there,
                CL_TRUE,
                from.origin.as_ptr(),
                to.origin.as_ptr(),
                region.as_ptr(),
                from.row_pitch,
                from.slice_pitch,
                to.row_pitch,
                to.slice_pitch,
                host.as_mut_ptr().cast(),
                0,
                null(),
                null_mut(),
            ));
            assert_eq!(host, expected, "read {from:?} {to:?} {region:?}");
            let expected = moved(&host, &source, to, from, region);
            ok(clEnqueueWriteBufferRect(
                session.queue,
                there,
                CL_TRUE,
                from.origin.as_ptr(),
                to.origin.as_ptr(),
                region.as_ptr(),
                from.row_pitch,
                from.slice_pitch,
                to.row_pitch,
                to.slice_pitch,
                host.as_ptr().cast(),
                0,
                null(),
                null_mut(),
            ));
            assert_eq!(
                session.read::<u8>(there, SIZE),
                expected,
                "write {from:?} {to:?} {region:?}"
            );
            ok(clReleaseMemObject(there));
            ok(clReleaseMemObject(here));
        }
    }
}

/// Copies within one buffer: refused if and only if the two have bytes in common.
#[test]
fn copies_within_a_buffer_are_refused_where_they_overlap() {
    let session = Session::open();
    let mut random = fastrand::Rng::with_seed(6);
    let (mut refused, mut done) = (0, 0);
    while refused < 60 || done < 60 {
        let region = [
            1 + random.usize(..12),
            1 + random.usize(..4),
            1 + random.usize(..3),
        ];
        let from = Side::random(&mut random, region);
        let to = Side {
            origin: [random.usize(..20), random.usize(..4), random.usize(..3)],
            ..from
        };
        let places = to.places(region);
        if places.iter().any(|&place| place >= SIZE) {
            continue;
        }
        let bytes = noise(&mut random);
        let buffer = session.buffer(&bytes);
        // SAFETY: both sides are within the buffer.
        let code = unsafe {
            clEnqueueCopyBufferRect(
                session.queue,
                buffer,
                buffer,
                from.origin.as_ptr(),
                to.origin.as_ptr(),
                region.as_ptr(),
                from.row_pitch,
                from.slice_pitch,
                from.row_pitch,
                from.slice_pitch,
                0,
                null(),
                null_mut(),
            )
        };
        let overlap = from
            .places(region)
            .iter()
            .any(|place| places.contains(place));
        let expected = if overlap {
            CL_MEM_COPY_OVERLAP
        } else {
            CL_SUCCESS
        };
        assert_eq!(code, expected, "{from:?} {to:?} {region:?}");
        let expected = if overlap {
            refused += 1;
            bytes
        } else {
            done += 1;
            moved(&bytes, &bytes, from, to, region)
        };
        assert_eq!(session.read::<u8>(buffer, SIZE), expected);
        // SAFETY: the buffer is valid.
        ok(unsafe { clReleaseMemObject(buffer) });
    }
}

#[test]
fn fills_repeat_patterns_of_every_size() {
    let session = Session::open();
    let mut random = fastrand::Rng::with_seed(7);
    let before: Vec<u8> = (0..3).flat_map(|_| noise(&mut random)).collect();
    for length in [1usize, 2, 4, 8, 16, 32, 64, 128] {
        let pattern: Vec<u8> = (0..length).map(|_| random.u8(..)).collect();
        for (offset, count) in [
            (0, 1),
            (length, 3),
            (3 * length, 0),
            (length, 5000 / length),
        ] {
            let buffer = session.buffer(&before);
            let size = count * length;
            // SAFETY: the pattern is read during the call.
            unsafe {
                ok(clEnqueueFillBuffer(
                    session.queue,
                    buffer,
                    pattern.as_ptr().cast(),
                    length,
                    offset,
                    size,
                    0,
                    null(),
                    null_mut(),
                ));
            }
            let mut expected = before.clone();
            expected[offset..offset + size].copy_from_slice(&pattern.repeat(count));
            assert_eq!(
                session.read::<u8>(buffer, expected.len()),
                expected,
                "{length} {offset}"
            );
            // SAFETY: the buffer is valid.
            ok(unsafe { clReleaseMemObject(buffer) });
        }
    }
}
