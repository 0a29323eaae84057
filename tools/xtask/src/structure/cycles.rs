//! The cycles of a module graph: its strongly connected components of more than one module
//! (Tarjan 1972, docs/bibliography.md).

use super::graph::ModuleGraph;
use super::module_tree::ModuleId;
use std::fmt::{Display, Formatter, Result};

/// Modules that depend on each other.
pub struct Cycle {
    /// Their paths, sorted.
    pub modules: Vec<String>,
    /// One line for each dependency among them.
    dependencies: Vec<String>,
}

impl Display for Cycle {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> Result {
        let modules = self.modules.join(", ");
        write!(
            formatter,
            "{} modules in a cycle: {modules}",
            self.modules.len()
        )?;
        for dependency in &self.dependencies {
            write!(formatter, "\n    {dependency}")?;
        }
        Ok(())
    }
}

/// All cycles of a crate.
pub fn find(graph: &ModuleGraph) -> Vec<Cycle> {
    let count = graph.paths.len();
    let mut search = Search {
        graph,
        order: vec![None; count],
        lowest: vec![0; count],
        stack: Vec::new(),
        on_stack: vec![false; count],
        next: 0,
        components: Vec::new(),
    };
    for module in 0..count {
        if search.order[module].is_none() {
            search.visit(module);
        }
    }
    search
        .components
        .iter()
        .map(|component| cycle(graph, component))
        .collect()
}

fn cycle(graph: &ModuleGraph, component: &[ModuleId]) -> Cycle {
    let mut modules: Vec<String> = Vec::new();
    let mut dependencies = Vec::new();
    for &from in component {
        modules.push(graph.paths[from].clone());
        for (to, dependency) in &graph.dependencies[from] {
            if component.contains(to) {
                let (from, to) = (&graph.paths[from], &graph.paths[*to]);
                let (path, line) = (&dependency.path, dependency.line);
                dependencies.push(format!("{from} -> {to}: line {line}, {path}"));
            }
        }
    }
    modules.sort();
    dependencies.sort();
    Cycle {
        modules,
        dependencies,
    }
}

/// The state of Tarjan's algorithm.
struct Search<'a> {
    graph: &'a ModuleGraph,
    order: Vec<Option<usize>>,
    lowest: Vec<usize>,
    stack: Vec<ModuleId>,
    on_stack: Vec<bool>,
    next: usize,
    components: Vec<Vec<ModuleId>>,
}

impl Search<'_> {
    fn visit(&mut self, module: ModuleId) {
        let order = self.next;
        self.next += 1;
        self.order[module] = Some(order);
        self.lowest[module] = order;
        self.stack.push(module);
        self.on_stack[module] = true;
        for &to in self.graph.dependencies[module].keys() {
            match self.order[to] {
                None => {
                    self.visit(to);
                    self.lowest[module] = self.lowest[module].min(self.lowest[to]);
                }
                Some(order) if self.on_stack[to] => {
                    self.lowest[module] = self.lowest[module].min(order);
                }
                Some(_) => (),
            }
        }
        if self.lowest[module] != order {
            return;
        }
        let start = self.stack.iter().position(|&other| other == module);
        let component = self.stack.split_off(start.unwrap_or(0));
        for &member in &component {
            self.on_stack[member] = false;
        }
        if component.len() > 1 {
            self.components.push(component);
        }
    }
}
