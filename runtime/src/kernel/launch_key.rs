//! What the simulated time of a launch depends on, except for what is in memory.

use crate::kernel::argument_block::ArgumentBlock;
use crate::kernel::built_in_operands::{Operand, Operands};
use crate::memory::mem_object::MemObject;
use crate::memory::memory_access::MemoryAccesses;
use device_sim::array_range::ArrayRange;
use host_exec::launch::LaunchConfiguration;
use kernel_compiler::executable::{ArgumentKind, KernelArgument, WorkGroupCode};
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use vendor_kernels::VendorKernel;

/// The key of a launch. The machine is not in it: a process simulates one, and code is for one.
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct LaunchKey {
    code: Code,
    arrays: ArrayRange,
    /// Sizes of the launch, and of its memory objects.
    sizes: Vec<u64>,
    /// The argument block without addresses.
    block: ArgumentBlock,
}

/// What is launched, by identity. Kernels that are compiled alike have the same code in all contexts
/// of the process.
enum Code {
    /// Code of one kernel, build and specialisation.
    Compiled(Arc<WorkGroupCode>),
    Vendor(&'static VendorKernel),
}

impl Code {
    fn address(&self) -> usize {
        match self {
            Self::Compiled(code) => Arc::as_ptr(code).addr(),
            Self::Vendor(kernel) => std::ptr::from_ref(*kernel).addr(),
        }
    }
}

impl PartialEq for Code {
    fn eq(&self, other: &Self) -> bool {
        self.address() == other.address()
    }
}

impl Eq for Code {}

impl Hash for Code {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.address().hash(state);
    }
}

impl LaunchKey {
    /// The key of a launch of compiled code with these arguments, which access these objects.
    pub fn compiled(
        code: &Arc<WorkGroupCode>,
        arrays: ArrayRange,
        configuration: &LaunchConfiguration,
        arguments: (&[KernelArgument], &ArgumentBlock),
        accesses: &MemoryAccesses,
    ) -> Self {
        let nd_range = &configuration.nd_range;
        let mut sizes = vec![
            nd_range.work_dimensions,
            configuration.local_memory,
            u64::from(configuration.zeroes_local_memory),
        ];
        for dimensions in [
            nd_range.global_offset,
            nd_range.global_size,
            nd_range.local_size,
        ] {
            sizes.extend(dimensions);
        }
        // Pointers to local memory are offsets, and stay.
        let (declared, mut block) = (arguments.0, arguments.1.clone());
        for argument in declared {
            let is_address = matches!(
                argument.kind,
                ArgumentKind::GlobalPointer | ArgumentKind::ConstantPointer | ArgumentKind::Image
            );
            if is_address {
                let is_null = block.pointer(argument.offset) == 0;
                block.write(argument.offset, &u64::from(!is_null).to_ne_bytes());
            }
        }
        add_objects(&mut sizes, accesses);
        Self {
            code: Code::Compiled(Arc::clone(code)),
            arrays,
            sizes,
            block,
        }
    }

    /// The key of a launch of the vendor's library with these operands.
    pub(super) fn vendor(
        kernel: &'static VendorKernel,
        arrays: ArrayRange,
        operands: &Operands,
    ) -> Self {
        let sizes = operands.0.iter().map(|operand| match operand {
            Operand::Array(array) => array.bytes as u64,
            Operand::Empty => 0,
            Operand::Size(size) => size.cast_unsigned(),
            Operand::Number(number) => number.to_bits(),
        });
        Self {
            code: Code::Vendor(kernel),
            arrays,
            sizes: sizes.collect(),
            block: ArgumentBlock::new(0),
        }
    }
}

/// Adds what is known of memory objects: their sizes, their places in their data stores, and which
/// share one.
fn add_objects(sizes: &mut Vec<u64>, accesses: &MemoryAccesses) {
    let store = |object: &MemObject| std::ptr::from_ref(object.residency()).addr();
    for access in accesses {
        let object = &access.object;
        let mut objects = accesses.iter().map(|access| &access.object);
        let first = objects.position(|other| store(other) == store(object));
        let range = object.range();
        sizes.extend([first.unwrap_or(0), range.start, range.end].map(|size| size as u64));
        if let MemObject::Image(image) = object {
            let descriptor = image.descriptor();
            sizes.extend(
                [
                    descriptor.width,
                    descriptor.height,
                    descriptor.depth,
                    descriptor.array_size,
                    descriptor.channel_order,
                    descriptor.channel_data_type,
                ]
                .map(u64::from),
            );
            sizes.extend([descriptor.row_pitch, descriptor.slice_pitch]);
        }
    }
}
