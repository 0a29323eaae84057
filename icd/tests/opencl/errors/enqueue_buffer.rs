//! Commands on buffers and on memory objects of any kind.
