//! Which module depends on which: a module is a file, inline modules belong to theirs.

use super::module_tree::{ModuleId, ModuleTree, Resolution};
use super::references;
use std::collections::BTreeMap;

/// Where a dependency comes from.
pub struct Dependency {
    /// The path as it is written.
    pub path: String,
    /// The line in the dependent module's file, from 1.
    pub line: usize,
}

/// The dependencies between a crate's files.
pub struct ModuleGraph {
    /// The modules' paths, by [`ModuleId`].
    pub paths: Vec<String>,
    /// For each module those it depends on, with the first mention.
    pub dependencies: Vec<BTreeMap<ModuleId, Dependency>>,
}

impl ModuleGraph {
    /// The graph of a crate. A re-export makes no dependency; its users depend on the module
    /// that defines the name.
    pub fn build(tree: &ModuleTree) -> Self {
        let mut graph = Self {
            paths: tree
                .modules
                .iter()
                .map(|module| module.path.clone())
                .collect(),
            dependencies: tree.modules.iter().map(|_| BTreeMap::new()).collect(),
        };
        for (id, module) in tree.modules.iter().enumerate() {
            for item in &module.items {
                for reference in references::of_item(item) {
                    graph.add(tree, id, reference);
                }
            }
        }
        graph
    }

    fn add(&mut self, tree: &ModuleTree, from: ModuleId, reference: references::Reference) {
        let Resolution::Item(definer) = tree.resolve(from, &reference.path, reference.prefer)
        else {
            return;
        };
        let (from, to) = (tree.file_module(from), tree.file_module(definer));
        if from != to {
            let dependency = Dependency {
                path: reference.path.join("::"),
                line: reference.line,
            };
            self.dependencies[from].entry(to).or_insert(dependency);
        }
    }
}
