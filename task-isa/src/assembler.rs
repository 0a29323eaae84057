//! The assembler: one instruction or directive a line, operands as hexadecimal numbers.

use crate::error::{AssemblyError, Problem};
use crate::functions::Functions;
use crate::instruction::{Field, Instruction};
use crate::operation::{Branch, Operation};
use crate::program::{Program, Reads};

/// The begin of a comment, which ends with the line.
pub(crate) const COMMENT: char = '#';

/// The directive for the values that branches read.
const READS: &str = ".reads";

/// Assembles a source file.
///
/// # Errors
/// The first error of the file, with its place.
///
/// ```
/// use task_isa::{Functions, assemble};
///
/// let functions = Functions::new(["real_fir".to_owned()]).unwrap();
/// let program = assemble("real_fir 10 2 13 2 0 0 0 0000", &functions).unwrap();
/// assert_eq!(program.instructions[0].encode(), 0x0002_0013_0200_1000);
/// let error = assemble("real_fir 10 2 13", &functions).unwrap_err();
/// assert_eq!((error.line, error.column), (1, 17));
/// ```
pub fn assemble(source: &str, functions: &Functions) -> Result<Program, AssemblyError> {
    let mut program = Program::default();
    let mut loops: Vec<OpenLoop> = Vec::new();
    for (number, text) in source.lines().enumerate() {
        let line = Line::new(number + 1, text);
        let Some(&first) = line.words.first() else {
            continue;
        };
        if first.text.starts_with('.') {
            program.reads.push(line.reads(first, &program.reads)?);
            continue;
        }
        let instruction = line.instruction(first, functions)?;
        let register = instruction.input_size;
        match instruction.operation {
            Operation::LoopBegin => loops.push(OpenLoop {
                register,
                place: (line.number, first.column),
            }),
            Operation::LoopEnd => line.end_loop(loops.pop(), register)?,
            _ => {}
        }
        program.instructions.push(instruction);
        program.lines.push(line.number);
    }
    match loops.pop() {
        Some(OpenLoop {
            place: (line, column),
            ..
        }) => Err(AssemblyError {
            line,
            column,
            problem: Problem::NoEnd,
        }),
        None => Ok(program),
    }
}

/// A loop whose end was not found yet.
struct OpenLoop {
    register: u8,
    place: (usize, usize),
}

/// A word and its column, from 1.
#[derive(Clone, Copy)]
pub(crate) struct SourceWord<'a> {
    pub(crate) text: &'a str,
    pub(crate) column: usize,
}

/// A line of words.
pub(crate) struct Line<'a> {
    pub(crate) number: usize,
    pub(crate) words: Vec<SourceWord<'a>>,
    /// The column after the last word.
    end: usize,
}

impl<'a> Line<'a> {
    /// The words of a line without its comment.
    pub(crate) fn new(number: usize, text: &'a str) -> Self {
        let code = text.split(COMMENT).next().unwrap_or_default();
        let mut words = Vec::new();
        let mut end = 1;
        for word in code.split_whitespace() {
            // The words are parts of the line, so that addresses give their places.
            let offset = word.as_ptr().addr() - code.as_ptr().addr();
            let column = code[..offset].chars().count() + 1;
            end = column + word.chars().count();
            words.push(SourceWord { text: word, column });
        }
        Self { number, words, end }
    }

    pub(crate) fn error(&self, word: SourceWord<'_>, problem: Problem) -> AssemblyError {
        AssemblyError {
            line: self.number,
            column: word.column,
            problem,
        }
    }

    /// What should come after the last word is missing.
    fn missing(&self, problem: Problem) -> AssemblyError {
        AssemblyError {
            line: self.number,
            column: self.end,
            problem,
        }
    }

    fn instruction(
        &self,
        first: SourceWord<'_>,
        functions: &Functions,
    ) -> Result<Instruction, AssemblyError> {
        let mut operands = &self.words[1..];
        let operation = match Operation::named(first.text) {
            Some(operation) => operation,
            None if first.text == Operation::TASK => {
                let id = self.operand(operands.first(), Field::Accelerator)?;
                operands = &operands[1..];
                match u8::try_from(id).map(Operation::from_id) {
                    Ok(task @ Operation::Task(_)) => task,
                    _ => return Err(self.error(self.words[1], Problem::NoFunction(id))),
                }
            }
            None => match functions.id(first.text) {
                Some(id) => Operation::Task(id),
                None => {
                    let name = first.text.to_owned();
                    return Err(self.error(first, Problem::UnknownName(name)));
                }
            },
        };
        let mut values = [0; Field::OPERANDS.len()];
        for (place, field) in Field::OPERANDS.into_iter().enumerate() {
            values[place] = self.operand(operands.get(place), field)?;
        }
        if let Some(word) = operands.get(Field::OPERANDS.len()) {
            return Err(self.error(*word, Problem::Surplus(word.text.to_owned())));
        }
        let instruction = Instruction::from_fields(operation, |field| {
            let place = Field::OPERANDS.iter().position(|other| *other == field);
            place.map_or(0, |place| values[place])
        });
        if operation == Operation::If && Branch::decode(instruction.control).is_none() {
            let control = operands[Field::OPERANDS.len() - 2];
            let problem = Problem::NoBranch(instruction.control.into());
            return Err(self.error(control, problem));
        }
        Ok(instruction)
    }

    /// The value of an operand that fits into its field.
    fn operand(&self, word: Option<&SourceWord<'_>>, field: Field) -> Result<u64, AssemblyError> {
        let Some(&word) = word else {
            return Err(self.missing(Problem::Missing(field)));
        };
        let value = self.number(word)?;
        match value >> field.bits() {
            0 => Ok(value as u64),
            _ => Err(self.error(word, Problem::TooLarge(value, field))),
        }
    }

    fn number(&self, word: SourceWord<'_>) -> Result<u128, AssemblyError> {
        let text = word.text;
        if !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(self.error(word, Problem::NoNumber(text.to_owned())));
        }
        u128::from_str_radix(text, 16)
            .map_err(|_| self.error(word, Problem::TooLong(text.to_owned())))
    }

    fn reads(&self, first: SourceWord<'_>, before: &[Reads]) -> Result<Reads, AssemblyError> {
        if first.text != READS {
            let problem = Problem::UnknownDirective(first.text.to_owned());
            return Err(self.error(first, problem));
        }
        let region = self.operand(self.words.get(1), Field::Input)? as u16;
        if before.iter().any(|reads| reads.region == region) {
            return Err(self.error(self.words[1], Problem::Repeated(region)));
        }
        let values = self.words[2..]
            .iter()
            .map(|word| {
                let value = self.number(*word)?;
                u64::try_from(value)
                    .map_err(|_| self.error(*word, Problem::TooLong(word.text.to_owned())))
            })
            .collect::<Result<Vec<_>, _>>()?;
        match values.is_empty() {
            true => Err(self.missing(Problem::NoValue)),
            false => Ok(Reads { region, values }),
        }
    }

    fn end_loop(&self, begin: Option<OpenLoop>, found: u8) -> Result<(), AssemblyError> {
        let Some(begin) = begin else {
            return Err(self.error(self.words[0], Problem::NoBegin));
        };
        let expected = begin.register;
        match expected == found {
            true => Ok(()),
            false => {
                let problem = Problem::OtherCounter { expected, found };
                Err(self.error(self.words[2], problem))
            }
        }
    }
}
