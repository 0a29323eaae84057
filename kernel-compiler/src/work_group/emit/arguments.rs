//! Loads the kernel's arguments from the argument block.

use super::emitter::{BASE_ALIGNMENT, Emitter};
use crate::intrinsics::address_space;
use crate::ir::{self, Type, Value};
use crate::kernel::image_argument::ImageDescriptor;
use crate::kernel::interface::{ArgumentKind, KernelInterface};
use host_exec::memory_checker::ArgumentBounds;
use host_exec::work_group::WorkGroupContext;
use std::mem::offset_of;

impl Emitter {
    /// Loads all arguments.
    pub fn load_arguments(&mut self, kernel: Value, interface: &KernelInterface) {
        let b = &self.builder;
        for (index, parameter) in kernel.parameters().into_iter().enumerate() {
            let offset = interface.arguments[index].offset as u64;
            let address = b.offset(self.arguments, b.i64().constant(offset));
            let ty = parameter.ty();
            let value = if kernel.by_value_type(index as u32).is_some() {
                address
            } else if ty.is_pointer() && ty.address_space() == address_space::LOCAL {
                let place = b.load(b.i64(), address, 8);
                place.mark_invariant();
                b.offset(self.local_memory, place)
            } else {
                let alignment = self.layout.alignment(ty).min(BASE_ALIGNMENT);
                let load = b.load(ty, address, alignment);
                load.mark_invariant();
                if interface.arguments[index].kind == ArgumentKind::Image {
                    let (bytes, alignment) =
                        (size_of::<ImageDescriptor>(), align_of::<ImageDescriptor>());
                    self.mark_dereferenceable(load, bytes as u64, alignment as u64);
                }
                load
            };
            self.uniform_values.insert(parameter, value);
        }
    }

    /// Loads size and permissions of each argument for checked code, and what it knows of local memory.
    pub fn load_argument_bytes(&mut self, interface: &KernelInterface) {
        let b = &self.builder;
        let pointer = Type::pointer(b.context, address_space::PRIVATE);
        let field = offset_of!(WorkGroupContext, argument_bounds) as u64;
        let bounds = b.load(pointer, b.offset(self.context, b.i64().constant(field)), 8);
        bounds.mark_invariant();
        let arguments = interface.arguments.len();
        let bytes = [
            offset_of!(ArgumentBounds, bytes),
            offset_of!(ArgumentBounds, permissions),
        ];
        let bytes = (0..arguments).flat_map(|index| bytes.map(|field| (index, field)));
        let of_memories = [
            offset_of!(ArgumentBounds, shadow_distance),
            offset_of!(ArgumentBounds, last_writes),
            offset_of!(ArgumentBounds, last_reads),
        ];
        let of_memories = of_memories
            .into_iter()
            .flat_map(|field| (0..=arguments).map(move |index| (index, field)));
        let zero = (arguments, offset_of!(ArgumentBounds, zero));
        for (index, field) in bytes.chain(of_memories).chain([zero]) {
            let start = index * size_of::<ArgumentBounds>();
            let place = b.offset(bounds, b.i64().constant((start + field) as u64));
            let value = b.load(b.i64(), place, 8);
            value.mark_invariant();
            self.argument_bytes.push(value);
        }
    }

    /// Marks a loaded pointer as safe to read through speculatively.
    fn mark_dereferenceable(&self, load: Value, bytes: u64, alignment: u64) {
        let number = |number| ir::metadata_constant(self.builder.i64().constant(number));
        for (name, value) in [("dereferenceable", bytes), ("align", alignment)] {
            let kind = ir::metadata_kind(self.builder.context, name);
            let node = ir::metadata_node(self.builder.context, &[Some(number(value))]);
            load.set_metadata(kind, node);
        }
    }
}
