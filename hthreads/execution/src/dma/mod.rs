//! DMA transfers: their shapes, what the engine refuses, and channels. A transfer copies when it is
//! started; a channel is in use until the program waits for it.

pub mod channels;
pub mod transfer;
