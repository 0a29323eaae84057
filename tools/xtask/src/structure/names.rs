//! The names that items and `use` declarations bring into a module, and whether an item is
//! compiled for tests only.

use syn::{Attribute, Item, UseTree};

/// A path as its segments, `crate`, `self` and `super` among them.
pub type Segments = Vec<String>;

/// One leaf of a `use` declaration.
pub struct Import {
    /// The imported name; `None` for a glob.
    pub name: Option<String>,
    /// The path, without the star of a glob.
    pub path: Segments,
}

/// The leaves of a `use` declaration.
pub fn imports(tree: &UseTree) -> Vec<Import> {
    let mut leaves = Vec::new();
    collect(tree, Segments::new(), &mut leaves);
    leaves
}

fn collect(tree: &UseTree, mut prefix: Segments, leaves: &mut Vec<Import>) {
    match tree {
        UseTree::Path(path) => {
            prefix.push(path.ident.to_string());
            collect(&path.tree, prefix, leaves);
        }
        UseTree::Group(group) => {
            for tree in &group.items {
                collect(tree, prefix.clone(), leaves);
            }
        }
        UseTree::Name(leaf) if leaf.ident == "self" => leaves.push(Import {
            name: prefix.last().cloned(),
            path: prefix,
        }),
        UseTree::Name(leaf) => {
            let name = leaf.ident.to_string();
            prefix.push(name.clone());
            leaves.push(Import {
                name: Some(name),
                path: prefix,
            });
        }
        UseTree::Rename(leaf) => {
            if leaf.ident != "self" {
                prefix.push(leaf.ident.to_string());
            }
            leaves.push(Import {
                name: Some(leaf.rename.to_string()),
                path: prefix,
            });
        }
        UseTree::Glob(_) => leaves.push(Import {
            name: None,
            path: prefix,
        }),
    }
}

/// The name that an item defines in its module; `None` for `mod`, `use` and `impl`.
pub fn defined(item: &Item) -> Option<String> {
    let ident = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Macro(item) => item.ident.as_ref()?,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::TraitAlias(item) => &item.ident,
        Item::Type(item) => &item.ident,
        Item::Union(item) => &item.ident,
        _ => return None,
    };
    Some(ident.to_string())
}

/// Whether attributes restrict their item to tests.
pub fn for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        if attribute.path().is_ident("test") {
            return true;
        }
        let syn::Meta::List(list) = &attribute.meta else {
            return false;
        };
        let condition = list.tokens.to_string().replace(' ', "");
        list.path.is_ident("cfg") && (condition == "test" || condition.contains("all(test"))
    })
}

/// The attributes of an item.
pub fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::ForeignMod(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Union(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}
