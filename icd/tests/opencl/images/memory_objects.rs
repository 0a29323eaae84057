//! Images as memory objects.

use super::*;

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
