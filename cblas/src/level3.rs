//! Level 3: matrices.

use crate::call::{Operand, flag, matrix, number, size};
use crate::order::{Layout, at, changes_nothing, count, leading, transposed, unit};
use crate::real::Real;
use std::ffi::c_int;

/// A factor of a product that has `rows` rows and is the sum of `depth` terms: whether it is transposed, and its
/// matrix. Without elements it is not: then the kernel requires none.
fn factor<T>(
    transposed: bool,
    a: *const T,
    [rows, depth]: [c_int; 2],
    stride: c_int,
) -> (bool, Operand) {
    match transposed {
        _ if depth == 0 => (false, matrix(a, rows, 0, rows.max(1))),
        true => (true, matrix(a, depth, rows, stride)),
        false => (false, matrix(a, rows, depth, stride)),
    }
}

/// The terms of a product's elements. With an alpha of 0 its factors are not read.
fn depth<T: Real>(alpha: T, k: c_int) -> c_int {
    if alpha == T::default() { 0 } else { k }
}

mod products {
    use super::*;

    launches! {
        "?gemm" cblas_sgemm cblas_dgemm = gemm(
            layout: c_int, transa: c_int, transb: c_int, m: c_int, n: c_int, k: c_int, alpha: T, a: *const T,
            lda: c_int, b: *const T, ldb: c_int, beta: T, c: *mut T, ldc: c_int,
        ) {
            let layout = Layout::of(layout)?;
            let transa = transposed("TransA", at(2, transa))?;
            let transb = transposed("TransB", at(3, transb))?;
            // Cᵀ = op(B)ᵀ op(A)ᵀ
            let (m, n) = layout.swap(at(4, m), at(5, n));
            let ((transa, a, lda), (transb, b, ldb)) =
                layout.swap((transa, a, at(9, lda)), (transb, b, at(11, ldb)));
            let (m, n, k) = (count(m)?, count(n)?, count(at(6, k))?);
            let lda = leading(lda, if transa { k } else { m }.into())?;
            let ldb = leading(ldb, if transb { n } else { k }.into())?;
            let ldc = leading(at(14, ldc), m.into())?;
            let k = depth(alpha, k);
            if m == 0 || n == 0 || (k == 0 && beta == T::from(1.0)) {
                return Ok(None);
            }
            let (transa, a) = factor(transa, a, [m, k], lda);
            // op(B)ᵀ has n rows, as op(A) has m.
            let (is_straight, b) = factor(!transb, b, [n, k], ldb);
            let c = matrix(c, m, n, ldc).written();
            let [transa, transb] = [transa, !is_straight].map(flag);
            Ok(Some([transa, transb, size(m), size(n), size(k), number(alpha), a, b, number(beta), c]))
        }

        "?symm" cblas_ssymm cblas_dsymm = symm(
            layout: c_int, side: c_int, uplo: c_int, m: c_int, n: c_int, alpha: T, a: *const T, lda: c_int,
            b: *const T, ldb: c_int, beta: T, c: *mut T, ldc: c_int,
        ) {
            let layout = Layout::of(layout)?;
            let (right, upper) = (layout.right(at(2, side))?, layout.upper(at(3, uplo))?);
            let (m, n) = layout.swap(at(4, m), at(5, n));
            let (m, n) = (count(m)?, count(n)?);
            let order = if right { n } else { m };
            let lda = leading(at(8, lda), order.into())?;
            let ldb = leading(at(10, ldb), m.into())?;
            let ldc = leading(at(13, ldc), m.into())?;
            if m == 0 || n == 0 || changes_nothing(alpha, beta) {
                return Ok(None);
            }
            let (a, b) = (matrix(a, order, order, lda), matrix(b, m, n, ldb));
            let c = matrix(c, m, n, ldc).written();
            let (m, n) = (size(m), size(n));
            Ok(Some([flag(right), flag(upper), m, n, number(alpha), a, b, number(beta), c]))
        }
    }
}

mod updates {
    use super::*;

    launches! {
        "?syrk" cblas_ssyrk cblas_dsyrk = syrk(
            layout: c_int, uplo: c_int, trans: c_int, n: c_int, k: c_int, alpha: T, a: *const T, lda: c_int,
            beta: T, c: *mut T, ldc: c_int,
        ) {
            let layout = Layout::of(layout)?;
            let (upper, trans) = (layout.upper(at(2, uplo))?, layout.transposed("Trans", at(3, trans))?);
            let (n, k) = (count(at(4, n))?, count(at(5, k))?);
            let lda = leading(at(8, lda), if trans { k } else { n }.into())?;
            let ldc = leading(at(11, ldc), n.into())?;
            let k = depth(alpha, k);
            if n == 0 || (k == 0 && beta == T::from(1.0)) {
                return Ok(None);
            }
            let (trans, a) = factor(trans, a, [n, k], lda);
            let c = matrix(c, n, n, ldc).written();
            Ok(Some([flag(upper), flag(trans), size(n), size(k), number(alpha), a, number(beta), c]))
        }

        "?syr2k" cblas_ssyr2k cblas_dsyr2k = syr2k(
            layout: c_int, uplo: c_int, trans: c_int, n: c_int, k: c_int, alpha: T, a: *const T, lda: c_int,
            b: *const T, ldb: c_int, beta: T, c: *mut T, ldc: c_int,
        ) {
            let layout = Layout::of(layout)?;
            let (upper, trans) = (layout.upper(at(2, uplo))?, layout.transposed("Trans", at(3, trans))?);
            let (n, k) = (count(at(4, n))?, count(at(5, k))?);
            let rows = if trans { k } else { n };
            let (lda, ldb) = (leading(at(8, lda), rows.into())?, leading(at(10, ldb), rows.into())?);
            let ldc = leading(at(13, ldc), n.into())?;
            let k = depth(alpha, k);
            if n == 0 || (k == 0 && beta == T::from(1.0)) {
                return Ok(None);
            }
            let (_, b) = factor(trans, b, [n, k], ldb);
            let (trans, a) = factor(trans, a, [n, k], lda);
            let c = matrix(c, n, n, ldc).written();
            let (upper, trans) = (flag(upper), flag(trans));
            Ok(Some([upper, trans, size(n), size(k), number(alpha), a, b, number(beta), c]))
        }
    }
}

mod triangular {
    use super::*;

    /// The product with a triangular matrix and the solution, which differ in the kernel only.
    macro_rules! triangular {
        ($($kernel:literal $single:ident $double:ident = $routine:ident;)*) => {
            launches! {$(
                $kernel $single $double = $routine(
                    layout: c_int, side: c_int, uplo: c_int, transa: c_int, diag: c_int, m: c_int, n: c_int,
                    alpha: T, a: *const T, lda: c_int, b: *mut T, ldb: c_int,
                ) {
                    let layout = Layout::of(layout)?;
                    let (right, upper) = (layout.right(at(2, side))?, layout.upper(at(3, uplo))?);
                    // (op(A) B)ᵀ = Bᵀ op(A)ᵀ: the matrix by columns is Aᵀ already.
                    let (trans, unit) = (transposed("Trans", at(4, transa))?, unit(at(5, diag))?);
                    let (m, n) = layout.swap(at(6, m), at(7, n));
                    let (m, n) = (count(m)?, count(n)?);
                    let order = if right { n } else { m };
                    let lda = leading(at(10, lda), order.into())?;
                    let ldb = leading(at(12, ldb), m.into())?;
                    if m == 0 || n == 0 {
                        return Ok(None);
                    }
                    let (a, b) = (matrix(a, order, order, lda), matrix(b, m, n, ldb).written());
                    let [right, upper, trans, unit] = [right, upper, trans, unit].map(flag);
                    Ok(Some([right, upper, trans, unit, size(m), size(n), number(alpha), a, b]))
                }
            )*}
        };
    }

    triangular! {
        "?trmm" cblas_strmm cblas_dtrmm = trmm;
        "?trsm" cblas_strsm cblas_dtrsm = trsm;
    }
}
