//! Images of all types, and all commands on images. The host makes the same changes to a copy.

use crate::activities::callbacks::sampler;
use crate::command::{self, enqueue};
use crate::world::{self, Station, World};
use anyhow::{Result, ensure};
use cl_sys::*;
use fastrand::Rng;
use harness::call::made;
use harness::object::{Event, Memory, Object, Queue};
use std::ptr::{null, null_mut};

/// The types of components that every full profile supports for RGBA images, with their sizes in
/// bytes.
const COMPONENTS: [(cl_channel_type, usize); 3] = [
    (CL_UNSIGNED_INT8, 1),
    (CL_UNSIGNED_INT16, 2),
    (CL_UNSIGNED_INT32, 4),
];

const TYPES: [cl_mem_object_type; 6] = [
    CL_MEM_OBJECT_IMAGE1D,
    CL_MEM_OBJECT_IMAGE1D_ARRAY,
    CL_MEM_OBJECT_IMAGE1D_BUFFER,
    CL_MEM_OBJECT_IMAGE2D,
    CL_MEM_OBJECT_IMAGE2D_ARRAY,
    CL_MEM_OBJECT_IMAGE3D,
];

/// An image, and its contents after all commands enqueued so far.
struct Image {
    memory: Object<Memory>,
    kind: cl_mem_object_type,
    size: [usize; 3],
    pixel: usize,
    bytes: Vec<u8>,
}

/// A box within an image.
#[derive(Clone, Copy)]
struct Region {
    origin: [usize; 3],
    size: [usize; 3],
}

impl Region {
    fn any(random: &mut Rng, size: [usize; 3]) -> Self {
        let origin = size.map(|size| random.usize(..size));
        let size = std::array::from_fn(|axis| random.usize(1..=size[axis] - origin[axis]));
        Self { origin, size }
    }

    fn pixels(&self) -> usize {
        self.size.iter().product()
    }

    /// The start of each row, in pixels from the start of an image of `size`.
    fn rows(&self, size: [usize; 3]) -> impl Iterator<Item = usize> + use<> {
        let Self { origin, size: own } = *self;
        (0..own[2]).flat_map(move |z| {
            (0..own[1])
                .map(move |y| ((origin[2] + z) * size[1] + origin[1] + y) * size[0] + origin[0])
        })
    }
}

impl Image {
    fn new(station: &Station, random: &mut Rng, (kind, component): (u32, usize)) -> Result<Self> {
        let mut side = |most| random.usize(1..=most);
        let size = match kind {
            CL_MEM_OBJECT_IMAGE1D | CL_MEM_OBJECT_IMAGE1D_BUFFER => [side(300), 1, 1],
            CL_MEM_OBJECT_IMAGE1D_ARRAY | CL_MEM_OBJECT_IMAGE2D => [side(60), side(20), 1],
            _ => [side(20), side(12), side(8)],
        };
        let (data_type, bytes) = COMPONENTS[component];
        let format = cl_image_format {
            image_channel_order: CL_RGBA,
            image_channel_data_type: data_type,
        };
        let pixel = 4 * bytes;
        let total = size.iter().product::<usize>() * pixel;
        let mut of = None;
        if kind == CL_MEM_OBJECT_IMAGE1D_BUFFER {
            of = Some(world::buffer(&station.context, 0, total / 4, None)?);
        }
        let layers = match kind {
            CL_MEM_OBJECT_IMAGE1D_ARRAY => size[1],
            CL_MEM_OBJECT_IMAGE2D_ARRAY => size[2],
            _ => 0,
        };
        let description = cl_image_desc {
            image_type: kind,
            image_width: size[0],
            image_height: size[1],
            image_depth: size[2],
            image_array_size: layers,
            image_row_pitch: 0,
            image_slice_pitch: 0,
            num_mip_levels: 0,
            num_samples: 0,
            buffer: of.as_ref().map_or(null_mut(), Object::get),
        };
        let memory = made!(clCreateImage(
            station.context.get(),
            CL_MEM_READ_WRITE,
            &raw const format,
            &raw const description,
            null_mut(),
        ))
        .map(Object::new)?;
        Ok(Self {
            memory,
            kind,
            size,
            pixel,
            bytes: vec![0; total],
        })
    }

    fn whole(&self) -> Region {
        Region {
            origin: [0; 3],
            size: self.size,
        }
    }

    /// The bytes of a region, row after row.
    fn part(&self, region: Region) -> Vec<u8> {
        let row = region.size[0] * self.pixel;
        let starts = region.rows(self.size).map(|start| start * self.pixel);
        starts
            .flat_map(|start| self.bytes[start..start + row].iter().copied())
            .collect()
    }

    fn set_part(&mut self, region: Region, bytes: &[u8]) {
        let row = region.size[0] * self.pixel;
        for (start, from) in region.rows(self.size).zip(bytes.chunks(row)) {
            let start = start * self.pixel;
            self.bytes[start..start + row].copy_from_slice(from);
        }
    }
}

/// A chain of commands on two images of the same format.
pub fn run(world: &World, random: &mut Rng, _thread: usize) -> Result<()> {
    let (_, station) = world.any_station(random);
    let kind = TYPES[random.usize(..TYPES.len())];
    let component = random.usize(..COMPONENTS.len());
    let mut image = Image::new(station, random, (kind, component))?;
    let mut last = {
        let bytes: Vec<u8> = image.bytes.iter().map(|_| random.u8(..)).collect();
        let queue = &station.any_queue(random).queue;
        let whole = image.whole();
        image.set_part(whole, &bytes);
        enqueue!(
            [],
            clEnqueueWriteImage(
                queue.get(),
                image.memory.get(),
                CL_TRUE,
                whole.origin.as_ptr(),
                whole.size.as_ptr(),
                0,
                0,
                bytes.as_ptr().cast(),
            )
        )?
    };
    for _ in 0..random.usize(1..6) {
        last = step(station, random, (kind, component), &mut image, last)?;
    }
    if kind == CL_MEM_OBJECT_IMAGE2D {
        fetch(station, random, &image, &last)?;
    }
    check(station, random, &image, image.whole(), &last)
}

/// Enqueues one command, or a few that depend on each other. Returns the last one's event.
fn step(
    station: &Station,
    random: &mut Rng,
    kind: (u32, usize),
    image: &mut Image,
    last: Object<Event>,
) -> Result<Object<Event>> {
    let queue = &station.any_queue(random).queue;
    let region = Region::any(random, image.size);
    match random.u8(..5) {
        0 => fill(queue, random, image, region, &last),
        1 => copy(station, random, queue, kind, image, &last),
        2 => invert_in_buffer(station, random, queue, image, region, &last),
        3 => map(station, random, image, region, &last),
        _ => {
            check(station, random, image, region, &last)?;
            Ok(last)
        }
    }
}

fn fill(
    queue: &Object<Queue>,
    random: &mut Rng,
    image: &mut Image,
    region: Region,
    last: &Object<Event>,
) -> Result<Object<Event>> {
    let colour: [u32; 4] = std::array::from_fn(|_| random.u32(..256));
    let width = image.pixel / 4;
    let pixel: Vec<u8> = colour
        .iter()
        .flat_map(|component| component.to_le_bytes()[..width].to_vec())
        .collect();
    image.set_part(region, &pixel.repeat(region.pixels()));
    enqueue!(
        [last],
        clEnqueueFillImage(
            queue.get(),
            image.memory.get(),
            colour.as_ptr().cast(),
            region.origin.as_ptr(),
            region.size.as_ptr(),
        )
    )
}

/// Copies the image into a new one, which replaces it.
fn copy(
    station: &Station,
    random: &mut Rng,
    queue: &Object<Queue>,
    kind: (u32, usize),
    image: &mut Image,
    last: &Object<Event>,
) -> Result<Object<Event>> {
    let mut other = Image::new(station, random, kind)?;
    let size = std::array::from_fn(|axis| other.size[axis].min(image.size[axis]));
    let region = Region {
        origin: [0; 3],
        size,
    };
    let filled = enqueue!(
        [],
        clEnqueueFillImage(
            queue.get(),
            other.memory.get(),
            [0u32; 4].as_ptr().cast(),
            [0; 3].as_ptr(),
            other.size.as_ptr(),
        )
    )?;
    let copied = enqueue!(
        [last, &filled],
        clEnqueueCopyImage(
            queue.get(),
            image.memory.get(),
            other.memory.get(),
            region.origin.as_ptr(),
            region.origin.as_ptr(),
            region.size.as_ptr(),
        )
    );
    other.set_part(region, &image.part(region));
    *image = other;
    copied
}

/// Copies a region to a buffer, where a kernel inverts it, and back.
fn invert_in_buffer(
    station: &Station,
    random: &mut Rng,
    queue: &Object<Queue>,
    image: &mut Image,
    region: Region,
    last: &Object<Event>,
) -> Result<Object<Event>> {
    let words = region.pixels() * image.pixel / 4;
    let buffer = world::buffer(&station.context, 0, words, None)?;
    let out = enqueue!(
        [last],
        clEnqueueCopyImageToBuffer(
            queue.get(),
            image.memory.get(),
            buffer.get(),
            region.origin.as_ptr(),
            region.size.as_ptr(),
            0,
        )
    )?;
    let kernel = world::kernel(&station.program, "scramble")?;
    command::set(&kernel, 0, &buffer.get())?;
    command::set(&kernel, 1, &1u32)?;
    command::set(&kernel, 2, &0xFFFF_FFFFu32)?;
    let inverted = command::launch(queue, &kernel, 0..words, None, &[&out])?;
    let bytes: Vec<u8> = image.part(region).iter().map(|byte| !byte).collect();
    image.set_part(region, &bytes);
    let queue = &station.any_queue(random).queue;
    enqueue!(
        [&inverted],
        clEnqueueCopyBufferToImage(
            queue.get(),
            buffer.get(),
            image.memory.get(),
            0,
            region.origin.as_ptr(),
            region.size.as_ptr(),
        )
    )
}

/// The host inverts a mapped region.
fn map(
    station: &Station,
    random: &mut Rng,
    image: &mut Image,
    region: Region,
    last: &Object<Event>,
) -> Result<Object<Event>> {
    let queue = &station.any_queue(random).queue;
    let (mut row_pitch, mut slice_pitch) = (0, 0);
    let wait = command::WaitList::new([last]);
    let address = made!(clEnqueueMapImage(
        queue.get(),
        image.memory.get(),
        CL_TRUE,
        CL_MAP_READ | CL_MAP_WRITE,
        region.origin.as_ptr(),
        region.size.as_ptr(),
        &raw mut row_pitch,
        &raw mut slice_pitch,
        wait.count(),
        wait.start(),
        null_mut(),
    ))?;
    let row = region.size[0] * image.pixel;
    let mut expected = image.part(region);
    if image.kind == CL_MEM_OBJECT_IMAGE1D_ARRAY {
        // The layers of the array, which are slices in OpenCL, are the rows of `Region`.
        row_pitch = slice_pitch;
    }
    for (number, expected) in expected.chunks_mut(row).enumerate() {
        let (y, z) = (number % region.size[1], number / region.size[1]);
        let start = address
            .cast::<u8>()
            .wrapping_add(z * slice_pitch + y * row_pitch);
        // SAFETY: the row is within the mapped region.
        let mapped = unsafe { std::slice::from_raw_parts_mut(start, row) };
        ensure!(mapped == expected, "row {number} of a mapped image differs");
        for (mapped, expected) in mapped.iter_mut().zip(expected) {
            *expected = !*expected;
            *mapped = *expected;
        }
    }
    image.set_part(region, &expected);
    let queue = &station.any_queue(random).queue;
    command::unmap(queue, &image.memory, address.cast(), &[])
}

/// Reads a region by a command and compares it with the expected contents.
fn check(
    station: &Station,
    random: &mut Rng,
    image: &Image,
    region: Region,
    last: &Object<Event>,
) -> Result<()> {
    let queue = &station.any_queue(random).queue;
    let expected = image.part(region);
    let mut read = vec![0u8; expected.len()];
    enqueue!(
        [last],
        clEnqueueReadImage(
            queue.get(),
            image.memory.get(),
            CL_TRUE,
            region.origin.as_ptr(),
            region.size.as_ptr(),
            0,
            0,
            read.as_mut_ptr().cast(),
        )
    )?;
    let place = expected.iter().zip(&read).position(|(a, b)| a != b);
    ensure!(
        place.is_none(),
        "byte {place:?} of a region {:?} of an image {:?} of {}-byte pixels differs",
        region.size,
        image.size,
        image.pixel
    );
    Ok(())
}

/// A kernel reads all pixels of a 2D image through a sampler.
fn fetch(station: &Station, random: &mut Rng, image: &Image, last: &Object<Event>) -> Result<()> {
    let pixels = image.whole().pixels();
    let to = world::buffer(&station.context, 0, 4 * pixels, None)?;
    let sampler = sampler(&station.context)?;
    let kernel = world::kernel(&station.program, "fetch")?;
    command::set(&kernel, 0, &image.memory.get())?;
    command::set(&kernel, 1, &sampler.get())?;
    command::set(&kernel, 2, &to.get())?;
    let queue = &station.any_queue(random).queue;
    let fetched = enqueue!(
        [last],
        clEnqueueNDRangeKernel(
            queue.get(),
            kernel.get(),
            2,
            null(),
            image.size.as_ptr(),
            null(),
        )
    )?;
    drop((sampler, kernel));
    let read = command::read_now(queue, &to, 4 * pixels, &[&fetched])?;
    let expected: Vec<u32> = image
        .bytes
        .chunks(image.pixel / 4)
        .map(|component| {
            let bytes = component.iter().rev();
            bytes.fold(0, |word, byte| word << 8 | u32::from(*byte))
        })
        .collect();
    world::compare("what a kernel read from an image", &expected, &read)
}
