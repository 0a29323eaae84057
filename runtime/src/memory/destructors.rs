//! Destructor callbacks of memory objects (`clSetMemObjectDestructorCallback`).

use crate::execution::callbacks;
use crate::fault;
use parking_lot::Mutex;

type Callback = Box<dyn FnOnce() + Send>;

/// The callbacks registered for a memory object.
#[derive(Default)]
pub(crate) struct Destructors(Mutex<Vec<Callback>>);

impl Destructors {
    pub fn add(&self, callback: Callback) {
        self.0.lock().push(callback);
    }

    /// "The registered user callback functions are called in the reverse order in which
    /// they were registered" (5.4.1), when no command uses the memory. `memory`, the object's data
    /// store and parents, is dropped after they have returned.
    pub fn run(&mut self, memory: impl Send + 'static) {
        let callbacks = std::mem::take(self.0.get_mut());
        if callbacks.is_empty() || !fault::destructors_are_called() {
            return;
        }
        callbacks::call(move || {
            for callback in callbacks.into_iter().rev() {
                callback();
            }
            drop(memory);
        });
    }
}
