//! Programs of built-in kernels (`clCreateProgramWithBuiltInKernels`).

use crate::context::Context;
use crate::device::Device;
use crate::error::{Code, Error, Result};
use crate::program::built_in::BuiltInKernels;
use crate::program::product::Product;
use crate::program::program::Program;
use std::sync::Arc;

impl Program {
    /// `clCreateProgramWithBuiltInKernels`; the names are separated by semicolons.
    ///
    /// # Errors
    /// `InvalidValue`: no device has a kernel of one of the names.
    pub fn from_built_in_kernels(
        context: &Arc<Context>,
        devices: &[Arc<Device>],
        names: &str,
    ) -> Result<Arc<Self>> {
        let mut wanted: Vec<&str> = Vec::new();
        for name in names.split(';').map(str::trim) {
            if !wanted.contains(&name) {
                wanted.push(name);
            }
        }
        let products: Vec<Product> = devices
            .iter()
            .map(|device| {
                let kernels = BuiltInKernels::named(device, &wanted);
                kernels.map_or(Product::None, Product::BuiltIn)
            })
            .collect();
        let is_known = |name: &&str| {
            let kernels = products.iter().filter_map(Product::code);
            kernels
                .flat_map(|code| code.kernels().to_vec())
                .any(|one| one.name == **name)
        };
        if let Some(unknown) = wanted.iter().find(|name| !is_known(name)) {
            return Err(Error::new(
                Code::InvalidValue,
                format!("the devices have no built-in kernel `{unknown}`"),
            ));
        }
        let devices = devices.iter().cloned();
        let given = products.into_iter().map(|product| (product, None));
        Ok(Self::new(context, None, devices.zip(given).collect()))
    }
}
