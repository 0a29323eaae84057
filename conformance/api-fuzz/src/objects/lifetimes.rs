//! References: retaining and releasing.

use crate::call::{Returns, Run, Step};
use crate::model::{Id, Kind};

/// The functions of a kind of objects.
struct Lifetime {
    kinds: &'static [Kind],
    argument: &'static str,
    retain: &'static str,
    release: &'static str,
}

const LIFETIMES: &[Lifetime] = &[
    Lifetime {
        kinds: &[Kind::Device],
        argument: "device",
        retain: "clRetainDevice",
        release: "clReleaseDevice",
    },
    Lifetime {
        kinds: &[Kind::Context],
        argument: "context",
        retain: "clRetainContext",
        release: "clReleaseContext",
    },
    Lifetime {
        kinds: &[Kind::Queue],
        argument: "command_queue",
        retain: "clRetainCommandQueue",
        release: "clReleaseCommandQueue",
    },
    Lifetime {
        kinds: &[Kind::Buffer, Kind::Image],
        argument: "memobj",
        retain: "clRetainMemObject",
        release: "clReleaseMemObject",
    },
    Lifetime {
        kinds: &[Kind::Sampler],
        argument: "sampler",
        retain: "clRetainSampler",
        release: "clReleaseSampler",
    },
    Lifetime {
        kinds: &[Kind::Program],
        argument: "program",
        retain: "clRetainProgram",
        release: "clReleaseProgram",
    },
    Lifetime {
        kinds: &[Kind::Kernel],
        argument: "kernel",
        retain: "clRetainKernel",
        release: "clReleaseKernel",
    },
    Lifetime {
        kinds: &[Kind::Event],
        argument: "event",
        retain: "clRetainEvent",
        release: "clReleaseEvent",
    },
];

fn lifetime(kind: Kind) -> &'static Lifetime {
    LIFETIMES
        .iter()
        .find(|lifetime| lifetime.kinds.contains(&kind))
        .expect("the table has all kinds")
}

impl Run {
    /// Records that another object may retain this one.
    pub fn hold(&mut self, id: Id) {
        self.model.object_mut(id).held = true;
    }

    /// A random kind; kinds with many short-lived objects are more frequent.
    fn kind(&mut self) -> Kind {
        self.one_of(&[
            Kind::Device,
            Kind::Context,
            Kind::Queue,
            Kind::Buffer,
            Kind::Buffer,
            Kind::Image,
            Kind::Sampler,
            Kind::Program,
            Kind::Kernel,
            Kind::Event,
            Kind::Event,
        ])
    }

    /// Whether the object is a root device; these are neither retained nor released.
    fn is_root(&self, id: Id) -> bool {
        self.model.object(id).kind == Kind::Device && self.model.device(id).parent.is_none()
    }

    pub fn retain(&mut self) -> Step {
        let kind = self.kind();
        let lifetime = lifetime(kind);
        self.begin(lifetime.retain);
        let wanted = self.pick(kind);
        let id = self.handle(lifetime.argument, lifetime.kinds, wanted);
        if self.make(Returns::Status)?.succeeded
            && let Some(id) = id
            && !self.is_root(id)
        {
            self.model.object_mut(id).references += 1;
        }
        Some(())
    }

    pub fn release(&mut self) -> Step {
        let kind = self.kind();
        // Releasing the last object of a kind ends the interesting part of a sequence.
        let alive = |object: &&crate::model::Object| object.kind == kind && object.is_alive();
        let few = self.model.objects().filter(alive).count() < 2;
        if few && !self.one_in(8) {
            return None;
        }
        let wanted = self.pick(kind);
        self.release_object(kind, wanted)
    }

    /// Releases one reference.
    pub fn release_object(&mut self, kind: Kind, wanted: Option<Id>) -> Step {
        if let Some(id) = wanted
            && self.model.object(id).references == 1
        {
            self.before_the_last(kind, id)?;
        }
        let lifetime = lifetime(kind);
        self.begin(lifetime.release);
        let id = self.handle(lifetime.argument, lifetime.kinds, wanted);
        if let Some(id) = id {
            // The host has no reference to release, whatever else retains the object.
            let none_left = !self.model.object(id).is_alive();
            self.fault_if(none_left, kind.invalid_handle());
        }
        if self.make(Returns::Status)?.succeeded
            && let Some(id) = id
            && !self.is_root(id)
        {
            self.model.object_mut(id).references -= 1;
        }
        Some(())
    }

    /// Actions before an object's last reference is released; `None` if it must not be released.
    fn before_the_last(&mut self, kind: Kind, id: Id) -> Step {
        match kind {
            // Commands would wait for the event forever.
            Kind::Event
                if self.model.object(id).held
                    && self.model.event(id).queue.is_none()
                    && self.model.is_unset(id) =>
            {
                None
            }
            Kind::Queue if self.model.object(id).held => self.leave_queue(id),
            _ => Some(()),
        }
    }
}
