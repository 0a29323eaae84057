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
    fn of(image_type: cl_mem_object_type, extent: [usize; 3]) -> Self {
        let row_pitch = 4 * extent[0] + 8;
        let rows = match image_type {
            CL_MEM_OBJECT_IMAGE1D_ARRAY => 1,
            _ => extent[1],
        };
        let slice_pitch = row_pitch * (rows + 1);
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
            places: offsets(image_type, extent, 4, row_pitch, slice_pitch),
        }
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
        let mut host = HostMemory::of(image_type, extent);
        let image = host.image(&session, CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR);
        let expected: Vec<u8> = host
            .places
            .iter()
            .flat_map(|place| host.bytes[*place..place + 4].to_vec())
            .collect();
        assert_eq!(session.all_pixels(image, extent, 4), expected);
        assert_eq!(session.mem_info::<usize>(image, CL_MEM_HOST_PTR), 0);
    }
}

#[test]
fn host_memory_with_pitches_is_used_in_place() {
    let session = Session::open();
    for (image_type, extent) in TYPES {
        let mut host = HostMemory::of(image_type, extent);
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
