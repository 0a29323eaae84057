//! Leaves OpenCL vectors of all lanes as they lie in memory where they are only combined element by element.
//!
//! Vector code has a vector for each component of the lanes' OpenCL vectors. It takes what it loads apart into these, and puts
//! together what it stores, which takes more instructions than the arithmetic of a product of matrices of `float4`.

mod shuffles;
mod tuples;

use crate::analysis::cfg::Cfg;
use crate::analysis::dominators::Dominators;
use crate::analysis::loops::LoopForest;
use crate::ir::{Block, Builder, Type, Value};
use shuffles::{Interleaved, interleaved};
use std::collections::{HashMap, HashSet};
use tuples::{Form, Tuple, Tuples};

/// How much more often the blocks of a loop are assumed to run than those around it.
const TRIP_COUNT: u64 = 8;

/// Joins the components of a function's OpenCL vectors where that saves shuffles.
pub fn join(function: Value) {
    let instructions = function.instructions();
    let interleaved = instructions.iter().copied().filter_map(interleaved);
    let mut sinks: Vec<Interleaved> = interleaved.collect();
    if sinks.is_empty() {
        return;
    }
    let tuples = Tuples::find(&sinks);
    sinks.retain(|sink| !matches!(tuples.form(&sink.parts), Form::Apart));
    if !is_profitable(function, &tuples, &sinks) {
        return;
    }
    let numbers: HashMap<Value, usize> = (0..).zip(&instructions).map(|(n, of)| (*of, n)).collect();
    let mut joiner = Joiner {
        b: Builder::new(function.ty().context()),
        tuples: &tuples,
        numbers,
        whole: HashMap::new(),
    };
    joiner.write_operations();
    // One may be a part of another.
    let wholes: Vec<Value> = sinks
        .iter()
        .map(|sink| joiner.whole_of(&sink.parts, sink.result))
        .collect();
    for (sink, whole) in sinks.iter().zip(wholes) {
        sink.result.replace_all_uses_with(whole);
    }
    sinks.iter().for_each(|sink| sink.result.erase());
    let members = tuples.members();
    members
        .iter()
        .for_each(|of| of.replace_all_uses_with(of.ty().poison()));
    members.iter().for_each(|of| of.erase());
    let concatenations = sinks
        .iter()
        .flat_map(|sink| sink.concatenations.iter().copied());
    let left: HashSet<Value> = concatenations.chain(tuples.loaded_parts()).collect();
    for shuffle in left.into_iter().filter(|of| of.users().is_empty()) {
        shuffle.erase();
    }
}

/// Whether more shuffles fall away than are added, as often as they are assumed to run.
fn is_profitable(function: Value, tuples: &Tuples, sinks: &[Interleaved]) -> bool {
    let cfg = Cfg::compute(function);
    let forest = LoopForest::compute(&cfg.graph, &Dominators::compute(&cfg.graph));
    let frequency = |block: Block| {
        let innermost = forest.innermost[cfg.number(block)];
        let around = std::iter::successors(innermost, |number| forest.loops[*number].parent);
        TRIP_COUNT.saturating_pow(around.count() as u32)
    };
    let results = sinks.iter().map(|sink| frequency(sink.result.block()));
    let loads = tuples
        .loads_of_parts_only()
        .map(|load| frequency(load.block()));
    let saved: u64 = results.chain(loads).sum();
    let added = tuples.uses_of_apart(sinks).map(frequency);
    saved > added.sum()
}

/// Writes operations on OpenCL vectors of all lanes.
struct Joiner<'a> {
    b: Builder,
    tuples: &'a Tuples,
    /// The function's instructions in their order.
    numbers: HashMap<Value, usize>,
    /// What is written of the tuples.
    whole: HashMap<Tuple, Value>,
}

impl Joiner<'_> {
    /// Writes all operations, each after the last one that it replaces.
    fn write_operations(&mut self) {
        let mut operations: Vec<(&Tuple, &Form)> = self.tuples.operations().collect();
        let last = |tuple: &Tuple| tuple.iter().map(|of| self.numbers[of]).max();
        operations.sort_by_key(|(tuple, _)| last(tuple));
        for (tuple, form) in &operations {
            if let Form::Phi(_) = form {
                self.b.before(tuple[0]);
                let phi = self.b.phi(whole_type(tuple), "");
                self.whole.insert((*tuple).clone(), phi);
            }
        }
        for (tuple, form) in &operations {
            if let Form::Operation(operands) = form {
                let last = tuple.iter().max_by_key(|of| self.numbers[*of]);
                let last = *last.expect("a tuple has elements");
                let operands: Vec<Value> = (0..)
                    .zip(operands)
                    .map(|(number, operand)| match operand {
                        Some(operand) => self.whole_of(operand, last),
                        None => last.operand(number),
                    })
                    .collect();
                self.b.before(last);
                let whole = self.b.alike(last, &operands, whole_type(tuple));
                // The components may differ in them.
                if whole.is_instruction() {
                    whole.drop_promises();
                }
                self.whole.insert((*tuple).clone(), whole);
            }
        }
        for (tuple, form) in &operations {
            if let Form::Phi(incoming) = form {
                for (values, from) in incoming {
                    let value = self.whole_of(values, from.terminator());
                    self.whole[*tuple].add_incoming(value, *from);
                }
            }
        }
    }

    /// The elements of a tuple as they lie in memory; what is not there yet is written before an instruction.
    fn whole_of(&self, tuple: &Tuple, before: Value) -> Value {
        if let Some(whole) = self.whole.get(tuple) {
            return *whole;
        }
        self.b.before(before);
        match self.tuples.form(tuple) {
            Form::Loaded(load) => *load,
            Form::Same => self.repeated(tuple),
            _ => self.b.interleave(tuple),
        }
    }

    /// Each element of a vector as often as a tuple has it.
    fn repeated(&self, tuple: &Tuple) -> Value {
        let (count, lanes) = (tuple.len() as u32, tuple[0].ty().vector_elements().1);
        if let Some(element) = tuple[0].repeated_element() {
            let elements = vec![element; (count * lanes) as usize];
            return self
                .b
                .shuffle(tuple[0].operand(0), tuple[0].operand(1), &elements);
        }
        let elements: Vec<u32> = (0..count * lanes).map(|number| number / count).collect();
        self.b.shuffle(tuple[0], tuple[0].ty().poison(), &elements)
    }
}

/// The type of the elements of a tuple as they lie in memory.
fn whole_type(tuple: &Tuple) -> Type {
    let (element, lanes) = tuple[0].ty().vector_elements();
    element.vector(lanes * tuple.len() as u32)
}
