//! Changes of a program that make one error, confirmed by the interpreter.

use super::Defect;
use crate::ast::*;
use crate::interpreter::{self, Cause};
use crate::types::{Shape, UINT, ULONG};
use crate::walk::{self, Part};
use fastrand::Rng;

/// Maximum number of changes that are tried.
const ATTEMPTS: usize = 40;

/// Bytes that memory is filled with, to see whether its contents matter.
const FILLS: [u8; 2] = [0x5a, 0xa5];

/// The program with such an error and no other one; `None` if no tried change made one.
pub fn inject(program: &Program, defect: Defect, random: &mut Rng) -> Option<Program> {
    let sites = change(&mut program.clone(), defect, usize::MAX, 0);
    if sites == 0 {
        return None;
    }
    (0..ATTEMPTS).find_map(|_| {
        let mut changed = program.clone();
        let distance = [1, 7, 300, 100_000][random.usize(0..4)];
        change(&mut changed, defect, random.usize(0..sites), distance);
        has(&changed, defect).then_some(changed)
    })
}

/// Whether the error, and no other one, is the first of the program.
fn has(program: &Program, defect: Defect) -> bool {
    let cause = match defect {
        Defect::OutOfBounds => Cause::OutOfBounds,
        Defect::Race => Cause::Race,
        Defect::DivergentBarrier => Cause::Barrier,
        Defect::Uninitialised => {
            let results = FILLS.map(|fill| interpreter::run_filled(program, Some(fill)));
            return matches!(&results, [Ok(one), Ok(other)] if one != other);
        }
    };
    interpreter::run(program).is_err_and(|undefined| undefined.cause() == cause)
}

/// Changes the site with this number; returns the number of sites.
fn change(program: &mut Program, defect: Defect, number: usize, distance: i128) -> usize {
    let variables = program.variables.clone();
    let mut sites = 0;
    walk::program(program, &mut |part| {
        let mut is_chosen = || {
            sites += 1;
            sites - 1 == number
        };
        match (defect, part) {
            (Defect::OutOfBounds, Part::Place(place)) => {
                if let Some(Step::Index(index)) = place.steps.first_mut()
                    && is_chosen()
                {
                    add(index, distance);
                }
            }
            (Defect::OutOfBounds, Part::Expression(value)) => {
                if let Kind::VectorLoad { offset, .. } = &mut value.kind
                    && is_chosen()
                {
                    add(offset, distance);
                }
            }
            (Defect::Race, Part::Block(block)) => {
                let barrier =
                    |statement: &Statement| matches!(statement, Statement::Barrier { .. });
                if let Some(site) = site(block, barrier, is_chosen) {
                    block.remove(site);
                }
            }
            (Defect::DivergentBarrier, Part::Block(block)) => {
                let barrier =
                    |statement: &Statement| matches!(statement, Statement::Barrier { .. });
                if let Some(site) = site(block, barrier, is_chosen) {
                    let barrier = block.remove(site);
                    block.insert(site, of_first_column(barrier));
                }
            }
            (Defect::Uninitialised, Part::Block(block)) => {
                let sets = |statement: &Statement| sets(statement, &variables);
                if let Some(site) = site(block, sets, is_chosen) {
                    match &mut block[site] {
                        Statement::Declare(_, initial) => *initial = Initial::Unset,
                        _ => drop(block.remove(site)),
                    }
                }
            }
            _ => {}
        }
    });
    sites
}

/// The chosen statement among those of a block that are sites.
fn site(
    block: &Block,
    is_site: impl Fn(&Statement) -> bool,
    mut is_chosen: impl FnMut() -> bool,
) -> Option<usize> {
    let mut chosen = None;
    for (index, statement) in block.iter().enumerate() {
        if is_site(statement) && is_chosen() {
            chosen = Some(index);
        }
    }
    chosen
}

/// Adds to an index.
fn add(index: &mut Expression, distance: i128) {
    let inner = index.clone().convert(UINT.scalar);
    *index = Expression::binary(Operator::Add, inner, Expression::constant(UINT, distance));
}

/// The statement for work-items whose first local id is 0.
fn of_first_column(statement: Statement) -> Statement {
    let dimension = Box::new(Expression::constant(UINT, 0));
    let id = Expression::new(ULONG, Kind::WorkItem(WorkItem::LocalId, dimension));
    let is_first = Expression::compare(Comparison::Equal, id, Expression::constant(ULONG, 0));
    Statement::If(is_first, vec![statement], Vec::new())
}

/// Whether it gives a private variable or local memory a value.
fn sets(statement: &Statement, variables: &[Variable]) -> bool {
    match statement {
        Statement::Declare(variable, Initial::Value(_)) => matches!(
            variables[*variable],
            Variable::Object {
                shape: Shape::Value(_),
                ..
            }
        ),
        Statement::Assign(place, None, _) => matches!(
            variables[place.root],
            Variable::Object {
                space: Space::Local,
                ..
            } | Variable::Pointer {
                space: Space::Local,
                ..
            }
        ),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generator::Profile;
    use crate::{runner, source};

    /// The interpreter confirms every error; here: that there are some of each.
    #[test]
    fn each_error_can_be_injected_into_some_kernels() {
        let profile = Profile {
            barriers: true,
            ..Profile::default()
        };
        for defect in Defect::ALL {
            let mut random = Rng::with_seed(3);
            let injected = (0..20).filter_map(|seed| {
                let (program, _) = runner::kernel(seed, profile);
                let changed = inject(&program, defect, &mut random)?;
                assert_ne!(source::text(&program), source::text(&changed));
                assert!(has(&changed, defect) && !has(&program, defect));
                Some(changed)
            });
            assert!(injected.count() >= 3, "{defect:?}");
        }
    }
}
