//! Expressions of models and machine files: numbers, names, `+ - * / ^`, parentheses, and a few
//! functions, with the usual precedence: `-3^2` is -9 and `2^3^2` is 512. With exmex 0.21 these are 9
//! and 64; evalexpr 11 divides `7/16` as integers.
//!
//! ```
//! use expression::Expression;
//!
//! let cycles = Expression::parse("n * (taps + 7) + 1")?;
//! let mut value = |name: &str| match name {
//!     "n" => Ok(40.0),
//!     "taps" => Ok(16.0),
//!     other => Err(other.to_owned()),
//! };
//! assert_eq!(cycles.evaluate(&mut value), Ok(921.0));
//! # Ok::<(), expression::ParseError>(())
//! ```

use std::fmt;

/// Nested parentheses, signs and powers at most.
const DEEPEST: u32 = 64;

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Expression {
    /// A number.
    Number(f64),
    /// The value of that name.
    Name(String),
    /// An operation on two values.
    Binary(Operator, Box<Expression>, Box<Expression>),
    /// A function of values.
    Call(Function, Vec<Expression>),
}

/// An operation on two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `^`
    Power,
}

/// A function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    /// `floor(x)`
    Floor,
    /// `ceil(x)`
    Ceil,
    /// `sqrt(x)`
    Sqrt,
    /// `log2(x)`
    Log2,
    /// `min(x, ...)`
    Min,
    /// `max(x, ...)`
    Max,
}

/// Functions by name, and whether they have one argument.
const FUNCTIONS: [(&str, Function, bool); 6] = [
    ("floor", Function::Floor, true),
    ("ceil", Function::Ceil, true),
    ("sqrt", Function::Sqrt, true),
    ("log2", Function::Log2, true),
    ("min", Function::Min, false),
    ("max", Function::Max, false),
];

/// Why a text is no expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParseError {
    /// Something else is expected at that place, in characters from 1.
    Unexpected(usize, &'static str),
    /// An unknown function.
    UnknownFunction(String),
    /// A function with another number of arguments.
    Arguments(String),
    /// Too many levels.
    TooDeep,
}

impl fmt::Display for ParseError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unexpected(place, what) => {
                write!(formatter, "{what} expected at character {place}")
            }
            Self::UnknownFunction(name) => write!(
                formatter,
                "there is no function `{name}`, but floor, ceil, sqrt, log2, min, max"
            ),
            Self::Arguments(name) => write!(formatter, "`{name}` has one argument"),
            Self::TooDeep => write!(formatter, "more than {DEEPEST} levels"),
        }
    }
}

impl std::error::Error for ParseError {}

impl Expression {
    /// Parses a text.
    ///
    /// # Errors
    /// It is no expression.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        let mut parser = Parser {
            characters: text.chars().collect(),
            place: 0,
            depth: 0,
        };
        let expression = parser.sum()?;
        match parser.peek() {
            None => Ok(expression),
            Some(_) => Err(parser.expected("an operator")),
        }
    }

    /// Its value, where `value` has the values of names.
    ///
    /// # Errors
    /// The error of `value`.
    pub fn evaluate<E>(&self, value: &mut impl FnMut(&str) -> Result<f64, E>) -> Result<f64, E> {
        Ok(match self {
            Self::Number(number) => *number,
            Self::Name(name) => value(name)?,
            Self::Binary(operator, left, right) => {
                let (left, right) = (left.evaluate(value)?, right.evaluate(value)?);
                match operator {
                    Operator::Add => left + right,
                    Operator::Subtract => left - right,
                    Operator::Multiply => left * right,
                    Operator::Divide => left / right,
                    Operator::Power => left.powf(right),
                }
            }
            Self::Call(function, arguments) => {
                let values = arguments.iter().map(|one| one.evaluate(value));
                let values = values.collect::<Result<Vec<f64>, E>>()?;
                let first = values.first().copied().unwrap_or_default();
                match function {
                    Function::Floor => first.floor(),
                    Function::Ceil => first.ceil(),
                    Function::Sqrt => first.sqrt(),
                    Function::Log2 => first.log2(),
                    Function::Min => values.into_iter().fold(f64::INFINITY, f64::min),
                    Function::Max => values.into_iter().fold(f64::NEG_INFINITY, f64::max),
                }
            }
        })
    }
}

struct Parser {
    characters: Vec<char>,
    place: usize,
    depth: u32,
}

impl Parser {
    /// The next character that is no space.
    fn peek(&mut self) -> Option<char> {
        while self
            .characters
            .get(self.place)
            .is_some_and(|c| c.is_whitespace())
        {
            self.place += 1;
        }
        self.characters.get(self.place).copied()
    }

    fn take(&mut self, wanted: char) -> bool {
        let is_next = self.peek() == Some(wanted);
        if is_next {
            self.place += 1;
        }
        is_next
    }

    fn expected(&self, what: &'static str) -> ParseError {
        ParseError::Unexpected(self.place + 1, what)
    }

    fn sum(&mut self) -> Result<Expression, ParseError> {
        self.operations(
            &[('+', Operator::Add), ('-', Operator::Subtract)],
            Self::product,
        )
    }

    fn product(&mut self) -> Result<Expression, ParseError> {
        self.operations(
            &[('*', Operator::Multiply), ('/', Operator::Divide)],
            Self::signed,
        )
    }

    fn operations(
        &mut self,
        operators: &[(char, Operator)],
        operand: fn(&mut Self) -> Result<Expression, ParseError>,
    ) -> Result<Expression, ParseError> {
        let mut left = operand(self)?;
        while let Some((_, operator)) = operators.iter().find(|(sign, _)| self.take(*sign)) {
            let right = operand(self)?;
            left = Expression::Binary(*operator, Box::new(left), Box::new(right));
        }
        Ok(left)
    }

    /// `-x`, or a power; `-x^2` is `-(x^2)`.
    fn signed(&mut self) -> Result<Expression, ParseError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(ParseError::TooDeep);
        }
        let signed = if self.take('-') {
            let zero = Box::new(Expression::Number(0.0));
            Expression::Binary(Operator::Subtract, zero, Box::new(self.signed()?))
        } else {
            let base = self.atom()?;
            match self.take('^') {
                false => base,
                // From right to left: 2^3^2 is 2^9.
                true => {
                    let power = self.signed()?;
                    Expression::Binary(Operator::Power, Box::new(base), Box::new(power))
                }
            }
        };
        self.depth -= 1;
        Ok(signed)
    }

    fn atom(&mut self) -> Result<Expression, ParseError> {
        if self.take('(') {
            let inner = self.sum()?;
            return match self.take(')') {
                true => Ok(inner),
                false => Err(self.expected("`)`")),
            };
        }
        match self.peek() {
            Some(first) if first.is_ascii_digit() || first == '.' => self.number(),
            Some(first) if first.is_alphabetic() || first == '_' => self.name(),
            _ => Err(self.expected("a number or name")),
        }
    }

    fn number(&mut self) -> Result<Expression, ParseError> {
        let begin = self.place;
        let mut before = ' ';
        while let Some(&next) = self.characters.get(self.place) {
            let is_exponent_sign = matches!(next, '+' | '-') && matches!(before, 'e' | 'E');
            if !(next.is_ascii_alphanumeric() || next == '.' || is_exponent_sign) {
                break;
            }
            before = next;
            self.place += 1;
        }
        let text: String = self.characters[begin..self.place].iter().collect();
        match text.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(Expression::Number(number)),
            _ => Err(ParseError::Unexpected(begin + 1, "a number")),
        }
    }

    fn name(&mut self) -> Result<Expression, ParseError> {
        let begin = self.place;
        let is_part = |c: &char| c.is_alphanumeric() || *c == '_';
        while self.characters.get(self.place).is_some_and(is_part) {
            self.place += 1;
        }
        let name: String = self.characters[begin..self.place].iter().collect();
        if !self.take('(') {
            return Ok(Expression::Name(name));
        }
        let known = FUNCTIONS.iter().find(|(known, ..)| *known == name);
        let Some(&(_, function, is_single)) = known else {
            return Err(ParseError::UnknownFunction(name));
        };
        let mut arguments = vec![self.sum()?];
        while self.take(',') {
            arguments.push(self.sum()?);
        }
        if is_single && arguments.len() > 1 {
            return Err(ParseError::Arguments(name));
        }
        match self.take(')') {
            true => Ok(Expression::Call(function, arguments)),
            false => Err(self.expected("`)`")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> f64 {
        let expression = Expression::parse(text).unwrap();
        let mut of = |name: &str| match name {
            "x" => Ok(3.0),
            "b_c" => Ok(125.0),
            _ => Err(format!("no {name}")),
        };
        expression.evaluate(&mut of).unwrap()
    }

    #[test]
    fn expressions_have_the_usual_precedence() {
        for (text, expected) in [
            ("1 + 2*x", 7.0),
            ("2*x^2", 18.0),
            ("-x^2", -9.0),
            ("2^3^2", 512.0),
            ("2^-1", 0.5),
            ("8 / 2 / 2", 2.0),
            ("7 - 2 - 1", 4.0),
            ("(7/16) / 450e6", 7.0 / 16.0 / 450e6),
            ("1.5E+3", 1500.0),
            ("floor(sqrt(b_c))", 11.0),
            ("max(x, 2*x, 1) - min(x, 2)", 4.0),
            ("log2(8) * ceil(1.2)", 6.0),
        ] {
            assert!(
                (value(text) - expected).abs() < 1e-12 * expected.abs(),
                "{text}"
            );
        }
    }

    #[test]
    fn what_is_no_expression_is_refused_with_its_place() {
        let deep = "(".repeat(100_000);
        for (text, message) in [
            ("", "a number or name expected at character 1"),
            ("1 +", "a number or name expected at character 4"),
            ("(1 + 2", "`)` expected at character 7"),
            ("1 2", "an operator expected at character 3"),
            ("1x", "a number expected at character 1"),
            ("sin(1)", "there is no function `sin`"),
            ("sqrt(1, 2)", "`sqrt` has one argument"),
            ("1e999", "a number expected"),
            (deep.as_str(), "more than 64 levels"),
        ] {
            let error = Expression::parse(text).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        }
    }
}
