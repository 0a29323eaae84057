//! `MOCL3_CHECK=api`: calls that return an error, and objects that are not released when the process
//! ends.

mod leaks;
mod probes;

use crate::abi::handle::{self, Shared};
use runtime::check::api;
use runtime::context::Context;
use runtime::error::Error;
use runtime::event::Event;
use runtime::kernel::Kernel;
use runtime::memory::buffer::Buffer;
use runtime::memory::image::Image;
use runtime::memory::sampler::Sampler;
use runtime::program::Program;
use runtime::queue::CommandQueue;
use std::sync::Arc;

/// Reports that a call of `name` with `arguments`, their types and values, returned an error.
pub fn failed(name: &str, error: &Error, arguments: &[(&'static str, u64)]) {
    if !api::is_on() || probes::is_probe(name, error) {
        return;
    }
    let objects: Vec<_> = arguments
        .iter()
        .filter(|(kind, _)| kind.starts_with("cl_"))
        .filter_map(|(_, word)| handle::any(*word as usize))
        .collect();
    let context = objects.iter().find_map(context_of);
    let mut kernels = objects.iter().filter_map(|object| object.downcast_ref());
    let kernel = kernels
        .next()
        .map_or("", |kernel: &Kernel| &kernel.interface().name);
    let message = format!("{name} returned {error}");
    api::report_error(name, kernel, message, context);
}

macro_rules! context_of {
    ($object:ident: $($type:ty),*) => {
        $(if let Some(object) = $object.downcast_ref::<$type>() {
            return Some(Arc::clone(object.context()));
        })*
    };
}

/// The context that an object is or belongs to; none for devices.
fn context_of(object: &Shared) -> Option<Arc<Context>> {
    context_of!(object: CommandQueue, Buffer, Image, Sampler, Program, Kernel, Event);
    Arc::clone(object).downcast().ok()
}
