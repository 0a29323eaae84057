//! Commands on images.
