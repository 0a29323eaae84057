use super::*;
use crate::abi::function_table::FUNCTIONS;
use crate::abi::host_memory::Out;
use crate::api::info::Destination;
use crate::trace::types::{PARAMETERS, TYPES};

fn argument(name: &'static str, type_name: &'static str, word: u64) -> Argument {
    Argument {
        name,
        type_name,
        word,
    }
}

fn address<T>(value: &[T]) -> u64 {
    value.as_ptr().expose_provenance() as u64
}

fn shown(arguments: &[Argument]) -> String {
    Arguments(arguments).before(&arguments[0]).unwrap()
}

#[test]
fn bits_are_names_and_a_rest() {
    let flags = |word| shown(&[argument("flags", "cl_mem_flags", word)]);
    assert_eq!(flags(0), "0");
    assert_eq!(flags(0b100001), "CL_MEM_READ_WRITE|CL_MEM_COPY_HOST_PTR");
    assert_eq!(flags(1 << 40 | 4), "CL_MEM_READ_ONLY|0x10000000000");
    let all = argument("device_type", "cl_device_type", 0xFFFF_FFFF);
    assert_eq!(shown(&[all]), "CL_DEVICE_TYPE_ALL");
}

#[test]
fn arrays_are_as_long_as_the_call_says() {
    let sizes = [64usize, 32, 7, 9];
    let size = |dimensions| {
        shown(&[
            argument("global_work_size", "In<usize>", address(&sizes)),
            argument("work_dim", "cl_uint", dimensions),
        ])
    };
    assert_eq!(size(2), "[64, 32]");
    assert!(size(4).starts_with("0x"));
    let many = vec![0u64; 100];
    let list = shown(&[
        argument("event_list", "In<cl_event>", address(&many)),
        argument("num_events", "cl_uint", 100),
    ]);
    assert_eq!(list, format!("[{}...]", "NULL, ".repeat(8)));
}

#[test]
fn wrong_pointers_are_not_followed() {
    for (name, type_name) in [
        ("region", "In<usize>"),
        ("options", "In<c_char>"),
        ("properties", "In<cl_context_properties>"),
        ("image_desc", "In<cl_image_desc>"),
        ("fill_color", "In<c_void>"),
    ] {
        let text = shown(&[argument(name, type_name, 0xdead_0000)]);
        assert_eq!(text, "0xdead0000 (unreadable)", "{name}");
    }
}

#[test]
fn texts_are_escaped_and_cut() {
    let long = format!("a\n\"b\"{}\0", "x".repeat(100));
    let text = shown(&[argument("options", "In<c_char>", address(long.as_bytes()))]);
    assert_eq!(text, format!("\"a\\n\\\"b\\\"{}\"...", "x".repeat(59)));
}

#[test]
fn property_lists_end_at_their_0() {
    let list =
        |words: &[u64], type_name| shown(&[argument("properties", type_name, address(words))]);
    assert_eq!(
        list(
            &[0x1087, 3, 1, 0, 0, 99],
            "In<cl_device_partition_property>"
        ),
        "[CL_DEVICE_PARTITION_BY_COUNTS: [3, 1, 0], 0]"
    );
    assert_eq!(
        list(&[0x1085, 1, 0x77, 5, 0], "In<cl_context_properties>"),
        "[CL_CONTEXT_INTEROP_USER_SYNC: CL_TRUE, 0x77: 0x5, 0]"
    );
}

#[test]
fn structures_have_their_fields() {
    let region = [16usize, 48];
    let text = shown(&[argument(
        "buffer_create_info",
        "In<c_void>",
        address(&region),
    )]);
    assert_eq!(text, "{origin: 16, size: 48}");
}

/// A query that is missing in the tables would be shown as a number.
#[test]
fn the_queries_of_devices_are_known() {
    let device = &runtime::device::platform::Platform::get().devices()[0];
    let Format::Name(known) = named("cl_device_info").unwrap().format else {
        panic!("queries have names");
    };
    let mut answered = 0;
    for query in (0x1000..0x1100).chain(0x2000..0x2100).chain(0x4000..0x4100) {
        let nowhere = Destination::new(0, Out::null(), Out::null());
        if crate::api::device_info::write(device, query, &nowhere).is_ok() {
            let has = known
                .iter()
                .any(|constant| constant.value == u64::from(query));
            assert!(has, "{query:#x}");
            answered += 1;
        }
    }
    assert!(answered > 70);
}

/// A type of 1.2 that is missing in the tables would be shown as an address.
#[test]
fn the_types_and_parameters_of_all_functions_are_known() {
    let opaque = ["c_void", "c_char", "In<c_char>", "In<u8>", "*const c_void"];
    for function in FUNCTIONS.iter().filter(|row| !row.is_absent()) {
        for (_, type_name) in function.parameters {
            let argument = argument("", type_name, 0);
            let (Passed::Value(inner) | Passed::In(inner) | Passed::Out(inner)) = argument.passed();
            let known = named(inner).is_some()
                || opaque.contains(&inner)
                || inner.starts_with('*')
                || inner.starts_with("Option<");
            assert!(known, "{}: {type_name}", function.name);
        }
    }
    for (parameter, _) in PARAMETERS {
        let has = |names: &[(&str, &str)]| names.iter().any(|(name, _)| name == parameter);
        assert!(
            FUNCTIONS.iter().any(|row| has(row.parameters)),
            "{parameter}"
        );
    }
    for row in TYPES {
        if let Format::Structure(fields) = row.format {
            assert!(fields.iter().all(|(_, field)| named(field).is_some()));
        }
    }
}
