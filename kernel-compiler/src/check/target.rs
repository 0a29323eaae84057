//! The memory that accesses are of, as reports name it.

use super::access::Access;
use super::provenance::{Provenance, Root, address};
use super::sites::Sites;
use crate::intrinsics::{DMA_TRANSFER, address_space};
use crate::ir::{self, Builder, DataLayout, ModuleRef, Value};
use crate::kernel::interface::KernelInterface;
use host_exec::memory_checker::access_table::UNKNOWN_OBJECT;

/// The memory that a pointer leads to.
#[derive(Clone, Copy)]
pub struct Target {
    pub pointer: Value,
    /// The only object that it leads into.
    pub root: Option<Root>,
    /// The object's number in reports, or `UNKNOWN_OBJECT`.
    pub object: u64,
    /// Bytes from the object's start, or the address.
    pub place: Value,
}

impl Target {
    /// Whether the object is known to be in local memory; pointers of transfers are of any memory.
    pub fn is_in_local_memory(&self) -> bool {
        let start = self.root.and_then(Root::pointer);
        start.is_some_and(|start| start.ty().address_space() == address_space::LOCAL)
    }

    /// Whether the pointer is one into local memory.
    pub fn is_local(&self) -> bool {
        self.pointer.ty().address_space() == address_space::LOCAL
    }
}

/// Finds the targets of a kernel's accesses, with a builder for code that checks them.
pub struct Targets<'a> {
    pub b: Builder,
    pub provenance: Provenance<'a>,
    pub sites: Sites<'a>,
}

impl<'a> Targets<'a> {
    /// Of the kernel with this interface.
    pub fn new(module: ModuleRef, interface: &'a KernelInterface) -> Self {
        let kernel = ir::function(module, &interface.name).expect("the module holds the kernel");
        let layout = DataLayout::of_module(module);
        Self {
            b: Builder::new(kernel.ty().context()),
            provenance: Provenance {
                kernel,
                interface,
                layout,
            },
            sites: Sites::new(kernel, interface, layout),
        }
    }

    /// The transfers of the kernel.
    pub fn transfers(&self) -> Vec<Value> {
        let mut transfers = self.provenance.kernel.instructions();
        transfers.retain(|instruction| instruction.calls(DMA_TRANSFER));
        transfers
    }

    /// The target of an access, with the builder before it; none for memory of the implementation.
    pub fn of_access(&mut self, access: &Access) -> Option<Target> {
        self.b.of_the_line_of(access.instruction);
        self.b.before(access.instruction);
        self.target(access.pointer)
    }

    /// What a pointer leads to, at the builder's position; none for memory of the implementation.
    pub fn target(&mut self, pointer: Value) -> Option<Target> {
        let roots = self.provenance.roots(pointer);
        if roots.contains(&Root::Trusted) {
            return None;
        }
        let root = match roots[..] {
            [root] if root.pointer().is_some() => Some(root),
            _ => None,
        };
        Some(Target {
            pointer,
            root,
            object: root.map_or(UNKNOWN_OBJECT, |root| self.sites.object(root)),
            place: match root.and_then(Root::pointer) {
                Some(start) => self.provenance.offset(&self.b, pointer, start),
                None => address(&self.b, pointer),
            },
        })
    }

    /// The module of the kernel.
    pub fn module(&self) -> ModuleRef {
        self.provenance.kernel.module()
    }
}
