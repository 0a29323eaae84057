//! Mapping and unmapping.

use super::*;

impl Run {
    pub fn enqueue_map_buffer(&mut self) -> Step {
        self.begin("clEnqueueMapBuffer");
        let mut issue = self.issue();
        let buffer = self.buffer_argument("buffer", &issue);
        self.blocking("blocking_map", &mut issue);
        let flags = self.map_flags(buffer);
        let buffer_size = self.buffer_size(buffer);
        let (offset, bytes) = self.choose_range(buffer_size);
        self.check_range(buffer_size, offset, bytes);
        self.number("offset", offset);
        self.number("size", bytes);
        self.waits_and_event(&mut issue);
        let (origin, region) = ([offset, 0, 0], [bytes, 1, 1]);
        self.check_mappings(buffer, flags, origin, region);
        let objects: Vec<Id> = buffer.into_iter().collect();
        let (done, effect) = self.enqueue(&issue, Returns::Object, 0x11FB, &objects)?;
        let Some(buffer) = buffer.filter(|_| done.succeeded) else {
            return Some(());
        };
        let host = self.model.buffer(buffer).host_pointer;
        if host != 0 && done.pointer != host + offset as u64 {
            return self.fail_call(&format!(
                "the pointer {:#x} is not {offset} bytes into the host's memory at {host:#x}",
                done.pointer
            ));
        }
        let mut written = None;
        if issue.blocking && effect == Effect::Sure {
            let got = self.bytes_at(done.pointer, bytes);
            if flags & INVALIDATE == 0 {
                self.check_contents(buffer, offset, &got)?;
            }
            if flags & (MAP_WRITE | INVALIDATE) != 0 {
                written = Some(self.write_through(done.pointer, bytes));
            }
        }
        if flags & (MAP_WRITE | INVALIDATE) != 0 {
            self.model.write(buffer, offset, bytes, None);
        }
        self.doubtful_mappings |= effect != Effect::Sure;
        self.model.mappings_mut(buffer).push(Mapping {
            pointer: done.pointer,
            writes: flags & (MAP_WRITE | INVALIDATE) != 0,
            origin,
            region,
            written,
        });
        Some(())
    }

    /// Writes to a mapped region.
    pub fn write_through(&mut self, pointer: u64, count: usize) -> Vec<u8> {
        let bytes = self.bytes(count);
        // SAFETY: the region is mapped for writing, which the call has waited for.
        unsafe { (pointer as usize as *mut u8).copy_from_nonoverlapping(bytes.as_ptr(), count) };
        bytes
    }

    /// Adds flags of a mapping that the object permits as argument.
    pub fn map_flags(&mut self, object: Option<Id>) -> u64 {
        let mut flags = self.one_of(&[
            MAP_READ,
            MAP_READ,
            MAP_WRITE,
            MAP_READ | MAP_WRITE,
            INVALIDATE,
        ]);
        let forbids = |flags: u64, object: u64| {
            flags & MAP_READ != 0 && object & Direction::Read.forbidden() != 0
                || flags & (MAP_WRITE | INVALIDATE) != 0
                    && object & Direction::Write.forbidden() != 0
        };
        let of_object = object.map_or(0, |id| self.model.flags(id));
        if !self.wrong() {
            if of_object & HOST_WRITE_ONLY != 0 {
                flags = MAP_WRITE;
            } else if of_object & HOST_READ_ONLY != 0 {
                flags = MAP_READ;
            }
        }
        if self.wrong() {
            flags = self.garbage();
        }
        self.argument("map_flags", flags, &format!("{flags:#x}"));
        let unknown = flags & !(MAP_READ | MAP_WRITE | INVALIDATE) != 0;
        let exclusive = flags & INVALIDATE != 0 && flags & (MAP_READ | MAP_WRITE) != 0;
        self.fault_if(unknown || exclusive, CL_INVALID_VALUE);
        self.fault_if(forbids(flags, of_object), CL_INVALID_OPERATION);
        if flags == 0 {
            // The specification does not define a mapping for neither reading nor writing.
            self.may(CL_INVALID_VALUE);
            self.may(CL_INVALID_OPERATION);
        }
        flags
    }

    /// Checks that regions mapped for writing do not overlap.
    pub fn check_mappings(
        &mut self,
        object: Option<Id>,
        flags: u64,
        origin: [usize; 3],
        region: [usize; 3],
    ) {
        let Some(object) = object else { return };
        let meets = |mapping: &Mapping| {
            (0..3).all(|axis| {
                let (a, b) = (origin[axis], mapping.origin[axis]);
                a < b.saturating_add(mapping.region[axis]) && b < a.saturating_add(region[axis])
            })
        };
        let writes = flags & (MAP_WRITE | INVALIDATE) != 0;
        let mappings = self.model.mappings_mut(object);
        let clash = mappings
            .iter()
            .any(|mapping| mapping.writes && meets(mapping));
        let touch = mappings.iter().any(meets);
        if writes && clash {
            // The mapping may have ended, because its command failed.
            self.fault(CL_INVALID_OPERATION);
        } else if touch {
            self.may(CL_INVALID_OPERATION);
        }
        if writes && self.shares_memory(object) {
            // A mapping of another object may be of the same bytes.
            self.may(CL_INVALID_OPERATION);
        }
        if self.doubtful_mappings {
            self.leave_open();
        }
    }

    /// Whether other objects share the memory.
    fn shares_memory(&self, object: Id) -> bool {
        let memory = self.model.memory_of(object).0;
        self.model.objects().any(|other| {
            other.id != object
                && matches!(other.kind, Kind::Buffer | Kind::Image)
                && self.model.memory_of(other.id).0 == memory
        })
    }

    pub fn enqueue_unmap(&mut self) -> Step {
        self.begin("clEnqueueUnmapMemObject");
        let mut issue = self.issue();
        let mapped = self.pick_where(|object| {
            let mappings = match &object.details {
                Details::Buffer(buffer) => &buffer.mappings,
                Details::Image(image) => &image.mappings,
                _ => return false,
            };
            object.is_alive() && !mappings.is_empty() && Some(object.context) == issue.context
        });
        let wanted = match mapped {
            Some(_) if !self.wrong() => mapped,
            _ => self.pick_mem_object(issue.context),
        };
        let kinds = [Kind::Buffer, Kind::Image];
        let object = self.handle("memobj", &kinds, wanted);
        self.same_context(&issue, object);
        let salt = self.random.bits();
        let mapping = object.and_then(|object| {
            let mappings = self.model.mappings_mut(object);
            let count = mappings.len() as u64;
            (count > 0).then(|| mappings[(salt % count) as usize].clone())
        });
        let mut pointer = mapping.as_ref().map_or(0, |mapping| mapping.pointer);
        if self.wrong() {
            pointer = pointer.wrapping_add(self.garbage());
        }
        self.argument("mapped_ptr", pointer, &format!("{:#x}", pointer & 0xFFF));
        let places: Vec<usize> = object.map_or(Vec::new(), |object| {
            let mappings = self.model.mappings_mut(object).iter().enumerate();
            let there = mappings.filter(|(_, mapping)| mapping.pointer == pointer);
            there.map(|(place, _)| place).collect()
        });
        self.fault_if(object.is_some() && places.is_empty(), CL_INVALID_VALUE);
        if self.doubtful_mappings {
            self.leave_open();
        }
        self.waits_and_event(&mut issue);
        let objects: Vec<Id> = object.into_iter().collect();
        let (_, effect) = self.enqueue(&issue, Returns::Status, 0x11FD, &objects)?;
        let (Some(object), [place, others @ ..]) = (object, &places[..]) else {
            return Some(());
        };
        if effect == Effect::None {
            // If the command was refused or fails, it is unknown whether the region is still
            // mapped.
            self.doubtful_mappings |= !self.is_faulty();
            return Some(());
        }
        // An unmap command that fails leaves the region mapped. OpenCL does not specify which of
        // several mappings of one address an unmap command ends.
        self.doubtful_mappings |= effect != Effect::Sure || !others.is_empty();
        let mapping = self.model.mappings_mut(object).remove(*place);
        let written = mapping
            .written
            .filter(|_| effect == Effect::Sure && others.is_empty());
        self.unmapped(
            object,
            mapping.origin,
            mapping.region,
            written.filter(|_| mapping.writes),
        );
        Some(())
    }

    /// Writes known bytes of an unmapped region to the object.
    fn unmapped(
        &mut self,
        object: Id,
        origin: [usize; 3],
        region: [usize; 3],
        written: Option<Vec<u8>>,
    ) {
        let Some(written) = written else { return };
        if self.model.object(object).kind == Kind::Buffer {
            self.model
                .write(object, origin[0], region[0], Some(&written));
        } else {
            self.write_pixels(object, origin, region, Some(&written));
        }
    }
}
