//! Instructions and functions that are erased, but not freed before the epoch ends.

use llvm_sys::prelude::LLVMValueRef;
use std::cell::RefCell;
use std::collections::BTreeSet;

unsafe extern "C" {
    fn mocl3_bury(value: LLVMValueRef);
    fn mocl3_free_buried(values: *const LLVMValueRef, count: usize);
}

thread_local! {
    static BURIED: RefCell<BTreeSet<LLVMValueRef>> = const { RefCell::new(BTreeSet::new()) };
}

/// Unlinks an instruction or a function, replaces its uses by poison, and empties its operands.
///
/// # Safety
/// It is a live instruction or function of this thread, which nothing frees before the epoch ends.
pub unsafe fn bury(value: LLVMValueRef) {
    // SAFETY: as the caller guarantees.
    unsafe { mocl3_bury(value) };
    BURIED.with_borrow_mut(|buried| buried.insert(value));
}

/// Frees what is buried and was not inserted again.
pub fn free() {
    let buried = BURIED.with_borrow_mut(std::mem::take);
    if buried.is_empty() {
        return;
    }
    let buried: Vec<LLVMValueRef> = buried.into_iter().collect();
    // SAFETY: each was buried once in the epoch that has ended, so that nothing has freed it, and
    // no handle of it can be used.
    unsafe { mocl3_free_buried(buried.as_ptr(), buried.len()) }
}
