//! Calls of the queries of a work-item.

use crate::intrinsics::PREFIX;
use crate::ir::{self, Builder, ModuleRef, Type, Value};

/// Writes queries of a kernel's index space.
pub struct Queries {
    pub module: ModuleRef,
    pub local_size: [u64; 3],
}

impl Queries {
    /// Calls a query along a dimension.
    pub fn call(&self, b: &Builder, name: &str, dimension: u64) -> Value {
        let name = format!("{PREFIX}{name}");
        let function = ir::function(self.module, &name).unwrap_or_else(|| {
            ir::add_function(self.module, &name, Type::function(b.i64(), &[b.i32()]))
        });
        b.call(function, &[b.i32().constant(dimension)])
    }

    /// Work-items of a group along a dimension.
    pub fn local_size(&self, dimension: u64) -> u64 {
        self.local_size[dimension as usize]
    }
}
