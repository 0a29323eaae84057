//! Images and the commands on them, compared with a plain model: a list of pixels.

use crate::session::{Session, made, ok, refused};
use cl_sys::*;
use std::ptr::{null, null_mut};

unsafe extern "C" {
    // cl-sys declares it with an argument too few.
    #[link_name = "clCreateImage2D"]
    fn create_image_2d(
        context: cl_context,
        flags: cl_mem_flags,
        format: *const cl_image_format,
        width: usize,
        height: usize,
        row_pitch: usize,
        host_ptr: *mut c_void,
        errcode_ret: *mut cl_int,
    ) -> cl_mem;
}

/// Pixels, rows or images, slices or images, of each type that has its own memory.
const TYPES: [(cl_mem_object_type, [usize; 3]); 5] = [
    (CL_MEM_OBJECT_IMAGE1D, [7, 1, 1]),
    (CL_MEM_OBJECT_IMAGE1D_ARRAY, [5, 6, 1]),
    (CL_MEM_OBJECT_IMAGE2D, [9, 5, 1]),
    (CL_MEM_OBJECT_IMAGE2D_ARRAY, [6, 5, 4]),
    (CL_MEM_OBJECT_IMAGE3D, [5, 4, 3]),
];

pub fn format(order: cl_uint, data_type: cl_uint) -> cl_image_format {
    cl_image_format {
        image_channel_order: order,
        image_channel_data_type: data_type,
    }
}

pub fn desc(image_type: cl_mem_object_type, extent: [usize; 3]) -> cl_image_desc {
    let [width, height, depth] = extent;
    cl_image_desc {
        image_type,
        image_width: width,
        image_height: if image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY {
            0
        } else {
            height
        },
        image_depth: if image_type == CL_MEM_OBJECT_IMAGE3D {
            depth
        } else {
            0
        },
        image_array_size: match image_type {
            CL_MEM_OBJECT_IMAGE1D_ARRAY => height,
            CL_MEM_OBJECT_IMAGE2D_ARRAY => depth,
            _ => 0,
        },
        image_row_pitch: 0,
        image_slice_pitch: 0,
        num_mip_levels: 0,
        num_samples: 0,
        buffer: null_mut(),
    }
}

fn has_slices(image_type: cl_mem_object_type) -> bool {
    matches!(
        image_type,
        CL_MEM_OBJECT_IMAGE1D_ARRAY | CL_MEM_OBJECT_IMAGE2D_ARRAY | CL_MEM_OBJECT_IMAGE3D
    )
}

/// Where each pixel of a region lies in memory with these pitches, bytes.
fn offsets(
    image_type: cl_mem_object_type,
    region: [usize; 3],
    element_size: usize,
    row_pitch: usize,
    slice_pitch: usize,
) -> Vec<usize> {
    let mut offsets = Vec::new();
    for z in 0..region[2] {
        for y in 0..region[1] {
            for x in 0..region[0] {
                let (row, slice) = match image_type {
                    CL_MEM_OBJECT_IMAGE1D_ARRAY => (0, y),
                    _ => (y, z),
                };
                offsets.push(slice * slice_pitch + row * row_pitch + x * element_size);
            }
        }
    }
    offsets
}

/// Bytes of pixels that all differ, from a seed on.
fn pixels(count: usize, element_size: usize, seed: u8) -> Vec<u8> {
    let mixed = |index: usize| (index.wrapping_mul(0x9E37_79B1) >> 11) as u8;
    (0..count * element_size)
        .map(|index| mixed(index).wrapping_add(seed))
        .collect()
}

/// An image as a list of pixels.
struct Model {
    extent: [usize; 3],
    element_size: usize,
    bytes: Vec<u8>,
}

impl Model {
    fn new(extent: [usize; 3], element_size: usize, seed: u8) -> Self {
        Self {
            extent,
            element_size,
            bytes: pixels(extent.iter().product(), element_size, seed),
        }
    }

    /// Places of the pixels of a region.
    fn places(&self, origin: [usize; 3], region: [usize; 3]) -> Vec<usize> {
        let mut places = Vec::new();
        for z in origin[2]..origin[2] + region[2] {
            for y in origin[1]..origin[1] + region[1] {
                for x in origin[0]..origin[0] + region[0] {
                    let index = (z * self.extent[1] + y) * self.extent[0] + x;
                    places.push(index * self.element_size);
                }
            }
        }
        places
    }

    fn get(&self, origin: [usize; 3], region: [usize; 3]) -> Vec<u8> {
        self.places(origin, region)
            .into_iter()
            .flat_map(|place| self.bytes[place..place + self.element_size].to_vec())
            .collect()
    }

    fn set(&mut self, origin: [usize; 3], region: [usize; 3], bytes: &[u8]) {
        let size = self.element_size;
        for (place, pixel) in self
            .places(origin, region)
            .into_iter()
            .zip(bytes.chunks(size))
        {
            self.bytes[place..place + size].copy_from_slice(pixel);
        }
    }
}

impl Session {
    pub fn image_with(
        &self,
        flags: cl_mem_flags,
        format: &cl_image_format,
        desc: &cl_image_desc,
        host: *mut c_void,
    ) -> cl_mem {
        // SAFETY: the host memory, if any, has the pixels that `desc` says.
        made(|code| unsafe { clCreateImage(self.context, flags, format, desc, host, code) })
    }

    pub fn image(
        &self,
        format: &cl_image_format,
        image_type: cl_mem_object_type,
        extent: [usize; 3],
        bytes: &[u8],
    ) -> cl_mem {
        let flags = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
        let host = bytes.as_ptr().cast_mut().cast();
        self.image_with(flags, format, &desc(image_type, extent), host)
    }

    pub fn write_pixels(
        &self,
        image: cl_mem,
        origin: [usize; 3],
        region: [usize; 3],
        pitches: (usize, usize),
        bytes: &[u8],
    ) -> cl_int {
        // SAFETY: the bytes hold the region with these pitches; the call blocks.
        unsafe {
            clEnqueueWriteImage(
                self.queue,
                image,
                CL_TRUE,
                origin.as_ptr(),
                region.as_ptr(),
                pitches.0,
                pitches.1,
                bytes.as_ptr().cast(),
                0,
                null(),
                null_mut(),
            )
        }
    }

    pub fn read_pixels(
        &self,
        image: cl_mem,
        origin: [usize; 3],
        region: [usize; 3],
        pitches: (usize, usize),
        bytes: &mut [u8],
    ) -> cl_int {
        // SAFETY: as for `write_pixels`.
        unsafe {
            clEnqueueReadImage(
                self.queue,
                image,
                CL_TRUE,
                origin.as_ptr(),
                region.as_ptr(),
                pitches.0,
                pitches.1,
                bytes.as_mut_ptr().cast(),
                0,
                null(),
                null_mut(),
            )
        }
    }

    /// All pixels of an image, tight.
    pub fn all_pixels(&self, image: cl_mem, extent: [usize; 3], element_size: usize) -> Vec<u8> {
        let mut bytes = vec![0; extent.iter().product::<usize>() * element_size];
        ok(self.read_pixels(image, [0; 3], extent, (0, 0), &mut bytes));
        bytes
    }

    fn image_info<T: Default>(&self, image: cl_mem, name: cl_uint) -> T {
        let (mut value, mut size) = (T::default(), 0);
        let to = std::ptr::from_mut(&mut value).cast();
        // SAFETY: the value has as many bytes as the call is told.
        ok(unsafe { clGetImageInfo(image, name, size_of::<T>(), to, &mut size) });
        assert_eq!(size, size_of::<T>());
        value
    }

    fn mem_info<T: Default>(&self, image: cl_mem, name: cl_uint) -> T {
        let (mut value, mut size) = (T::default(), 0);
        let to = std::ptr::from_mut(&mut value).cast();
        // SAFETY: the value has as many bytes as the call is told.
        ok(unsafe { clGetMemObjectInfo(image, name, size_of::<T>(), to, &mut size) });
        assert_eq!(size, size_of::<T>());
        value
    }

    fn copy_image(
        &self,
        from: (cl_mem, [usize; 3]),
        to: (cl_mem, [usize; 3]),
        region: [usize; 3],
    ) -> cl_int {
        // SAFETY: the lists are read during the call.
        unsafe {
            clEnqueueCopyImage(
                self.queue,
                from.0,
                to.0,
                from.1.as_ptr(),
                to.1.as_ptr(),
                region.as_ptr(),
                0,
                null(),
                null_mut(),
            )
        }
    }

    pub fn fill_image<T>(
        &self,
        image: cl_mem,
        color: &[T; 4],
        origin: [usize; 3],
        region: [usize; 3],
    ) -> cl_int {
        // SAFETY: the lists are read during the call.
        unsafe {
            clEnqueueFillImage(
                self.queue,
                image,
                color.as_ptr().cast(),
                origin.as_ptr(),
                region.as_ptr(),
                0,
                null(),
                null_mut(),
            )
        }
    }

    fn supported(&self, image_type: cl_mem_object_type) -> Vec<cl_image_format> {
        let mut count = 0;
        let mut formats: Vec<_> = (0..200).map(|_| format(0, 0)).collect();
        // SAFETY: the vector has room for as many as the call is told.
        unsafe {
            ok(clGetSupportedImageFormats(
                self.context,
                CL_MEM_READ_WRITE,
                image_type,
                formats.len() as u32,
                formats.as_mut_ptr(),
                &mut count,
            ));
        }
        formats.truncate(count as usize);
        formats
    }
}

const RGBA8: cl_image_format = cl_image_format {
    image_channel_order: CL_RGBA,
    image_channel_data_type: CL_UNORM_INT8,
};

#[test]
fn every_type_has_every_mandatory_format_and_can_be_made_of_it() {
    let session = Session::open();
    let mandatory = [
        CL_UNORM_INT8,
        CL_UNORM_INT16,
        CL_SIGNED_INT8,
        CL_SIGNED_INT16,
        CL_SIGNED_INT32,
        CL_UNSIGNED_INT8,
        CL_UNSIGNED_INT16,
        CL_UNSIGNED_INT32,
        CL_HALF_FLOAT,
        CL_FLOAT,
    ];
    for (image_type, extent) in TYPES {
        let formats = session.supported(image_type);
        let has = |order, data_type| {
            formats.iter().any(|format| {
                (format.image_channel_order, format.image_channel_data_type) == (order, data_type)
            })
        };
        assert!(mandatory.iter().all(|data_type| has(CL_RGBA, *data_type)));
        assert!(has(CL_BGRA, CL_UNORM_INT8));
        for format in &formats {
            let image = session.image_with(0, format, &desc(image_type, extent), null_mut());
            let element_size: usize = session.image_info(image, CL_IMAGE_ELEMENT_SIZE);
            let reported: [u32; 2] = session.image_info(image, CL_IMAGE_FORMAT);
            assert_eq!(
                reported,
                [format.image_channel_order, format.image_channel_data_type]
            );
            let bytes = pixels(extent.iter().product(), element_size, 3);
            ok(session.write_pixels(image, [0; 3], extent, (0, 0), &bytes));
            assert_eq!(session.all_pixels(image, extent, element_size), bytes);
            // SAFETY: the handle is valid.
            ok(unsafe { clReleaseMemObject(image) });
        }
    }
}

#[test]
fn supported_formats_check_their_arguments() {
    let session = Session::open();
    let ask = |context, flags, image_type, entries, formats| {
        let mut count = 0;
        // SAFETY: nothing is written to a list of no entries.
        let code = unsafe {
            clGetSupportedImageFormats(context, flags, image_type, entries, formats, &mut count)
        };
        (code, count)
    };
    let context = session.context;
    let mut one = format(0, 0);
    assert_eq!(
        ask(null_mut(), 0, CL_MEM_OBJECT_IMAGE2D, 0, null_mut()).0,
        CL_INVALID_CONTEXT
    );
    assert_eq!(
        ask(context, 1 << 20, CL_MEM_OBJECT_IMAGE2D, 0, null_mut()).0,
        CL_INVALID_VALUE
    );
    assert_eq!(
        ask(context, 0, CL_MEM_OBJECT_BUFFER, 0, null_mut()).0,
        CL_INVALID_VALUE
    );
    assert_eq!(
        ask(context, 0, CL_MEM_OBJECT_IMAGE2D, 0, &mut one).0,
        CL_INVALID_VALUE
    );
    let (code, count) = ask(context, 0, CL_MEM_OBJECT_IMAGE1D_BUFFER, 1, &mut one);
    assert_eq!((code, count > 11), (CL_SUCCESS, true));
    assert_ne!(one.image_channel_order, 0);
}

#[test]
fn queries_tell_shape_and_pitches() {
    let session = Session::open();
    for (image_type, extent) in TYPES {
        let [width, height, depth] = extent;
        let image = session.image_with(0, &RGBA8, &desc(image_type, extent), null_mut());
        let (shape, slice_pitch) = match image_type {
            CL_MEM_OBJECT_IMAGE1D => ([width, 0, 0, 0], 0),
            CL_MEM_OBJECT_IMAGE1D_ARRAY => ([width, 0, 0, height], 4 * width),
            CL_MEM_OBJECT_IMAGE2D => ([width, height, 0, 0], 0),
            CL_MEM_OBJECT_IMAGE2D_ARRAY => ([width, height, 0, depth], 4 * width * height),
            _ => ([width, height, depth, 0], 4 * width * height),
        };
        let names = [
            CL_IMAGE_WIDTH,
            CL_IMAGE_HEIGHT,
            CL_IMAGE_DEPTH,
            CL_IMAGE_ARRAY_SIZE,
        ];
        for (name, expected) in names.into_iter().zip(shape) {
            assert_eq!(
                session.image_info::<usize>(image, name),
                expected,
                "{name:#x}"
            );
        }
        let size = 4 * width * height * depth;
        assert_eq!(
            session.image_info::<usize>(image, CL_IMAGE_ROW_PITCH),
            4 * width
        );
        assert_eq!(
            session.image_info::<usize>(image, CL_IMAGE_SLICE_PITCH),
            slice_pitch
        );
        assert_eq!(session.image_info::<usize>(image, CL_IMAGE_BUFFER), 0);
        assert_eq!(session.image_info::<u32>(image, CL_IMAGE_NUM_MIP_LEVELS), 0);
        assert_eq!(session.image_info::<u32>(image, CL_IMAGE_NUM_SAMPLES), 0);
        assert_eq!(session.mem_info::<u32>(image, CL_MEM_TYPE), image_type);
        assert_eq!(
            session.mem_info::<u64>(image, CL_MEM_FLAGS),
            CL_MEM_READ_WRITE
        );
        assert_eq!(session.mem_info::<usize>(image, CL_MEM_SIZE), size);
        assert_eq!(session.mem_info::<usize>(image, CL_MEM_HOST_PTR), 0);
        assert_eq!(session.mem_info::<u32>(image, CL_MEM_MAP_COUNT), 0);
        assert_eq!(session.mem_info::<u32>(image, CL_MEM_REFERENCE_COUNT), 1);
        assert_eq!(
            session.mem_info::<usize>(image, CL_MEM_CONTEXT),
            session.context as usize
        );
        assert_eq!(
            session.mem_info::<usize>(image, CL_MEM_ASSOCIATED_MEMOBJECT),
            0
        );
        assert_eq!(session.mem_info::<usize>(image, CL_MEM_OFFSET), 0);
    }
    let (image, buffer) = (
        session.image_with(0, &RGBA8, &desc(CL_MEM_OBJECT_IMAGE1D, [1; 3]), null_mut()),
        session.buffer(&[0u8; 4]),
    );
    let mut value = 0usize;
    let mut ask = |object, name, size| {
        let to = std::ptr::from_mut(&mut value).cast();
        // SAFETY: the value has at least `size` bytes.
        unsafe { clGetImageInfo(object, name, size, to, null_mut()) }
    };
    assert_eq!(ask(image, CL_IMAGE_WIDTH, 4), CL_INVALID_VALUE);
    assert_eq!(ask(image, 0x1199, 8), CL_INVALID_VALUE);
    assert_eq!(ask(buffer, CL_IMAGE_WIDTH, 8), CL_INVALID_MEM_OBJECT);
    assert_eq!(ask(null_mut(), CL_IMAGE_WIDTH, 8), CL_INVALID_MEM_OBJECT);
}

#[test]
fn creation_checks_its_arguments() {
    let session = Session::open();
    let mut memory = [0u8; 4096];
    let host = memory.as_mut_ptr().cast::<c_void>();
    let square = || desc(CL_MEM_OBJECT_IMAGE2D, [8, 8, 1]);
    let code = |flags, format: *const cl_image_format, desc: *const cl_image_desc, host| {
        // SAFETY: no image here needs more than the host memory has.
        refused(|code| unsafe { clCreateImage(session.context, flags, format, desc, host, code) })
    };
    assert_eq!(
        // SAFETY: the pointers are to locals.
        refused(|code| unsafe {
            clCreateImage(null_mut(), 0, &RGBA8, &square(), null_mut(), code)
        }),
        CL_INVALID_CONTEXT
    );
    for flags in [
        1 << 20,
        CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY,
        CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS,
        CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR,
    ] {
        assert_eq!(code(flags, &RGBA8, &square(), null_mut()), CL_INVALID_VALUE);
    }
    for bad in [
        null(),
        &format(CL_RGB, CL_UNORM_INT8),
        &format(CL_RGBA, CL_UNORM_SHORT_565),
        &format(0, CL_UNORM_INT8),
        &format(CL_RGBA, 0),
    ] {
        assert_eq!(
            code(0, bad, &square(), null_mut()),
            CL_INVALID_IMAGE_FORMAT_DESCRIPTOR
        );
    }
    let buffer = session.buffer(&[0u8; 64]);
    let with = |change: &dyn Fn(&mut cl_image_desc)| {
        let mut desc = square();
        change(&mut desc);
        desc
    };
    assert_eq!(
        code(0, &RGBA8, null(), null_mut()),
        CL_INVALID_IMAGE_DESCRIPTOR
    );
    for desc in [
        with(&|desc| desc.image_type = CL_MEM_OBJECT_BUFFER),
        with(&|desc| desc.image_width = 0),
        with(&|desc| desc.image_height = 0),
        with(&|desc| desc.num_mip_levels = 1),
        with(&|desc| desc.num_samples = 1),
        with(&|desc| desc.buffer = buffer),
        with(&|desc| desc.buffer = session.context.cast()),
        with(&|desc| desc.image_row_pitch = 32),
        with(&|desc| desc.image_slice_pitch = 32 * 8),
        with(&|desc| desc.image_type = CL_MEM_OBJECT_IMAGE3D),
        with(&|desc| desc.image_type = CL_MEM_OBJECT_IMAGE2D_ARRAY),
        with(&|desc| desc.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER),
    ] {
        assert_eq!(
            code(0, &RGBA8, &desc, null_mut()),
            CL_INVALID_IMAGE_DESCRIPTOR
        );
    }
    let cube = |row_pitch, slice_pitch| {
        let mut desc = desc(CL_MEM_OBJECT_IMAGE3D, [8, 4, 2]);
        (desc.image_row_pitch, desc.image_slice_pitch) = (row_pitch, slice_pitch);
        desc
    };
    for (row_pitch, slice_pitch) in [
        (28, 0),
        (34, 0),
        (32, 96),
        (32, 144),
        (usize::MAX - 3, 0),
        (0, usize::MAX - 31),
    ] {
        assert_eq!(
            code(
                CL_MEM_COPY_HOST_PTR,
                &RGBA8,
                &cube(row_pitch, slice_pitch),
                host
            ),
            CL_INVALID_IMAGE_DESCRIPTOR,
            "{row_pitch} {slice_pitch}"
        );
    }
    for (image_type, extent) in [
        (CL_MEM_OBJECT_IMAGE1D, [1 << 20, 1, 1]),
        (CL_MEM_OBJECT_IMAGE1D_ARRAY, [1, 1 << 20, 1]),
        (CL_MEM_OBJECT_IMAGE2D, [1 << 20, 1, 1]),
        (CL_MEM_OBJECT_IMAGE2D, [1, 1 << 20, 1]),
        (CL_MEM_OBJECT_IMAGE2D_ARRAY, [1, 1, 1 << 20]),
        (CL_MEM_OBJECT_IMAGE3D, [1, 1, 1 << 20]),
        (CL_MEM_OBJECT_IMAGE3D, [usize::MAX, usize::MAX, usize::MAX]),
    ] {
        assert_eq!(
            code(0, &RGBA8, &desc(image_type, extent), null_mut()),
            CL_INVALID_IMAGE_SIZE
        );
    }
    assert_eq!(code(0, &RGBA8, &square(), host), CL_INVALID_HOST_PTR);
    assert_eq!(
        code(CL_MEM_USE_HOST_PTR, &RGBA8, &square(), null_mut()),
        CL_INVALID_HOST_PTR
    );
    // Within all limits of images, but not of memory.
    assert_eq!(
        code(
            0,
            &format(CL_RGBA, CL_FLOAT),
            &desc(CL_MEM_OBJECT_IMAGE3D, [2048; 3]),
            null_mut()
        ),
        CL_MEM_OBJECT_ALLOCATION_FAILURE
    );
}

#[test]
fn the_functions_of_opencl_1_1_create_images() {
    let session = Session::open();
    let bytes = pixels(6 * 4 * 2, 4, 0);
    let host = bytes.as_ptr().cast_mut().cast::<c_void>();
    let create_2d = |flags, width, height, pitch, host, code| {
        // SAFETY: the bytes have 6 x 4 pixels and more.
        unsafe {
            create_image_2d(
                session.context,
                flags,
                &RGBA8,
                width,
                height,
                pitch,
                host,
                code,
            )
        }
    };
    let mut rgba8 = RGBA8;
    let mut create_3d =
        |flags, [width, height, depth]: [usize; 3], pitches: [usize; 2], host, code| {
            // SAFETY: the bytes have 6 x 4 x 2 pixels.
            unsafe {
                clCreateImage3D(
                    session.context,
                    flags,
                    &mut rgba8,
                    width,
                    height,
                    depth,
                    pitches[0],
                    pitches[1],
                    host,
                    code,
                )
            }
        };
    let flags = CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR;
    let image = made(|code| create_2d(flags, 6, 4, 24, host, code));
    assert_eq!(
        session.mem_info::<u32>(image, CL_MEM_TYPE),
        CL_MEM_OBJECT_IMAGE2D
    );
    assert_eq!(session.all_pixels(image, [6, 4, 1], 4), bytes[..96]);
    let image = made(|code| create_3d(flags, [6, 4, 2], [0, 96], host, code));
    assert_eq!(
        session.mem_info::<u32>(image, CL_MEM_TYPE),
        CL_MEM_OBJECT_IMAGE3D
    );
    assert_eq!(session.all_pixels(image, [6, 4, 2], 4), bytes);

    for (width, height, pitch) in [(0, 4, 0), (6, 0, 0), (6, 4, 20), (1 << 20, 4, 0)] {
        assert_eq!(
            refused(|code| create_2d(flags, width, height, pitch, host, code)),
            CL_INVALID_IMAGE_SIZE
        );
    }
    for (extent, pitches) in [
        ([6, 4, 1], [0, 0]),
        ([6, 4, 0], [0, 0]),
        ([6, 4, 2], [24, 95]),
    ] {
        assert_eq!(
            refused(|code| create_3d(flags, extent, pitches, host, code)),
            CL_INVALID_IMAGE_SIZE
        );
    }
    assert_eq!(
        refused(|code| create_2d(0, 6, 4, 0, host, code)),
        CL_INVALID_HOST_PTR
    );
    assert_eq!(
        refused(|code| create_2d(1 << 20, 6, 4, 0, null_mut(), code)),
        CL_INVALID_VALUE
    );
}

#[test]
fn regions_are_written_and_read_with_any_pitches() {
    let session = Session::open();
    for (order, data_type, element_size) in [
        (CL_R, CL_UNORM_INT8, 1),
        (CL_RGB, CL_UNORM_SHORT_565, 2),
        (CL_RGBA, CL_FLOAT, 16),
    ] {
        for (image_type, extent) in TYPES {
            let mut model = Model::new(extent, element_size, 1);
            let image = session.image(&format(order, data_type), image_type, extent, &model.bytes);
            let origin = extent.map(|size| size / 4);
            let region = [0, 1, 2].map(|axis| (extent[axis] - origin[axis]).div_ceil(2));
            let rows = match image_type {
                CL_MEM_OBJECT_IMAGE1D_ARRAY => 1,
                _ => region[1],
            };
            let row_pitch = region[0] * element_size + 3;
            let slice_pitch = row_pitch * rows + 5;
            let given = if has_slices(image_type) {
                slice_pitch
            } else {
                0
            };
            let places = offsets(image_type, region, element_size, row_pitch, slice_pitch);

            let host = pixels(slice_pitch * region[1] * region[2], 1, 77);
            ok(session.write_pixels(image, origin, region, (row_pitch, given), &host));
            let written: Vec<u8> = places
                .iter()
                .flat_map(|place| host[*place..place + element_size].to_vec())
                .collect();
            model.set(origin, region, &written);
            assert_eq!(session.all_pixels(image, extent, element_size), model.bytes);

            let mut host = vec![0xEE; host.len()];
            let mut expected = host.clone();
            ok(session.read_pixels(image, origin, region, (row_pitch, given), &mut host));
            for (place, pixel) in places.into_iter().zip(written.chunks(element_size)) {
                expected[place..place + element_size].copy_from_slice(pixel);
            }
            assert_eq!(host, expected, "nothing between rows is touched");
            let mut tight = vec![0; written.len()];
            ok(session.read_pixels(image, origin, region, (0, 0), &mut tight));
            assert_eq!(tight, written);
            assert_eq!(model.get(origin, region), written);
        }
    }
}

#[test]
fn reads_and_writes_check_their_arguments() {
    let session = Session::open();
    let mut host = vec![0u8; 4096];
    for (image_type, extent) in TYPES {
        let image = session.image_with(0, &RGBA8, &desc(image_type, extent), null_mut());
        let mut both = |origin, region, pitches| {
            let read = session.read_pixels(image, origin, region, pitches, &mut host);
            let write = session.write_pixels(image, origin, region, pitches, &host);
            assert_eq!(read, write);
            read
        };
        assert_eq!(both([0; 3], extent, (0, 0)), CL_SUCCESS);
        for axis in 0..3 {
            let (mut origin, mut region) = ([0; 3], extent);
            region[axis] += 1;
            assert_eq!(both(origin, region, (0, 0)), CL_INVALID_VALUE);
            region[axis] = 0;
            assert_eq!(both(origin, region, (0, 0)), CL_INVALID_VALUE);
            region[axis] = extent[axis];
            origin[axis] = 1;
            assert_eq!(both(origin, region, (0, 0)), CL_INVALID_VALUE);
            origin[axis] = usize::MAX;
            assert_eq!(both(origin, region, (0, 0)), CL_INVALID_VALUE);
        }
        let row = 4 * extent[0];
        assert_eq!(both([0; 3], extent, (row - 1, 0)), CL_INVALID_VALUE);
        let huge = (usize::MAX, 0);
        assert_eq!(both([0; 3], extent, huge), CL_INVALID_VALUE);
        let slices = (0, row - 1);
        assert_eq!(both([0; 3], extent, slices), CL_INVALID_VALUE);
    }
    let image = session.image_with(
        0,
        &RGBA8,
        &desc(CL_MEM_OBJECT_IMAGE2D, [4, 4, 1]),
        null_mut(),
    );
    let buffer = session.buffer(&[0u8; 64]);
    let other = Session::open();
    let (zero, one) = ([0usize; 3], [1usize; 3]);
    let mut pixel = [0u8; 4];
    let mut read = |queue, image, origin: *const usize, region: *const usize, null_host: bool| {
        let to = if null_host {
            null_mut()
        } else {
            pixel.as_mut_ptr().cast()
        };
        // SAFETY: the region has one pixel.
        unsafe {
            clEnqueueReadImage(
                queue,
                image,
                CL_TRUE,
                origin,
                region,
                0,
                0,
                to,
                0,
                null(),
                null_mut(),
            )
        }
    };
    let (queue, from, size) = (session.queue, zero.as_ptr(), one.as_ptr());
    assert_eq!(read(queue, image, from, size, false), CL_SUCCESS);
    assert_eq!(
        read(null_mut(), image, from, size, false),
        CL_INVALID_COMMAND_QUEUE
    );
    assert_eq!(
        read(queue, buffer, from, size, false),
        CL_INVALID_MEM_OBJECT
    );
    assert_eq!(
        read(queue, null_mut(), from, size, false),
        CL_INVALID_MEM_OBJECT
    );
    assert_eq!(read(queue, image, null(), size, false), CL_INVALID_VALUE);
    assert_eq!(read(queue, image, from, null(), false), CL_INVALID_VALUE);
    assert_eq!(read(queue, image, from, size, true), CL_INVALID_VALUE);
    assert_eq!(
        read(other.queue, image, from, size, false),
        CL_INVALID_CONTEXT
    );
    // SAFETY: the region has one pixel.
    unsafe {
        let to = pixel.as_mut_ptr().cast();
        assert_eq!(
            clEnqueueReadImage(
                queue,
                image,
                CL_TRUE,
                from,
                size,
                0,
                0,
                to,
                1,
                null(),
                null_mut()
            ),
            CL_INVALID_EVENT_WAIT_LIST
        );
        // A buffer's functions do not take images.
        assert_eq!(
            clEnqueueReadBuffer(queue, image, CL_TRUE, 0, 4, to, 0, null(), null_mut()),
            CL_INVALID_MEM_OBJECT
        );
    }
}

#[test]
fn host_access_flags_are_kept() {
    let session = Session::open();
    let shape = desc(CL_MEM_OBJECT_IMAGE2D, [2, 2, 1]);
    let map = |image, flags| {
        let (mut row, mut code) = (0, 0);
        // SAFETY: the pointers are to locals.
        unsafe {
            clEnqueueMapImage(
                session.queue,
                image,
                CL_TRUE,
                flags,
                [0; 3].as_ptr(),
                [2, 2, 1].as_ptr(),
                &mut row,
                null_mut(),
                0,
                null(),
                null_mut(),
                &mut code,
            );
        }
        code
    };
    for (flags, reads, writes) in [
        (CL_MEM_HOST_READ_ONLY, CL_SUCCESS, CL_INVALID_OPERATION),
        (CL_MEM_HOST_WRITE_ONLY, CL_INVALID_OPERATION, CL_SUCCESS),
        (
            CL_MEM_HOST_NO_ACCESS,
            CL_INVALID_OPERATION,
            CL_INVALID_OPERATION,
        ),
    ] {
        let image = session.image_with(flags, &RGBA8, &shape, null_mut());
        let mut host = [0u8; 16];
        let (all, none) = ([2, 2, 1], [0; 3]);
        assert_eq!(
            session.read_pixels(image, none, all, (0, 0), &mut host),
            reads
        );
        assert_eq!(
            session.write_pixels(image, none, all, (0, 0), &host),
            writes
        );
        assert_eq!(map(image, CL_MAP_READ), reads);
        assert_eq!(map(image, CL_MAP_WRITE_INVALIDATE_REGION), writes);
    }
}

#[test]
fn images_are_copied_between_all_types() {
    let session = Session::open();
    let region = [3, 1, 1];
    for (from_type, from_extent) in TYPES {
        for (to_type, to_extent) in TYPES {
            let from_model = Model::new(from_extent, 4, 1);
            let mut to_model = Model::new(to_extent, 4, 99);
            let from = session.image(&RGBA8, from_type, from_extent, &from_model.bytes);
            let to = session.image(&RGBA8, to_type, to_extent, &to_model.bytes);
            let from_origin = [0, 1, 2].map(|axis| from_extent[axis] - region[axis]);
            let to_origin = [1, to_extent[1] / 2, to_extent[2] / 2];
            ok(session.copy_image((from, from_origin), (to, to_origin), region));
            to_model.set(to_origin, region, &from_model.get(from_origin, region));
            assert_eq!(session.all_pixels(to, to_extent, 4), to_model.bytes);
        }
    }
    // Several slices at once; rows of a 1D array into a slice.
    let (cube, array) = ([5, 4, 3], [6, 5, 4]);
    let from_model = Model::new(cube, 4, 1);
    let mut to_model = Model::new(array, 4, 99);
    let from = session.image(&RGBA8, CL_MEM_OBJECT_IMAGE3D, cube, &from_model.bytes);
    let to = session.image(&RGBA8, CL_MEM_OBJECT_IMAGE2D_ARRAY, array, &to_model.bytes);
    ok(session.copy_image((from, [1, 0, 1]), (to, [2, 1, 2]), [4, 4, 2]));
    to_model.set([2, 1, 2], [4, 4, 2], &from_model.get([1, 0, 1], [4, 4, 2]));
    let lines = Model::new([5, 6, 1], 4, 33);
    let from = session.image(&RGBA8, CL_MEM_OBJECT_IMAGE1D_ARRAY, [5, 6, 1], &lines.bytes);
    ok(session.copy_image((from, [0, 2, 0]), (to, [1, 0, 1]), [5, 4, 1]));
    to_model.set([1, 0, 1], [5, 4, 1], &lines.get([0, 2, 0], [5, 4, 1]));
    assert_eq!(session.all_pixels(to, array, 4), to_model.bytes);
}

#[test]
fn copies_check_formats_bounds_and_overlap() {
    let session = Session::open();
    let (extent, whole) = ([8, 8, 1], desc(CL_MEM_OBJECT_IMAGE2D, [8, 8, 1]));
    let mut model = Model::new(extent, 4, 5);
    let image = session.image(&RGBA8, CL_MEM_OBJECT_IMAGE2D, extent, &model.bytes);
    let bgra = session.image_with(0, &format(CL_BGRA, CL_UNORM_INT8), &whole, null_mut());
    let copy = |from, to, region| session.copy_image((image, from), (image, to), region);
    assert_eq!(
        session.copy_image((image, [0; 3]), (bgra, [0; 3]), [1; 3]),
        CL_IMAGE_FORMAT_MISMATCH
    );
    assert_eq!(copy([0; 3], [3, 3, 0], [4, 4, 1]), CL_MEM_COPY_OVERLAP);
    assert_eq!(copy([0; 3], [0; 3], [1; 3]), CL_MEM_COPY_OVERLAP);
    assert_eq!(copy([0; 3], [5, 0, 0], [4, 4, 1]), CL_INVALID_VALUE);
    assert_eq!(copy([5, 0, 0], [0; 3], [4, 4, 1]), CL_INVALID_VALUE);
    assert_eq!(copy([0; 3], [4, 4, 0], [4, 4, 0]), CL_INVALID_VALUE);
    // The spans in memory overlap, the rectangles do not.
    ok(copy([0; 3], [4, 1, 0], [4, 4, 1]));
    let moved = model.get([0; 3], [4, 4, 1]);
    model.set([4, 1, 0], [4, 4, 1], &moved);
    assert_eq!(session.all_pixels(image, extent, 4), model.bytes);
    let buffer = session.buffer(&[0u8; 4]);
    assert_eq!(
        session.copy_image((buffer, [0; 3]), (image, [0; 3]), [1; 3]),
        CL_INVALID_MEM_OBJECT
    );
    let other = Session::open();
    let foreign = other.image_with(0, &RGBA8, &whole, null_mut());
    assert_eq!(
        session.copy_image((image, [0; 3]), (foreign, [0; 3]), [1; 3]),
        CL_INVALID_CONTEXT
    );
}

#[test]
fn images_are_copied_to_and_from_buffers() {
    let session = Session::open();
    let copy_out = |image, buffer, origin: [usize; 3], region: [usize; 3], offset| {
        // SAFETY: the lists are read during the call.
        unsafe {
            clEnqueueCopyImageToBuffer(
                session.queue,
                image,
                buffer,
                origin.as_ptr(),
                region.as_ptr(),
                offset,
                0,
                null(),
                null_mut(),
            )
        }
    };
    let copy_in = |buffer, image, offset, origin: [usize; 3], region: [usize; 3]| {
        // SAFETY: the lists are read during the call.
        unsafe {
            clEnqueueCopyBufferToImage(
                session.queue,
                buffer,
                image,
                offset,
                origin.as_ptr(),
                region.as_ptr(),
                0,
                null(),
                null_mut(),
            )
        }
    };
    for (image_type, extent) in TYPES {
        let mut model = Model::new(extent, 4, 8);
        let image = session.image(&RGBA8, image_type, extent, &model.bytes);
        let mut bytes = pixels(1000, 1, 200);
        let buffer = session.buffer(&bytes);
        let origin = extent.map(|size| size / 3);
        let region = [0, 1, 2].map(|axis| (extent[axis] - origin[axis]).div_ceil(2));
        let size = 4 * region.iter().product::<usize>();
        ok(copy_out(image, buffer, origin, region, 13));
        bytes[13..13 + size].copy_from_slice(&model.get(origin, region));
        assert_eq!(session.read::<u8>(buffer, 1000), bytes);
        ok(copy_in(buffer, image, 500, [0; 3], region));
        model.set([0; 3], region, &bytes[500..500 + size]);
        assert_eq!(session.all_pixels(image, extent, 4), model.bytes);

        assert_eq!(copy_out(image, buffer, origin, extent, 0), CL_INVALID_VALUE);
        assert_eq!(
            copy_out(image, buffer, origin, region, 1000 - size + 1),
            CL_INVALID_VALUE
        );
        assert_eq!(
            copy_in(buffer, image, usize::MAX, [0; 3], region),
            CL_INVALID_VALUE
        );
        assert_eq!(
            copy_out(image, image, origin, region, 0),
            CL_INVALID_MEM_OBJECT
        );
        assert_eq!(
            copy_in(buffer, buffer, 0, origin, region),
            CL_INVALID_MEM_OBJECT
        );
    }
    let buffer = session.buffer(&[0u8; 64]);
    let mut shape = desc(CL_MEM_OBJECT_IMAGE1D_BUFFER, [4, 1, 1]);
    shape.buffer = buffer;
    let image = session.image_with(0, &RGBA8, &shape, null_mut());
    assert_eq!(
        copy_out(image, buffer, [0; 3], [1; 3], 32),
        CL_INVALID_MEM_OBJECT
    );
    assert_eq!(
        copy_in(buffer, image, 32, [0; 3], [1; 3]),
        CL_INVALID_MEM_OBJECT
    );
}

#[test]
fn fills_convert_the_colour_to_the_format() {
    let session = Session::open();
    for (image_type, extent) in TYPES {
        let mut model = Model::new(extent, 4, 4);
        let image = session.image(&RGBA8, image_type, extent, &model.bytes);
        let origin = extent.map(|size| size / 3);
        let region = [0, 1, 2].map(|axis| extent[axis] - origin[axis]);
        ok(session.fill_image(image, &[1.0f32, 0.5, -1.0, 0.25], origin, region));
        let count = region.iter().product();
        model.set(origin, region, &[255, 128, 0, 64].repeat(count));
        assert_eq!(session.all_pixels(image, extent, 4), model.bytes);
        assert_eq!(
            session.fill_image(image, &[0f32; 4], [1, 0, 0], extent),
            CL_INVALID_VALUE
        );
    }
    // More pixels than are put into memory at once.
    let (wide, shape) = ([3001, 1, 1], desc(CL_MEM_OBJECT_IMAGE1D, [3001, 1, 1]));
    let image = session.image_with(0, &format(CL_RG, CL_SIGNED_INT16), &shape, null_mut());
    ok(session.fill_image(image, &[-2i32, 70_000, 0, 0], [0; 3], wide));
    assert_eq!(
        session.all_pixels(image, wide, 4),
        [0xFE, 0xFF, 0xFF, 0x7F].repeat(3001)
    );
    let image = session.image_with(0, &format(CL_R, CL_UNSIGNED_INT32), &shape, null_mut());
    ok(session.fill_image(image, &[0xFFFF_FFF0u32, 0, 0, 0], [0; 3], wide));
    assert_eq!(
        session.all_pixels(image, wide, 4),
        [0xF0, 0xFF, 0xFF, 0xFF].repeat(3001)
    );
    // SAFETY: nothing is read through the null pointer.
    let code = unsafe {
        clEnqueueFillImage(
            session.queue,
            image,
            null(),
            [0; 3].as_ptr(),
            wide.as_ptr(),
            0,
            null(),
            null_mut(),
        )
    };
    assert_eq!(code, CL_INVALID_VALUE);
}

#[test]
fn mapped_pixels_are_the_images_own() {
    let session = Session::open();
    for (image_type, extent) in TYPES {
        let mut model = Model::new(extent, 4, 21);
        let image = session.image(&RGBA8, image_type, extent, &model.bytes);
        let origin = extent.map(|size| size / 3);
        let region = [0, 1, 2].map(|axis| extent[axis] - origin[axis]);
        let (mut row_pitch, mut slice_pitch) = (1, 1);
        let count = region.iter().product::<usize>();
        // SAFETY: the mapped region is written with the pitches that the call tells.
        unsafe {
            let start = made(|code| {
                clEnqueueMapImage(
                    session.queue,
                    image,
                    CL_TRUE,
                    CL_MAP_READ | CL_MAP_WRITE,
                    origin.as_ptr(),
                    region.as_ptr(),
                    &mut row_pitch,
                    &mut slice_pitch,
                    0,
                    null(),
                    null_mut(),
                    code,
                )
            });
            assert_eq!(
                row_pitch,
                session.image_info::<usize>(image, CL_IMAGE_ROW_PITCH)
            );
            assert_eq!(
                slice_pitch,
                session.image_info::<usize>(image, CL_IMAGE_SLICE_PITCH)
            );
            let seen: Vec<u8> = offsets(image_type, region, 4, row_pitch, slice_pitch)
                .into_iter()
                .flat_map(|place| {
                    let pixel = start.cast::<u8>().add(place).cast::<[u8; 4]>();
                    pixel.replace([1, 2, 3, 4])
                })
                .collect();
            assert_eq!(seen, model.get(origin, region));
            assert_eq!(session.mem_info::<u32>(image, CL_MEM_MAP_COUNT), 1);
            let unmap =
                |at| clEnqueueUnmapMemObject(session.queue, image, at, 0, null(), null_mut());
            assert_eq!(unmap(null_mut()), CL_INVALID_VALUE);
            ok(unmap(start));
            assert_eq!(unmap(start), CL_INVALID_VALUE);
            assert_eq!(session.mem_info::<u32>(image, CL_MEM_MAP_COUNT), 0);
        }
        model.set(origin, region, &[1, 2, 3, 4].repeat(count));
        assert_eq!(session.all_pixels(image, extent, 4), model.bytes);
    }
}

#[test]
fn maps_check_their_arguments() {
    let session = Session::open();
    let (mut row, mut slice) = (0usize, 0usize);
    let image =
        |image_type| session.image_with(0, &RGBA8, &desc(image_type, [4, 4, 4]), null_mut());
    let map = |image, flags, origin: [usize; 3], region: [usize; 3], row: *mut _, slice: *mut _| {
        let mut code = 1;
        // SAFETY: the lists are read during the call.
        unsafe {
            clEnqueueMapImage(
                session.queue,
                image,
                CL_TRUE,
                flags,
                origin.as_ptr(),
                region.as_ptr(),
                row,
                slice,
                0,
                null(),
                null_mut(),
                &mut code,
            );
        }
        code
    };
    let (flat, cube) = (image(CL_MEM_OBJECT_IMAGE2D), image(CL_MEM_OBJECT_IMAGE3D));
    let (read, write) = (CL_MAP_READ, CL_MAP_WRITE);
    let all = [4, 4, 1];
    assert_eq!(
        map(flat, read, [0; 3], all, null_mut(), &mut slice),
        CL_INVALID_VALUE
    );
    assert_eq!(
        map(cube, read, [0; 3], all, &mut row, null_mut()),
        CL_INVALID_VALUE
    );
    assert_eq!(
        map(flat, 1 << 9, [0; 3], all, &mut row, null_mut()),
        CL_INVALID_VALUE
    );
    assert_eq!(
        map(
            flat,
            read | CL_MAP_WRITE_INVALIDATE_REGION,
            [0; 3],
            all,
            &mut row,
            null_mut()
        ),
        CL_INVALID_VALUE
    );
    assert_eq!(
        map(flat, read, [1, 0, 0], all, &mut row, null_mut()),
        CL_INVALID_VALUE
    );
    assert_eq!(
        map(
            session.buffer(&[0u8; 64]),
            read,
            [0; 3],
            all,
            &mut row,
            null_mut()
        ),
        CL_INVALID_MEM_OBJECT
    );
    // Two halves may be written at once, but nothing twice.
    let half = [2, 4, 1];
    ok(map(flat, write, [0; 3], half, &mut row, &mut slice));
    assert_eq!((row, slice), (16, 0));
    ok(map(flat, write, [2, 0, 0], half, &mut row, null_mut()));
    assert_eq!(
        map(flat, write, [1, 1, 0], [1; 3], &mut row, null_mut()),
        CL_INVALID_OPERATION
    );
    ok(map(flat, read, [1, 1, 0], [1; 3], &mut row, null_mut()));
}

#[test]
fn a_map_that_fails_leaves_nothing_mapped() {
    let session = Session::open();
    let image = session.image(&RGBA8, CL_MEM_OBJECT_IMAGE2D, [4, 4, 1], &[0; 64]);
    let buffer = session.buffer(&[0u8; 64]);
    let (origin, region) = ([0usize; 3], [4usize, 4, 1]);
    let (mut row, mut code, mut event) = (0, 0, null_mut());
    // SAFETY: all pointers are to locals.
    unsafe {
        let gate = made(|code| clCreateUserEvent(session.context, code));
        let mapped = made(|code| {
            clEnqueueMapImage(
                session.queue,
                image,
                CL_FALSE,
                CL_MAP_WRITE,
                origin.as_ptr(),
                region.as_ptr(),
                &mut row,
                null_mut(),
                1,
                &gate,
                &mut event,
                code,
            )
        });
        assert_eq!(session.mem_info::<u32>(image, CL_MEM_MAP_COUNT), 1);
        ok(clSetUserEventStatus(gate, -1));
        assert_eq!(
            clWaitForEvents(1, &event),
            CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST
        );
        ok(clFinish(session.queue));
        assert_eq!(session.mem_info::<u32>(image, CL_MEM_MAP_COUNT), 0);
        assert_eq!(
            clEnqueueUnmapMemObject(session.queue, image, mapped, 0, null(), null_mut()),
            CL_INVALID_VALUE
        );
        // A blocking one.
        let mapped = clEnqueueMapBuffer(
            session.queue,
            buffer,
            CL_TRUE,
            CL_MAP_WRITE,
            0,
            64,
            1,
            &gate,
            null_mut(),
            &mut code,
        );
        assert!(mapped.is_null());
        assert_eq!(code, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
        assert_eq!(session.mem_info::<u32>(buffer, CL_MEM_MAP_COUNT), 0);
    }
}

#[test]
fn host_memory_with_pitches_is_copied() {
    let session = Session::open();
    for (image_type, extent) in TYPES {
        let row_pitch = 4 * extent[0] + 8;
        let rows = match image_type {
            CL_MEM_OBJECT_IMAGE1D_ARRAY => 1,
            _ => extent[1],
        };
        let slice_pitch = row_pitch * (rows + 1);
        let host = pixels(slice_pitch * extent[1] * extent[2], 1, 9);
        let mut shape = desc(image_type, extent);
        shape.image_row_pitch = row_pitch;
        shape.image_slice_pitch = if has_slices(image_type) {
            slice_pitch
        } else {
            0
        };
        let pointer = host.as_ptr().cast_mut().cast();
        let flags = CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR;
        let image = session.image_with(flags, &RGBA8, &shape, pointer);
        let expected: Vec<u8> = offsets(image_type, extent, 4, row_pitch, slice_pitch)
            .into_iter()
            .flat_map(|place| host[place..place + 4].to_vec())
            .collect();
        assert_eq!(session.all_pixels(image, extent, 4), expected);
        assert_eq!(session.mem_info::<usize>(image, CL_MEM_HOST_PTR), 0);
    }
}

#[test]
fn host_memory_with_pitches_is_used_in_place() {
    let session = Session::open();
    for (image_type, extent) in TYPES {
        let row_pitch = 4 * extent[0] + 8;
        let rows = match image_type {
            CL_MEM_OBJECT_IMAGE1D_ARRAY => 1,
            _ => extent[1],
        };
        let slice_pitch = row_pitch * (rows + 1);
        let mut host = pixels(slice_pitch * extent[1] * extent[2], 1, 9);
        let mut expected = host.clone();
        let mut shape = desc(image_type, extent);
        shape.image_row_pitch = row_pitch;
        shape.image_slice_pitch = if has_slices(image_type) {
            slice_pitch
        } else {
            0
        };
        let pointer = host.as_mut_ptr().cast();
        let image = session.image_with(CL_MEM_USE_HOST_PTR, &RGBA8, &shape, pointer);
        assert_eq!(
            session.mem_info::<usize>(image, CL_MEM_HOST_PTR),
            pointer as usize
        );
        assert_eq!(
            session.image_info::<usize>(image, CL_IMAGE_ROW_PITCH),
            row_pitch
        );
        ok(session.fill_image(image, &[1f32; 4], [0; 3], extent));
        let (mut row, mut slice) = (0, 0);
        // SAFETY: the pointers are to locals.
        let mapped = made(|code| unsafe {
            clEnqueueMapImage(
                session.queue,
                image,
                CL_TRUE,
                CL_MAP_READ,
                [1, 0, 0].as_ptr(),
                [1; 3].as_ptr(),
                &mut row,
                &mut slice,
                0,
                null(),
                null_mut(),
                code,
            )
        });
        assert_eq!(mapped as usize, pointer as usize + 4);
        assert_eq!(row, row_pitch);
        // SAFETY: the handle is valid.
        unsafe {
            ok(clEnqueueUnmapMemObject(
                session.queue,
                image,
                mapped,
                0,
                null(),
                null_mut(),
            ));
            ok(clFinish(session.queue));
            ok(clReleaseMemObject(image));
        }
        for place in offsets(image_type, extent, 4, row_pitch, slice_pitch) {
            expected[place..place + 4].fill(255);
        }
        assert_eq!(host, expected, "only pixels are written");
    }
}

#[test]
fn an_image_of_a_buffer_shares_its_bytes_and_flags() {
    let session = Session::open();
    let words: Vec<u32> = (0..64).collect();
    let buffer = session.buffer(&words);
    let uint = format(CL_R, CL_UNSIGNED_INT32);
    let shape = |width, buffer| {
        let mut desc = desc(CL_MEM_OBJECT_IMAGE1D_BUFFER, [width, 1, 1]);
        desc.buffer = buffer;
        desc
    };
    let image = session.image_with(0, &uint, &shape(60, buffer), null_mut());
    ok(session.fill_image(image, &[7u32; 4], [10, 0, 0], [5, 1, 1]));
    let mut expected = words.clone();
    expected[10..15].fill(7);
    assert_eq!(session.read::<u32>(buffer, 64), expected);
    assert_eq!(
        session.image_info::<usize>(image, CL_IMAGE_BUFFER),
        buffer as usize
    );
    assert_eq!(
        session.mem_info::<usize>(image, CL_MEM_ASSOCIATED_MEMOBJECT),
        buffer as usize
    );
    assert_eq!(session.image_info::<usize>(image, CL_IMAGE_HEIGHT), 0);
    // The buffer lives as long as the image.
    // SAFETY: the handle is valid.
    ok(unsafe { clReleaseMemObject(buffer) });
    let mut pixel = [0; 4];
    ok(session.read_pixels(image, [14, 0, 0], [1; 3], (0, 0), &mut pixel));
    assert_eq!(pixel, [7, 0, 0, 0]);

    let flags = CL_MEM_READ_ONLY | CL_MEM_HOST_WRITE_ONLY;
    // SAFETY: the buffer has no host memory.
    let buffer =
        made(|code| unsafe { clCreateBuffer(session.context, flags, 256, null_mut(), code) });
    let image = session.image_with(0, &uint, &shape(64, buffer), null_mut());
    assert_eq!(session.mem_info::<u64>(image, CL_MEM_FLAGS), flags);
    let code = |flags, desc: &cl_image_desc| {
        // SAFETY: the pointers are to locals.
        refused(|code| unsafe {
            clCreateImage(session.context, flags, &uint, desc, null_mut(), code)
        })
    };
    for flags in [
        CL_MEM_READ_WRITE,
        CL_MEM_WRITE_ONLY,
        CL_MEM_HOST_READ_ONLY,
        CL_MEM_ALLOC_HOST_PTR,
    ] {
        assert_eq!(code(flags, &shape(64, buffer)), CL_INVALID_VALUE);
    }
    assert_eq!(code(0, &shape(65, buffer)), CL_INVALID_IMAGE_DESCRIPTOR);
    assert_eq!(code(0, &shape(1 << 40, buffer)), CL_INVALID_IMAGE_SIZE);
    assert_eq!(code(0, &shape(4, image)), CL_INVALID_IMAGE_DESCRIPTOR);
    let foreign = Session::open().buffer(&words);
    assert_eq!(code(0, &shape(4, foreign)), CL_INVALID_IMAGE_DESCRIPTOR);
}

#[test]
fn images_are_memory_objects_like_buffers() {
    use std::sync::Mutex;
    static ORDER: Mutex<Vec<usize>> = Mutex::new(Vec::new());
    extern "C" fn note(_: cl_mem, number: *mut c_void) {
        ORDER.lock().unwrap().push(number as usize);
    }
    let session = Session::open();
    let image = session.image(&RGBA8, CL_MEM_OBJECT_IMAGE1D, [2, 1, 1], &[9; 8]);
    let buffer = session.buffer(&[0u8; 8]);
    let objects = [image, buffer];
    // SAFETY: the callback only uses its number.
    unsafe {
        for number in 1..=2usize {
            let number = number as *mut c_void;
            ok(clSetMemObjectDestructorCallback(image, Some(note), number));
        }
        ok(clRetainMemObject(image));
        assert_eq!(session.mem_info::<u32>(image, CL_MEM_REFERENCE_COUNT), 2);
        let migrate = |objects: &[cl_mem]| {
            let count = objects.len() as u32;
            clEnqueueMigrateMemObjects(
                session.queue,
                count,
                objects.as_ptr(),
                0,
                0,
                null(),
                null_mut(),
            )
        };
        ok(migrate(&objects));
        assert_eq!(
            migrate(&[image, session.context.cast()]),
            CL_INVALID_MEM_OBJECT
        );
        ok(clFinish(session.queue));
        ok(clReleaseMemObject(image));
        assert!(ORDER.lock().unwrap().is_empty());
        ok(clReleaseMemObject(image));
        assert_eq!(*ORDER.lock().unwrap(), [2, 1]);
        assert_eq!(clReleaseMemObject(image), CL_INVALID_MEM_OBJECT);
        assert_eq!(clRetainMemObject(image), CL_INVALID_MEM_OBJECT);
    }
    let region = [0usize, 4];
    // SAFETY: the region is read during the call.
    let code = refused(|code| unsafe {
        let image = session.image(&RGBA8, CL_MEM_OBJECT_IMAGE1D, [2, 1, 1], &[9; 8]);
        let region = region.as_ptr().cast();
        clCreateSubBuffer(image, 0, CL_BUFFER_CREATE_TYPE_REGION, region, code)
    });
    assert_eq!(code, CL_INVALID_MEM_OBJECT);
}

#[test]
fn commands_wait_and_have_their_own_types() {
    let session = Session::open();
    let image = session.image(&RGBA8, CL_MEM_OBJECT_IMAGE2D, [4, 4, 1], &[1; 64]);
    let other = session.image(&RGBA8, CL_MEM_OBJECT_IMAGE2D, [4, 4, 1], &[2; 64]);
    let buffer = session.buffer(&[3u8; 64]);
    let (queue, none, all) = (session.out_of_order, [0usize; 3], [4usize, 4, 1]);
    let (origin, region) = (none.as_ptr(), all.as_ptr());
    let mut bytes = [0u8; 64];
    let to = bytes.as_mut_ptr().cast::<c_void>();
    let color = [1f32; 4];
    // SAFETY: all pointers are to locals; everything has ended when they go.
    unsafe {
        let gate = made(|code| clCreateUserEvent(session.context, code));
        let mut events = [null_mut(); 7];
        let [read, write, copy, out, fill, into, map] = &mut events;
        let (mut row, mut code) = (0, 0);
        ok(clEnqueueReadImage(
            queue, image, CL_FALSE, origin, region, 0, 0, to, 1, &gate, read,
        ));
        ok(clEnqueueWriteImage(
            queue, other, CL_FALSE, origin, region, 0, 0, to, 1, read, write,
        ));
        ok(clEnqueueCopyImage(
            queue, other, image, origin, origin, region, 1, write, copy,
        ));
        ok(clEnqueueCopyImageToBuffer(
            queue, image, buffer, origin, region, 0, 1, copy, out,
        ));
        ok(clEnqueueFillImage(
            queue,
            image,
            color.as_ptr().cast(),
            origin,
            region,
            1,
            out,
            fill,
        ));
        ok(clEnqueueCopyBufferToImage(
            queue, buffer, other, 0, origin, region, 1, fill, into,
        ));
        let mapped = clEnqueueMapImage(
            queue,
            image,
            CL_FALSE,
            CL_MAP_READ,
            origin,
            region,
            &mut row,
            null_mut(),
            1,
            into,
            map,
            &mut code,
        );
        ok(code);
        let types = events.map(|event| {
            let (mut value, size) = (0u32, size_of::<u32>());
            let to = std::ptr::from_mut(&mut value).cast();
            ok(clGetEventInfo(
                event,
                CL_EVENT_COMMAND_TYPE,
                size,
                to,
                null_mut(),
            ));
            let to = std::ptr::from_mut(&mut code).cast();
            let status = CL_EVENT_COMMAND_EXECUTION_STATUS;
            ok(clGetEventInfo(event, status, size, to, null_mut()));
            assert!(code > 0, "nothing has ended");
            value
        });
        assert_eq!(
            types,
            [
                CL_COMMAND_READ_IMAGE,
                CL_COMMAND_WRITE_IMAGE,
                CL_COMMAND_COPY_IMAGE,
                CL_COMMAND_COPY_IMAGE_TO_BUFFER,
                CL_COMMAND_FILL_IMAGE,
                CL_COMMAND_COPY_BUFFER_TO_IMAGE,
                CL_COMMAND_MAP_IMAGE,
            ]
        );
        ok(clSetUserEventStatus(gate, CL_COMPLETE));
        ok(clWaitForEvents(7, events.as_ptr()));
        assert_eq!(bytes, [1; 64]);
        let pixels = std::slice::from_raw_parts(mapped.cast::<u8>(), 64);
        assert_eq!(pixels, [255; 64]);
        ok(clEnqueueUnmapMemObject(
            queue,
            image,
            mapped,
            0,
            null(),
            null_mut(),
        ));
        ok(clFinish(queue));
    }
    assert_eq!(session.read::<u8>(buffer, 64), [1; 64]);
    assert_eq!(session.all_pixels(other, all, 4), [1; 64]);
}

/// Numbers that look random; the same in every run.
struct Numbers(u64);

impl Numbers {
    /// From 0 to below `limit`.
    fn below(&mut self, limit: usize) -> usize {
        // Knuth's linear congruential generator (MMIX).
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = self.0.wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }

    fn region(&mut self, extent: [usize; 3]) -> ([usize; 3], [usize; 3]) {
        let region = extent.map(|size| 1 + self.below(size));
        let origin = [0, 1, 2].map(|axis| self.below(extent[axis] - region[axis] + 1));
        (origin, region)
    }
}

#[test]
fn many_commands_in_a_row_do_what_the_model_does() {
    let session = Session::open();
    let mut numbers = Numbers(12);
    let (mut images, mut models) = (Vec::new(), Vec::new());
    for seed in 0..12 {
        let (image_type, extent) = TYPES[numbers.below(TYPES.len())];
        let model = Model::new(extent, 4, seed);
        images.push(session.image(&RGBA8, image_type, extent, &model.bytes));
        models.push(model);
    }
    for step in 0..2000 {
        let (a, b) = (numbers.below(images.len()), numbers.below(images.len()));
        let (extent, other) = (models[a].extent, models[b].extent);
        let (origin, region) = numbers.region(extent);
        let count = region.iter().product::<usize>();
        match numbers.below(4) {
            0 => {
                let bytes = pixels(count, 4, step as u8);
                ok(session.write_pixels(images[a], origin, region, (0, 0), &bytes));
                models[a].set(origin, region, &bytes);
            }
            1 => {
                let mut bytes = vec![0; 4 * count];
                ok(session.read_pixels(images[a], origin, region, (0, 0), &mut bytes));
                assert_eq!(bytes, models[a].get(origin, region), "step {step}");
            }
            2 => {
                let color = [0.0, 0.2, 0.4, 1.0f32];
                ok(session.fill_image(images[a], &color, origin, region));
                models[a].set(origin, region, &[0, 51, 102, 255].repeat(count));
            }
            _ => {
                let region = [0, 1, 2].map(|axis| region[axis].min(other[axis]));
                let to = [0, 1, 2].map(|axis| numbers.below(other[axis] - region[axis] + 1));
                let from = (images[a], origin);
                let code = session.copy_image(from, (images[b], to), region);
                let apart = (0..3).any(|axis| origin[axis].abs_diff(to[axis]) >= region[axis]);
                if a == b && !apart {
                    assert_eq!(code, CL_MEM_COPY_OVERLAP);
                } else {
                    ok(code);
                    let moved = models[a].get(origin, region);
                    models[b].set(to, region, &moved);
                }
            }
        }
    }
    for (image, model) in images.into_iter().zip(models) {
        assert_eq!(session.all_pixels(image, model.extent, 4), model.bytes);
    }
}

#[test]
fn samplers_are_made_and_queried() {
    let session = Session::open();
    let create = |context, coords, addressing, filter, code| {
        // SAFETY: nothing is read.
        unsafe { clCreateSampler(context, coords, addressing, filter, code) }
    };
    let context = session.context;
    for (coords, addressing, filter) in [
        (CL_TRUE, CL_ADDRESS_MIRRORED_REPEAT, CL_FILTER_LINEAR),
        (CL_TRUE, CL_ADDRESS_REPEAT, CL_FILTER_NEAREST),
        (CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_LINEAR),
        (CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST),
        (CL_FALSE, CL_ADDRESS_NONE, CL_FILTER_NEAREST),
    ] {
        let sampler = made(|code| create(context, coords, addressing, filter, code));
        let ask = |name| {
            let (mut value, mut size) = (0usize, 0);
            let to = std::ptr::from_mut(&mut value).cast();
            // SAFETY: the value has as many bytes as the call is told.
            ok(unsafe { clGetSamplerInfo(sampler, name, 8, to, &mut size) });
            (value, size)
        };
        assert_eq!(ask(CL_SAMPLER_REFERENCE_COUNT), (1, 4));
        assert_eq!(ask(CL_SAMPLER_CONTEXT), (context as usize, 8));
        assert_eq!(ask(CL_SAMPLER_NORMALIZED_COORDS), (coords as usize, 4));
        assert_eq!(ask(CL_SAMPLER_ADDRESSING_MODE), (addressing as usize, 4));
        assert_eq!(ask(CL_SAMPLER_FILTER_MODE), (filter as usize, 4));
        // SAFETY: the handle is valid until its last release.
        unsafe {
            let mut small = 0u16;
            let to = std::ptr::from_mut(&mut small).cast();
            let name = CL_SAMPLER_FILTER_MODE;
            assert_eq!(
                clGetSamplerInfo(sampler, name, 2, to, null_mut()),
                CL_INVALID_VALUE
            );
            assert_eq!(
                clGetSamplerInfo(sampler, CL_IMAGE_WIDTH, 8, null_mut(), null_mut()),
                CL_INVALID_VALUE
            );
            ok(clRetainSampler(sampler));
            assert_eq!(ask(CL_SAMPLER_REFERENCE_COUNT), (2, 4));
            ok(clReleaseSampler(sampler));
            ok(clReleaseSampler(sampler));
            assert_eq!(clReleaseSampler(sampler), CL_INVALID_SAMPLER);
            assert_eq!(clRetainSampler(sampler), CL_INVALID_SAMPLER);
            assert_eq!(
                clGetSamplerInfo(sampler, name, 0, null_mut(), null_mut()),
                CL_INVALID_SAMPLER
            );
        }
    }
    for (coords, addressing, filter) in [
        (2, CL_ADDRESS_CLAMP, CL_FILTER_LINEAR),
        (CL_TRUE, 0, CL_FILTER_LINEAR),
        (CL_TRUE, CL_ADDRESS_CLAMP, 0),
        (CL_FALSE, CL_ADDRESS_REPEAT, CL_FILTER_NEAREST),
    ] {
        assert_eq!(
            refused(|code| create(context, coords, addressing, filter, code)),
            CL_INVALID_VALUE
        );
    }
    assert_eq!(
        refused(|code| create(null_mut(), 1, CL_ADDRESS_CLAMP, CL_FILTER_LINEAR, code)),
        CL_INVALID_CONTEXT
    );
}

#[test]
fn devices_tell_their_limits() {
    let session = Session::open();
    let ask = |name| {
        let (mut value, mut size) = (0usize, 0);
        let to = std::ptr::from_mut(&mut value).cast();
        // SAFETY: the value has as many bytes as the call is told.
        ok(unsafe { clGetDeviceInfo(session.devices[0], name, 8, to, &mut size) });
        (value, size)
    };
    assert_eq!(ask(CL_DEVICE_IMAGE_SUPPORT), (1, 4));
    // OpenCL 1.2, table 4.3: what a full profile has at least.
    for (name, least, bytes) in [
        (CL_DEVICE_MAX_READ_IMAGE_ARGS, 128, 4),
        (CL_DEVICE_MAX_WRITE_IMAGE_ARGS, 8, 4),
        (CL_DEVICE_IMAGE2D_MAX_WIDTH, 8192, 8),
        (CL_DEVICE_IMAGE2D_MAX_HEIGHT, 8192, 8),
        (CL_DEVICE_IMAGE3D_MAX_WIDTH, 2048, 8),
        (CL_DEVICE_IMAGE3D_MAX_HEIGHT, 2048, 8),
        (CL_DEVICE_IMAGE3D_MAX_DEPTH, 2048, 8),
        (CL_DEVICE_IMAGE_MAX_BUFFER_SIZE, 65_536, 8),
        (CL_DEVICE_IMAGE_MAX_ARRAY_SIZE, 2048, 8),
        (CL_DEVICE_MAX_SAMPLERS, 16, 4),
    ] {
        let (value, size) = ask(name);
        assert!(value >= least && size == bytes, "{name:#x} {value} {size}");
    }
    // Images of the largest sizes can be made.
    let width = ask(CL_DEVICE_IMAGE2D_MAX_WIDTH).0;
    let array = ask(CL_DEVICE_IMAGE_MAX_ARRAY_SIZE).0;
    for (image_type, extent) in [
        (CL_MEM_OBJECT_IMAGE1D_ARRAY, [width, array, 1]),
        (CL_MEM_OBJECT_IMAGE2D, [width, width, 1]),
    ] {
        let image = session.image_with(0, &RGBA8, &desc(image_type, extent), null_mut());
        let last = [0, 1, 2].map(|axis| extent[axis] - 1);
        ok(session.fill_image(image, &[1f32; 4], last, [1; 3]));
        let mut pixel = [0; 4];
        ok(session.read_pixels(image, last, [1; 3], (0, 0), &mut pixel));
        assert_eq!(pixel, [255; 4]);
    }
}

const ARGUMENTS: &str = "
    typedef image2d_t picture;
    kernel void flat(picture in, write_only image2d_t out, sampler_t sampler) {}
    kernel void others(image1d_t a, image1d_array_t b, image1d_buffer_t c, image2d_array_t d,
                       image3d_t e, global int *f) {}";

#[test]
fn image_and_sampler_arguments_are_checked() {
    let session = Session::open();
    let flat = session.kernel(ARGUMENTS, "flat");
    let (shape, cube) = (
        desc(CL_MEM_OBJECT_IMAGE2D, [4, 4, 1]),
        desc(CL_MEM_OBJECT_IMAGE3D, [4, 4, 4]),
    );
    let image = |flags, shape| session.image_with(flags, &RGBA8, shape, null_mut());
    let both = image(0, &shape);
    let buffer = session.buffer(&[0u8; 64]);
    // SAFETY: nothing is read.
    let sampler = made(|code| unsafe {
        clCreateSampler(
            session.context,
            CL_TRUE,
            CL_ADDRESS_CLAMP,
            CL_FILTER_LINEAR,
            code,
        )
    });
    for index in 0..2 {
        ok(session.set(flat, index, &both));
        assert_eq!(session.set(flat, index, &7u32), CL_INVALID_ARG_SIZE);
        let nothing: cl_mem = null_mut();
        assert_eq!(session.set(flat, index, &nothing), CL_INVALID_MEM_OBJECT);
        assert_eq!(session.set(flat, index, &sampler), CL_INVALID_MEM_OBJECT);
        assert_eq!(session.set(flat, index, &buffer), CL_INVALID_ARG_VALUE);
        assert_eq!(
            session.set(flat, index, &image(0, &cube)),
            CL_INVALID_ARG_VALUE
        );
        // SAFETY: nothing is read through the null pointer.
        let code = unsafe { clSetKernelArg(flat, index, size_of::<cl_mem>(), null()) };
        assert_eq!(code, CL_INVALID_ARG_VALUE);
    }
    let (read_only, write_only) = (
        image(CL_MEM_READ_ONLY, &shape),
        image(CL_MEM_WRITE_ONLY, &shape),
    );
    ok(session.set(flat, 0, &read_only));
    ok(session.set(flat, 1, &write_only));
    assert_eq!(session.set(flat, 0, &write_only), CL_INVALID_ARG_VALUE);
    assert_eq!(session.set(flat, 1, &read_only), CL_INVALID_ARG_VALUE);

    ok(session.set(flat, 2, &sampler));
    assert_eq!(session.set(flat, 2, &0x10u32), CL_INVALID_ARG_SIZE);
    assert_eq!(session.set(flat, 2, &0x10usize), CL_INVALID_SAMPLER);
    assert_eq!(session.set(flat, 2, &both), CL_INVALID_SAMPLER);
    // SAFETY: nothing is read through the null pointer.
    let code = unsafe { clSetKernelArg(flat, 2, size_of::<cl_sampler>(), null()) };
    assert_eq!(code, CL_INVALID_ARG_VALUE);

    let other = Session::open();
    let foreign = other.image_with(0, &RGBA8, &shape, null_mut());
    assert_eq!(session.set(flat, 0, &foreign), CL_INVALID_MEM_OBJECT);

    let others = session.kernel(ARGUMENTS, "others");
    let mut of_buffer = desc(CL_MEM_OBJECT_IMAGE1D_BUFFER, [4, 1, 1]);
    of_buffer.buffer = buffer;
    let images = [
        image(0, &desc(CL_MEM_OBJECT_IMAGE1D, [4, 1, 1])),
        image(0, &desc(CL_MEM_OBJECT_IMAGE1D_ARRAY, [4, 4, 1])),
        image(0, &of_buffer),
        image(0, &desc(CL_MEM_OBJECT_IMAGE2D_ARRAY, [4, 4, 4])),
        image(0, &cube),
    ];
    for index in 0..5 {
        for (place, image) in images.iter().enumerate() {
            let expected = if place == index {
                CL_SUCCESS
            } else {
                CL_INVALID_ARG_VALUE
            };
            assert_eq!(session.set(others, index as u32, image), expected);
        }
    }
    assert_eq!(session.set(others, 5, &both), CL_INVALID_ARG_VALUE);
    // The kernel keeps what it was given; the sampler is known by value.
    // SAFETY: the handles are valid.
    unsafe {
        for image in images {
            ok(clReleaseMemObject(image));
        }
        ok(clReleaseSampler(sampler));
    }
    ok(session.set(others, 5, &buffer));
    ok(session.launch(session.queue, others, &[1], None, &[], null_mut()));
    ok(session.launch(session.queue, flat, &[1], None, &[], null_mut()));
    // SAFETY: the handle is valid.
    ok(unsafe { clFinish(session.queue) });
}

#[test]
fn image_and_sampler_arguments_are_described() {
    let session = Session::open();
    let kernel = session.kernel(ARGUMENTS, "flat");
    let number = |index, name| {
        let mut value = 0u32;
        let to = std::ptr::from_mut(&mut value).cast();
        // SAFETY: the value has as many bytes as the call is told.
        ok(unsafe { clGetKernelArgInfo(kernel, index, name, 4, to, null_mut()) });
        value
    };
    let type_name = |index| {
        let (mut text, mut size) = ([0u8; 32], 0);
        let to = text.as_mut_ptr().cast();
        // SAFETY: the text has as many bytes as the call is told.
        ok(unsafe {
            clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_TYPE_NAME, 32, to, &mut size)
        });
        String::from_utf8(text[..size - 1].to_vec()).unwrap()
    };
    for (index, access, space, name) in [
        (
            0,
            CL_KERNEL_ARG_ACCESS_READ_ONLY,
            CL_KERNEL_ARG_ADDRESS_GLOBAL,
            "picture",
        ),
        (
            1,
            CL_KERNEL_ARG_ACCESS_WRITE_ONLY,
            CL_KERNEL_ARG_ADDRESS_GLOBAL,
            "image2d_t",
        ),
        (
            2,
            CL_KERNEL_ARG_ACCESS_NONE,
            CL_KERNEL_ARG_ADDRESS_PRIVATE,
            "sampler_t",
        ),
    ] {
        assert_eq!(number(index, CL_KERNEL_ARG_ACCESS_QUALIFIER), access);
        assert_eq!(number(index, CL_KERNEL_ARG_ADDRESS_QUALIFIER), space);
        assert_eq!(type_name(index), name);
    }
}

#[test]
fn more_samplers_than_the_device_has_are_refused_at_launch() {
    let session = Session::open();
    let parameters: Vec<String> = (0..17).map(|index| format!("sampler_t s{index}")).collect();
    let source = format!("kernel void many({}) {{}}", parameters.join(", "));
    let kernel = session.kernel(&source, "many");
    // SAFETY: nothing is read.
    let sampler = made(|code| unsafe {
        let (address, filter) = (CL_ADDRESS_CLAMP, CL_FILTER_LINEAR);
        clCreateSampler(session.context, CL_TRUE, address, filter, code)
    });
    for index in 0..17 {
        ok(session.set(kernel, index, &sampler));
    }
    assert_eq!(
        session.launch(session.queue, kernel, &[1], None, &[], null_mut()),
        CL_OUT_OF_RESOURCES
    );
}
