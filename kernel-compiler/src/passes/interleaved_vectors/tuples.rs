//! The components of OpenCL vectors of all lanes, a vector each, and what they are computed from.

use super::shuffles::{Interleaved, are_same, load_of};
use crate::ir::{Block, Opcode, Value};
use std::collections::{HashMap, HashSet};

/// A vector for each component.
pub type Tuple = Vec<Value>;

/// How the components of a tuple are computed.
pub enum Form {
    /// They are those of OpenCL vectors that this instruction loads.
    Loaded(Value),
    /// They are one vector.
    Same,
    /// By the same operation, of the components of other tuples; of one operand, none, that is no vector.
    Operation(Vec<Option<Tuple>>),
    /// By φs.
    Phi(Vec<(Tuple, Block)>),
    /// Each in its own manner.
    Apart,
}

/// The tuples from which those that are put together are computed.
pub struct Tuples {
    forms: HashMap<Tuple, Form>,
}

impl Tuples {
    /// Follows what is put together to what it is computed from. Operations have no other use.
    pub fn find(sinks: &[Interleaved]) -> Self {
        let mut found = Self {
            forms: HashMap::new(),
        };
        let mut members = HashSet::new();
        let mut pending: Vec<Tuple> = sinks.iter().map(|sink| sink.parts.clone()).collect();
        while let Some(tuple) = pending.pop() {
            if found.forms.contains_key(&tuple) {
                continue;
            }
            let form = form_of(&tuple, &mut members);
            pending.extend(inputs(&form).cloned());
            found.forms.insert(tuple, form);
        }
        found.separate_used_ones(sinks);
        found
    }

    /// The form of a tuple that was found.
    pub fn form(&self, tuple: &Tuple) -> &Form {
        &self.forms[tuple]
    }

    /// Tuples of operations and φs.
    pub fn operations(&self) -> impl Iterator<Item = (&Tuple, &Form)> {
        self.forms
            .iter()
            .filter(|(_, form)| matches!(form, Form::Operation(_) | Form::Phi(_)))
    }

    /// The shuffles that take loaded vectors apart.
    pub fn loaded_parts(&self) -> impl Iterator<Item = Value> {
        let loaded = self.forms.iter();
        let loaded = loaded.filter(|(_, form)| matches!(form, Form::Loaded(_)));
        loaded.flat_map(|(tuple, _)| tuple.iter().copied())
    }

    /// Loads that need not be taken apart any more.
    pub fn loads_of_parts_only(&self) -> impl Iterator<Item = Value> {
        let members = self.members();
        self.forms.iter().filter_map(move |(tuple, form)| {
            let Form::Loaded(load) = form else {
                return None;
            };
            let mut users = tuple.iter().flat_map(|part| part.users());
            users.all(|user| members.contains(&user)).then_some(*load)
        })
    }

    /// The blocks in which tuples are put together for operations that stay, and vectors repeated that are no splats.
    pub fn uses_of_apart(&self, sinks: &[Interleaved]) -> impl Iterator<Item = Block> {
        let is_apart = |tuple: &Tuple| match self.forms[tuple] {
            Form::Apart => !tuple.iter().all(|of| of.is_constant()),
            Form::Same => !tuple[0].is_constant() && tuple[0].repeated_element().is_none(),
            _ => false,
        };
        let of_operations = self.operations().flat_map(|(tuple, form)| {
            let block = tuple[0].block();
            let uses: Vec<(Block, &Tuple)> = match form {
                Form::Phi(incoming) => incoming.iter().map(|(of, from)| (*from, of)).collect(),
                form => inputs(form).map(|of| (block, of)).collect(),
            };
            uses
        });
        let of_sinks = sinks.iter().map(|sink| (sink.result.block(), &sink.parts));
        let uses: Vec<Block> = of_operations
            .chain(of_sinks)
            .filter(|(_, tuple)| is_apart(tuple))
            .map(|(block, _)| block)
            .collect();
        uses.into_iter()
    }

    /// What operations and φs compute.
    pub fn members(&self) -> HashSet<Value> {
        let operations = self.operations();
        operations
            .flat_map(|(tuple, _)| tuple.iter().copied())
            .collect()
    }

    /// Lets operations be that other instructions use, too: they would be computed twice.
    fn separate_used_ones(&mut self, sinks: &[Interleaved]) {
        let concatenations = sinks
            .iter()
            .flat_map(|sink| sink.concatenations.iter().copied());
        let results: HashSet<Value> = sinks.iter().map(|sink| sink.result).collect();
        let concatenations: HashSet<Value> = concatenations
            .filter(|of| of.users().iter().all(|user| results.contains(user)))
            .collect();
        loop {
            let members = self.members();
            let is_inside = |user: &Value| {
                members.contains(user) || results.contains(user) || concatenations.contains(user)
            };
            // Those that are put together, or repeated, as they are.
            let apart = self.forms.iter();
            let apart = apart.filter(|(_, form)| matches!(form, Form::Apart | Form::Same));
            let apart: HashSet<Value> =
                apart.flat_map(|(tuple, _)| tuple.iter().copied()).collect();
            let is_used = |tuple: &Tuple| {
                let mut users = tuple.iter().flat_map(|of| of.users());
                users.any(|user| !is_inside(&user)) || tuple.iter().any(|of| apart.contains(of))
            };
            let used: Vec<Tuple> = self
                .operations()
                .filter(|(tuple, _)| is_used(tuple))
                .map(|(tuple, _)| tuple.clone())
                .collect();
            if used.is_empty() {
                return;
            }
            for tuple in used {
                self.forms.insert(tuple, Form::Apart);
            }
        }
    }
}

/// The tuples that a form takes.
fn inputs(form: &Form) -> Box<dyn Iterator<Item = &Tuple> + '_> {
    match form {
        Form::Operation(operands) => Box::new(operands.iter().flatten()),
        Form::Phi(incoming) => Box::new(incoming.iter().map(|(tuple, _)| tuple)),
        Form::Loaded(_) | Form::Same | Form::Apart => Box::new(std::iter::empty()),
    }
}

/// How components are computed. A value is a member of one tuple only.
fn form_of(tuple: &Tuple, members: &mut HashSet<Value>) -> Form {
    let first = tuple[0];
    if tuple.iter().all(|of| are_same(*of, first)) {
        return Form::Same;
    }
    if let Some(load) = load_of(tuple) {
        return Form::Loaded(load);
    }
    let is_alike = |of: &Value| {
        of.is_instruction()
            && of.opcode() == first.opcode()
            && of.block() == first.block()
            && of.ty() == first.ty()
            && freedoms(of) == freedoms(&first)
            && !members.contains(of)
    };
    let are_different = (1..tuple.len()).all(|number| !tuple[..number].contains(&tuple[number]));
    if !first.is_instruction() || !tuple.iter().all(is_alike) || !are_different {
        return Form::Apart;
    }
    let form = match first.is(Opcode::LLVMPHI) {
        true => phi_form(tuple),
        false => operation_form(tuple),
    };
    if let Some(form) = form {
        members.extend(tuple.iter().copied());
        return form;
    }
    Form::Apart
}

/// What floating-point arithmetic may do beyond IEEE 754.
fn freedoms(operation: &Value) -> [bool; 3] {
    [
        operation.may_contract(),
        operation.may_use_reciprocal(),
        operation.may_reassociate(),
    ]
}

fn phi_form(tuple: &Tuple) -> Option<Form> {
    let incoming = tuple[0].incoming().into_iter().map(|(_, from)| {
        let values = tuple.iter().map(|phi| phi.incoming_from(from));
        Some((values.collect::<Option<Tuple>>()?, from))
    });
    Some(Form::Phi(incoming.collect::<Option<_>>()?))
}

fn operation_form(tuple: &Tuple) -> Option<Form> {
    let first = tuple[0];
    let is_call = first.is(Opcode::LLVMCall);
    let called = first.called_function();
    let are_alike = !is_call || tuple.iter().all(|of| of.called_function() == called);
    if !first.is_elementwise() || !are_alike {
        return None;
    }
    let count = first.operands().len() - usize::from(is_call);
    let operand = |number: usize| {
        let number = number as u32;
        let of_all: Tuple = tuple.iter().map(|of| of.operand(number)).collect();
        if of_all[0].ty().is_vector() {
            return Some(Some(of_all));
        }
        let are_same = of_all.iter().all(|of| *of == of_all[0]);
        are_same.then_some(None)
    };
    let operands = (0..count).map(operand).collect::<Option<_>>()?;
    Some(Form::Operation(operands))
}
