//! Matrices, and the Fourier transform.

pub mod cholesky;
pub mod conjugate_gradient;
pub mod eigenvalues;
pub mod fft;
pub mod gauss_jordan;
pub mod matrix_product;
pub mod spmv;
pub mod transpose;
pub mod tridiagonal;
