//! The default floating-point environment (C11, 7.6): round to nearest, subnormal numbers kept,
//! exceptions masked. OpenCL C requires it of kernels (OpenCL 1.2, 7.1 and 7.2).
//!
//! The environment belongs to a thread, and threads of the host program run commands and compile.
//! A program linked with `-ffast-math` flushes subnormal numbers to zero; others change the rounding
//! mode or trap. So the platform's work sets the default environment and afterwards restores that of
//! the thread, including its exception flags.

/// Runs `body` in the default environment. Changes made by `body` are undone afterwards.
pub fn in_default_environment<R>(body: impl FnOnce() -> R) -> R {
    let _default = DefaultEnvironment::begin();
    out_of_line(body)
}

/// Keeps this thread in the default environment until it is dropped. Only calls of functions that
/// are not inlined compute in it for certain: see `in_default_environment`.
pub struct DefaultEnvironment {
    _replaced: registers::Replaced,
}

impl DefaultEnvironment {
    /// Sets the default environment.
    #[must_use]
    pub fn begin() -> Self {
        Self {
            _replaced: registers::Replaced::begin(),
        }
    }
}

/// A call that arithmetic is not moved across: the compiler does not model the environment.
#[inline(never)]
fn out_of_line<R>(body: impl FnOnce() -> R) -> R {
    body()
}

#[cfg(target_arch = "x86_64")]
mod registers {
    use std::arch::asm;

    /// MXCSR of a new process: all exceptions masked (Intel SDM, volume 1, 10.2.3).
    static MXCSR: u32 = 0x1F80;

    /// The x87 control word of a new process (x86-64 psABI, 3.2.1). The C library reads the
    /// rounding of `printf` from it.
    static CONTROL: u16 = 0x037F;

    /// The x87 environment as `fnstenv` stores it.
    #[derive(Clone, Copy, Default)]
    struct X87 {
        _words: [u32; 7],
    }

    /// The replaced environment, which is restored on drop.
    pub struct Replaced {
        mxcsr: u32,
        /// Saved only if its control word was not the default one.
        x87: Option<X87>,
    }

    impl Replaced {
        pub fn begin() -> Self {
            let mut mxcsr = 0;
            // SAFETY: stores the register, and loads a value without reserved bits.
            unsafe {
                asm!("stmxcsr [{}]", in(reg) &raw mut mxcsr, options(nostack, preserves_flags));
                asm!("ldmxcsr [{}]", in(reg) &raw const MXCSR, options(nostack, preserves_flags));
            }
            let x87 = (control() != CONTROL).then(|| {
                let mut x87 = X87::default();
                // SAFETY: stores 28 bytes; nothing is on the x87 stack here (psABI, 3.2.1).
                unsafe {
                    asm!("fnstenv [{}]", in(reg) &raw mut x87, options(nostack));
                }
                set_default();
                x87
            });
            Self { mxcsr, x87 }
        }
    }

    impl Drop for Replaced {
        fn drop(&mut self) {
            // SAFETY: what was stored in `begin`.
            unsafe {
                asm!("ldmxcsr [{}]", in(reg) &raw const self.mxcsr,
                    options(nostack, preserves_flags));
            }
            match &self.x87 {
                // SAFETY: what was stored in `begin`.
                Some(x87) => unsafe {
                    asm!("fldenv [{}]", in(reg) std::ptr::from_ref(x87), options(nostack));
                },
                None if control() != CONTROL => set_default(),
                None => (),
            }
        }
    }

    fn control() -> u16 {
        let mut control = 0;
        // SAFETY: stores two bytes.
        unsafe {
            asm!("fnstcw [{}]", in(reg) &raw mut control, options(nostack, preserves_flags));
        }
        control
    }

    fn set_default() {
        // SAFETY: no exception is left that the new control word could let through.
        unsafe {
            asm!("fnclex", "fldcw [{}]", in(reg) &raw const CONTROL, options(nostack));
        }
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod registers {
    /// Kernels are compiled for x86-64 only.
    pub struct Replaced;

    impl Replaced {
        pub fn begin() -> Self {
            Self
        }
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::in_default_environment;
    use std::hint::black_box;

    // C11, 7.6; values of x86-64.
    const UPWARD: i32 = 0x800;
    const NEAREST: i32 = 0;
    const DIVISION_BY_ZERO: i32 = 4;
    const ALL: i32 = 0x3D;

    unsafe extern "C" {
        safe fn fesetround(rounding: i32) -> i32;
        safe fn fegetround() -> i32;
        safe fn feclearexcept(exceptions: i32) -> i32;
        safe fn fetestexcept(exceptions: i32) -> i32;
        safe fn feenableexcept(exceptions: i32) -> i32;
        safe fn fedisableexcept(exceptions: i32) -> i32;
        safe fn fegetexcept() -> i32;
    }

    fn sum_rounds_up() -> bool {
        black_box(1.0f64) + black_box(1e-30) > 1.0
    }

    #[test]
    fn rounding_is_the_default_inside_and_the_callers_outside() {
        fesetround(UPWARD);
        let inside = in_default_environment(|| (sum_rounds_up(), fegetround()));
        let outside = (sum_rounds_up(), fegetround());
        fesetround(NEAREST);
        assert_eq!(inside, (false, NEAREST));
        assert_eq!(outside, (true, UPWARD));
    }

    #[test]
    fn exceptions_do_not_trap_inside_and_leave_no_flags() {
        for traps in [0, ALL] {
            feclearexcept(ALL);
            feenableexcept(traps);
            let quotient = in_default_environment(|| black_box(1.0f64) / black_box(0.0));
            let (flags, enabled) = (fetestexcept(ALL), fegetexcept());
            fedisableexcept(ALL);
            assert!(quotient.is_infinite());
            assert_eq!((flags, enabled), (0, traps));
        }
    }

    #[test]
    fn what_the_work_changes_ends_with_it() {
        let flags = fetestexcept(ALL);
        in_default_environment(|| {
            fesetround(UPWARD);
            feenableexcept(DIVISION_BY_ZERO);
        });
        assert_eq!((fegetround(), fegetexcept()), (NEAREST, 0));
        assert_eq!(fetestexcept(ALL), flags);
    }

    #[test]
    fn the_environment_is_restored_after_a_panic() {
        fesetround(UPWARD);
        let outcome = std::panic::catch_unwind(|| in_default_environment(|| panic!("a test's")));
        let rounding = fegetround();
        fesetround(NEAREST);
        assert!(outcome.is_err());
        assert_eq!(rounding, UPWARD);
    }
}
