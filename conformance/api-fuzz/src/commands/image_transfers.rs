//! Commands on images.

use crate::call::{Returns, Run, Step};
use crate::commands::submission::{Effect, Issue};
use crate::commands::transfers::{Direction, INVALIDATE, MAP_WRITE};
use crate::contents;
use crate::memory::LARGEST_BLOCK;
use crate::model::{Id, Kind, Mapping};
use crate::objects::images::{IMAGE_2D, Pitches, RGBA_UINT8, has_slices, rows};
use cl_sys::*;

/// The properties of an image that commands depend on.
#[derive(Clone, Copy)]
struct Known {
    image_type: u32,
    extent: [usize; 3],
    element_size: usize,
    format: (u32, u32),
}

impl Run {
    fn image_argument(&mut self, name: &str, issue: &Issue) -> (Option<Id>, Known) {
        let wanted = self.pick_in(Kind::Image, issue.context);
        let image = self.handle(name, &[Kind::Image], wanted);
        self.same_context(issue, image);
        let known = match image {
            Some(id) => {
                let image = self.model.image(id);
                Known {
                    image_type: image.image_type,
                    extent: image.extent,
                    element_size: image.element_size,
                    format: image.format,
                }
            }
            None => Known {
                image_type: IMAGE_2D,
                extent: [4, 4, 1],
                element_size: 4,
                format: RGBA_UINT8,
            },
        };
        (image, known)
    }

    /// A region of an image: origin and size.
    fn choose_box(&mut self, extent: [usize; 3]) -> ([usize; 3], [usize; 3]) {
        let mut origin = [0; 3];
        let mut region = extent;
        if self.one_in(2) {
            origin = extent.map(|size| self.size(0, size - 1));
            for axis in 0..3 {
                region[axis] = self.size(1, extent[axis] - origin[axis]);
            }
        }
        if self.wrong() {
            let axis = self.random.below(3) as usize;
            match self.random.below(4) {
                0 => origin[axis] = self.garbage() as usize,
                1 => region[axis] = self.garbage() as usize,
                2 => region[axis] = 0,
                _ => region[axis] = extent[axis] - origin[axis] + 1,
            }
        }
        (origin, region)
    }

    /// Checks that the region is within the image.
    fn check_box(&mut self, extent: [usize; 3], origin: [usize; 3], region: [usize; 3]) {
        let inside = (0..3).all(|axis| {
            let end = origin[axis].checked_add(region[axis]);
            region[axis] > 0 && end.is_some_and(|end| end <= extent[axis])
        });
        self.fault_if(!inside, CL_INVALID_VALUE);
    }

    /// The offset of a row of a region in the model's contents, in bytes.
    fn row_of(&self, image: Id, origin: [usize; 3], y: usize, z: usize) -> usize {
        let image = self.model.image(image);
        let [width, height, _] = image.extent;
        (((origin[2] + z) * height + origin[1] + y) * width + origin[0]) * image.element_size
    }

    /// Writes pixels without padding to the model; `None` makes them unknown.
    pub fn write_pixels(
        &mut self,
        image: Id,
        origin: [usize; 3],
        region: [usize; 3],
        pixels: Option<&[u8]>,
    ) {
        let width = region[0] * self.model.image(image).element_size;
        for (index, (y, z)) in rows(region).enumerate() {
            let start = self.row_of(image, origin, y, z);
            let row = pixels.map(|pixels| &pixels[index * width..][..width]);
            self.model.write(image, start, width, row);
        }
    }

    /// Compares rows in memory with the model.
    fn check_pixels(
        &mut self,
        image: Id,
        origin: [usize; 3],
        region: [usize; 3],
        (address, pitches): (u64, Pitches),
    ) -> Step {
        let details = self.model.image(image);
        let (image_type, width) = (details.image_type, region[0] * details.element_size);
        for (y, z) in rows(region) {
            let start = self.row_of(image, origin, y, z);
            let expected = self.model.bytes(image, start, width);
            let offset = pitches.offset(image_type, y, z).unwrap_or(0);
            let got = self.bytes_at(address + offset as u64, width);
            let wrong = expected.and_then(|expected| contents::difference(&expected, &got));
            if let Some(text) = wrong {
                return self.fail_call(&format!("in row {y} of slice {z}: {text}"));
            }
        }
        Some(())
    }

    pub fn enqueue_read_or_write_image(&mut self) -> Step {
        let direction = self.one_of(&[Direction::Read, Direction::Write]);
        let (name, blocking_name, command_type) = match direction {
            Direction::Read => ("clEnqueueReadImage", "blocking_read", 0x11F6),
            Direction::Write => ("clEnqueueWriteImage", "blocking_write", 0x11F7),
        };
        self.begin(name);
        let mut issue = self.issue();
        let (image, known) = self.image_argument("image", &issue);
        self.check_host_access(image, direction);
        self.blocking(blocking_name, &mut issue);
        let (origin, region) = self.choose_box(known.extent);
        self.check_box(known.extent, origin, region);
        let (mut row_pitch, mut slice_pitch) = (0, 0);
        let tight = region[0].saturating_mul(known.element_size);
        if self.one_in(3) && !self.is_faulty() {
            row_pitch = tight + self.random.below(16) as usize;
            if has_slices(known.image_type) && self.one_in(2) {
                slice_pitch = row_pitch * region[1] + self.random.below(32) as usize;
            }
        }
        if self.wrong() {
            let garbage = self.garbage() as usize;
            if self.one_in(2) || !has_slices(known.image_type) {
                row_pitch = garbage;
            } else {
                slice_pitch = garbage;
            }
        }
        let pitches = Pitches::new(
            known.image_type,
            region,
            known.element_size,
            row_pitch,
            slice_pitch,
        );
        let needed =
            pitches.and_then(|pitches| pitches.end(known.image_type, region, known.element_size));
        self.fault_if(needed.is_none(), CL_INVALID_VALUE);
        if row_pitch.max(slice_pitch) > LARGEST_BLOCK {
            // The pitches exceed all memory, whatever the region is.
            self.may(CL_INVALID_VALUE);
        }
        let mut bytes = needed.unwrap_or(1);
        if bytes > LARGEST_BLOCK {
            if !self.is_faulty() {
                return None;
            }
            bytes = 1;
        }
        self.triple("origin", origin);
        self.triple("region", region);
        self.number("row_pitch", row_pitch);
        self.number("slice_pitch", slice_pitch);
        let block = self.host_block("ptr", direction, bytes, issue.blocking);
        self.waits_and_event(&mut issue);
        let objects: Vec<Id> = image.into_iter().collect();
        let (_, effect) = self.enqueue(&issue, Returns::Status, command_type, &objects)?;
        let (Some(image), Some(block), Some(pitches)) = (image, block, pitches) else {
            return Some(());
        };
        match (direction, effect) {
            (Direction::Write, Effect::Sure) => {
                let mut pixels = Vec::new();
                for (y, z) in rows(region) {
                    let offset = pitches.offset(known.image_type, y, z).unwrap_or(0);
                    pixels.extend(self.bytes_at(block + offset as u64, tight));
                }
                self.write_pixels(image, origin, region, Some(&pixels));
            }
            (Direction::Write, Effect::Unsure) => self.write_pixels(image, origin, region, None),
            (Direction::Read, Effect::Sure) if issue.blocking => {
                self.check_pixels(image, origin, region, (block, pitches))?;
            }
            _ => {}
        }
        Some(())
    }

    pub fn enqueue_fill_image(&mut self) -> Step {
        self.begin("clEnqueueFillImage");
        let mut issue = self.issue();
        let (image, known) = self.image_argument("image", &issue);
        let color: Vec<u8> = self.bytes(4);
        let words: Vec<u8> = color
            .iter()
            .flat_map(|component| u32::from(*component).to_ne_bytes())
            .collect();
        if self.wrong() {
            self.null("fill_color");
            self.fault(CL_INVALID_VALUE);
        } else {
            self.input("fill_color", &words, &format!("{color:?}"));
        }
        let (origin, region) = self.choose_box(known.extent);
        self.check_box(known.extent, origin, region);
        self.triple("origin", origin);
        self.triple("region", region);
        self.waits_and_event(&mut issue);
        let objects: Vec<Id> = image.into_iter().collect();
        let (_, effect) = self.enqueue(&issue, Returns::Status, 0x1208, &objects)?;
        let Some(image) = image.filter(|_| effect != Effect::None) else {
            return Some(());
        };
        if effect == Effect::Sure && known.format == RGBA_UINT8 {
            let pixels = region.iter().product();
            let filled = color.repeat(pixels);
            self.write_pixels(image, origin, region, Some(&filled));
        } else {
            self.write_pixels(image, origin, region, None);
        }
        Some(())
    }

    /// The known pixels of a region, without padding.
    fn pixels(
        &mut self,
        image: Id,
        origin: [usize; 3],
        region: [usize; 3],
    ) -> Option<(Vec<u8>, Vec<bool>)> {
        let width = region[0] * self.model.image(image).element_size;
        let mut pixels = (Vec::new(), Vec::new());
        for (y, z) in rows(region) {
            let start = self.row_of(image, origin, y, z);
            let row = self.model.bytes(image, start, width)?;
            pixels.0.extend(row.0);
            pixels.1.extend(row.1);
        }
        Some(pixels)
    }

    /// Writes pixels that `pixels` returned; `None` makes them unknown.
    fn put_pixels(
        &mut self,
        image: Id,
        origin: [usize; 3],
        region: [usize; 3],
        pixels: Option<(Vec<u8>, Vec<bool>)>,
    ) {
        let Some((bytes, known)) = pixels else {
            self.write_pixels(image, origin, region, None);
            return;
        };
        let width = region[0] * self.model.image(image).element_size;
        for (index, (y, z)) in rows(region).enumerate() {
            let start = self.row_of(image, origin, y, z);
            let range = index * width..(index + 1) * width;
            let row = (bytes[range.clone()].to_vec(), known[range].to_vec());
            self.model.put(image, start, &row);
        }
    }

    pub fn enqueue_copy_image(&mut self) -> Step {
        self.begin("clEnqueueCopyImage");
        let mut issue = self.issue();
        let (source, from) = self.image_argument("src_image", &issue);
        let (destination, to) = self.image_argument("dst_image", &issue);
        if source.is_some() && destination.is_some() {
            self.fault_if(from.format != to.format, CL_IMAGE_FORMAT_MISMATCH);
        }
        let (source_origin, mut region) = self.choose_box(from.extent);
        let (destination_origin, room) = self.choose_box(to.extent);
        if !self.wrong() {
            for axis in 0..3 {
                region[axis] = region[axis].min(room[axis]);
            }
        }
        self.check_box(from.extent, source_origin, region);
        self.check_box(to.extent, destination_origin, region);
        if let (Some(a), Some(b)) = (source, destination) {
            let meets = (0..3)
                .all(|axis| source_origin[axis].abs_diff(destination_origin[axis]) < region[axis]);
            if a == b {
                self.fault_if(meets, CL_MEM_COPY_OVERLAP);
            } else if self.model.memory_of(a).0 == self.model.memory_of(b).0 {
                self.may(CL_MEM_COPY_OVERLAP);
            }
        }
        self.triple("src_origin", source_origin);
        self.triple("dst_origin", destination_origin);
        self.triple("region", region);
        self.waits_and_event(&mut issue);
        let objects: Vec<Id> = source.into_iter().chain(destination).collect();
        let (_, effect) = self.enqueue(&issue, Returns::Status, 0x11F8, &objects)?;
        if let (Some(source), Some(destination), true) =
            (source, destination, effect != Effect::None)
        {
            let aliases = source != destination
                && self.model.memory_of(source).0 == self.model.memory_of(destination).0;
            let pixels = self.pixels(source, source_origin, region);
            let pixels = pixels.filter(|_| effect == Effect::Sure && !aliases);
            self.put_pixels(destination, destination_origin, region, pixels);
        }
        Some(())
    }

    /// A buffer offset of at most `last` bytes, or a wrong one.
    fn choose_offset(&mut self, last: usize) -> usize {
        let offset = self.size(0, last);
        if !self.wrong() {
            return offset;
        }
        if self.one_in(2) {
            last + 1
        } else {
            self.garbage() as usize
        }
    }

    pub fn enqueue_copy_image_and_buffer(&mut self) -> Step {
        let to_buffer = self.one_in(2);
        self.begin(if to_buffer {
            "clEnqueueCopyImageToBuffer"
        } else {
            "clEnqueueCopyBufferToImage"
        });
        let mut issue = self.issue();
        let (image, known, buffer);
        if to_buffer {
            (image, known) = self.image_argument("src_image", &issue);
            buffer = self.buffer_argument("dst_buffer", &issue);
        } else {
            buffer = self.buffer_argument("src_buffer", &issue);
            (image, known) = self.image_argument("dst_image", &issue);
        }
        let buffer_size = buffer.map_or(256, |buffer| self.model.buffer(buffer).size);
        let (origin, mut region) = self.choose_box(known.extent);
        let bytes_of = |region: [usize; 3]| {
            let pixels = region
                .iter()
                .try_fold(1usize, |all, size| all.checked_mul(*size))?;
            pixels.checked_mul(known.element_size)
        };
        if bytes_of(region).is_none_or(|bytes| bytes > buffer_size) && !self.wrong() {
            region = [1, 1, 1];
        }
        self.check_box(known.extent, origin, region);
        let bytes = bytes_of(region);
        let rest = buffer_size.saturating_sub(bytes.unwrap_or(0));
        let offset = self.choose_offset(rest);
        let end = bytes.and_then(|bytes| bytes.checked_add(offset));
        self.fault_if(end.is_none_or(|end| end > buffer_size), CL_INVALID_VALUE);
        if to_buffer {
            self.triple("src_origin", origin);
            self.triple("region", region);
            self.number("dst_offset", offset);
        } else {
            self.number("src_offset", offset);
            self.triple("dst_origin", origin);
            self.triple("region", region);
        }
        self.waits_and_event(&mut issue);
        let objects: Vec<Id> = image.into_iter().chain(buffer).collect();
        let aliases = match (image, buffer) {
            (Some(image), Some(buffer)) => {
                self.model.memory_of(image).0 == self.model.memory_of(buffer).0
            }
            _ => false,
        };
        if aliases {
            self.may(CL_MEM_COPY_OVERLAP);
            let made_of = image.and_then(|image| self.model.image(image).buffer);
            self.fault_if(made_of == buffer, CL_INVALID_MEM_OBJECT);
        }
        let command_type = if to_buffer { 0x11F9 } else { 0x11FA };
        let (_, effect) = self.enqueue(&issue, Returns::Status, command_type, &objects)?;
        let (Some(image), Some(buffer), Some(bytes)) = (image, buffer, bytes) else {
            return Some(());
        };
        if effect == Effect::None {
            return Some(());
        }
        let sure = effect == Effect::Sure && !aliases;
        if to_buffer {
            match self.pixels(image, origin, region).filter(|_| sure) {
                Some(pixels) => self.model.put(buffer, offset, &pixels),
                None => self.model.write(buffer, offset, bytes, None),
            }
        } else {
            let pixels = self.model.bytes(buffer, offset, bytes).filter(|_| sure);
            self.put_pixels(image, origin, region, pixels);
        }
        Some(())
    }

    pub fn enqueue_map_image(&mut self) -> Step {
        self.begin("clEnqueueMapImage");
        let mut issue = self.issue();
        let (image, known) = self.image_argument("image", &issue);
        self.blocking("blocking_map", &mut issue);
        let flags = self.map_flags(image);
        let (origin, region) = self.choose_box(known.extent);
        self.check_box(known.extent, origin, region);
        self.triple("origin", origin);
        self.triple("region", region);
        let mut row_at = None;
        if self.wrong() {
            self.null("image_row_pitch");
            self.fault(CL_INVALID_VALUE);
        } else {
            row_at = Some(self.output("image_row_pitch", 8));
        }
        let mut slice_at = None;
        if self.wrong() {
            self.null("image_slice_pitch");
            self.fault_if(has_slices(known.image_type), CL_INVALID_VALUE);
        } else {
            slice_at = Some(self.output("image_slice_pitch", 8));
        }
        self.waits_and_event(&mut issue);
        self.check_mappings(image, flags, origin, region);
        let objects: Vec<Id> = image.into_iter().collect();
        let (done, effect) = self.enqueue(&issue, Returns::Object, 0x11FC, &objects)?;
        let Some(image) = image.filter(|_| done.succeeded) else {
            return Some(());
        };
        let word = |at: Option<u64>| at.map_or(0, |at| self.word_at(at) as usize);
        let (row_pitch, slice_pitch) = (word(row_at), word(slice_at));
        let width = region[0] * known.element_size;
        if row_pitch < width {
            return self.fail_call(&format!(
                "a row pitch of {row_pitch} for rows of {width} bytes"
            ));
        }
        if slice_at.is_some() && has_slices(known.image_type) != (slice_pitch != 0) {
            return self.fail_call(&format!("a slice pitch of {slice_pitch}"));
        }
        let pitches = Pitches {
            row: row_pitch,
            slice: slice_pitch,
        };
        let mut written = None;
        if issue.blocking && effect == Effect::Sure {
            if flags & INVALIDATE == 0 {
                self.check_pixels(image, origin, region, (done.pointer, pitches))?;
            }
            if flags & (MAP_WRITE | INVALIDATE) != 0 {
                let mut pixels = Vec::new();
                for (y, z) in rows(region) {
                    let offset = pitches.offset(known.image_type, y, z).unwrap_or(0);
                    pixels.extend(self.write_through(done.pointer + offset as u64, width));
                }
                written = Some(pixels);
            }
        }
        if flags & (MAP_WRITE | INVALIDATE) != 0 {
            self.write_pixels(image, origin, region, None);
        }
        self.doubtful_mappings |= effect != Effect::Sure;
        self.model.mappings_mut(image).push(Mapping {
            pointer: done.pointer,
            writes: flags & (MAP_WRITE | INVALIDATE) != 0,
            origin,
            region,
            written,
        });
        Some(())
    }
}
