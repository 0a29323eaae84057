//! Findings of accesses that conflict with DMA transfers.

use super::description::{described_of_launch, name, name_and_size, work_item};
use findings::words::bytes;
use findings::{Access, Finding, Kind, Object, OtherAccess};
use host_exec::dma_checker::checker::{AccessedPart, DmaFinding, EarlyAccess};
use host_exec::dma_checker::pending::Conflict;
use host_exec::first_findings::Found;
use host_exec::memory_checker::ArgumentMemory;
use host_exec::memory_checker::access_table::{AccessSite, AccessTable};

/// What the checker found, as a finding.
pub fn finding(
    kernel: &str,
    table: &AccessTable,
    arguments: &[ArgumentMemory],
    found: &Found<DmaFinding>,
) -> Finding {
    let launch = Launch {
        kernel,
        table,
        arguments,
    };
    match found.what {
        DmaFinding::NeverWaitedFor { transfer, object } => {
            let object = launch.object(object);
            let into = object.as_ref().map_or("memory".to_owned(), name);
            let message = format!("the asynchronous copy into {into} is never waited for");
            launch.finding(found, transfer, message, object)
        }
        DmaFinding::TooEarly {
            access,
            transfer,
            conflict,
        } => {
            let copy = launch.site(transfer);
            Finding {
                other: Some(OtherAccess {
                    writes: true,
                    is_copy: true,
                    place: copy.place,
                    function: copy.function,
                    local: None,
                    group: Some(found.group_id),
                }),
                ..launch.too_early(found, access, conflict)
            }
        }
    }
}

/// What findings refer to.
struct Launch<'a> {
    kernel: &'a str,
    table: &'a AccessTable,
    arguments: &'a [ArgumentMemory],
}

impl Launch<'_> {
    fn site(&self, number: u64) -> AccessSite {
        let site = self.table.sites.get(number as usize);
        site.cloned().unwrap_or_default()
    }

    fn object(&self, number: u64) -> Option<Object> {
        let object = self.table.objects.get(number as usize)?;
        Some(described_of_launch(object, self.arguments))
    }

    /// A finding at a site.
    fn finding(
        &self,
        found: &Found<DmaFinding>,
        site: u64,
        message: String,
        object: Option<Object>,
    ) -> Finding {
        let site = self.site(site);
        Finding {
            kind: Kind::Dma,
            message,
            kernel: self.kernel.to_owned(),
            function: site.function.clone(),
            place: site.place.clone(),
            work_item: None,
            thread: None,
            object,
            access: None,
            other: None,
            value: None,
            count: found.count,
        }
    }

    fn too_early(
        &self,
        found: &Found<DmaFinding>,
        access: EarlyAccess,
        conflict: Conflict,
    ) -> Finding {
        let Some(part) = access.part else {
            let what = match conflict {
                Conflict::OfDestination => "accesses what another one writes",
                Conflict::OfSource => "writes what another one reads",
            };
            let message = format!("an asynchronous copy {what}, which has not been waited for");
            return self.finding(found, access.site, message, None);
        };
        let site = self.site(access.site);
        let writes = site.writes;
        let object = self.object(part.object);
        let message = message(writes, part, object.as_ref(), conflict);
        Finding {
            work_item: Some(work_item(found)),
            thread: None,
            access: Some(Access {
                writes,
                bytes: part.bytes,
                offset: part.place as i64,
            }),
            value: site.value.map(|ty| ty.format(part.value)),
            ..self.finding(found, access.site, message, object)
        }
    }
}

fn message(
    writes: bool,
    part: AccessedPart,
    object: Option<&Object>,
    conflict: Conflict,
) -> String {
    let at = match object {
        Some(object) => format!("byte {} of {}", part.place, name_and_size(object)),
        None => format!("address {:#x}", part.place),
    };
    let direction = match conflict {
        Conflict::OfDestination => "to",
        Conflict::OfSource => "from",
    };
    format!(
        "{} of {} at {at} before the asynchronous copy {direction} it has been waited for",
        if writes { "write" } else { "read" },
        bytes(part.bytes)
    )
}
