//! The slot in which the layer above keeps what it knows an object by.

use once_cell::sync::OnceCell;
use std::any::Any;

/// Filled once by the client (the C interface puts the handle there); dropped with
/// the object, which is how the client learns that the object is gone.
#[derive(Default)]
pub struct HandleSlot(OnceCell<Box<dyn Any + Send + Sync>>);

impl HandleSlot {
    /// What the client stored, stored now by `make` if the slot is empty.
    pub fn get_or_init<T: Any + Send + Sync>(&self, make: impl FnOnce() -> T) -> Option<&T> {
        self.0.get_or_init(|| Box::new(make())).downcast_ref()
    }
}

/// An object that clients refer to.
pub trait HasHandle: Send + Sync + 'static {
    /// Its slot.
    fn handle_slot(&self) -> &HandleSlot;
}
