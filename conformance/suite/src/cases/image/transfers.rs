//! Commands that move pixels, against a plain list of them.

use super::formats::Handle;
use super::model::{Model, starts};
use super::objects::{RGBA8, TYPES, create, description, image, name, transfer};
use crate::cases::calls::{self, answer, number};
use crate::compare::equal;
use anyhow::{Context as _, Result, ensure};
use cl_sys::*;
use harness::call::{check, code, ok};
use harness::object::{Memory, Object};
use harness::session::{Argument, Session};
use std::ptr::{null, null_mut};

/// Bytes of a pixel.
const PIXEL: usize = 4;

fn of_lines(image_type: cl_uint) -> bool {
    image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY
}

/// Pitches for the host's side of a region, with padding. Lines of an array are images, which
/// have the pitch of slices; some platforms take that of rows, so both are the same.
fn pitches(image_type: cl_uint, region: [usize; 3]) -> [usize; 2] {
    let row = region[0] * PIXEL + 12;
    match image_type {
        CL_MEM_OBJECT_IMAGE1D | CL_MEM_OBJECT_IMAGE2D => [row, 0],
        CL_MEM_OBJECT_IMAGE1D_ARRAY => [row, row],
        // Of images it must be a multiple of the row pitch (section 5.3.1.2).
        _ => [row, row * (region[1] + 1)],
    }
}

/// Pixels with padding of `0xEE` behind rows and slices.
fn padded(image_type: cl_uint, region: [usize; 3], pitches: [usize; 2], pixels: &[u8]) -> Vec<u8> {
    let starts = starts(region, pitches, of_lines(image_type));
    let row = region[0] * PIXEL;
    let mut bytes = vec![0xEE; starts.last().map_or(0, |last| last + row + 32)];
    for (start, pixels) in starts.into_iter().zip(pixels.chunks(row)) {
        bytes[start..start + row].copy_from_slice(pixels);
    }
    bytes
}

fn all(model: &Model) -> [[usize; 3]; 2] {
    [[0; 3], model.extent]
}

/// Reads, writes, copies, fills, copies from and to buffers, at random.
pub fn random(session: &Session) -> Result<()> {
    let queue = session.queue.get();
    let mut random = session.random();
    for (image_type, extent) in TYPES {
        let images = [
            image(session, RGBA8, image_type, extent)?,
            image(session, RGBA8, image_type, extent)?,
        ];
        let mut models = [
            Model::new(extent, PIXEL, &mut random),
            Model::new(extent, PIXEL, &mut random),
        ];
        for (image, model) in images.iter().zip(&mut models) {
            transfer(session, image, all(model), [0, 0], &mut model.pixels, true)?;
        }
        for step in 0..120 {
            let number = random.below(2) as usize;
            let (one, other) = (&images[number], &images[1 - number]);
            let part = models[number].part(&mut random);
            let [origin, region] = part;
            let count: usize = region.iter().product();
            let what = format!("step {step} on {}, part {part:?}", name(image_type));
            match random.below(6) {
                0 => {
                    let pixels = random.bytes(count * PIXEL);
                    let pitches = pitches(image_type, region);
                    let mut bytes = padded(image_type, region, pitches, &pixels);
                    transfer(session, one, part, pitches, &mut bytes, true).context(what)?;
                    models[number].set(part, &pixels);
                }
                1 => {
                    let pitches = pitches(image_type, region);
                    let nothing = vec![0xEE; count * PIXEL];
                    let mut got = padded(image_type, region, pitches, &nothing);
                    transfer(session, one, part, pitches, &mut got, false)
                        .with_context(|| what.clone())?;
                    let pixels = models[number].get(part);
                    let expected = padded(image_type, region, pitches, &pixels);
                    equal(
                        &format!("{what}: bytes read, with padding"),
                        &got,
                        &expected,
                    )?;
                }
                2 => {
                    let to = [0, 1, 2].map(|axis| {
                        random.below((extent[axis] - region[axis] + 1) as u32) as usize
                    });
                    ok!(clEnqueueCopyImage(
                        queue,
                        one.get(),
                        other.get(),
                        origin.as_ptr(),
                        to.as_ptr(),
                        region.as_ptr(),
                        0,
                        null(),
                        null_mut()
                    ))
                    .context(what)?;
                    let pixels = models[number].get(part);
                    models[1 - number].set([to, region], &pixels);
                }
                3 => {
                    let colour: [u32; 4] = std::array::from_fn(|_| random.below(256));
                    ok!(clEnqueueFillImage(
                        queue,
                        one.get(),
                        colour.as_ptr().cast(),
                        origin.as_ptr(),
                        region.as_ptr(),
                        0,
                        null(),
                        null_mut()
                    ))
                    .context(what)?;
                    let pixel = colour.map(|channel| channel as u8);
                    models[number].set(part, &pixel.repeat(count));
                }
                4 => {
                    let offset = random.below(40) as usize * PIXEL;
                    let pixels = random.bytes(count * PIXEL);
                    let bytes = [vec![0; offset], pixels.clone()].concat();
                    let buffer = calls::buffer(session.context.get(), CL_MEM_READ_ONLY, &bytes)?;
                    ok!(clEnqueueCopyBufferToImage(
                        queue,
                        buffer.get(),
                        one.get(),
                        offset,
                        origin.as_ptr(),
                        region.as_ptr(),
                        0,
                        null(),
                        null_mut()
                    ))
                    .context(what)?;
                    models[number].set(part, &pixels);
                }
                _ => {
                    let offset = random.below(40) as usize * PIXEL;
                    let mut expected = vec![0xEE; offset + count * PIXEL + 8];
                    let context = session.context.get();
                    let buffer = calls::buffer(context, CL_MEM_READ_WRITE, &expected)?;
                    ok!(clEnqueueCopyImageToBuffer(
                        queue,
                        one.get(),
                        buffer.get(),
                        origin.as_ptr(),
                        region.as_ptr(),
                        offset,
                        0,
                        null(),
                        null_mut()
                    ))
                    .with_context(|| what.clone())?;
                    let mut got = vec![0; expected.len()];
                    ok!(clEnqueueReadBuffer(
                        queue,
                        buffer.get(),
                        CL_TRUE,
                        0,
                        got.len(),
                        got.as_mut_ptr().cast(),
                        0,
                        null(),
                        null_mut()
                    ))?;
                    expected[offset..offset + count * PIXEL]
                        .copy_from_slice(&models[number].get(part));
                    equal(&format!("{what}: bytes in the buffer"), &got, &expected)?;
                }
            }
        }
        for (image, model) in images.iter().zip(&models) {
            let mut got = vec![0; model.pixels.len()];
            transfer(session, image, all(model), [0, 0], &mut got, false)?;
            let what = format!("all pixels of {} in the end", name(image_type));
            equal(&what, &got, &model.pixels)?;
        }
    }
    Ok(())
}

/// A mapped part: its address, row pitch and slice pitch.
fn map(
    session: &Session,
    image: &Object<Memory>,
    [origin, region]: [[usize; 3]; 2],
    flags: cl_bitfield,
) -> Result<(*mut u8, [usize; 2])> {
    let (mut row, mut slice, mut code) = (0, 0, -12345);
    let start = code!(clEnqueueMapImage(
        session.queue.get(),
        image.get(),
        CL_TRUE,
        flags,
        origin.as_ptr(),
        region.as_ptr(),
        &raw mut row,
        &raw mut slice,
        0,
        null(),
        null_mut(),
        &raw mut code
    ));
    check("clEnqueueMapImage", code)?;
    ensure!(!start.is_null(), "clEnqueueMapImage returned no address");
    Ok((start.cast(), [row, slice]))
}

fn unmap(session: &Session, image: &Object<Memory>, start: *mut u8) -> Result<()> {
    ok!(clEnqueueUnmapMemObject(
        session.queue.get(),
        image.get(),
        start.cast(),
        0,
        null(),
        null_mut()
    ))?;
    ok!(clFinish(session.queue.get()))
}

/// Parts mapped for reading, for writing, for both, and to be overwritten.
pub fn maps(session: &Session) -> Result<()> {
    let mut random = session.random();
    for (image_type, extent) in TYPES {
        let image = image(session, RGBA8, image_type, extent)?;
        let mut model = Model::new(extent, PIXEL, &mut random);
        let everything = all(&model);
        transfer(session, &image, everything, [0, 0], &mut model.pixels, true)?;
        for step in 0..40 {
            let part = model.part(&mut random);
            let region = part[1];
            let flags = [
                CL_MAP_READ,
                CL_MAP_READ | CL_MAP_WRITE,
                CL_MAP_WRITE,
                CL_MAP_WRITE_INVALIDATE_REGION,
            ][step % 4];
            let what = format!(
                "map {step} of {}, part {part:?}, flags {flags}",
                name(image_type)
            );
            let (start, pitches) =
                map(session, &image, part, flags).with_context(|| what.clone())?;
            let row = region[0] * PIXEL;
            let lines = of_lines(image_type);
            // Pitches that lead nowhere are left open.
            let has_rows = !lines && image_type != CL_MEM_OBJECT_IMAGE1D;
            let has_slices = has_rows && image_type != CL_MEM_OBJECT_IMAGE2D;
            ensure!(
                (!has_rows || pitches[0] >= row)
                    && (!lines || pitches[1] >= row)
                    && (!has_slices || pitches[1] >= region[1] * pitches[0]),
                "{what}: row and slice pitch are {pitches:?}"
            );
            let starts = starts(region, pitches, lines);
            if step % 4 < 2 {
                let mut got = Vec::new();
                for &place in &starts {
                    // SAFETY: the mapping has that row.
                    got.extend_from_slice(unsafe {
                        std::slice::from_raw_parts(start.add(place), row)
                    });
                }
                equal(&format!("{what}: pixels"), &got, &model.get(part))?;
            }
            if step % 4 > 0 {
                let pixels = random.bytes(region.iter().product::<usize>() * PIXEL);
                for (place, pixels) in starts.iter().zip(pixels.chunks(row)) {
                    // SAFETY: as above, and it is mapped for writing.
                    unsafe { std::slice::from_raw_parts_mut(start.add(*place), row) }
                        .copy_from_slice(pixels);
                }
                model.set(part, &pixels);
            }
            unmap(session, &image, start).with_context(|| what.clone())?;
        }
        let mut got = vec![0; model.pixels.len()];
        transfer(session, &image, everything, [0, 0], &mut got, false)?;
        equal("all pixels after the maps", &got, &model.pixels)?;
    }
    Ok(())
}

/// Copied and used memory of the host with padding; allocated memory.
pub fn host_pointers(session: &Session) -> Result<()> {
    let mut random = session.random();
    let program = session.program(
        "kernel void mark(write_only image2d_t image)\n{\n    \
         write_imageui(image, (int2)(get_global_id(0), 1), (uint4)(1, 2, 3, get_global_id(0)));\n}\n",
        "",
    )?;
    for (image_type, extent) in TYPES {
        for flags in [CL_MEM_COPY_HOST_PTR, CL_MEM_USE_HOST_PTR] {
            let what = format!("{} with flags {flags}", name(image_type));
            let mut model = Model::new(extent, PIXEL, &mut random);
            let everything = all(&model);
            let pitches = pitches(image_type, extent);
            let mut host = padded(image_type, extent, pitches, &model.pixels);
            let mut description = description(image_type, extent);
            description.image_row_pitch = pitches[0];
            description.image_slice_pitch = pitches[1];
            let start = host.as_mut_ptr();
            let image = create(
                session,
                CL_MEM_READ_WRITE | flags,
                RGBA8,
                &description,
                start.cast(),
            )
            .with_context(|| what.clone())?;
            let mut got = vec![0; model.pixels.len()];
            transfer(session, &image, everything, [0, 0], &mut got, false)?;
            equal(&format!("{what}: pixels"), &got, &model.pixels)?;
            if flags == CL_MEM_COPY_HOST_PTR {
                // Nothing of it is needed any more.
                host.fill(0);
                transfer(session, &image, everything, [0, 0], &mut got, false)?;
                equal(&format!("{what}: copied pixels"), &got, &model.pixels)?;
                continue;
            }
            if !matches!(
                image_type,
                CL_MEM_OBJECT_IMAGE1D | CL_MEM_OBJECT_IMAGE1D_ARRAY
            ) {
                let row: usize = number(answer!(clGetImageInfo(image.get(), CL_IMAGE_ROW_PITCH))?)?;
                equal(&format!("{what}: row pitch"), &[row], &pitches[..1])?;
            }
            let part = model.part(&mut random);
            let mut pixels = random.bytes(part[1].iter().product::<usize>() * PIXEL);
            transfer(session, &image, part, [0, 0], &mut pixels, true)?;
            model.set(part, &pixels);
            if image_type == CL_MEM_OBJECT_IMAGE2D {
                let kernel = program.kernel("mark")?;
                session.run(&kernel, &[extent[0]], &[], &[&Handle(&image)])?;
                for x in 0..extent[0] {
                    model.set([[x, 1, 0], [1, 1, 1]], &[1, 2, 3, x as u8]);
                }
            }
            let (mapped, _) = map(session, &image, everything, CL_MAP_READ)?;
            ensure!(
                mapped == start,
                "{what}: mapped at {mapped:?}, expected the host's memory at {start:?}"
            );
            let expected = padded(image_type, extent, pitches, &model.pixels);
            let rows = starts(extent, pitches, of_lines(image_type));
            for place in rows {
                let row = place..place + extent[0] * PIXEL;
                // SAFETY: it is the vector's memory, mapped for reading.
                let got = unsafe { std::slice::from_raw_parts(start.add(place), row.len()) };
                equal(
                    &format!("{what}: the host's memory from {place} on, mapped"),
                    got,
                    &expected[row],
                )?;
            }
            unmap(session, &image, mapped)?;
            drop(image);
            session.queue.finish()?;
        }
        let mut model = Model::new(extent, PIXEL, &mut random);
        let flags = CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR;
        let description = description(image_type, extent);
        let start = model.pixels.as_mut_ptr().cast();
        let image = create(session, flags, RGBA8, &description, start)?;
        let mut got = vec![0; model.pixels.len()];
        transfer(session, &image, all(&model), [0, 0], &mut got, false)?;
        equal(
            "pixels of an image that is allocated for the host",
            &got,
            &model.pixels,
        )?;
    }
    Ok(())
}

/// A kernel's writes to an image over a buffer are visible in the buffer, and writes to the
/// buffer in the image.
pub fn of_buffer(session: &Session) -> Result<()> {
    const WIDTH: usize = 100;
    let program = session.program(
        "kernel void change(write_only image1d_buffer_t image, global uint *others)\n{\n    \
         const int i = get_global_id(0);\n    \
         if (i % 2)\n        write_imageui(image, i, (uint4)(i, 1, 2, 3));\n    \
         else\n        others[i] = i * 7;\n}\n\
         kernel void look(read_only image1d_buffer_t image, global uint4 *out)\n{\n    \
         out[get_global_id(0)] = read_imageui(image, (int)get_global_id(0));\n}\n",
        "",
    )?;
    let mut random = session.random();
    let words = random.words(WIDTH);
    let buffer = session.buffer(&words)?;
    let handle = buffer.handle();
    let mut description = description(CL_MEM_OBJECT_IMAGE1D_BUFFER, [WIDTH, 1, 1]);
    description.buffer = handle;
    let image = create(session, CL_MEM_READ_WRITE, RGBA8, &description, null_mut())?;
    let look = |expected: &[u32]| -> Result<()> {
        let out = session.zeros::<[u32; 4]>(WIDTH)?;
        let arguments: [&dyn Argument; 2] = [&Handle(&image), &out];
        session.run(&program.kernel("look")?, &[WIDTH], &[], &arguments)?;
        let got: Vec<u32> = session
            .read(&out)?
            .iter()
            .map(|pixel| u32::from_le_bytes(pixel.map(|channel| channel as u8)))
            .collect();
        equal("pixels over the buffer", &got, expected)
    };
    look(&words)?;
    let arguments: [&dyn Argument; 2] = [&Handle(&image), &buffer];
    session.run(&program.kernel("change")?, &[WIDTH], &[], &arguments)?;
    let expected: Vec<u32> = (0..WIDTH as u32)
        .map(|i| {
            if i % 2 == 1 {
                u32::from_le_bytes([i as u8, 1, 2, 3])
            } else {
                i * 7
            }
        })
        .collect();
    equal("words under the image", &session.read(&buffer)?, &expected)?;
    look(&expected)?;
    let got: usize = number(answer!(clGetImageInfo(image.get(), CL_IMAGE_BUFFER))?)?;
    equal("CL_IMAGE_BUFFER", &[got], &[handle as usize])
}
