//! Whether a kernel's results depend on its local size, from its source.

/// What depends on the local size, or prescribes it.
const DEPENDENT: [&str; 9] = [
    "get_local_",
    "get_group_",
    "get_num_groups",
    "get_enqueued_",
    "get_sub_group",
    "work_group",
    "barrier",
    "local ",
    "async_",
];

/// Whether nothing in the source names what depends on the local size, apart from other kernels.
/// False without a source.
pub fn works_with_any_local_size(source: &str, kernel: &str) -> bool {
    let code = without_other_kernels(source, kernel);
    code.contains(kernel) && !DEPENDENT.iter().any(|word| code.contains(word))
}

/// The source without the heads and bodies of kernels of other names.
fn without_other_kernels(source: &str, kernel: &str) -> String {
    const KERNEL: &str = "kernel void ";
    let mut code = String::new();
    let mut rest = source;
    while let Some(place) = rest.find(KERNEL) {
        let (before, own) = rest.split_at(place + KERNEL.len());
        code += before;
        let name = own.split(|c: char| !c.is_alphanumeric() && c != '_').next();
        let end = end_of_function(own);
        if name == Some(kernel) {
            code += &own[..end];
        }
        rest = &own[end..];
    }
    code + rest
}

/// Where the function ends that a text begins with.
fn end_of_function(text: &str) -> usize {
    let mut depth = 0;
    for (place, character) in text.char_indices() {
        match character {
            '{' => depth += 1,
            '}' if depth <= 1 => return place + 1,
            '}' => depth -= 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "float twice(float x) { return 2 * x; }
        kernel void scale(global float *a) { int i = get_global_id(0); if (i) { a[i] = twice(a[i]); } }
        kernel void sum(global float *a, local float *b) { b[get_local_id(0)] = a[0]; }
        kernel void scale_all(global float *a) { a[get_group_id(0)] = 0; }";

    #[test]
    fn only_the_kernel_and_functions_count() {
        assert!(works_with_any_local_size(SOURCE, "scale"));
        assert!(!works_with_any_local_size(SOURCE, "sum"));
        assert!(!works_with_any_local_size(SOURCE, "scale_all"));
        assert!(!works_with_any_local_size("", "scale"));
        let with_function = format!("int own() {{ return get_local_id(0); }} {SOURCE}");
        assert!(!works_with_any_local_size(&with_function, "scale"));
    }
}
