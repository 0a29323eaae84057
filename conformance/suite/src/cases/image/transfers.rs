//! Commands that read, write, copy and map images, compared with a model on the host.

use super::formats::Handle;
use super::model::{Model, starts};
use super::objects::{RGBA8, TYPES, create, description, image, name, transfer};
use crate::cases::calls::{self, answer, number};
use crate::compare::equal;
use anyhow::{Context as _, Result, ensure};
use cl_sys::*;
use harness::call::{check, code, ok};
use harness::object::{Memory, Object};
use harness::random::Random;
use harness::session::{Argument, Session};
use std::ptr::{null, null_mut};

/// Size of a pixel, in bytes.
pub(super) const PIXEL: usize = 4;

/// Origin and size of a part of an image, in pixels.
type Part = [[usize; 3]; 2];

/// Whether rows of the model are images of an array.
pub(super) fn of_lines(image_type: cl_uint) -> bool {
    image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY
}

/// Pitches of a region in host memory, with padding. Some platforms take the row pitch instead of the
/// slice pitch for the images of a 1D array, so both are the same there.
pub(super) fn pitches(image_type: cl_uint, region: [usize; 3]) -> [usize; 2] {
    let row = region[0] * PIXEL + 12;
    match image_type {
        CL_MEM_OBJECT_IMAGE1D | CL_MEM_OBJECT_IMAGE2D => [row, 0],
        CL_MEM_OBJECT_IMAGE1D_ARRAY => [row, row],
        // The slice pitch of an image must be a multiple of the row pitch (section 5.3.1.2).
        _ => [row, row * (region[1] + 1)],
    }
}

/// Pixels with padding of `0xEE` behind rows and slices.
pub(super) fn padded(
    image_type: cl_uint,
    region: [usize; 3],
    pitches: [usize; 2],
    pixels: &[u8],
) -> Vec<u8> {
    let starts = starts(region, pitches, of_lines(image_type));
    let row = region[0] * PIXEL;
    let mut bytes = vec![0xEE; starts.last().map_or(0, |last| last + row + 32)];
    for (start, pixels) in starts.into_iter().zip(pixels.chunks(row)) {
        bytes[start..start + row].copy_from_slice(pixels);
    }
    bytes
}

pub(super) fn all(model: &Model) -> Part {
    [[0; 3], model.extent]
}

/// Random reads, writes, copies, fills, and copies from and to buffers.
pub fn random(session: &Session) -> Result<()> {
    let mut random = session.random();
    for (image_type, extent) in TYPES {
        let mut new = || -> Result<Modelled> {
            let image = image(session, RGBA8, image_type, extent)?;
            let mut model = Model::new(extent, PIXEL, &mut random);
            transfer(
                session,
                &image,
                all(&model),
                [0, 0],
                &mut model.pixels,
                true,
            )?;
            Ok(Modelled {
                image,
                image_type,
                model,
            })
        };
        let mut images = [new()?, new()?];
        for step in 0..120 {
            let number = random.below(2) as usize;
            let part = images[number].model.part(&mut random);
            let what = format!("step {step} on {}, part {part:?}", name(image_type));
            let [first, second] = &mut images;
            let (one, other) = match number {
                0 => (first, second),
                _ => (second, first),
            };
            match random.below(6) {
                0 => one.write(session, &mut random, part),
                1 => one.read(session, part),
                2 => one.copy_to(session, &mut random, part, other),
                3 => one.fill(session, &mut random, part),
                4 => one.copy_from_buffer(session, &mut random, part),
                _ => one.copy_to_buffer(session, &mut random, part),
            }
            .context(what)?;
        }
        for image in &images {
            let model = &image.model;
            let mut got = vec![0; model.pixels.len()];
            transfer(session, &image.image, all(model), [0, 0], &mut got, false)?;
            let what = format!("all pixels of {} in the end", name(image_type));
            equal(&what, &got, &model.pixels)?;
        }
    }
    Ok(())
}

/// An image, and its contents after all enqueued commands.
struct Modelled {
    image: Object<Memory>,
    image_type: cl_uint,
    model: Model,
}

impl Modelled {
    fn write(&mut self, session: &Session, random: &mut Random, part: Part) -> Result<()> {
        let [_, region] = part;
        let pixels = random.bytes(region.iter().product::<usize>() * PIXEL);
        let pitches = pitches(self.image_type, region);
        let mut bytes = padded(self.image_type, region, pitches, &pixels);
        transfer(session, &self.image, part, pitches, &mut bytes, true)?;
        self.model.set(part, &pixels);
        Ok(())
    }

    /// Reads with pitches. The padding must not change.
    fn read(&self, session: &Session, part: Part) -> Result<()> {
        let [_, region] = part;
        let pitches = pitches(self.image_type, region);
        let nothing = vec![0xEE; region.iter().product::<usize>() * PIXEL];
        let mut got = padded(self.image_type, region, pitches, &nothing);
        transfer(session, &self.image, part, pitches, &mut got, false)?;
        let expected = padded(self.image_type, region, pitches, &self.model.get(part));
        equal("bytes read, with padding", &got, &expected)
    }

    fn copy_to(
        &self,
        session: &Session,
        random: &mut Random,
        part: Part,
        other: &mut Self,
    ) -> Result<()> {
        let [origin, region] = part;
        let extent = self.model.extent;
        let to =
            [0, 1, 2].map(|axis| random.below((extent[axis] - region[axis] + 1) as u32) as usize);
        ok!(clEnqueueCopyImage(
            session.queue.get(),
            self.image.get(),
            other.image.get(),
            origin.as_ptr(),
            to.as_ptr(),
            region.as_ptr(),
            0,
            null(),
            null_mut()
        ))?;
        other.model.set([to, region], &self.model.get(part));
        Ok(())
    }

    fn fill(&mut self, session: &Session, random: &mut Random, part: Part) -> Result<()> {
        let [origin, region] = part;
        let colour: [u32; 4] = std::array::from_fn(|_| random.below(256));
        ok!(clEnqueueFillImage(
            session.queue.get(),
            self.image.get(),
            colour.as_ptr().cast(),
            origin.as_ptr(),
            region.as_ptr(),
            0,
            null(),
            null_mut()
        ))?;
        let pixel = colour.map(|channel| channel as u8);
        self.model.set(part, &pixel.repeat(region.iter().product()));
        Ok(())
    }

    fn copy_from_buffer(
        &mut self,
        session: &Session,
        random: &mut Random,
        part: Part,
    ) -> Result<()> {
        let [origin, region] = part;
        let offset = random.below(40) as usize * PIXEL;
        let pixels = random.bytes(region.iter().product::<usize>() * PIXEL);
        let bytes = [vec![0; offset], pixels.clone()].concat();
        let buffer = calls::buffer(session.context.get(), CL_MEM_READ_ONLY, &bytes)?;
        ok!(clEnqueueCopyBufferToImage(
            session.queue.get(),
            buffer.get(),
            self.image.get(),
            offset,
            origin.as_ptr(),
            region.as_ptr(),
            0,
            null(),
            null_mut()
        ))?;
        self.model.set(part, &pixels);
        Ok(())
    }

    fn copy_to_buffer(&self, session: &Session, random: &mut Random, part: Part) -> Result<()> {
        let queue = session.queue.get();
        let [origin, region] = part;
        let bytes = region.iter().product::<usize>() * PIXEL;
        let offset = random.below(40) as usize * PIXEL;
        let mut expected = vec![0xEE; offset + bytes + 8];
        let context = session.context.get();
        let buffer = calls::buffer(context, CL_MEM_READ_WRITE, &expected)?;
        ok!(clEnqueueCopyImageToBuffer(
            queue,
            self.image.get(),
            buffer.get(),
            origin.as_ptr(),
            region.as_ptr(),
            offset,
            0,
            null(),
            null_mut()
        ))?;
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
        expected[offset..offset + bytes].copy_from_slice(&self.model.get(part));
        equal("bytes in the buffer", &got, &expected)
    }
}

/// Maps a part of an image. Returns its address, row pitch and slice pitch.
pub(super) fn map(
    session: &Session,
    image: &Object<Memory>,
    [origin, region]: Part,
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

pub(super) fn unmap(session: &Session, image: &Object<Memory>, start: *mut u8) -> Result<()> {
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

/// Maps parts for reading, writing, both, and overwriting.
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
            // The specification leaves open the pitches of dimensions that the image does not have.
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
