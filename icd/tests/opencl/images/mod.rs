//! Images and samplers, and the commands on them, compared with a plain model: a list of
//! pixels.

mod arguments;
pub mod calls;
mod copies;
mod creation;
mod fills;
mod formats;
mod host_memory;
mod kernels;
mod large;
mod maps;
mod memory_objects;
pub mod model;
mod of_buffers;
mod queries;
mod samplers;
mod sequences;
mod transfers;
mod views;

use crate::session::{Session, made, ok, refused};
use cl_sys::*;
use error_cases::images::create_image_2d;
use model::*;
use std::ptr::{null, null_mut};
