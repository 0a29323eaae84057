//! What cannot be written as C.

/// Why a kernel cannot be written as C.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unsupported {
    /// An argument is an image or a sampler: hthreads has neither.
    #[error("argument `{0}` is an image or a sampler, which hthreads does not have")]
    Image(String),
    /// More arguments than hthreads passes.
    #[error("{0} arguments: hthreads passes 30 words, of which one is the index space")]
    Arguments(usize),
    /// A function without a definition that has no counterpart in C.
    #[error("function `{0}` has no counterpart in hthreads")]
    Function(String),
    /// A call of `printf` whose format is not one literal.
    #[error("`printf` has a format that is not one literal")]
    Format,
    /// A type.
    #[error("type `{0}` has no counterpart in C")]
    Type(String),
    /// A constant.
    #[error("constant `{0}` has no counterpart in C")]
    Constant(String),
    /// An instruction.
    #[error("instruction `{0}` has no counterpart in C")]
    Instruction(String),
}
