//! Image processing and rendering.

pub mod colour_conversion;
pub mod dct;
pub mod gaussian_blur;
pub mod image_layers;
pub mod image_resize;
pub mod label_components;
pub mod mandelbrot;
pub mod median_filter;
pub mod ray_tracer;
pub mod sobel;
pub mod tone_mapping;
pub mod volume_projection;
