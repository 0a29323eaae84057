//! Rectangular transfers of buffers.

use crate::call::{Returns, Run, Step};
use crate::commands::submission::Effect;
use crate::commands::transfers::Direction;
use crate::contents;
use crate::memory::LARGEST_BLOCK;
use crate::model::Id;
use cl_sys::*;

/// One side of a transfer, as the arguments state it.
#[derive(Clone, Copy, Debug)]
struct Side {
    origin: [usize; 3],
    row_pitch: usize,
    slice_pitch: usize,
}

/// One side with computed pitches.
#[derive(Clone, Copy, Debug)]
struct Layout {
    offset: usize,
    row_pitch: usize,
    slice_pitch: usize,
    /// The end of the last row, in bytes.
    end: usize,
}

impl Side {
    /// `None` if the arguments contradict each other.
    fn layout(&self, region: [usize; 3]) -> Option<Layout> {
        let [width, height, depth] = region;
        if region.contains(&0) {
            return None;
        }
        let row_pitch = if self.row_pitch == 0 {
            width
        } else {
            self.row_pitch
        };
        let slice = row_pitch.checked_mul(height)?;
        let slice_pitch = if self.slice_pitch == 0 {
            slice
        } else {
            self.slice_pitch
        };
        if row_pitch < width || slice_pitch < slice || !slice_pitch.is_multiple_of(row_pitch) {
            return None;
        }
        let [x, y, z] = self.origin;
        let offset = z
            .checked_mul(slice_pitch)?
            .checked_add(y.checked_mul(row_pitch)?)?
            .checked_add(x)?;
        let end = (depth - 1)
            .checked_mul(slice_pitch)?
            .checked_add((height - 1).checked_mul(row_pitch)?)?
            .checked_add(width)?
            .checked_add(offset)?;
        Some(Layout {
            offset,
            row_pitch,
            slice_pitch,
            end,
        })
    }
}

impl Layout {
    /// The offset of each row, in bytes.
    fn rows(&self, region: [usize; 3]) -> Vec<usize> {
        let rows = |z| (0..region[1]).map(move |y| (y, z));
        let all = (0..region[2]).flat_map(rows);
        all.map(|(y, z)| self.offset + z * self.slice_pitch + y * self.row_pitch)
            .collect()
    }
}

impl Run {
    fn choose_side(&mut self, region: [usize; 3]) -> Side {
        let origin = [
            self.random.below(8),
            self.random.below(3),
            self.random.below(2),
        ];
        let mut origin = origin.map(|value| value as usize);
        if self.one_in(2) {
            origin = [0; 3];
        }
        let mut row_pitch = 0;
        if self.one_in(2) {
            row_pitch = region[0] + origin[0] + self.random.below(8) as usize;
        }
        let mut slice_pitch = 0;
        if self.one_in(2) {
            let row = if row_pitch == 0 { region[0] } else { row_pitch };
            slice_pitch = row * (region[1] + origin[1] + self.random.below(3) as usize);
        }
        let mut side = Side {
            origin,
            row_pitch,
            slice_pitch,
        };
        if self.wrong() {
            let garbage = self.garbage() as usize;
            match self.random.below(5) {
                axis @ 0..3 => side.origin[axis as usize] = garbage,
                3 => side.row_pitch = garbage,
                _ => side.slice_pitch = garbage,
            }
        }
        side
    }

    fn choose_region(&mut self) -> [usize; 3] {
        let width = if self.one_in(4) { 64 } else { 16 };
        let mut region = [self.size(1, width), self.size(1, 4), self.size(1, 3)];
        if self.wrong() {
            let axis = self.random.below(3) as usize;
            region[axis] = if self.one_in(2) {
                0
            } else {
                self.garbage() as usize
            };
        }
        region
    }

    /// A side that is mostly within a buffer.
    fn choose_side_in(&mut self, region: [usize; 3], buffer_size: usize) -> Side {
        let side = self.choose_side(region);
        let fits = side
            .layout(region)
            .is_some_and(|layout| layout.end <= buffer_size);
        if fits || self.wrong() {
            return side;
        }
        Side {
            origin: [0; 3],
            row_pitch: 0,
            slice_pitch: 0,
        }
    }

    /// Checks that the region is within the buffer.
    fn check_layout(&mut self, layout: Option<Layout>, buffer_size: usize) {
        let fits = layout.is_some_and(|layout| layout.end <= buffer_size);
        self.fault_if(!fits, CL_INVALID_VALUE);
    }

    pub fn enqueue_rectangle(&mut self) -> Step {
        let direction = self.one_of(&[Direction::Read, Direction::Write]);
        let (name, blocking_name, command_type) = match direction {
            Direction::Read => ("clEnqueueReadBufferRect", "blocking_read", 0x1201),
            Direction::Write => ("clEnqueueWriteBufferRect", "blocking_write", 0x1202),
        };
        self.begin(name);
        let mut issue = self.issue();
        let buffer = self.buffer_argument("buffer", &issue);
        self.check_host_access(buffer, direction);
        self.blocking(blocking_name, &mut issue);
        let buffer_size = buffer.map_or(64, |buffer| self.model.buffer(buffer).size);
        let mut region = self.choose_region();
        while region
            .iter()
            .try_fold(1usize, |all, size| all.checked_mul(*size))
            .is_none_or(|all| all > buffer_size)
            && !self.is_faulty()
            && !self.wrong()
        {
            region = region.map(|size| (size / 2).max(1));
        }
        let mut buffer_side = self.choose_side_in(region, buffer_size);
        let mut host_side = self.choose_side(region);
        let host = host_side.layout(region);
        let mut needed = host.map_or(1, |layout| layout.end);
        if needed > LARGEST_BLOCK {
            // The host memory is too small, so the call must fail.
            buffer_side.row_pitch = 1;
            region[0] = region[0].max(2);
            needed = 1;
            host_side.row_pitch = host_side.row_pitch.max(region[0]);
        }
        let layout = buffer_side.layout(region);
        self.check_layout(layout, buffer_size);
        let host = host_side.layout(region);
        self.fault_if(host.is_none(), CL_INVALID_VALUE);
        self.triple("buffer_origin", buffer_side.origin);
        self.triple("host_origin", host_side.origin);
        self.triple("region", region);
        self.number("buffer_row_pitch", buffer_side.row_pitch);
        self.number("buffer_slice_pitch", buffer_side.slice_pitch);
        self.number("host_row_pitch", host_side.row_pitch);
        self.number("host_slice_pitch", host_side.slice_pitch);
        let block = self.host_block("ptr", direction, needed, issue.blocking);
        self.waits_and_event(&mut issue);
        let objects: Vec<Id> = buffer.into_iter().collect();
        let (_, effect) = self.enqueue(&issue, Returns::Status, command_type, &objects)?;
        let (Some(buffer), Some(block), Some(layout), Some(host)) = (buffer, block, layout, host)
        else {
            return Some(());
        };
        if effect == Effect::None {
            return Some(());
        }
        let rows = layout.rows(region).into_iter().zip(host.rows(region));
        let width = region[0];
        for (at_buffer, at_host) in rows {
            let bytes = self.bytes_at(block + at_host as u64, width);
            match direction {
                Direction::Write => {
                    let sure = effect == Effect::Sure;
                    self.model
                        .write(buffer, at_buffer, width, sure.then_some(&bytes[..]));
                }
                Direction::Read if effect == Effect::Sure && issue.blocking => {
                    let expected = self.model.bytes(buffer, at_buffer, width);
                    let wrong =
                        expected.and_then(|expected| contents::difference(&expected, &bytes));
                    if let Some(text) = wrong {
                        return self.fail_call(&format!("in the row at {at_buffer}: {text}"));
                    }
                }
                Direction::Read => {}
            }
        }
        Some(())
    }

    /// Copies within one buffer must have the same pitches on both sides and must not overlap.
    fn check_overlap(
        &mut self,
        (a, layout_a): (Id, Layout),
        (b, layout_b): (Id, Layout),
        region: [usize; 3],
    ) {
        let pitches = |layout: Layout| (layout.row_pitch, layout.slice_pitch);
        if a == b && pitches(layout_a) != pitches(layout_b) {
            self.fault(CL_INVALID_VALUE);
        } else if a == b {
            // A pitch of 0 means a tight one, which may equal the other side's.
            self.may(CL_INVALID_VALUE);
        }
        let ((memory_a, origin_a), (memory_b, origin_b)) =
            (self.model.memory_of(a), self.model.memory_of(b));
        if memory_a != memory_b {
            return;
        }
        if self.is_faulty() {
            self.may(CL_MEM_COPY_OVERLAP);
            return;
        }
        let rows_a = layout_a.rows(region);
        let rows_b = layout_b.rows(region);
        let overlaps = rows_a.iter().any(|a| {
            rows_b
                .iter()
                .any(|b| (a + origin_a).abs_diff(b + origin_b) < region[0])
        });
        if overlaps {
            self.fault(CL_MEM_COPY_OVERLAP);
        } else {
            // Implementations may compare the bounding ranges instead of the rows.
            self.may(CL_MEM_COPY_OVERLAP);
        }
    }

    pub fn enqueue_copy_rectangle(&mut self) -> Step {
        self.begin("clEnqueueCopyBufferRect");
        let mut issue = self.issue();
        let source = self.buffer_argument("src_buffer", &issue);
        let destination = self.buffer_argument("dst_buffer", &issue);
        let size = |run: &Self, id: Option<Id>| id.map_or(64, |id| run.model.buffer(id).size);
        let (source_size, destination_size) = (size(self, source), size(self, destination));
        let mut region = self.choose_region();
        while region
            .iter()
            .try_fold(1usize, |all, size| all.checked_mul(*size))
            .is_none_or(|all| all > source_size.min(destination_size))
            && !self.wrong()
        {
            region = region.map(|size| (size / 2).max(1));
        }
        let from = self.choose_side_in(region, source_size);
        let mut to = self.choose_side_in(region, destination_size);
        if source == destination && !self.wrong() {
            to.row_pitch = from.row_pitch;
            to.slice_pitch = from.slice_pitch;
        }
        let (layout_from, layout_to) = (from.layout(region), to.layout(region));
        self.check_layout(layout_from, source_size);
        self.check_layout(layout_to, destination_size);
        if let (Some(a), Some(b), Some(layout_a), Some(layout_b)) =
            (source, destination, layout_from, layout_to)
        {
            self.check_overlap((a, layout_a), (b, layout_b), region);
        }
        self.triple("src_origin", from.origin);
        self.triple("dst_origin", to.origin);
        self.triple("region", region);
        self.number("src_row_pitch", from.row_pitch);
        self.number("src_slice_pitch", from.slice_pitch);
        self.number("dst_row_pitch", to.row_pitch);
        self.number("dst_slice_pitch", to.slice_pitch);
        self.waits_and_event(&mut issue);
        let objects: Vec<Id> = source.into_iter().chain(destination).collect();
        let (_, effect) = self.enqueue(&issue, Returns::Status, 0x1203, &objects)?;
        let (Some(source), Some(destination), Some(from), Some(to)) =
            (source, destination, layout_from, layout_to)
        else {
            return Some(());
        };
        if effect == Effect::None {
            return Some(());
        }
        for (from, to) in from.rows(region).into_iter().zip(to.rows(region)) {
            let row = self.model.bytes(source, from, region[0]);
            match row.filter(|_| effect == Effect::Sure) {
                Some(row) => self.model.put(destination, to, &row),
                None => self.model.write(destination, to, region[0], None),
            }
        }
        Some(())
    }
}
