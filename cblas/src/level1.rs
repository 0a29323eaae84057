//! Level 1: vectors. Arguments are not checked, as in the reference; without elements nothing is done.

use crate::call::{dense, number, result, run, size, vector};
use crate::errors::Failure;
use crate::givens;
use crate::real::Real;
use std::ffi::c_int;

type Outcome<R = ()> = Result<R, Failure>;

exports! {
    cblas_srotg cblas_drotg = rotg(a: *mut T, b: *mut T, c: *mut T, s: *mut T);
    cblas_srotmg cblas_drotmg = rotmg(d1: *mut T, d2: *mut T, b1: *mut T, b2: T, p: *mut T);
    cblas_srot cblas_drot = rot(n: c_int, x: *mut T, incx: c_int, y: *mut T, incy: c_int, c: T, s: T);
    cblas_srotm cblas_drotm = rotm(n: c_int, x: *mut T, incx: c_int, y: *mut T, incy: c_int, p: *const T);
    cblas_sswap cblas_dswap = swap(n: c_int, x: *mut T, incx: c_int, y: *mut T, incy: c_int);
    cblas_sscal cblas_dscal = scal(n: c_int, alpha: T, x: *mut T, incx: c_int);
    cblas_scopy cblas_dcopy = copy(n: c_int, x: *const T, incx: c_int, y: *mut T, incy: c_int);
    cblas_saxpy cblas_daxpy = axpy(n: c_int, alpha: T, x: *const T, incx: c_int, y: *mut T, incy: c_int);
    cblas_sdot cblas_ddot = dot(n: c_int, x: *const T, incx: c_int, y: *const T, incy: c_int) -> T;
    cblas_snrm2 cblas_dnrm2 = nrm2(n: c_int, x: *const T, incx: c_int) -> T;
    cblas_sasum cblas_dasum = asum(n: c_int, x: *const T, incx: c_int) -> T;
    cblas_isamax cblas_idamax = amax(n: c_int, x: *const T, incx: c_int) -> usize;
}

exports!(@function cblas_dsdot dsdot, (
    n: c_int, x: *const f32, incx: c_int, y: *const f32, incy: c_int
) -> f64);
exports!(@function cblas_sdsdot sdsdot, (
    n: c_int, alpha: f32, x: *const f32, incx: c_int, y: *const f32, incy: c_int
) -> f32);

// The functions below have the preconditions of those of CBLAS: arrays have the elements that their sizes and
// increments imply.

unsafe fn rotg<T: Real>(a: *mut T, b: *mut T, c: *mut T, s: *mut T) -> Outcome {
    // SAFETY: as the caller promises.
    unsafe { (*a, *b, *c, *s) = givens::rotation(*a, *b) };
    Ok(())
}

unsafe fn rotmg<T: Real>(d1: *mut T, d2: *mut T, b1: *mut T, b2: T, p: *mut T) -> Outcome {
    // SAFETY: as the caller promises.
    unsafe {
        let modified = givens::modified(*d1, *d2, *b1, b2);
        (*d1, *d2, *b1) = modified.scales;
        for (place, element) in modified.parameters() {
            *p.add(place) = element;
        }
    }
    Ok(())
}

unsafe fn rot<T: Real>(
    n: c_int,
    x: *mut T,
    incx: c_int,
    y: *mut T,
    incy: c_int,
    c: T,
    s: T,
) -> Outcome {
    if n <= 0 {
        return Ok(());
    }
    let (x, y) = (vector(x, n, incx).written(), vector(y, n, incy).written());
    // SAFETY: as the caller promises.
    unsafe { run::<T>("?rot", &[size(n), x, y, number(c), number(s)]) }
}

unsafe fn rotm<T: Real>(
    n: c_int,
    x: *mut T,
    incx: c_int,
    y: *mut T,
    incy: c_int,
    p: *const T,
) -> Outcome {
    // SAFETY: as the caller promises; the flag of -2 is that of the identity.
    if n <= 0 || unsafe { *p } == T::from(-2.0) {
        return Ok(());
    }
    let (x, y) = (vector(x, n, incx).written(), vector(y, n, incy).written());
    // SAFETY: as the caller promises.
    unsafe { run::<T>("?rotm", &[size(n), x, y, dense(p, 5)]) }
}

unsafe fn swap<T: Real>(n: c_int, x: *mut T, incx: c_int, y: *mut T, incy: c_int) -> Outcome {
    if n <= 0 {
        return Ok(());
    }
    let (x, y) = (vector(x, n, incx).written(), vector(y, n, incy).written());
    // SAFETY: as the caller promises.
    unsafe { run::<T>("?swap", &[size(n), x, y]) }
}

unsafe fn scal<T: Real>(n: c_int, alpha: T, x: *mut T, incx: c_int) -> Outcome {
    if n <= 0 || incx <= 0 {
        return Ok(());
    }
    let x = vector(x, n, incx).written();
    // SAFETY: as the caller promises.
    unsafe { run::<T>("?scal", &[size(n), number(alpha), x]) }
}

unsafe fn copy<T: Real>(n: c_int, x: *const T, incx: c_int, y: *mut T, incy: c_int) -> Outcome {
    if n <= 0 {
        return Ok(());
    }
    let y = vector(y, n, incy).written();
    // SAFETY: as the caller promises.
    unsafe { run::<T>("?copy", &[size(n), vector(x, n, incx), y]) }
}

unsafe fn axpy<T: Real>(
    n: c_int,
    alpha: T,
    x: *const T,
    incx: c_int,
    y: *mut T,
    incy: c_int,
) -> Outcome {
    if n <= 0 || alpha == T::default() {
        return Ok(());
    }
    let y = vector(y, n, incy).written();
    // SAFETY: as the caller promises.
    unsafe { run::<T>("?axpy", &[size(n), number(alpha), vector(x, n, incx), y]) }
}

unsafe fn dot<T: Real>(n: c_int, x: *const T, incx: c_int, y: *const T, incy: c_int) -> Outcome<T> {
    // SAFETY: as the caller promises.
    unsafe { product::<T, T>("?dot", n, (x, incx), (y, incy)) }
}

unsafe fn dsdot(n: c_int, x: *const f32, incx: c_int, y: *const f32, incy: c_int) -> Outcome<f64> {
    // SAFETY: as the caller promises.
    unsafe { product::<f32, f64>("dsdot", n, (x, incx), (y, incy)) }
}

unsafe fn sdsdot(
    n: c_int,
    alpha: f32,
    x: *const f32,
    incx: c_int,
    y: *const f32,
    incy: c_int,
) -> Outcome<f32> {
    // SAFETY: as the caller promises.
    let product = unsafe { product::<f32, f64>("dsdot", n, (x, incx), (y, incy))? };
    Ok((f64::from(alpha) + product) as f32)
}

unsafe fn product<T: Real, R: Real>(
    kernel: &str,
    n: c_int,
    (x, incx): (*const T, c_int),
    (y, incy): (*const T, c_int),
) -> Outcome<R> {
    let mut sum = R::default();
    if n > 0 {
        let (x, y) = (vector(x, n, incx), vector(y, n, incy));
        // SAFETY: as the caller promises.
        unsafe { run::<T>(kernel, &[size(n), x, y, result(&mut sum)])? };
    }
    Ok(sum)
}

unsafe fn nrm2<T: Real>(n: c_int, x: *const T, incx: c_int) -> Outcome<T> {
    let mut norm = T::default();
    if n > 0 {
        // SAFETY: as the caller promises.
        unsafe { run::<T>("?nrm2", &[size(n), vector(x, n, incx), result(&mut norm)])? };
    }
    Ok(norm)
}

unsafe fn asum<T: Real>(n: c_int, x: *const T, incx: c_int) -> Outcome<T> {
    let mut sum = T::default();
    if n > 0 && incx > 0 {
        // SAFETY: as the caller promises.
        unsafe { run::<T>("?asum", &[size(n), vector(x, n, incx), result(&mut sum)])? };
    }
    Ok(sum)
}

unsafe fn amax<T: Real>(n: c_int, x: *const T, incx: c_int) -> Outcome<usize> {
    let mut place: c_int = 0;
    if n > 0 && incx > 0 {
        // SAFETY: as the caller promises.
        unsafe { run::<T>("i?amax", &[size(n), vector(x, n, incx), result(&mut place)])? };
    }
    Ok(place.max(0).unsigned_abs() as usize)
}
