//! Names of source files in line tables of what is linked together: no two files have the same.

use crate::ir::{self, ContextRef, ModuleRef, SourceFile};
use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::path::Path;

/// Names, and what is in the files.
#[derive(Default)]
pub struct SourceNames(HashMap<String, Option<String>>);

impl SourceNames {
    /// Files of the next module whose names others have get other names: `program-2.cl` is the
    /// second `program.cl`.
    pub fn make_unique(&mut self, context: ContextRef, module: ModuleRef) {
        let files: HashSet<SourceFile> = ir::functions(module)
            .into_iter()
            .filter_map(SourceFile::of_function)
            .collect();
        let mut files: Vec<_> = files
            .into_iter()
            .map(|file| (file.name(), file.text(), file))
            .collect();
        files.sort_by(|a, b| (&a.0, &a.1).cmp(&(&b.0, &b.1)));
        for (name, text, file) in files {
            let free = std::iter::once(name.clone())
                .chain((2..).map(|number| numbered(&name, number)))
                .find(|name| self.0.get(name).is_none_or(|known| *known == text))
                .expect("numbers do not end");
            if free != name {
                file.rename(context, &free);
            }
            self.0.insert(free, text);
        }
    }
}

fn numbered(name: &str, number: u32) -> String {
    let path = Path::new(name);
    let shown = |part: Option<&OsStr>| part.unwrap_or_default().display().to_string();
    let (stem, extension) = (shown(path.file_stem()), shown(path.extension()));
    let name = path.with_file_name(format!("{stem}-{number}.{extension}"));
    name.display().to_string()
}

#[cfg(test)]
mod tests {
    use super::numbered;

    #[test]
    fn numbers_come_before_the_extension() {
        assert_eq!(numbered("program.cl", 2), "program-2.cl");
        assert_eq!(numbered("inc/work.h", 3), "inc/work-3.h");
    }
}
