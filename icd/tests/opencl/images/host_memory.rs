//! Images made with a host pointer.

use super::*;

/// Host memory with room between rows and slices, and an image's description for it.
struct HostMemory {
    bytes: Vec<u8>,
    shape: cl_image_desc,
    /// Where each pixel lies.
    places: Vec<usize>,
}

impl HostMemory {
    /// Host memory with two pixels of padding per row and one row of padding per slice.
    fn new(image_type: cl_mem_object_type, extent: [usize; 3]) -> Self {
        Self::with_room(image_type, extent, 4, [2, 1])
    }

    /// Host memory with `pixels_more` pixels of padding per row and `rows_more` rows per slice.
    fn with_room(
        image_type: cl_mem_object_type,
        extent: [usize; 3],
        element_size: usize,
        [pixels_more, rows_more]: [usize; 2],
    ) -> Self {
        let row_pitch = element_size * (extent[0] + pixels_more);
        let rows = match image_type {
            CL_MEM_OBJECT_IMAGE1D_ARRAY => 1,
            _ => extent[1],
        };
        let slice_pitch = row_pitch * (rows + rows_more);
        let mut shape = desc(image_type, extent);
        shape.image_row_pitch = row_pitch;
        shape.image_slice_pitch = if has_slices(image_type) {
            slice_pitch
        } else {
            0
        };
        Self {
            bytes: pixels(slice_pitch * extent[1] * extent[2], 1, 9),
            shape,
            places: offsets(image_type, extent, element_size, row_pitch, slice_pitch),
        }
    }

    /// The image's pixels without padding.
    fn pixels(&self, element_size: usize) -> Vec<u8> {
        let pixel = |place: &usize| self.bytes[*place..place + element_size].to_vec();
        self.places.iter().flat_map(pixel).collect()
    }

    fn image(&mut self, session: &Session, flags: cl_mem_flags) -> cl_mem {
        let start = self.bytes.as_mut_ptr().cast();
        session.image_with(flags, &RGBA8, &self.shape, start)
    }
}

#[test]
fn host_memory_with_pitches_is_copied() {
    let session = Session::open();
    for (image_type, extent) in TYPES {
        let mut host = HostMemory::new(image_type, extent);
        let image = host.image(&session, CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR);
        assert_eq!(session.all_pixels(image, extent, 4), host.pixels(4));
        assert_eq!(session.mem_info::<usize>(image, CL_MEM_HOST_PTR), 0);
    }
}

#[test]
fn host_memory_with_pitches_is_used_in_place() {
    let session = Session::open();
    for (image_type, extent) in TYPES {
        let mut host = HostMemory::new(image_type, extent);
        let mut expected = host.bytes.clone();
        let image = host.image(&session, CL_MEM_USE_HOST_PTR);
        let start = host.bytes.as_ptr() as usize;
        assert_eq!(session.mem_info::<usize>(image, CL_MEM_HOST_PTR), start);
        for (name, pitch) in [
            (CL_IMAGE_ROW_PITCH, host.shape.image_row_pitch),
            (CL_IMAGE_SLICE_PITCH, host.shape.image_slice_pitch),
        ] {
            assert_eq!(session.image_info::<usize>(image, name), pitch);
        }
        ok(session.fill_image(image, &[1f32; 4], [0; 3], extent));
        let last = extent.map(|size| size - 1);
        let mapped = session
            .map_pixels(image, CL_MAP_READ, last, [1; 3])
            .unwrap();
        assert_eq!(mapped.pointer as usize, start + host.places.last().unwrap());
        assert_eq!(mapped.row_pitch, host.shape.image_row_pitch);
        assert_eq!(mapped.slice_pitch, host.shape.image_slice_pitch);
        ok(session.unmap(image, mapped.pointer));
        // SAFETY: the handles are valid.
        unsafe {
            ok(clFinish(session.queue));
            ok(clReleaseMemObject(image));
        }
        for place in host.places {
            expected[place..place + 4].fill(255);
        }
        assert_eq!(host.bytes, expected, "only pixels are written");
    }
}

#[test]
fn shapes_of_any_size_hold_the_pixels_of_the_host() {
    let session = Session::open();
    let mut numbers = Numbers(99);
    let formats = session.supported(CL_MEM_OBJECT_IMAGE2D);
    for _ in 0..300 {
        let (image_type, most) = TYPES[numbers.below(TYPES.len())];
        let extent = most.map(|size| if size == 1 { 1 } else { 1 + numbers.below(40) });
        let format = &formats[numbers.below(formats.len())];
        let size = {
            let smallest = desc(image_type, [1; 3]);
            let image = session.image_with(0, format, &smallest, null_mut());
            session.element_size(image)
        };
        let room = [numbers.below(5), numbers.below(3)];
        let mut host = HostMemory::with_room(image_type, extent, size, room);
        // What is 0 is computed.
        if room[1] == 0 {
            host.shape.image_slice_pitch = 0;
        }
        if room == [0, 0] {
            host.shape.image_row_pitch = 0;
        }
        let in_place = numbers.below(2) == 1;
        let flags = if in_place {
            CL_MEM_USE_HOST_PTR
        } else {
            CL_MEM_COPY_HOST_PTR
        };
        let start = host.bytes.as_mut_ptr().cast();
        let image = session.image_with(flags, format, &host.shape, start);
        assert_eq!(session.all_pixels(image, extent, size), host.pixels(size));
        let kept_room = if in_place { room } else { [0, 0] };
        let kept = HostMemory::with_room(image_type, extent, size, kept_room);
        let slices = match image_type {
            CL_MEM_OBJECT_IMAGE1D_ARRAY => extent[1],
            _ => extent[2],
        };
        for (name, expected) in [
            (CL_IMAGE_ROW_PITCH, kept.shape.image_row_pitch),
            (CL_IMAGE_SLICE_PITCH, kept.shape.image_slice_pitch),
        ] {
            assert_eq!(session.image_info::<usize>(image, name), expected);
        }
        let slice = match kept.shape.image_slice_pitch {
            0 => kept.shape.image_row_pitch * extent[1],
            slice => slice,
        };
        assert_eq!(
            session.mem_info::<usize>(image, CL_MEM_SIZE),
            slice * slices
        );
        // SAFETY: the handle is valid.
        ok(unsafe { clReleaseMemObject(image) });
    }
}
