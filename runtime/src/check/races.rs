//! Findings of data races.

use super::description::{described_of_launch, name_and_size, work_item};
use findings::words::bytes;
use findings::{Access, Finding, Kind, OtherAccess};
use host_exec::first_findings::Found;
use host_exec::memory_checker::ArgumentMemory;
use host_exec::memory_checker::access_table::AccessSite;
use host_exec::races::checker::{Other, RaceFinding, RaceTable};

/// What the checker found, as a finding. The launch has groups in these numbers.
pub fn finding(
    kernel: &str,
    table: &RaceTable,
    arguments: &[ArgumentMemory],
    group_count: [u64; 3],
    found: &Found<RaceFinding>,
) -> Finding {
    let RaceFinding { later, other } = found.what;
    let unknown = AccessSite::default();
    let sites = &table.accesses.sites;
    let site = sites.get(later.site as usize).unwrap_or(&unknown);
    let earlier = other.site.and_then(|site| sites.get(site as usize));
    let object = table.accesses.objects.get(later.object as usize);
    let object = object.map(|object| described_of_launch(object, arguments));
    let of = match &object {
        Some(object) => format!(" at byte {} of {}", later.place, name_and_size(object)),
        None => String::new(),
    };
    let by = match later.is_copy {
        true => " by an asynchronous copy",
        false => "",
    };
    let access = |site: &AccessSite| if site.writes { "write" } else { "read" };
    let (who, local, group) = by_whom(found, group_count);
    Finding {
        kind: Kind::DataRace,
        message: format!(
            "{} of {}{of}{by} conflicts with {} by {who}",
            access(site),
            bytes(later.bytes),
            earlier.map_or("an access".to_owned(), |earlier| format!(
                "a {}",
                access(earlier)
            )),
        ),
        kernel: kernel.to_owned(),
        function: site.function.clone(),
        place: site.place.clone(),
        work_item: (!later.is_copy).then(|| work_item(found)),
        thread: None,
        object,
        access: Some(Access {
            writes: site.writes,
            bytes: later.bytes,
            offset: later.place as i64,
        }),
        other: earlier.map(|earlier| OtherAccess {
            writes: earlier.writes,
            is_copy: matches!(found.what.other.by, Other::Copy),
            function: earlier.function.clone(),
            place: earlier.place.clone(),
            local,
            group,
        }),
        value: site.value.map(|ty| ty.format(later.value)),
        count: found.count,
    }
}

/// Who made the earlier access, in words, as local id and as group.
fn by_whom(
    found: &Found<RaceFinding>,
    [width, height, _]: [u64; 3],
) -> (String, Option<[u64; 3]>, Option<[u64; 3]>) {
    let id = |[x, y, z]: [u64; 3]| format!("({x},{y},{z})");
    let own = Some(found.group_id);
    match found.what.other.by {
        Other::Item(Some(local)) => (
            format!("work-item local {} of the same group", id(local)),
            Some(local),
            own,
        ),
        Other::Item(None) => ("another work-item of the same group".to_owned(), None, own),
        Other::Copy => (
            "an asynchronous copy of the same group".to_owned(),
            None,
            own,
        ),
        Other::Group(Some(group)) => {
            let group = [
                group % width,
                group / width % height,
                group / (width * height),
            ];
            (format!("group {}", id(group)), None, Some(group))
        }
        Other::Group(None) => ("another group".to_owned(), None, None),
    }
}
