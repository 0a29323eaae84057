//! Samplers (OpenCL 1.2, section 5.5).

use crate::abi::entry_point::Call;
use crate::abi::function_table::call::{
    clCreateSampler, clGetSamplerInfo, clReleaseSampler, clRetainSampler,
};
use crate::abi::handle;
use crate::api::context;
use crate::api::info::{Destination, unknown_query};
use cl_sys::{
    CL_FALSE, CL_SAMPLER_ADDRESSING_MODE, CL_SAMPLER_CONTEXT, CL_SAMPLER_FILTER_MODE,
    CL_SAMPLER_NORMALIZED_COORDS, CL_SAMPLER_REFERENCE_COUNT, CL_TRUE,
};
use runtime::error::{Code, Error, Result};
use runtime::memory::sampler::{AddressingMode, FilterMode, Sampler};
use std::ffi::c_void;

impl Call for clCreateSampler {
    type Output = Result<*mut c_void>;
    fn call(self) -> Self::Output {
        let context = context::for_new_objects(self.context)?;
        if !matches!(self.normalized_coords, CL_TRUE | CL_FALSE) {
            return Err(Error::new(
                Code::InvalidValue,
                format!("normalized_coords is {}", self.normalized_coords),
            ));
        }
        Ok(handle::publish(Sampler::new(
            &context,
            self.normalized_coords == CL_TRUE,
            AddressingMode::from_value(self.addressing_mode)?,
            FilterMode::from_value(self.filter_mode)?,
        )?))
    }
}

impl Call for clRetainSampler {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        handle::retain::<Sampler>(self.sampler)
    }
}

impl Call for clReleaseSampler {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        handle::release::<Sampler>(self.sampler)
    }
}

impl Call for clGetSamplerInfo {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        let sampler = handle::object::<Sampler>(self.sampler)?;
        let destination = Destination::new(
            self.param_value_size,
            self.param_value,
            self.param_value_size_ret,
        );
        match self.param_name {
            CL_SAMPLER_REFERENCE_COUNT => destination.write(handle::reference_count(&sampler)),
            CL_SAMPLER_CONTEXT => destination.write(handle::handle_of(sampler.context())),
            CL_SAMPLER_NORMALIZED_COORDS => destination.write(sampler.normalized_coords()),
            CL_SAMPLER_ADDRESSING_MODE => destination.write(sampler.addressing_mode() as u32),
            CL_SAMPLER_FILTER_MODE => destination.write(sampler.filter_mode() as u32),
            other => unknown_query(other),
        }
    }
}
