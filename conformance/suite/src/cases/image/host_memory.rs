//! Images that are created from host memory, in it, and in memory allocated for the host.

use super::formats::Handle;
use super::model::{Model, starts};
use super::objects::{RGBA8, TYPES, create, description, name, transfer};
use super::transfers::{PIXEL, all, map, of_lines, padded, pitches, unmap};
use crate::cases::calls::{answer, number};
use crate::compare::equal;
use anyhow::{Context as _, Result, ensure};
use cl_sys::*;
use harness::object::{Memory, Object};
use harness::random::Random;
use harness::session::{Program, Session};

/// `CL_MEM_COPY_HOST_PTR` and `CL_MEM_USE_HOST_PTR` with padding, and `CL_MEM_ALLOC_HOST_PTR`.
pub fn host_pointers(session: &Session) -> Result<()> {
    let mut random = session.random();
    let program = session.program(
        "kernel void mark(write_only image2d_t image)\n{\n    \
         write_imageui(image, (int2)(get_global_id(0), 1), (uint4)(1, 2, 3, get_global_id(0)));\n}\n",
        "",
    )?;
    for (image_type, extent) in TYPES {
        let model = Model::new(extent, PIXEL, &mut random);
        copied_host_memory(session, image_type, model)
            .with_context(|| format!("{} of copied memory", name(image_type)))?;
        let model = Model::new(extent, PIXEL, &mut random);
        used_host_memory(session, &program, &mut random, image_type, model)
            .with_context(|| format!("{} in the host's memory", name(image_type)))?;
        let mut model = Model::new(extent, PIXEL, &mut random);
        let flags = CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR;
        let description = description(image_type, extent);
        let start = model.pixels.as_mut_ptr().cast();
        let image = create(session, flags, RGBA8, &description, start)?;
        has_pixels(session, &image, &model)
            .with_context(|| format!("{} that is allocated for the host", name(image_type)))?;
    }
    Ok(())
}

/// An image with the model's pixels in host memory, with padding behind rows and slices.
fn padded_image(
    session: &Session,
    flags: cl_bitfield,
    image_type: cl_uint,
    model: &Model,
    host: &mut [u8],
) -> Result<Object<Memory>> {
    let pitches = pitches(image_type, model.extent);
    let mut description = description(image_type, model.extent);
    description.image_row_pitch = pitches[0];
    description.image_slice_pitch = pitches[1];
    let flags = CL_MEM_READ_WRITE | flags;
    let start = host.as_mut_ptr().cast();
    let image = create(session, flags, RGBA8, &description, start)?;
    has_pixels(session, &image, model)?;
    Ok(image)
}

fn has_pixels(session: &Session, image: &Object<Memory>, model: &Model) -> Result<()> {
    let mut got = vec![0; model.pixels.len()];
    transfer(session, image, all(model), [0, 0], &mut got, false)?;
    equal("pixels", &got, &model.pixels)
}

/// The image does not access the host's memory after its creation.
fn copied_host_memory(session: &Session, image_type: cl_uint, model: Model) -> Result<()> {
    let extent = model.extent;
    let pitches = pitches(image_type, extent);
    let mut host = padded(image_type, extent, pitches, &model.pixels);
    let image = padded_image(session, CL_MEM_COPY_HOST_PTR, image_type, &model, &mut host)?;
    host.fill(0);
    has_pixels(session, &image, &model)
}

/// A mapping is in the host's memory, which has the pixels that commands and kernels wrote.
fn used_host_memory(
    session: &Session,
    program: &Program,
    random: &mut Random,
    image_type: cl_uint,
    mut model: Model,
) -> Result<()> {
    let (extent, everything) = (model.extent, all(&model));
    let pitches = pitches(image_type, extent);
    let mut host = padded(image_type, extent, pitches, &model.pixels);
    let start = host.as_mut_ptr();
    let image = padded_image(session, CL_MEM_USE_HOST_PTR, image_type, &model, &mut host)?;
    if !matches!(
        image_type,
        CL_MEM_OBJECT_IMAGE1D | CL_MEM_OBJECT_IMAGE1D_ARRAY
    ) {
        let row: usize = number(answer!(clGetImageInfo(image.get(), CL_IMAGE_ROW_PITCH))?)?;
        equal("row pitch", &[row], &pitches[..1])?;
    }
    let part = model.part(random);
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
        "mapped at {mapped:?}, expected the host's memory at {start:?}"
    );
    let expected = padded(image_type, extent, pitches, &model.pixels);
    for place in starts(extent, pitches, of_lines(image_type)) {
        let row = place..place + extent[0] * PIXEL;
        // SAFETY: it is the vector's memory, mapped for reading.
        let got = unsafe { std::slice::from_raw_parts(start.add(place), row.len()) };
        let what = format!("the mapped memory of the host from byte {place} on");
        equal(&what, got, &expected[row])?;
    }
    unmap(session, &image, mapped)?;
    drop(image);
    session.queue.finish()?;
    Ok(())
}
