//! The machine's floating-point environment: round to nearest, denormal numbers count as zero.

use crate::arithmetic::ArithmeticExceptions;

/// The environment of this thread of the host while it executes device code; restored when dropped.
pub struct DeviceEnvironment {
    before: u32,
}

/// MXCSR (Intel SDM, volume 1, 10.2.3): exceptions masked, flush to zero, denormals are zero.
const MXCSR: u32 = 0x1F80 | 1 << 15 | 1 << 6;

/// The bits of exceptions that were raised.
const RAISED: u32 = 0x3F;

impl DeviceEnvironment {
    /// Sets the environment.
    #[must_use]
    pub fn begin() -> Self {
        let before = get();
        set(MXCSR);
        Self { before }
    }
}

impl Drop for DeviceEnvironment {
    fn drop(&mut self) {
        set(self.before);
    }
}

/// The exceptions of arithmetic that operations have raised since the last call, or since the environment was
/// set.
pub fn take_raised() -> ArithmeticExceptions {
    let raised = get() & RAISED;
    set(MXCSR);
    ArithmeticExceptions(raised)
}

fn get() -> u32 {
    let mut value = 0;
    // SAFETY: stores the register.
    unsafe {
        std::arch::asm!("stmxcsr [{}]", in(reg) &raw mut value,
            options(nostack, preserves_flags));
    }
    value
}

fn set(value: u32) {
    // SAFETY: loads a value without reserved bits.
    unsafe {
        std::arch::asm!("ldmxcsr [{}]", in(reg) &raw const value,
            options(nostack, preserves_flags));
    }
}
