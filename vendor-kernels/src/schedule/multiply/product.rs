//! Products of matrices by rows, and their parts.

use crate::precision::Precision;
use crate::schedule::launch::Call;

/// A product by rows: C has m rows and n columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Product {
    pub m: u64,
    pub n: u64,
    pub k: u64,
    pub a_is_transposed: bool,
    pub b_is_transposed: bool,
    /// Whether the old C is read.
    pub reads_c: bool,
    pub part: Part,
    pub precision: Precision,
}

/// The part of a product that is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    All,
    /// Blocks of C that have elements above the diagonal, or below it.
    Triangle {
        upper: bool,
    },
    /// Blocks of A that have elements above the diagonal, or below it.
    TriangularA {
        upper: bool,
    },
    /// The same of B.
    TriangularB {
        upper: bool,
    },
}

/// Some rows and columns of C: the first ones, and their numbers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Block {
    pub rows: [u64; 2],
    pub columns: [u64; 2],
}

impl Product {
    pub fn of_call(call: &Call<'_>) -> Self {
        let [m, n, k] = ["m", "n", "k"].map(|name| call.size(name));
        let [right, upper] = ["right", "upper"].map(|name| call.flag(name));
        let reads_c = call.flag("beta");
        let order = if right { n } else { m };
        let product = Self {
            m: n,
            n: m,
            k,
            a_is_transposed: call.flag("transb"),
            b_is_transposed: call.flag("transa"),
            reads_c,
            part: Part::All,
            precision: call.precision,
        };
        match call.base() {
            "symm" => Self {
                k: order,
                ..product
            },
            base @ ("syrk" | "syr2k") => Self {
                m: n,
                n,
                k: if base == "syrk" { k } else { 2 * k },
                // A triangle by columns is the other one by rows.
                part: Part::Triangle { upper: !upper },
                a_is_transposed: !call.flag("trans"),
                b_is_transposed: call.flag("trans"),
                ..product
            },
            "trmm" | "trsm" => {
                let upper = upper != call.flag("transa");
                // The factor on the right is A by rows, transposed with the product.
                let part = match right {
                    true => Part::TriangularA { upper: !upper },
                    false => Part::TriangularB { upper: !upper },
                };
                Self {
                    k: order,
                    // The result replaces B.
                    reads_c: false,
                    part,
                    a_is_transposed: right && call.flag("transa"),
                    b_is_transposed: !right && call.flag("transa"),
                    ..product
                }
            }
            _ => product,
        }
    }

    /// Whether a block is computed with some steps: the first one, and their number.
    pub fn has(&self, block: Block, steps: [u64; 2]) -> bool {
        let (rows, columns) = (block.rows, block.columns);
        let meets = |upper: bool, [row, rows]: [u64; 2], [column, columns]: [u64; 2]| match upper {
            true => column + columns > row,
            false => row + rows > column,
        };
        match self.part {
            Part::All => true,
            Part::Triangle { upper } => meets(upper, rows, columns),
            Part::TriangularA { upper } => meets(upper, rows, steps),
            Part::TriangularB { upper } => meets(upper, steps, columns),
        }
    }
}
