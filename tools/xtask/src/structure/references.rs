//! The paths in a module's code. Method calls contain no path, so that a dependency by methods
//! alone is not found.

use super::module_tree::{Preference, is_reexport};
use super::names::{self, Segments};
use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};

/// A path in the code, with its position.
pub struct Reference {
    pub path: Segments,
    /// The line in the file, from 1.
    pub line: usize,
    /// Whether the path means the module or the item of that name. A `use` of a module is no
    /// dependency itself; paths that begin with the imported name are.
    pub prefer: Preference,
}

/// The paths in an item, unless it is compiled for tests only.
pub fn of_item(item: &syn::Item) -> Vec<Reference> {
    let mut collector = Collector::default();
    collector.visit_item(item);
    collector.references
}

#[derive(Default)]
struct Collector {
    references: Vec<Reference>,
}

impl Collector {
    fn add(&mut self, path: Segments, line: usize, prefer: Preference) {
        self.references.push(Reference { path, line, prefer });
    }

    /// Adds the paths in the tokens of a macro.
    fn tokens(&mut self, tokens: TokenStream) {
        let mut path = Segments::new();
        let mut line = 0;
        let mut after_dot = false;
        let mut colons = 0;
        for token in tokens {
            let mut ended_by_call = false;
            match &token {
                TokenTree::Ident(ident) => {
                    if colons != 2 {
                        self.end_of_tokens(&mut path, line, false);
                        line = ident.span().start().line;
                    }
                    if !after_dot {
                        path.push(ident.to_string());
                    }
                }
                TokenTree::Punct(punct) if punct.as_char() == ':' => {
                    colons += 1;
                    continue;
                }
                TokenTree::Punct(punct) => ended_by_call = punct.as_char() == '!',
                TokenTree::Group(group) => {
                    ended_by_call = group.delimiter() == proc_macro2::Delimiter::Parenthesis;
                }
                TokenTree::Literal(_) => (),
            }
            after_dot = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '.');
            colons = 0;
            if !matches!(token, TokenTree::Ident(_)) {
                self.end_of_tokens(&mut path, line, ended_by_call);
            }
            if let TokenTree::Group(group) = token {
                self.tokens(group.stream());
            }
        }
        self.end_of_tokens(&mut path, line, false);
    }

    /// A lone lower-case word is a variable or a field unless it is called.
    fn end_of_tokens(&mut self, path: &mut Segments, line: usize, called: bool) {
        let path = std::mem::take(path);
        let is_type = |word: &String| word.starts_with(char::is_uppercase);
        match path.as_slice() {
            [] => (),
            [word] if !called && !is_type(word) => (),
            _ => self.add(path, line, Preference::Item),
        }
    }
}

impl<'ast> Visit<'ast> for Collector {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        if !names::for_tests(names::attributes(item)) {
            visit::visit_item(self, item);
        }
    }

    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        if !names::for_tests(&function.attrs) {
            visit::visit_impl_item_fn(self, function);
        }
    }

    fn visit_item_use(&mut self, declaration: &'ast syn::ItemUse) {
        if is_reexport(declaration) || declaration.leading_colon.is_some() {
            return;
        }
        let line = declaration.use_token.span.start().line;
        for import in names::imports(&declaration.tree) {
            if import.name.is_some() {
                self.add(import.path, line, Preference::Module);
            }
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        if path.leading_colon.is_none() {
            let segments = path.segments.iter().map(|part| part.ident.to_string());
            let first = path.segments.first().map(|part| part.ident.span());
            let line = first.map_or(0, |span| span.start().line);
            self.add(segments.collect(), line, Preference::Item);
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        visit::visit_macro(self, call);
        self.tokens(call.tokens.clone());
    }

    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}

    fn visit_visibility(&mut self, _: &'ast syn::Visibility) {}
}
