//! The slot in which the C API keeps an object's handle.

use once_cell::sync::OnceCell;
use std::any::Any;

/// Filled once by the C API, and dropped with the object: the drop notifies the C API of
/// the object's end.
#[derive(Default)]
pub struct HandleSlot(OnceCell<Box<dyn Any + Send + Sync>>);

impl HandleSlot {
    /// The content of the slot, stored now by `make` if the slot is empty.
    pub fn get_or_init<T: Any + Send + Sync>(&self, make: impl FnOnce() -> T) -> Option<&T> {
        self.0.get_or_init(|| Box::new(make())).downcast_ref()
    }
}

/// An object that the host program can have a handle of.
pub trait HasHandle: Send + Sync + 'static {
    /// The object's slot.
    fn handle_slot(&self) -> &HandleSlot;
}
