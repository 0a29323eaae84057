//! The dependency graph of a crate's modules. Inline modules belong to the module of their file.

use super::module_tree::{ModuleId, ModuleTree, Resolution};
use super::references;
use std::collections::BTreeMap;

/// The path that causes a dependency.
pub struct Dependency {
    /// The path as written in the code.
    pub path: String,
    /// The line in the dependent module's file, from 1.
    pub line: usize,
}

/// The dependencies between a crate's files.
pub struct ModuleGraph {
    /// The modules' paths, by [`ModuleId`].
    pub paths: Vec<String>,
    /// For each module the modules on which it depends, with the first path that names each.
    pub dependencies: Vec<BTreeMap<ModuleId, Dependency>>,
}

impl ModuleGraph {
    /// Builds the graph of a crate. A re-export is no dependency; its users depend on the module
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
