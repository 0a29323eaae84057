//! Level 2: a matrix and vectors.

use crate::call::{flag, matrix, number, size, triangle, vector};
use crate::order::{Layout, at, changes_nothing, count, increment, leading, unit};
use std::ffi::c_int;

mod general {
    use super::*;

    launches! {
        "?gemv" cblas_sgemv cblas_dgemv = gemv(
            layout: c_int, trans: c_int, m: c_int, n: c_int, alpha: T, a: *const T, lda: c_int, x: *const T,
            incx: c_int, beta: T, y: *mut T, incy: c_int,
        ) {
            let layout = Layout::of(layout)?;
            let trans = layout.transposed("TransA", at(2, trans))?;
            let (m, n) = layout.swap(at(3, m), at(4, n));
            let (m, n) = (count(m)?, count(n)?);
            let lda = leading(at(7, lda), m.into())?;
            let (incx, incy) = (increment(at(9, incx))?, increment(at(12, incy))?);
            if m == 0 || n == 0 || changes_nothing(alpha, beta) {
                return Ok(None);
            }
            let (of_x, of_y) = if trans { (m, n) } else { (n, m) };
            let (a, x, y) = (matrix(a, m, n, lda), vector(x, of_x, incx), vector(y, of_y, incy));
            Ok(Some([flag(trans), size(m), size(n), number(alpha), a, x, number(beta), y.written()]))
        }

        "?gbmv" cblas_sgbmv cblas_dgbmv = gbmv(
            layout: c_int, trans: c_int, m: c_int, n: c_int, kl: c_int, ku: c_int, alpha: T, a: *const T,
            lda: c_int, x: *const T, incx: c_int, beta: T, y: *mut T, incy: c_int,
        ) {
            let layout = Layout::of(layout)?;
            let trans = layout.transposed("TransA", at(2, trans))?;
            let (m, n) = layout.swap(at(3, m), at(4, n));
            let (kl, ku) = layout.swap(at(5, kl), at(6, ku));
            let (m, n, kl, ku) = (count(m)?, count(n)?, count(kl)?, count(ku)?);
            let lda = leading(at(9, lda), i64::from(kl) + i64::from(ku) + 1)?;
            let (incx, incy) = (increment(at(11, incx))?, increment(at(14, incy))?);
            if m == 0 || n == 0 || changes_nothing(alpha, beta) {
                return Ok(None);
            }
            let (of_x, of_y) = if trans { (m, n) } else { (n, m) };
            let (a, x, y) = (matrix(a, lda, n, lda), vector(x, of_x, incx), vector(y, of_y, incy));
            let [m, n, kl, ku] = [m, n, kl, ku].map(size);
            Ok(Some([flag(trans), m, n, kl, ku, number(alpha), a, x, number(beta), y.written()]))
        }

        "?ger" cblas_sger cblas_dger = ger(
            layout: c_int, m: c_int, n: c_int, alpha: T, x: *const T, incx: c_int, y: *const T, incy: c_int,
            a: *mut T, lda: c_int,
        ) {
            let layout = Layout::of(layout)?;
            let (m, n) = layout.swap(at(2, m), at(3, n));
            let (m, n) = (count(m)?, count(n)?);
            let ((x, incx), (y, incy)) = layout.swap((x, at(6, incx)), (y, at(8, incy)));
            let (incx, incy) = (increment(incx)?, increment(incy)?);
            let lda = leading(at(10, lda), m.into())?;
            if m == 0 || n == 0 || alpha == T::default() {
                return Ok(None);
            }
            let (x, y, a) = (vector(x, m, incx), vector(y, n, incy), matrix(a, m, n, lda));
            Ok(Some([size(m), size(n), number(alpha), x, y, a.written()]))
        }
    }
}

mod symmetric {
    use super::*;

    launches! {
        "?symv" cblas_ssymv cblas_dsymv = symv(
            layout: c_int, uplo: c_int, n: c_int, alpha: T, a: *const T, lda: c_int, x: *const T, incx: c_int,
            beta: T, y: *mut T, incy: c_int,
        ) {
            let upper = Layout::of(layout)?.upper(at(2, uplo))?;
            let n = count(at(3, n))?;
            let lda = leading(at(6, lda), n.into())?;
            let (incx, incy) = (increment(at(8, incx))?, increment(at(11, incy))?);
            if n == 0 || changes_nothing(alpha, beta) {
                return Ok(None);
            }
            let (a, x, y) = (matrix(a, n, n, lda), vector(x, n, incx), vector(y, n, incy));
            Ok(Some([flag(upper), size(n), number(alpha), a, x, number(beta), y.written()]))
        }

        "?sbmv" cblas_ssbmv cblas_dsbmv = sbmv(
            layout: c_int, uplo: c_int, n: c_int, k: c_int, alpha: T, a: *const T, lda: c_int, x: *const T,
            incx: c_int, beta: T, y: *mut T, incy: c_int,
        ) {
            let upper = Layout::of(layout)?.upper(at(2, uplo))?;
            let (n, k) = (count(at(3, n))?, count(at(4, k))?);
            let lda = leading(at(7, lda), i64::from(k) + 1)?;
            let (incx, incy) = (increment(at(9, incx))?, increment(at(12, incy))?);
            if n == 0 || changes_nothing(alpha, beta) {
                return Ok(None);
            }
            let (a, x, y) = (matrix(a, lda, n, lda), vector(x, n, incx), vector(y, n, incy));
            Ok(Some([flag(upper), size(n), size(k), number(alpha), a, x, number(beta), y.written()]))
        }

        "?spmv" cblas_sspmv cblas_dspmv = spmv(
            layout: c_int, uplo: c_int, n: c_int, alpha: T, a: *const T, x: *const T, incx: c_int, beta: T,
            y: *mut T, incy: c_int,
        ) {
            let upper = Layout::of(layout)?.upper(at(2, uplo))?;
            let n = count(at(3, n))?;
            let (incx, incy) = (increment(at(7, incx))?, increment(at(10, incy))?);
            if n == 0 || changes_nothing(alpha, beta) {
                return Ok(None);
            }
            let (a, x, y) = (triangle(a, n), vector(x, n, incx), vector(y, n, incy));
            Ok(Some([flag(upper), size(n), number(alpha), a, x, number(beta), y.written()]))
        }

        "?syr" cblas_ssyr cblas_dsyr = syr(
            layout: c_int, uplo: c_int, n: c_int, alpha: T, x: *const T, incx: c_int, a: *mut T, lda: c_int,
        ) {
            let upper = Layout::of(layout)?.upper(at(2, uplo))?;
            let n = count(at(3, n))?;
            let incx = increment(at(6, incx))?;
            let lda = leading(at(8, lda), n.into())?;
            if n == 0 || alpha == T::default() {
                return Ok(None);
            }
            let (x, a) = (vector(x, n, incx), matrix(a, n, n, lda));
            Ok(Some([flag(upper), size(n), number(alpha), x, a.written()]))
        }

        "?spr" cblas_sspr cblas_dspr = spr(
            layout: c_int, uplo: c_int, n: c_int, alpha: T, x: *const T, incx: c_int, a: *mut T,
        ) {
            let upper = Layout::of(layout)?.upper(at(2, uplo))?;
            let n = count(at(3, n))?;
            let incx = increment(at(6, incx))?;
            if n == 0 || alpha == T::default() {
                return Ok(None);
            }
            let (x, a) = (vector(x, n, incx), triangle(a, n));
            Ok(Some([flag(upper), size(n), number(alpha), x, a.written()]))
        }

        "?syr2" cblas_ssyr2 cblas_dsyr2 = syr2(
            layout: c_int, uplo: c_int, n: c_int, alpha: T, x: *const T, incx: c_int, y: *const T, incy: c_int,
            a: *mut T, lda: c_int,
        ) {
            let upper = Layout::of(layout)?.upper(at(2, uplo))?;
            let n = count(at(3, n))?;
            let (incx, incy) = (increment(at(6, incx))?, increment(at(8, incy))?);
            let lda = leading(at(10, lda), n.into())?;
            if n == 0 || alpha == T::default() {
                return Ok(None);
            }
            let (x, y, a) = (vector(x, n, incx), vector(y, n, incy), matrix(a, n, n, lda));
            Ok(Some([flag(upper), size(n), number(alpha), x, y, a.written()]))
        }

        "?spr2" cblas_sspr2 cblas_dspr2 = spr2(
            layout: c_int, uplo: c_int, n: c_int, alpha: T, x: *const T, incx: c_int, y: *const T, incy: c_int,
            a: *mut T,
        ) {
            let upper = Layout::of(layout)?.upper(at(2, uplo))?;
            let n = count(at(3, n))?;
            let (incx, incy) = (increment(at(6, incx))?, increment(at(8, incy))?);
            if n == 0 || alpha == T::default() {
                return Ok(None);
            }
            let (x, y, a) = (vector(x, n, incx), vector(y, n, incy), triangle(a, n));
            Ok(Some([flag(upper), size(n), number(alpha), x, y, a.written()]))
        }
    }
}

/// Products with triangular matrices and solutions, which differ in the kernel only.
macro_rules! triangular {
    ($full:literal $full_s:ident $full_d:ident = $full_name:ident;
     $band:literal $band_s:ident $band_d:ident = $band_name:ident;
     $packed:literal $packed_s:ident $packed_d:ident = $packed_name:ident;) => {
        launches! {
            $full $full_s $full_d = $full_name(
                layout: c_int, uplo: c_int, trans: c_int, diag: c_int, n: c_int, a: *const T, lda: c_int,
                x: *mut T, incx: c_int,
            ) {
                let layout = Layout::of(layout)?;
                let upper = layout.upper(at(2, uplo))?;
                let trans = layout.transposed("TransA", at(3, trans))?;
                let unit = unit(at(4, diag))?;
                let n = count(at(5, n))?;
                let lda = leading(at(7, lda), n.into())?;
                let incx = increment(at(9, incx))?;
                if n == 0 {
                    return Ok(None);
                }
                let (a, x) = (matrix(a, n, n, lda), vector(x, n, incx).written());
                Ok(Some([flag(upper), flag(trans), flag(unit), size(n), a, x]))
            }

            $band $band_s $band_d = $band_name(
                layout: c_int, uplo: c_int, trans: c_int, diag: c_int, n: c_int, k: c_int, a: *const T,
                lda: c_int, x: *mut T, incx: c_int,
            ) {
                let layout = Layout::of(layout)?;
                let upper = layout.upper(at(2, uplo))?;
                let trans = layout.transposed("TransA", at(3, trans))?;
                let unit = unit(at(4, diag))?;
                let (n, k) = (count(at(5, n))?, count(at(6, k))?);
                let lda = leading(at(8, lda), i64::from(k) + 1)?;
                let incx = increment(at(10, incx))?;
                if n == 0 {
                    return Ok(None);
                }
                let (a, x) = (matrix(a, lda, n, lda), vector(x, n, incx).written());
                Ok(Some([flag(upper), flag(trans), flag(unit), size(n), size(k), a, x]))
            }

            $packed $packed_s $packed_d = $packed_name(
                layout: c_int, uplo: c_int, trans: c_int, diag: c_int, n: c_int, a: *const T, x: *mut T,
                incx: c_int,
            ) {
                let layout = Layout::of(layout)?;
                let upper = layout.upper(at(2, uplo))?;
                let trans = layout.transposed("TransA", at(3, trans))?;
                let unit = unit(at(4, diag))?;
                let n = count(at(5, n))?;
                let incx = increment(at(8, incx))?;
                if n == 0 {
                    return Ok(None);
                }
                let (a, x) = (triangle(a, n), vector(x, n, incx).written());
                Ok(Some([flag(upper), flag(trans), flag(unit), size(n), a, x]))
            }
        }
    };
}

mod products {
    use super::*;

    triangular! {
        "?trmv" cblas_strmv cblas_dtrmv = trmv;
        "?tbmv" cblas_stbmv cblas_dtbmv = tbmv;
        "?tpmv" cblas_stpmv cblas_dtpmv = tpmv;
    }
}

mod solutions {
    use super::*;

    triangular! {
        "?trsv" cblas_strsv cblas_dtrsv = trsv;
        "?tbsv" cblas_stbsv cblas_dtbsv = tbsv;
        "?tpsv" cblas_stpsv cblas_dtpsv = tpsv;
    }
}
