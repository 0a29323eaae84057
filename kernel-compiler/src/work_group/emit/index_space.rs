//! Loads the sizes and ids of the index space that all work-items of a group share.

use super::emitter::Emitter;
use crate::intrinsics::address_space;
use crate::ir::{Type, Value};
use crate::kernel::specialisation::{SMALL_GRID, Specialisation};
use host_exec::work_group::{NdRange, WorkGroupContext};
use std::mem::offset_of;

/// Upper bound of the machine's largest work-group.
const MAX_GROUP_SIZE: u64 = 1 << 16;

impl Emitter {
    fn load_context(&self, offset: usize, ty: Type) -> Value {
        let b = &self.builder;
        let address = b.offset(self.context, b.i64().constant(offset as u64));
        let load = b.load(ty, address, 8);
        load.mark_invariant();
        load
    }

    pub fn load_index_space(&mut self, specialisation: &Specialisation) {
        let (i32, i64) = (self.builder.i32(), self.builder.i64());
        let nd_range = offset_of!(WorkGroupContext, nd_range);
        let field = |this: &Self, base: usize, dimension: usize, low: u64, high: u64| {
            let load = this.load_context(base + 8 * dimension, i64);
            load.mark_range(low, high);
            load
        };
        let grid_limit = 1 + if self.small_grid { SMALL_GRID } else { 1 << 62 };
        let work_dimensions =
            self.load_context(nd_range + offset_of!(NdRange, work_dimensions), i64);
        work_dimensions.mark_range(1, 4);
        self.range.work_dimensions = Some(self.builder.truncate(work_dimensions, i32));
        for d in 0..3 {
            let local_size = match specialisation.local_size {
                Some(size) => i64.constant(size[d]),
                None => {
                    let base = nd_range + offset_of!(NdRange, local_size);
                    field(self, base, d, 1, MAX_GROUP_SIZE)
                }
            };
            let global_size = field(
                self,
                nd_range + offset_of!(NdRange, global_size),
                d,
                1,
                grid_limit,
            );
            let group_count = field(
                self,
                nd_range + offset_of!(NdRange, group_count),
                d,
                1,
                grid_limit,
            );
            let offset = nd_range + offset_of!(NdRange, global_offset);
            let global_offset = if specialisation.without_offset && !self.timed {
                i64.constant(0)
            } else if self.small_grid {
                field(self, offset, d, 0, grid_limit)
            } else {
                // Any size_t.
                self.load_context(offset + 8 * d, i64)
            };
            let group_id = field(
                self,
                offset_of!(WorkGroupContext, group_id),
                d,
                0,
                grid_limit,
            );
            let b = &self.builder;
            let local_size_32 = b.truncate(local_size, i32);
            let first_global_id = if self.small_grid {
                let first = b
                    .multiply(b.truncate(group_id, i32), local_size_32)
                    .no_wrap();
                b.add(first, b.truncate(global_offset, i32)).no_wrap()
            } else {
                b.add(b.multiply(group_id, local_size).no_wrap(), global_offset)
            };
            self.range.local_size.push(local_size);
            self.range.local_size_32.push(local_size_32);
            self.range.global_size.push(global_size);
            self.range.group_count.push(group_count);
            self.range.global_offset.push(global_offset);
            self.range.group_id.push(group_id);
            self.range.first_global_id.push(first_global_id);
        }
        let pointer = Type::pointer(self.builder.context, address_space::PRIVATE);
        let local_memory = self.load_context(offset_of!(WorkGroupContext, local_memory), pointer);
        let private_memory =
            self.load_context(offset_of!(WorkGroupContext, private_memory), pointer);
        self.private_memory = private_memory;
        self.local_memory = self.builder.address_space_cast(
            local_memory,
            Type::pointer(self.builder.context, address_space::LOCAL),
        );
    }
}
