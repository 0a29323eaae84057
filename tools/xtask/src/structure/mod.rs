//! `cargo xtask modules`: finds cycles between modules, and files, functions and folders beyond the
//! limits of size.

mod crates;
mod cycles;
mod exceptions;
mod graph;
mod limits;
mod module_tree;
mod names;
mod references;
#[cfg(test)]
mod tests;

use anyhow::Result;
use crates::CrateRoot;
use graph::ModuleGraph;
use module_tree::ModuleTree;

/// Prints the cycles between the modules of all crates, or of the crate `only`, and what exceeds
/// the limits of size.
///
/// # Errors
/// A source file cannot be read or parsed, there is no such crate, or there are findings beyond
/// the listed exceptions.
pub fn run(only: Option<&str>) -> Result<()> {
    let roots = crates::roots()?;
    if let Some(name) = only
        && !roots.iter().any(|root| root.name == name)
    {
        anyhow::bail!("the workspace has no crate `{name}`");
    }
    let exceptions = exceptions::read()?;
    let mut violations = 0;
    for root in &roots {
        if only.is_some_and(|name| root.name != name) {
            continue;
        }
        let cycles = cycles(root)?;
        for cycle in &cycles {
            println!("{}: {cycle}", root.name);
        }
        let known = exceptions.cyclic_crates.contains(&root.name);
        violations += usize::from(!cycles.is_empty() && !known);
    }
    let excesses = limits::excesses(&roots)?;
    for excess in &excesses {
        if only.is_none_or(|name| excess.crate_name == name) {
            let known = exceptions.reason(excess);
            violations += usize::from(known.is_none());
            let note = known.map_or_else(String::new, |why| format!(" (allowed: {why})"));
            println!("{excess}{note}");
        }
    }
    if violations > 0 {
        anyhow::bail!("{violations} findings are not among the exceptions of limits.toml");
    }
    Ok(())
}

/// The cycles of one crate.
fn cycles(root: &CrateRoot) -> Result<Vec<cycles::Cycle>> {
    let tree = ModuleTree::read(&root.file)?;
    Ok(cycles::find(&ModuleGraph::build(&tree)))
}

/// Findings that are no listed exceptions, and listed exceptions without a finding, one line each.
#[cfg(test)]
fn disagreements() -> Result<Vec<String>> {
    let exceptions = exceptions::read()?;
    let roots = crates::roots()?;
    let mut lines = Vec::new();
    let mut cyclic = Vec::new();
    for root in &roots {
        let cycles = cycles(root)?;
        if cycles.is_empty() {
            continue;
        }
        if !exceptions.cyclic_crates.contains(&root.name) {
            lines.extend(cycles.iter().map(|cycle| format!("{}: {cycle}", root.name)));
        }
        cyclic.push(root.name.clone());
    }
    for name in &exceptions.cyclic_crates {
        if !cyclic.contains(name) {
            lines.push(format!("{name} has no cycle: take it off the list"));
        }
    }
    let excesses = limits::excesses(&roots)?;
    for excess in &excesses {
        if exceptions.reason(excess).is_none() {
            lines.push(excess.to_string());
        }
    }
    lines.extend(exceptions.unneeded(&excesses));
    Ok(lines)
}
