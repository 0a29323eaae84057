use super::*;
use std::path::Path;

#[test]
fn mt3000_has_its_published_shape() {
    let machine = Machine::mt3000();
    assert_eq!(machine.clusters.count.value, 4);
    assert_eq!(machine.clusters.arrays.value, 24);
    assert_eq!(machine.array.lanes.value, 16);
    assert_eq!(machine.memory.am.size.value, 768 << 10);
}

#[test]
fn unknown_keys_are_refused_with_their_line() {
    let text = MT3000.replace("[array]", "[array]\nwheels = 3");
    let error = Machine::parse(&text).unwrap_err().to_string();
    assert!(
        error.contains("wheels") && error.contains("line"),
        "{error}"
    );
}

#[test]
fn impossible_numbers_are_refused_by_name() {
    let text = MT3000.replace("value = 655_360", "value = 1_000_000");
    let error = Machine::parse(&text).unwrap_err().to_string();
    assert!(error.contains("memory.am.local_memory"), "{error}");
    let text = MT3000.replace(
        "layout]\nstack = { value = 20",
        "layout]\nstack = { value = 30",
    );
    let error = Machine::parse(&text).unwrap_err().to_string();
    assert!(error.contains("layout.stack"), "{error}");
    let text = MT3000.replace("line = { value = 64", "line = { value = 96");
    let error = Machine::parse(&text).unwrap_err().to_string();
    assert!(error.contains("memory.port.line"), "{error}");
    let text = MT3000.replace("array = { value = 2048", "array = { value = 20");
    let error = Machine::parse(&text).unwrap_err().to_string();
    assert!(error.contains("open_cl.images.array"), "{error}");
    let text = MT3000.replace(
        "pitch_alignment = { value = 1,",
        "pitch_alignment = { value = 3,",
    );
    let error = Machine::parse(&text).unwrap_err().to_string();
    assert!(error.contains("open_cl.images.pitch_alignment"), "{error}");
    let text = MT3000.replace(
        "width_2d = { value = 16384",
        "width_2d = { value = 16777217",
    );
    let error = Machine::parse(&text).unwrap_err().to_string();
    assert!(error.contains("open_cl.images.width_2d"), "{error}");
}

/// The built-in machine with another number.
fn with(name: &str, value: u64) -> Result<Machine, MachineError> {
    let mut description: toml::Table = MT3000.parse().unwrap();
    let mut place = &mut description;
    for key in name.split('.') {
        place = place[key].as_table_mut().unwrap();
    }
    place["value"] = i64::try_from(value).unwrap().into();
    Machine::parse(&toml::to_string(&description).unwrap())
}

#[test]
fn each_number_has_a_largest_value() {
    for (name, number) in flatten(MT3000).unwrap() {
        assert_eq!(with(&name, number.value).unwrap(), Machine::mt3000());
        let error = with(&name, i64::MAX as u64).expect_err(&name).to_string();
        let part = match name.contains("affinity") {
            true => "clusters.affinity",
            false => &name,
        };
        assert!(error.contains(part), "{name}: {error}");
    }
}

#[test]
fn zero_is_a_value_where_it_means_that_there_is_no_such_thing() {
    let all = flatten(MT3000).unwrap();
    let names = all.iter().map(|(name, _)| name.as_str());
    let accepted: Vec<_> = names.filter(|name| with(name, 0).is_ok()).collect();
    let latencies = all.iter().map(|(name, _)| name.as_str());
    let mut expected: Vec<_> = latencies
        .filter(|name| name.starts_with("array.latency.") || name.starts_with("launch.costs."))
        .collect();
    expected.extend([
        "array.access.stack_misses",
        "array.division.double_steps",
        "array.division.half_steps",
        "array.division.seed",
        "array.division.single_steps",
        "clusters.barriers",
        "dma.row",
        "dma.start",
        "host.cache_line",
        "host.enqueue",
        "host.row",
        "host.start",
        "layout.stack",
        "locks.release",
        "locks.take",
        "memory.gsm.size",
        "memory.hbsm.size",
    ]);
    expected.sort_unstable();
    assert_eq!(accepted, expected);
}

#[test]
fn affinity_domains_lie_within_each_other() {
    let with = |lines: &str| {
        let number = |line: &str| {
            let (name, value) = line.split_once('=').unwrap();
            format!("{name} = {{ value = {value}, source = \"assumed\", note = \"\" }}\n")
        };
        let (before, rest) = MT3000.split_once("[clusters.affinity]\n").unwrap();
        let (_, after) = rest.split_once("\n[array]").unwrap();
        let domains: String = lines.split_whitespace().map(number).collect();
        let text = format!("{before}[clusters.affinity]\n{domains}\n[array]{after}");
        Machine::parse(&text).map(|machine| machine.clusters.affinity)
    };
    let affinity = with("numa=12 l3_cache=6 l1_cache=2").unwrap();
    let arrays = AffinityDomain::ALL.map(|domain| affinity.arrays(domain));
    assert_eq!(arrays, [Some(12), None, Some(6), None, Some(2)]);
    assert_eq!(with("").unwrap(), Affinity::default());
    with("numa=16 l2_cache=4").unwrap();
    for bad in [
        "numa=0",
        "l1_cache=25",
        "numa=4 l4_cache=8",
        "numa=12 l2_cache=5",
    ] {
        let error = with(bad).unwrap_err().to_string();
        assert!(error.contains("clusters.affinity"), "{bad}: {error}");
    }
}

#[test]
fn a_missing_file_is_named() {
    let error = Description::read(Path::new("/no/such.toml")).unwrap_err();
    assert!(error.to_string().contains("/no/such.toml"));
}
