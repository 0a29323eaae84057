//! What calls of levels 2 and 3 have in common: the order of matrices, and the checks of arguments.
//!
//! The kernels' matrices are stored by columns. A matrix by rows is the transposed one by columns: rows and
//! columns, upper and lower triangle, and left and right factor are exchanged. Arguments keep their numbers,
//! so that a message names what the program passed.

use crate::errors::Failure;
use crate::real::Real;
use crate::xerbla::WrongArgument;
use std::ffi::c_int;

/// The order of a matrix's elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// `CblasRowMajor`
    Rows,
    /// `CblasColMajor`
    Columns,
}

/// A value with the number of its argument.
#[derive(Clone, Copy, Debug)]
pub struct Numbered<V> {
    pub number: c_int,
    pub value: V,
}

/// The argument of this number.
pub fn at<V>(number: c_int, value: V) -> Numbered<V> {
    Numbered { number, value }
}

/// The value of an enumeration, which is true for one of two enumerators.
fn setting(
    what: &'static str,
    argument: Numbered<c_int>,
    [no, yes]: [&[c_int]; 2],
) -> Result<bool, Failure> {
    let Numbered { number, value } = argument;
    let setting = Some((what, value));
    match () {
        _ if yes.contains(&value) => Ok(true),
        _ if no.contains(&value) => Ok(false),
        _ => Err(Failure::Argument(WrongArgument { number, setting })),
    }
}

impl Layout {
    /// The first argument.
    pub fn of(value: c_int) -> Result<Self, Failure> {
        let is_by_rows = setting("layout", at(1, value), [&[102], &[101]])?;
        Ok(if is_by_rows {
            Self::Rows
        } else {
            Self::Columns
        })
    }

    /// Two values, exchanged for matrices by rows.
    pub fn swap<V>(self, a: V, b: V) -> (V, V) {
        match self {
            Self::Rows => (b, a),
            Self::Columns => (a, b),
        }
    }

    /// A flag, inverted for matrices by rows.
    fn flip(self, flag: bool) -> bool {
        flag != (self == Self::Rows)
    }

    /// Whether the upper triangle by columns is stored.
    pub fn upper(self, argument: Numbered<c_int>) -> Result<bool, Failure> {
        Ok(self.flip(setting("Uplo", argument, [&[122], &[121]])?))
    }

    /// Whether a matrix by columns is transposed.
    pub fn transposed(
        self,
        what: &'static str,
        argument: Numbered<c_int>,
    ) -> Result<bool, Failure> {
        Ok(self.flip(transposed(what, argument)?))
    }

    /// Whether a matrix by columns is the right factor.
    pub fn right(self, argument: Numbered<c_int>) -> Result<bool, Failure> {
        Ok(self.flip(setting("Side", argument, [&[141], &[142]])?))
    }
}

/// Whether a matrix is transposed, as the program sees it.
pub fn transposed(what: &'static str, argument: Numbered<c_int>) -> Result<bool, Failure> {
    setting(what, argument, [&[111], &[112, 113]])
}

/// Whether the elements of the diagonal are 1.
pub fn unit(argument: Numbered<c_int>) -> Result<bool, Failure> {
    setting("Diag", argument, [&[131], &[132]])
}

fn require(is_met: bool, number: c_int) -> Result<(), Failure> {
    let setting = None;
    match is_met {
        true => Ok(()),
        false => Err(Failure::Argument(WrongArgument { number, setting })),
    }
}

/// A size, which is not negative.
pub fn count(argument: Numbered<c_int>) -> Result<c_int, Failure> {
    require(argument.value >= 0, argument.number)?;
    Ok(argument.value)
}

/// The elements between columns, which are at least 1 and at least `rows`.
pub fn leading(argument: Numbered<c_int>, rows: i64) -> Result<c_int, Failure> {
    require(i64::from(argument.value) >= rows.max(1), argument.number)?;
    Ok(argument.value)
}

/// The elements between elements of a vector, which are not 0.
pub fn increment(argument: Numbered<c_int>) -> Result<c_int, Failure> {
    require(argument.value != 0, argument.number)?;
    Ok(argument.value)
}

/// Whether alpha ... + beta C is C.
pub fn changes_nothing<T: Real>(alpha: T, beta: T) -> bool {
    alpha == T::default() && beta == T::from(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_by_rows_is_the_transposed_one() {
        let rows = Layout::of(101).unwrap();
        assert_eq!(rows.swap(3, 4), (4, 3));
        assert_eq!(rows.upper(at(2, 121)), Ok(false));
        assert_eq!(rows.right(at(2, 142)), Ok(false));
        assert_eq!(rows.transposed("TransA", at(2, 113)), Ok(false));
        let columns = Layout::of(102).unwrap();
        assert_eq!(columns.swap(3, 4), (3, 4));
        assert_eq!(columns.upper(at(2, 121)), Ok(true));
    }

    #[test]
    fn wrong_arguments_have_their_numbers() {
        let wrong = |number, setting| Failure::Argument(WrongArgument { number, setting });
        assert_eq!(Layout::of(0), Err(wrong(1, Some(("layout", 0)))));
        assert_eq!(count(at(4, -1)), Err(wrong(4, None)));
        assert_eq!(leading(at(9, 2), 3), Err(wrong(9, None)));
        assert_eq!(leading(at(9, 0), 0), Err(wrong(9, None)));
        assert_eq!(increment(at(9, 0)), Err(wrong(9, None)));
        assert_eq!(increment(at(9, -1)), Ok(-1));
    }
}
