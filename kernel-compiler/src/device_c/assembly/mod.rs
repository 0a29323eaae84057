//! Files in the machine's assembly language (docs/hthreads.md#assembly): each becomes a module like one of C
//! (`object`), whose functions call the runtime's interpreter with the code that the module has as a constant.
//! Statements in C become functions with their operands as arguments and results (`statements`, `template`,
//! `registers`, `exits`).
//! Linking adapts calls from C (`calls`), and an image is loaded with its assembled code (`image`, `loaded`),
//! whose packets count in simulated time (`cost`).

mod calls;
mod cost;
mod exits;
mod image;
mod interface;
mod loaded;
mod object;
mod placement;
mod registers;
mod statements;
mod template;

pub use calls::adapt as adapt_calls;
pub use cost::{PacketCounters, ProgramCost, of_program as cost_of_program};
pub use image::{StoredAssembly, add_thunks, is_assembled, programs, take_programs};
pub use loaded::{Assembly, NativeCall, address_of};
pub use object::{compile, programs_of};
pub use registers::OperandRegister;
pub use statements::assemble_in;

/// What functions in assembly call to be executed: the table of symbols of their file, which names it, the number
/// of their first packet, and their arguments as words; gives the result.
pub const EXECUTE: &str = "__ht_assembly";

/// What the function of a statement calls to be executed: the table of symbols of its text, the number of its first
/// packet, and the area with its operands' registers and values.
pub const EXECUTE_STATEMENT: &str = "__ht_statement";

/// Arguments of a function in assembly, in R10, R12, ... R24.
pub const MOST_ARGUMENTS: usize = 8;

/// The section of the tables of symbols.
const TABLE_SECTION: &str = ".mt3000.assembly";

/// An attribute of functions that are in assembly.
const ASSEMBLED: &str = "mt3000-assembly";

/// An attribute of those that are statements: their types are what their calls pass.
const STATEMENT: &str = "mt3000-statement";
