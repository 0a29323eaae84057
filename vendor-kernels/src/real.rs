//! Numbers that kernels compute with.

use built_in_kernels::Element;
use num_traits::{Float, NumAssign};
use once_cell::sync::Lazy;
use parking_lot::Mutex;
use rustfft::{Fft, FftDirection, FftNum, FftPlanner};
use std::fmt::Debug;
use std::iter::Sum;
use std::sync::Arc;

/// A matrix: its first element, and the distances of rows and of columns.
#[derive(Clone, Copy)]
pub struct Strided<P> {
    pub start: P,
    pub rows: isize,
    pub columns: isize,
}

/// Single or double precision.
pub trait Real: Float + NumAssign + FftNum + Sum + Debug + bytemuck::Pod {
    /// The type of arrays that need no conversion.
    const ELEMENT: Element;

    /// C = alpha A B + beta C, where A has `m` rows and `k` columns, and B `n` columns. With a `beta` of 0, C is
    /// not read.
    ///
    /// # Safety
    /// The matrices have their elements, and C overlaps neither A nor B.
    unsafe fn multiply(
        size: [usize; 3],
        alpha: Self,
        a: Strided<*const Self>,
        b: Strided<*const Self>,
        beta: Self,
        c: Strided<*mut Self>,
    );

    /// The plan of a Fourier transform.
    fn transform(points: usize, direction: FftDirection) -> Arc<dyn Fft<Self>>;

    /// The number of double precision.
    fn widen(self) -> f64;

    /// The nearest number.
    fn narrow(number: f64) -> Self;
}

macro_rules! real {
    ($number:ty, $element:ident, $multiply:path) => {
        impl Real for $number {
            const ELEMENT: Element = Element::$element;

            unsafe fn multiply(
                [m, k, n]: [usize; 3],
                alpha: Self,
                a: Strided<*const Self>,
                b: Strided<*const Self>,
                beta: Self,
                c: Strided<*mut Self>,
            ) {
                // SAFETY: as the caller promises.
                unsafe {
                    $multiply(
                        m, k, n, alpha, a.start, a.rows, a.columns, b.start, b.rows, b.columns,
                        beta, c.start, c.rows, c.columns,
                    );
                }
            }

            fn transform(points: usize, direction: FftDirection) -> Arc<dyn Fft<Self>> {
                static PLANNER: Lazy<Mutex<FftPlanner<$number>>> =
                    Lazy::new(|| Mutex::new(FftPlanner::new()));
                PLANNER.lock().plan_fft(points, direction)
            }

            fn widen(self) -> f64 {
                self.into()
            }

            fn narrow(number: f64) -> Self {
                number as Self
            }
        }
    };
}

real!(f32, Single, matrixmultiply::sgemm);
real!(f64, Double, matrixmultiply::dgemm);
