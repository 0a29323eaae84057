//! The address of an access as a sum of ids times factors (`host_exec::races::exclusive`).

use crate::analysis::gep::{self, Term};
use crate::check::access::Access;
use crate::check::provenance::{Provenance, source};
use crate::intrinsics::Query;
use crate::ir::{Opcode, Value};
use host_exec::races::exclusive::{Factor, Id, OwnBytes, Product};
use std::collections::BTreeMap;

/// Longest chain of operations that is followed.
const DEPTH: u32 = 16;

/// Bytes from the start of an object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Sum {
    strides: BTreeMap<Id, Vec<Product>>,
    /// What is the same for all work-items.
    uniform: Vec<Product>,
    constant: i64,
}

/// The bytes that each work-item accesses of an object with this start, if all accesses are of the
/// same ones up to a constant.
pub fn own_bytes(
    provenance: &Provenance<'_>,
    accesses: &[&Access],
    start: Value,
) -> Option<OwnBytes> {
    let mut common: Option<Sum> = None;
    let (mut first, mut end) = (i64::MAX, i64::MIN);
    for access in accesses {
        let sum = Sum::recognize(provenance, access.pointer, start)?;
        let bytes = i64::try_from(access.bytes.as_integer()?).ok()?;
        first = first.min(sum.constant);
        end = end.max(sum.constant.checked_add(bytes)?);
        let sum = Sum { constant: 0, ..sum };
        if common.get_or_insert_with(|| sum.clone()) != &sum {
            return None;
        }
    }
    Some(OwnBytes {
        strides: common?.strides.into_iter().collect(),
        bytes: u64::try_from(end.checked_sub(first)?).ok()?,
    })
}

impl Sum {
    fn recognize(provenance: &Provenance<'_>, pointer: Value, start: Value) -> Option<Self> {
        let mut sum = Self::default();
        let mut at = pointer;
        while at != start {
            if at.is(Opcode::LLVMGetElementPtr) {
                for term in gep::terms(at, provenance.layout)? {
                    let (index, scale) = match term {
                        Term::Field { offset } => {
                            let offset = i64::try_from(offset).ok()?;
                            sum.constant = sum.constant.checked_add(offset)?;
                            continue;
                        }
                        Term::Element { index, scale } | Term::VectorElement { index, scale } => {
                            (index, scale)
                        }
                    };
                    let scale = constant(i64::try_from(scale).ok()?);
                    sum.add(provenance, index, &scale, DEPTH)?;
                }
            }
            at = source(at)?;
        }
        for products in sum.strides.values_mut() {
            products.sort_unstable();
        }
        sum.uniform.sort_unstable();
        Some(sum)
    }

    /// Adds a value times a product.
    fn add(
        &mut self,
        provenance: &Provenance<'_>,
        value: Value,
        times: &Product,
        depth: u32,
    ) -> Option<()> {
        let depth = depth.checked_sub(1)?;
        if let Some(id) = id(value) {
            self.strides.entry(id).or_default().push(times.clone());
            return Some(());
        }
        if let Some(factor) = uniform(provenance, value, depth) {
            let product = multiplied(times, &factor)?;
            match product.factors.is_empty() {
                true => self.constant = self.constant.checked_add(product.constant)?,
                false => self.uniform.push(product),
            }
            return Some(());
        }
        if !value.is_instruction() {
            return None;
        }
        let operand = |index: u32| value.operand(index);
        match value.opcode() {
            Opcode::LLVMPHI => match value.incoming()[..] {
                [(only, _)] => self.add(provenance, only, times, depth),
                _ => None,
            },
            Opcode::LLVMAdd => {
                self.add(provenance, operand(0), times, depth)?;
                self.add(provenance, operand(1), times, depth)
            }
            Opcode::LLVMSub => {
                self.add(provenance, operand(0), times, depth)?;
                let negative = multiplied(times, &constant(-1))?;
                self.add(provenance, operand(1), &negative, depth)
            }
            Opcode::LLVMMul => {
                let of = |index: u32| uniform(provenance, operand(index), depth);
                let (other, factor) = match (of(0), of(1)) {
                    (Some(factor), _) => (1, factor),
                    (None, Some(factor)) => (0, factor),
                    (None, None) => return None,
                };
                let times = multiplied(times, &factor)?;
                self.add(provenance, operand(other), &times, depth)
            }
            Opcode::LLVMShl => {
                let bits = operand(1).as_integer().filter(|bits| *bits < 32)?;
                let times = multiplied(times, &constant(1 << bits))?;
                self.add(provenance, operand(0), &times, depth)
            }
            Opcode::LLVMSExt | Opcode::LLVMZExt | Opcode::LLVMTrunc | Opcode::LLVMFreeze
                if is_wide(value) && is_wide(operand(0)) =>
            {
                self.add(provenance, operand(0), times, depth)
            }
            _ => None,
        }
    }
}

/// Whether an integer has at least 32 bits.
fn is_wide(value: Value) -> bool {
    value.ty().is_integer() && value.ty().integer_bits() >= 32
}

/// The id that a value is.
fn id(value: Value) -> Option<Id> {
    let (query, dimension) = query(value)?;
    Some(match query {
        Query::GlobalId => Id::Global(dimension),
        Query::LocalId => Id::Local(dimension),
        Query::GroupId => Id::Group(dimension),
        _ => return None,
    })
}

/// A query of a constant dimension.
fn query(value: Value) -> Option<(Query, usize)> {
    if !value.is(Opcode::LLVMCall) {
        return None;
    }
    let query = Query::parse(&value.called_function()?.name())?;
    let dimension = value.operands().first()?.as_integer()?;
    let dimension = usize::try_from(dimension).ok().filter(|d| *d < 3)?;
    Some((query, dimension))
}

/// A value that the launch sets.
fn uniform(provenance: &Provenance<'_>, value: Value, depth: u32) -> Option<Product> {
    let depth = depth.checked_sub(1)?;
    if let Some(number) = value.as_signed_integer() {
        return Some(constant(number));
    }
    let parameters = provenance.kernel.parameters();
    if let Some(index) = parameters.iter().position(|p| *p == value) {
        let argument = provenance.interface.arguments.get(index)?;
        let is_plain = is_wide(value) && provenance.kernel.by_value_type(index as u32).is_none();
        return is_plain.then(|| of_factor(Factor::Argument(argument.offset, argument.size)));
    }
    if let Some((query, dimension)) = query(value) {
        return Some(of_factor(match query {
            Query::GlobalSize => Factor::GlobalSize(dimension),
            Query::LocalSize => Factor::LocalSize(dimension),
            Query::GroupCount => Factor::GroupCount(dimension),
            _ => return None,
        }));
    }
    if !value.is_instruction() {
        return None;
    }
    let of = |index: u32| uniform(provenance, value.operand(index), depth);
    match value.opcode() {
        Opcode::LLVMPHI => match value.incoming()[..] {
            [(only, _)] => uniform(provenance, only, depth),
            _ => None,
        },
        Opcode::LLVMMul => multiplied(&of(0)?, &of(1)?),
        Opcode::LLVMShl => {
            let bits = value.operand(1).as_integer().filter(|bits| *bits < 32)?;
            multiplied(&of(0)?, &constant(1 << bits))
        }
        Opcode::LLVMSExt | Opcode::LLVMZExt | Opcode::LLVMTrunc | Opcode::LLVMFreeze
            if is_wide(value) && is_wide(value.operand(0)) =>
        {
            of(0)
        }
        _ => None,
    }
}

fn constant(constant: i64) -> Product {
    Product {
        constant,
        factors: Vec::new(),
    }
}

fn of_factor(factor: Factor) -> Product {
    Product {
        constant: 1,
        factors: vec![factor],
    }
}

fn multiplied(one: &Product, other: &Product) -> Option<Product> {
    let mut factors = [&one.factors[..], &other.factors].concat();
    factors.sort_unstable();
    Some(Product {
        constant: one.constant.checked_mul(other.constant)?,
        factors,
    })
}
