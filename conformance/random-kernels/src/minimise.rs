//! Minimises a failing program: removes and simplifies parts as long as it still fails.

use super::ast::*;
use super::source;
use super::walk::{self, Part};
use std::time::Instant;

/// Returns a smaller program for which `fails` is still true; `fails` must be false for programs
/// that are not valid. Returns the smallest one found when the time `until` is reached.
pub fn minimise(
    mut program: Program,
    until: Instant,
    fails: &mut dyn FnMut(&Program) -> bool,
) -> Program {
    let mut reduction = Reduction { until, fails };
    loop {
        let size = source::text(&program).len();
        reduction.whole(&mut program);
        reduction.statements(&mut program);
        reduction.structure(&mut program);
        reduction.expressions(&mut program);
        if source::text(&program).len() >= size || Instant::now() > until {
            return program;
        }
    }
}

struct Reduction<'f> {
    until: Instant,
    fails: &'f mut dyn FnMut(&Program) -> bool,
}

/// Visits the blocks of a program, outer ones before inner ones, until `visit` ends the walk.
fn blocks(program: &mut Program, visit: &mut dyn FnMut(&mut Block) -> bool) {
    fn walk_block(block: &mut Block, visit: &mut dyn FnMut(&mut Block) -> bool) -> bool {
        if visit(block) {
            return true;
        }
        let mut done = false;
        for statement in block {
            walk::statement(statement, &mut |part| {
                if let Part::Block(inner) = part {
                    done = done || walk_block(inner, visit);
                }
            });
        }
        done
    }
    for function in program.helpers.iter_mut().chain([&mut program.kernel]) {
        if walk_block(&mut function.body, visit) {
            return;
        }
    }
}

/// Applies a function to the block with this number, if it exists.
fn at_block<T>(
    program: &mut Program,
    number: usize,
    change: impl FnOnce(&mut Block) -> T,
) -> Option<T> {
    let mut next = 0;
    let mut change = Some(change);
    let mut result = None;
    blocks(program, &mut |block| {
        if next == number
            && let Some(change) = change.take()
        {
            result = Some(change(block));
            return true;
        }
        next += 1;
        false
    });
    result
}

/// Applies a function to the expression with this number; outer expressions have lower numbers than
/// inner ones.
fn at_expression(
    program: &mut Program,
    number: usize,
    change: &mut dyn FnMut(&mut Expression),
) -> bool {
    fn walk_part(part: Part<'_>, left: &mut isize, change: &mut dyn FnMut(&mut Expression)) {
        if *left < 0 {
            return;
        }
        match part {
            Part::Expression(expression) => {
                *left -= 1;
                if *left < 0 {
                    change(expression);
                    return;
                }
                walk::expression(expression, &mut |part| walk_part(part, left, change));
            }
            Part::Place(place) => {
                walk::place(place, &mut |part| walk_part(part, left, change));
            }
            Part::Block(block) => {
                for statement in block {
                    walk::statement(statement, &mut |part| walk_part(part, left, change));
                }
            }
        }
    }
    let mut left = number as isize;
    for function in program.helpers.iter_mut().chain([&mut program.kernel]) {
        walk_part(Part::Block(&mut function.body), &mut left, change);
    }
    left < 0
}

/// Simpler expressions of the same type.
fn simpler(expression: &Expression) -> Vec<Expression> {
    let ty = expression.ty;
    let mut candidates = Vec::new();
    if !matches!(expression.kind, Kind::Constant(_)) {
        candidates.push(Expression::constant(ty, 0));
        candidates.push(Expression::constant(ty, 1));
    }
    let mut copy = expression.clone();
    walk::expression(&mut copy, &mut |part| {
        if let Part::Expression(inner) = part
            && inner.ty == ty
            && !matches!(inner.kind, Kind::Constant(_))
        {
            candidates.push(inner.clone());
        }
    });
    candidates
}

/// The bodies of a compound statement, which may replace it.
fn unwrapped(statement: &Statement) -> Vec<Block> {
    let mut copy = statement.clone();
    let mut candidates = Vec::new();
    walk::statement(&mut copy, &mut |part| {
        if let Part::Block(block) = part
            && !block.is_empty()
        {
            candidates.push(block.clone());
        }
    });
    candidates
}

/// Whether a function calls the helper.
fn called(program: &Program, helper: usize) -> bool {
    let text = source::text(program);
    text.matches(&format!("f{helper}(")).count() > 1
}

fn without_helper(program: &Program, helper: usize) -> Program {
    let mut program = program.clone();
    program.helpers.remove(helper);
    let renumber = |number: &mut usize| {
        if *number > helper {
            *number -= 1;
        }
    };
    blocks(&mut program, &mut |block| {
        for statement in block {
            if let Statement::Call { helper, .. } = statement {
                renumber(helper);
            }
        }
        false
    });
    let mut number = 0;
    while at_expression(&mut program, number, &mut |expression| {
        if let Kind::Helper(helper, _) = &mut expression.kind {
            renumber(helper);
        }
    }) {
        number += 1;
    }
    program
}

impl Reduction<'_> {
    fn accept(&mut self, program: &mut Program, candidate: Program) -> bool {
        if Instant::now() > self.until || !(self.fails)(&candidate) {
            return false;
        }
        *program = candidate;
        true
    }

    /// Simplifies the index space, parameters, helpers and attributes.
    fn whole(&mut self, program: &mut Program) {
        let dimensions = program.geometry.local.len();
        let mut candidate = program.clone();
        candidate.geometry.global = candidate.geometry.local.clone();
        self.accept(program, candidate);
        let mut candidate = program.clone();
        candidate.geometry.offset = vec![0; dimensions];
        self.accept(program, candidate);
        let mut candidate = program.clone();
        candidate.required_local_size = false;
        self.accept(program, candidate);
        for dimension in 0..dimensions {
            for size in 1..program.geometry.local[dimension] {
                let mut candidate = program.clone();
                let geometry = &mut candidate.geometry;
                let groups = geometry.global[dimension] / geometry.local[dimension];
                geometry.local[dimension] = size;
                geometry.global[dimension] = size * groups;
                if self.accept(program, candidate) {
                    break;
                }
            }
        }
        for helper in (0..program.helpers.len()).rev() {
            if !called(program, helper) {
                let candidate = without_helper(program, helper);
                self.accept(program, candidate);
            } else if program.helpers[helper].noinline {
                let mut candidate = program.clone();
                candidate.helpers[helper].noinline = false;
                self.accept(program, candidate);
            }
        }
        for parameter in program.kernel.parameters.clone() {
            let mut candidate = program.clone();
            candidate
                .kernel
                .parameters
                .retain(|&other| other != parameter);
            candidate
                .buffers
                .retain(|buffer| buffer.variable != parameter);
            candidate
                .local_parameters
                .retain(|other| other.0 != parameter);
            candidate.values.retain(|other| other.0 != parameter);
            self.accept(program, candidate);
        }
        for array in program.kernel.local_arrays.clone() {
            let mut candidate = program.clone();
            candidate
                .kernel
                .local_arrays
                .retain(|&other| other != array);
            self.accept(program, candidate);
        }
        for table in (0..program.constants.len()).rev() {
            let mut candidate = program.clone();
            candidate.constants.remove(table);
            self.accept(program, candidate);
        }
    }

    /// Removes statements, first many at once.
    fn statements(&mut self, program: &mut Program) {
        let mut number = 0;
        while let Some(length) = at_block(program, number, |block| block.len()) {
            let mut chunk = length;
            while chunk > 0 {
                let mut start = 0;
                while let Some(length) = at_block(program, number, |block| block.len()) {
                    if start >= length || Instant::now() > self.until {
                        break;
                    }
                    let mut candidate = program.clone();
                    at_block(&mut candidate, number, |block| {
                        block.drain(start..(start + chunk).min(length));
                    });
                    if !self.accept(program, candidate) {
                        start += chunk;
                    }
                }
                chunk /= 2;
            }
            number += 1;
        }
    }

    /// Replaces compound statements by their bodies.
    fn structure(&mut self, program: &mut Program) {
        let mut number = 0;
        while let Some(length) = at_block(program, number, |block| block.len()) {
            for position in (0..length).rev() {
                let candidates = at_block(program, number, |block| {
                    block.get(position).map(unwrapped).unwrap_or_default()
                });
                for replacement in candidates.unwrap_or_default() {
                    let mut candidate = program.clone();
                    at_block(&mut candidate, number, |block| {
                        block.splice(position..=position, replacement);
                    });
                    if self.accept(program, candidate) {
                        break;
                    }
                }
            }
            number += 1;
        }
    }

    fn expressions(&mut self, program: &mut Program) {
        let mut number = 0;
        loop {
            let mut candidates = None;
            at_expression(program, number, &mut |expression| {
                candidates = Some(simpler(expression));
            });
            let Some(candidates) = candidates else {
                return;
            };
            let mut accepted = false;
            for simple in candidates {
                let mut candidate = program.clone();
                at_expression(&mut candidate, number, &mut |expression| {
                    *expression = simple.clone();
                });
                if self.accept(program, candidate) {
                    accepted = true;
                    break;
                }
            }
            if Instant::now() > self.until {
                return;
            }
            if !accepted {
                number += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{generator, interpreter};
    use std::time::Duration;

    #[test]
    fn only_what_makes_a_program_fail_is_left() {
        // A platform that cannot compile `rotate`.
        let program = (0..)
            .map(|seed| generator::generate(seed, 0, generator::Profile::default()))
            .find(|program| {
                source::text(program).contains("rotate(") && interpreter::run(program).is_ok()
            });
        let program = program.unwrap();
        let before = source::text(&program).len();
        let until = Instant::now() + Duration::from_secs(600);
        let small = minimise(program, until, &mut |candidate| {
            source::text(candidate).contains("rotate(") && interpreter::run(candidate).is_ok()
        });
        let text = source::text(&small);
        assert!(text.contains("rotate("), "{text}");
        assert!(text.len() * 4 < before, "{text}");
        assert_eq!(small.geometry.items(), 1);
        assert_eq!(text.matches("barrier(").count(), 0, "{text}");
    }
}
