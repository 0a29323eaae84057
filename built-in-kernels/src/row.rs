//! Rows of tables of built-in kernels.

use crate::declaration::{Access, Argument, ArgumentKind, Declaration, Element, Requirement};
use expression::Expression;
use serde::Deserialize;

/// An argument as a table gives it.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArgumentRow {
    name: String,
    /// Its type in OpenCL C.
    #[serde(rename = "type")]
    pub type_name: String,
    what: String,
    elements: Option<String>,
    access: Option<AccessWord>,
    least: Option<i64>,
    most: Option<i64>,
}

/// A condition as a table gives it.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RequirementRow {
    at_least_0: String,
    what: String,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum AccessWord {
    Update,
}

/// The declaration that a row of a table has.
///
/// # Errors
/// What is wrong with it.
pub fn declaration(
    [name, what, result]: [String; 3],
    arguments: Vec<ArgumentRow>,
    requirements: Vec<RequirementRow>,
) -> Result<Declaration, String> {
    let arguments = arguments.into_iter().map(ArgumentRow::argument);
    let requirements = requirements.into_iter().map(RequirementRow::requirement);
    Ok(Declaration {
        name,
        what,
        result,
        arguments: arguments.collect::<Result<_, _>>()?,
        requirements: requirements.collect::<Result<_, _>>()?,
    })
}

fn parse(text: &str) -> Result<Expression, String> {
    Expression::parse(text).map_err(|error| error.to_string())
}

impl RequirementRow {
    fn requirement(self) -> Result<Requirement, String> {
        Ok(Requirement {
            at_least_0: parse(&self.at_least_0)?,
            what: self.what,
        })
    }
}

impl ArgumentRow {
    fn argument(self) -> Result<Argument, String> {
        let (is_const, base) = match self.type_name.strip_prefix("const ") {
            Some(base) => (true, base),
            None => (false, self.type_name.as_str()),
        };
        let numbers = match base {
            "half*" => Some((1, Element::Half)),
            "float*" => Some((1, Element::Single)),
            "float2*" => Some((2, Element::Single)),
            "double*" => Some((1, Element::Double)),
            "double2*" => Some((2, Element::Double)),
            "int*" => Some((1, Element::Integer)),
            _ => None,
        };
        let kind = match (numbers, base, self.elements) {
            (Some((width, element)), _, Some(elements)) => ArgumentKind::Array {
                element,
                access: match (self.access, is_const) {
                    (Some(AccessWord::Update), _) => Access::Update,
                    (None, true) => Access::Read,
                    (None, false) => Access::Write,
                },
                width,
                elements: parse(&elements)?,
                elements_text: elements,
            },
            (None, "uint" | "int", None) => {
                let least = self.least.ok_or("a size has a minimum")?;
                if (least < 0) != (base == "int") {
                    return Err(format!("{} is signed or has no negative values", self.name));
                }
                ArgumentKind::Size {
                    least,
                    most: self.most.ok_or("a size has a maximum")?,
                }
            }
            (None, "float", None) => ArgumentKind::Number(Element::Single),
            (None, "double", None) => ArgumentKind::Number(Element::Double),
            _ => return Err(format!("{} is of no type of this table", self.name)),
        };
        Ok(Argument {
            name: self.name,
            type_name: self.type_name,
            what: self.what,
            kind,
        })
    }
}
