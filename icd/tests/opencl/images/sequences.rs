//! Commands on images one after another.

use super::*;

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

#[test]
fn random_command_sequences_agree_with_the_model() {
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
