//! A buffer, a sub-buffer, and images of them: several views of the same bytes.

use super::*;

const BYTES: usize = 4096;

/// An image of four bytes per pixel over a part of the buffer.
struct View {
    image: cl_mem,
    /// Of its first pixel in the buffer.
    offset: usize,
    pitch: usize,
    extent: [usize; 3],
}

impl View {
    /// Where the pixels of a region are in the buffer.
    fn places(&self, origin: [usize; 3], region: [usize; 3]) -> Vec<usize> {
        let start = self.offset + origin[1] * self.pitch + 4 * origin[0];
        offsets(CL_MEM_OBJECT_IMAGE2D, region, 4, self.pitch, 0)
            .into_iter()
            .map(|place| start + place)
            .collect()
    }
}

fn view(
    session: &Session,
    buffer: cl_mem,
    offset: usize,
    [width, height]: [usize; 2],
    pitch: usize,
) -> View {
    let is_line = height == 1;
    let mut shape = if is_line {
        desc(CL_MEM_OBJECT_IMAGE1D_BUFFER, [width, 1, 1])
    } else {
        desc(CL_MEM_OBJECT_IMAGE2D, [width, height, 1])
    };
    shape.image_row_pitch = if is_line { 0 } else { pitch };
    shape.buffer = buffer;
    View {
        image: session.image_with(0, &RGBA8, &shape, null_mut()),
        offset,
        pitch,
        extent: [width, height, 1],
    }
}

#[test]
fn many_commands_on_views_of_a_buffer_do_what_the_model_does() {
    let session = Session::open();
    let mut numbers = Numbers(7);
    let mut model = pixels(BYTES, 1, 3);
    let buffer = session.buffer(&model);
    let region = [1024usize, 2048];
    // SAFETY: the region is read during the call.
    let part = made(|code| unsafe {
        let (kind, region) = (CL_BUFFER_CREATE_TYPE_REGION, region.as_ptr().cast());
        clCreateSubBuffer(buffer, 0, kind, region, code)
    });
    let views = [
        view(&session, buffer, 0, [BYTES / 4, 1], BYTES),
        view(&session, buffer, 0, [20, 42], 96),
        view(&session, buffer, 0, [16, 64], 64),
        view(&session, part, 1024, [500, 1], 2048),
        view(&session, part, 1024, [13, 31], 64),
    ];
    let kernel = session.kernel(
        "kernel void stamp(write_only image2d_t out, int x, int y, uint value) {
             int2 at = (int2)(x + get_global_id(0), y + get_global_id(1));
             write_imagef(out, at, (float4)(value, 0, 0, 255) / 255.0f);
         }",
        "stamp",
    );
    // Its pixels are copied to and fro.
    let apart = session.empty_image(&RGBA8, CL_MEM_OBJECT_IMAGE2D, [1024, 64, 1]);
    for step in 0..1500 {
        let view = &views[numbers.below(views.len())];
        let (origin, region) = numbers.region(view.extent);
        let places = view.places(origin, region);
        let count = places.len();
        let bytes = pixels(count, 4, step as u8);
        let mut set = |bytes: &[u8]| {
            for (place, pixel) in places.iter().zip(bytes.chunks(4)) {
                model[*place..place + 4].copy_from_slice(pixel);
            }
        };
        match numbers.below(6) {
            0 => {
                ok(session.write_pixels(view.image, origin, region, (0, 0), &bytes));
                set(&bytes);
            }
            1 => {
                ok(session.fill_image(view.image, &[0.0f32, 0.4, 1.0, 0.2], origin, region));
                set(&[0, 102, 255, 51].repeat(count));
            }
            2 => {
                ok(session.write_pixels(apart, origin, region, (0, 0), &bytes));
                ok(session.copy_image((apart, origin), (view.image, origin), region));
                set(&bytes);
            }
            3 => {
                let mapped = session
                    .map_pixels(view.image, CL_MAP_WRITE, origin, region)
                    .unwrap();
                let first = places[0];
                for (place, pixel) in places.iter().zip(bytes.chunks(4)) {
                    let to = mapped.pointer.wrapping_byte_add(place - first);
                    // SAFETY: the region is mapped, and its rows lie as the view's.
                    unsafe { to.cast::<[u8; 4]>().write(pixel.try_into().unwrap()) };
                }
                ok(session.unmap(view.image, mapped.pointer));
                set(&bytes);
            }
            4 if view.extent[1] > 1 => {
                ok(session.set(kernel, 0, &view.image));
                ok(session.set(kernel, 1, &(origin[0] as i32)));
                ok(session.set(kernel, 2, &(origin[1] as i32)));
                ok(session.set(kernel, 3, &(step as u32 % 256)));
                session.run(kernel, &region[..2]);
                set(&[step as u8, 0, 0, 255].repeat(count));
            }
            _ => {
                let (offset, size) = (numbers.below(BYTES / 2), 1 + numbers.below(BYTES / 2));
                let value = step as u8;
                // SAFETY: the pattern is read during the call.
                ok(unsafe {
                    let pattern = (&raw const value).cast();
                    let queue = session.queue;
                    clEnqueueFillBuffer(
                        queue,
                        buffer,
                        pattern,
                        1,
                        offset,
                        size,
                        0,
                        null(),
                        null_mut(),
                    )
                });
                model[offset..offset + size].fill(value);
            }
        }
        // Through another view, what the model has.
        let other = &views[numbers.below(views.len())];
        let (origin, region) = numbers.region(other.extent);
        let expected: Vec<u8> = other
            .places(origin, region)
            .into_iter()
            .flat_map(|place| model[place..place + 4].to_vec())
            .collect();
        let mut seen = vec![0; expected.len()];
        ok(session.read_pixels(other.image, origin, region, (0, 0), &mut seen));
        assert_eq!(seen, expected, "step {step}");
    }
    assert_eq!(session.read::<u8>(buffer, BYTES), model);
}

#[test]
fn no_byte_is_mapped_for_writing_through_two_views() {
    let session = Session::open();
    let buffer = session.buffer(&[0u8; BYTES]);
    let narrow = view(&session, buffer, 0, [16, 8], 64);
    let wide = view(&session, buffer, 0, [32, 4], 128);
    let write = |image, origin, region| {
        let mapped = session.map_pixels(image, CL_MAP_WRITE, origin, region);
        mapped.map(|mapped| mapped.pointer)
    };
    let write_bytes = |offset, size| session.map(buffer, CL_MAP_WRITE, offset, size);
    // Columns 4 to 7 of the narrow rows: bytes 16 to 31 of every 64.
    let column = write(narrow.image, [4, 0, 0], [4, 8, 1]).unwrap();
    assert_eq!(write_bytes(0, 17), Err(CL_INVALID_OPERATION));
    assert_eq!(write_bytes(31, 1), Err(CL_INVALID_OPERATION));
    assert_eq!(write_bytes(448, 64), Err(CL_INVALID_OPERATION));
    let between = write_bytes(32, 48).unwrap();
    // The wide rows have these bytes in columns 4 to 7 and 20 to 23.
    assert_eq!(
        write(wide.image, [20, 3, 0], [1; 3]),
        Err(CL_INVALID_OPERATION)
    );
    assert_eq!(
        write(wide.image, [0, 0, 0], [5, 4, 1]),
        Err(CL_INVALID_OPERATION)
    );
    let apart = write(wide.image, [24, 0, 0], [8, 4, 1]).unwrap();
    // A region is unmapped only through the object it was mapped from.
    assert_eq!(session.unmap(wide.image, column), CL_INVALID_VALUE);
    assert_eq!(session.unmap(buffer, apart), CL_INVALID_VALUE);
    ok(session.unmap(narrow.image, column));
    ok(session.unmap(buffer, between));
    let last = write(wide.image, [0, 0, 0], [24, 4, 1]).unwrap();
    ok(session.unmap(wide.image, last));
    ok(session.unmap(wide.image, apart));
}

#[test]
fn a_buffer_is_gone_after_the_last_of_its_images() {
    use std::sync::mpsc::{Receiver, Sender, channel};
    use std::time::Duration;
    extern "C" fn gone(_: cl_mem, data: *mut c_void) {
        // SAFETY: a sender that was boxed for this call.
        let (sender, name) = *unsafe { Box::from_raw(data.cast::<(Sender<&str>, &str)>()) };
        sender.send(name).unwrap();
    }
    let session = Session::open();
    let (sender, receiver): (_, Receiver<&str>) = channel();
    let tell = |object: cl_mem, name: &'static str| {
        let data = Box::into_raw(Box::new((sender.clone(), name))).cast();
        // SAFETY: the callback is called once and takes the data.
        ok(unsafe { clSetMemObjectDestructorCallback(object, Some(gone), data) });
    };
    let release = |object: cl_mem| {
        // SAFETY: the handle is valid.
        ok(unsafe { clReleaseMemObject(object) });
    };
    let buffer = session.buffer(&[0u8; 64]);
    let [line, plane] = [[16, 1], [4, 4]].map(|size| view(&session, buffer, 0, size, 16).image);
    tell(buffer, "buffer");
    tell(line, "line");
    tell(plane, "plane");
    let next = || receiver.recv_timeout(Duration::from_secs(20)).unwrap();
    release(buffer);
    release(line);
    assert_eq!(next(), "line");
    // The plane still has its pixels.
    assert_eq!(session.all_pixels(plane, [4, 4, 1], 4), [0; 64]);
    assert!(receiver.try_recv().is_err());
    release(plane);
    let mut last = [next(), next()];
    last.sort_unstable();
    assert_eq!(last, ["buffer", "plane"]);
}
