//! Image functions, compared with a reference that follows the specification literally, on images
//! with descriptors made by hand.

mod access;
mod formats;
mod launch;
mod misuse;
mod pixels;
mod reference;
mod sampling;
