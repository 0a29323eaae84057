//! Findings of data races.

use super::memory::{bytes, described_of_launch, name_and_size, place};
use findings::{Access, Finding, Kind, OtherAccess, WorkItem};
use host_exec::memory_checker::{AccessSite, ArgumentMemory};
use host_exec::races::checker::{Other, RaceFinding, RaceTable, UNKNOWN_PLACE};

/// What the checker found, as a finding. The launch has groups in these numbers.
pub fn finding(
    kernel: &str,
    table: &RaceTable,
    arguments: &[ArgumentMemory],
    group_count: [u64; 3],
    found: &RaceFinding,
) -> Finding {
    let unknown = AccessSite::default();
    let sites = &table.accesses.sites;
    let site = sites.get(found.site as usize).unwrap_or(&unknown);
    let earlier = found.other.site.and_then(|site| sites.get(site as usize));
    let object = table.accesses.objects.get(found.object as usize);
    let object = object.map(|object| described_of_launch(object, arguments));
    let at = match found.place {
        UNKNOWN_PLACE => String::new(),
        place => format!(" at byte {place}"),
    };
    let of = match &object {
        Some(object) => format!("{at} of {}", name_and_size(object)),
        None => String::new(),
    };
    let by = match found.is_copy {
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
            bytes(found.bytes),
            earlier.map_or("an access".to_owned(), |earlier| format!(
                "a {}",
                access(earlier)
            )),
        ),
        kernel: kernel.to_owned(),
        function: site.function.clone(),
        place: place(site),
        work_item: (!found.is_copy).then_some(WorkItem {
            global: found.global_id,
            local: found.local_id,
            group: found.group_id,
        }),
        object,
        access: Some(Access {
            writes: site.writes,
            bytes: found.bytes,
            offset: match found.place {
                UNKNOWN_PLACE => 0,
                place => place as i64,
            },
        }),
        other: earlier.map(|earlier| OtherAccess {
            writes: earlier.writes,
            function: earlier.function.clone(),
            place: place(earlier),
            local,
            group,
        }),
        count: found.count,
    }
}

/// Who made the earlier access, in words, as local id and as group.
fn by_whom(
    found: &RaceFinding,
    [width, height, _]: [u64; 3],
) -> (String, Option<[u64; 3]>, Option<[u64; 3]>) {
    let id = |[x, y, z]: [u64; 3]| format!("({x},{y},{z})");
    let own = Some(found.group_id);
    match found.other.by {
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
