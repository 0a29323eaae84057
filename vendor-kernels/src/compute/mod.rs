//! What the kernels compute, one module for each part of the table.

mod elements;
mod inner_loops;
mod matrix;
mod multiply;
mod sparse;
mod transform;
mod triangular;
mod vectors;

use crate::operands::Compute;

macro_rules! by_name {
    ($name:expr; $($row:literal => $($path:ident)::+),* $(,)?) => {
        match $name {
            $($row => Compute::ByPrecision {
                single: $($path)::+::<f32>,
                double: $($path)::+::<f64>,
            },)*
            _ => return None,
        }
    };
}

/// What computes the kernels of a row of the table.
pub fn find(name: &str) -> Option<Compute> {
    if name == "dsdot" {
        return Some(Compute::InDouble(vectors::dot_product::<f64>));
    }
    if let Some(function) = name.strip_prefix("v?_") {
        return elements::find(function);
    }
    Some(by_name! { name;
        "?swap" => vectors::swap,
        "?scal" => vectors::scal,
        "?copy" => vectors::copy,
        "?axpy" => vectors::axpy,
        "?dot" => vectors::dot_product,
        "?nrm2" => vectors::nrm2,
        "?asum" => vectors::asum,
        "i?amax" => vectors::amax,
        "?rot" => vectors::rot,
        "?rotm" => vectors::rotm,
        "?gemv" => matrix::gemv,
        "?gbmv" => matrix::gbmv,
        "?symv" => matrix::symv,
        "?sbmv" => matrix::sbmv,
        "?spmv" => matrix::spmv,
        "?trmv" => triangular::trmv,
        "?tbmv" => triangular::tbmv,
        "?tpmv" => triangular::tpmv,
        "?trsv" => triangular::trsv,
        "?tbsv" => triangular::tbsv,
        "?tpsv" => triangular::tpsv,
        "?ger" => matrix::ger,
        "?syr" => matrix::syr,
        "?spr" => matrix::spr,
        "?syr2" => matrix::syr2,
        "?spr2" => matrix::spr2,
        "?gemm" => multiply::gemm,
        "?symm" => multiply::symm,
        "?syrk" => multiply::syrk,
        "?syr2k" => multiply::syr2k,
        "?trmm" => multiply::trmm,
        "?trsm" => multiply::trsm,
        "?csrmv" => sparse::csrmv,
        "?ellmv" => sparse::ellmv,
        "cfft" => transform::fft,
        "zfft" => transform::fft,
    })
}
