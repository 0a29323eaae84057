//! The machine's floating-point environment: round to nearest, denormal numbers count as zero.

/// The environment of this thread of the host while it executes device code; restored when dropped.
pub struct DeviceEnvironment {
    before: u32,
}

/// MXCSR (Intel SDM, volume 1, 10.2.3): exceptions masked, flush to zero, denormals are zero.
const MXCSR: u32 = 0x1F80 | 1 << 15 | 1 << 6;

impl DeviceEnvironment {
    /// Sets the environment.
    #[must_use]
    pub fn begin() -> Self {
        let mut before = 0;
        // SAFETY: stores the register, and loads a value without reserved bits.
        unsafe {
            std::arch::asm!("stmxcsr [{}]", in(reg) &raw mut before,
                options(nostack, preserves_flags));
        }
        set(MXCSR);
        Self { before }
    }
}

impl Drop for DeviceEnvironment {
    fn drop(&mut self) {
        set(self.before);
    }
}

fn set(value: u32) {
    // SAFETY: loads a value without reserved bits.
    unsafe {
        std::arch::asm!("ldmxcsr [{}]", in(reg) &raw const value,
            options(nostack, preserves_flags));
    }
}
