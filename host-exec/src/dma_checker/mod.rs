//! Accesses that overlap a DMA transfer which has not been waited for (`MOCL3_CHECK=dma`): on the
//! machine the bytes may not have been written, or read, yet. Checked code compares each access with
//! the [`watched`] memory of the group and leaves those within it to the [`checker`], which knows the
//! rows of the [`pending`] transfers. Transfers are nevertheless performed at once.

pub mod checker;
mod debugger;
pub mod pending;
pub mod watched;
