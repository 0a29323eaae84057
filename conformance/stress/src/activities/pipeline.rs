//! A chain of all commands on one buffer, in the queues of a context. The host makes the same
//! changes to a copy.

use crate::command::{self, Kept, WORD, enqueue};
use crate::kernels;
use crate::world::{self, SharedQueue, Station, World, compare};
use anyhow::{Context as _, Result};
use cl_sys::*;
use fastrand::Rng;
use harness::call::made;
use harness::object::{Event, Memory, Object};
use std::ops::Range;

/// Alignment of sub-buffers, in words; all known platforms accept it.
const ALIGNED_WORDS: usize = 1024;

/// One chain of commands.
struct Pipeline<'a> {
    station: &'a Station,
    native_kernels: bool,
    random: &'a mut Rng,
    buffer: Object<Memory>,
    /// Contents of the buffer after all commands enqueued so far.
    words: Vec<u32>,
    host_reads: bool,
    host_writes: bool,
    kept: Kept,
    /// Pending reads: the index of the kept memory, and the expected words.
    reads: Vec<(usize, Vec<u32>)>,
    last: Option<Last<'a>>,
}

/// The last command of a pipeline.
struct Last<'a> {
    event: Object<Event>,
    shared: &'a SharedQueue,
}

/// Runs one chain.
pub fn run(world: &World, random: &mut Rng, _thread: usize) -> Result<()> {
    let (_, station) = world.any_station(random);
    let count = ALIGNED_WORDS * random.usize(1..=4);
    let words: Vec<u32> = (0..count).map(|_| random.u32(..)).collect();
    let (buffer, host_reads, host_writes) = make_buffer(station, random, &words)?;
    let mut gate = None;
    if random.u8(..) < 40 {
        let event = command::user_event(station.context.get())?;
        world.set_elsewhere(event.clone(), CL_COMPLETE);
        gate = Some(event);
    }
    let shared = station.any_queue(random);
    let event = command::marker(&shared.queue, &gate.iter().collect::<Vec<_>>())?;
    drop(gate);
    let steps = random.usize(4..24);
    let mut pipeline = Pipeline {
        station,
        native_kernels: world.platform.native_kernels,
        random,
        buffer,
        words,
        host_reads,
        host_writes,
        kept: Kept::default(),
        reads: Vec::new(),
        last: Some(Last { event, shared }),
    };
    let mut done = Vec::new();
    for _ in 0..steps {
        done.push(pipeline.step()?);
    }
    pipeline.end().with_context(|| format!("after {done:?}"))
}

/// Creates a buffer of `words` with random flags. Returns whether the host may read and write it.
fn make_buffer(
    station: &Station,
    random: &mut Rng,
    words: &[u32],
) -> Result<(Object<Memory>, bool, bool)> {
    let choices = [
        (CL_MEM_READ_WRITE, true, true),
        (CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, true, true),
        (CL_MEM_HOST_READ_ONLY, true, false),
        (CL_MEM_HOST_WRITE_ONLY, false, true),
        (CL_MEM_HOST_NO_ACCESS, false, false),
    ];
    let choice = random.usize(..=choices.len());
    if let Some((flags, reads, writes)) = choices.get(choice) {
        let buffer = world::buffer(&station.context, *flags, words.len(), Some(words))?;
        return Ok((buffer, *reads, *writes));
    }
    let mut host = words.to_vec().into_boxed_slice();
    let buffer = made!(clCreateBuffer(
        station.context.get(),
        CL_MEM_USE_HOST_PTR,
        size_of_val(&host[..]),
        host.as_mut_ptr().cast(),
    ))
    .map(Object::<Memory>::new)?;
    // The host memory is freed after the buffer's destruction.
    command::on_destruction(&buffer, move || drop(host))?;
    Ok((buffer, true, true))
}

impl<'a> Pipeline<'a> {
    fn range(&mut self) -> Range<usize> {
        let start = self.random.usize(..self.words.len());
        start..self.random.usize(start + 1..=self.words.len())
    }

    fn random_words(&mut self, count: usize) -> Vec<u32> {
        (0..count).map(|_| self.random.u32(..)).collect()
    }

    /// A random queue, and the event that the next command in it has to wait for: that of the last
    /// command, unless the queue's order or a barrier orders them.
    fn next(&mut self) -> Result<(&'a SharedQueue, Option<Object<Event>>)> {
        let last = self.last.take().context("there is always a last command")?;
        if self.random.u8(..) < 80 {
            if !last.shared.in_order {
                command::barrier(&last.shared.queue, &[])?;
            }
            return Ok((last.shared, None));
        }
        if self.random.u8(..) < 40 {
            command::flush(&last.shared.queue)?;
        }
        let shared = self.station.any_queue(self.random);
        Ok((shared, Some(last.event)))
    }

    /// Enqueues the next command, by `command`.
    fn then(
        &mut self,
        command: impl FnOnce(&Self, &SharedQueue, command::Before<'_>) -> Result<Object<Event>>,
    ) -> Result<()> {
        let (shared, before) = self.next()?;
        let before: Vec<_> = before.iter().collect();
        let event = command(self, shared, &before)?;
        self.last = Some(Last { event, shared });
        Ok(())
    }

    /// Enqueues one command, or a few that depend on each other. Returns a description.
    fn step(&mut self) -> Result<&'static str> {
        let choice = self.random.u8(..14);
        Ok(match choice {
            0 if self.host_writes => {
                let place = self.range();
                let words = self.random_words(place.len());
                self.words[place.clone()].copy_from_slice(&words);
                let from = self.kept.keep(words);
                self.then(|this, on, before| {
                    command::write(&on.queue, &this.buffer, place, from, before)
                })?;
                "write"
            }
            1 if self.host_writes => {
                self.write_rectangle()?;
                "write rectangle"
            }
            2 if self.host_reads => {
                let place = self.range();
                let expected = self.words[place.clone()].to_vec();
                let to = self.kept.keep(vec![0; place.len()]);
                self.reads.push((self.kept.len() - 1, expected));
                self.then(|this, on, before| {
                    command::read(&on.queue, &this.buffer, place, to, before)
                })?;
                "read"
            }
            3 => {
                self.fill()?;
                "fill"
            }
            4 | 5 => {
                self.kernel()?;
                "kernel"
            }
            6 => {
                self.reverse()?;
                "reverse"
            }
            7 => {
                self.move_elsewhere()?;
                "copy to another buffer"
            }
            8 => {
                self.sub_buffer()?;
                "kernel on a sub-buffer"
            }
            9 if self.host_reads && self.host_writes => {
                self.map()?;
                "map"
            }
            10 if self.native_kernels => {
                let (place, value) = (self.random.usize(..self.words.len()), self.random.u32(..));
                self.words[place] ^= value;
                self.then(|this, on, before| {
                    command::native(&on.queue, &this.buffer, before, move |words| {
                        // SAFETY: the command orders this access; the place is in the buffer.
                        unsafe { *words.add(place) ^= value };
                    })
                })?;
                "native kernel"
            }
            11 => {
                let host = self.random.bool();
                let flags = if host { CL_MIGRATE_MEM_OBJECT_HOST } else { 0 };
                self.then(|this, on, before| {
                    command::migrate(&on.queue, &this.buffer, flags, before)
                })?;
                "migrate"
            }
            12 => {
                self.then(|_, on, before| command::barrier(&on.queue, before))?;
                "barrier"
            }
            _ => {
                self.then(|_, on, before| command::marker(&on.queue, before))?;
                "marker"
            }
        })
    }

    fn fill(&mut self) -> Result<()> {
        let length = 1 << self.random.usize(..5);
        let pattern = self.random_words(length);
        let place = self.range();
        let place = place.start / length * length..place.end.div_ceil(length) * length;
        let filled = self.words[place.clone()].iter_mut();
        for (word, value) in filled.zip(pattern.iter().cycle()) {
            *word = *value;
        }
        self.then(|this, on, before| {
            command::fill(&on.queue, &this.buffer, &pattern, place, before)
        })
    }

    fn kernel(&mut self) -> Result<()> {
        let place = self.range();
        let (a, b) = (self.random.u32(..) | 1, self.random.u32(..));
        let adds = self.random.bool();
        let name = if adds { "add" } else { "scramble" };
        let kernel = world::kernel(&self.station.program, name)?;
        command::set(&kernel, 0, &self.buffer.get())?;
        command::set(&kernel, 1, &a)?;
        if !adds {
            command::set(&kernel, 2, &b)?;
        }
        for word in &mut self.words[place.clone()] {
            *word = if adds {
                word.wrapping_add(a)
            } else {
                kernels::scramble(*word, a, b)
            };
        }
        self.then(|_, on, before| command::launch(&on.queue, &kernel, place, None, before))?;
        // The launch has copied its arguments, so this one applies to later launches. The kernel is
        // released while its command may still be queued.
        command::set(&kernel, 1, &0u32)
    }

    /// Reverses groups through local memory into a new buffer, which replaces the old one.
    fn reverse(&mut self) -> Result<()> {
        let local = 1 << self.random.usize(3..8);
        kernels::reverse_groups(&mut self.words, local);
        let items = self.words.len();
        let to = world::buffer(&self.station.context, 0, items, None)?;
        let kernel = world::kernel(&self.station.program, "reverse_groups")?;
        command::set(&kernel, 0, &self.buffer.get())?;
        command::set(&kernel, 1, &to.get())?;
        command::set_local(&kernel, 2, local * WORD)?;
        self.then(|_, on, before| {
            command::launch(&on.queue, &kernel, 0..items, Some(local), before)
        })?;
        (self.buffer, self.host_reads, self.host_writes) = (to, true, true);
        Ok(())
    }

    fn move_elsewhere(&mut self) -> Result<()> {
        let words = self.words.len() + self.random.usize(..100);
        let to = world::buffer(&self.station.context, 0, words, None)?;
        self.then(|this, on, before| {
            let buffers = [&this.buffer, &to];
            command::copy(&on.queue, buffers, [0, 0], this.words.len(), before)
        })?;
        (self.buffer, self.host_reads, self.host_writes) = (to, true, true);
        Ok(())
    }

    fn sub_buffer(&mut self) -> Result<()> {
        let parts = self.words.len() / ALIGNED_WORDS;
        let start = self.random.usize(..parts) * ALIGNED_WORDS;
        let place = start..self.random.usize(start + 1..=self.words.len());
        let region = cl_buffer_region {
            origin: start * WORD,
            size: place.len() * WORD,
        };
        let part = made!(clCreateSubBuffer(
            self.buffer.get(),
            0,
            CL_BUFFER_CREATE_TYPE_REGION,
            (&raw const region).cast(),
        ))
        .map(Object::<Memory>::new)?;
        let value = self.random.u32(..);
        for word in &mut self.words[place.clone()] {
            *word = word.wrapping_add(value);
        }
        let kernel = world::kernel(&self.station.program, "add")?;
        command::set(&kernel, 0, &part.get())?;
        command::set(&kernel, 1, &value)?;
        self.then(|_, on, before| command::launch(&on.queue, &kernel, 0..place.len(), None, before))
    }

    /// The host changes words in a mapped region.
    fn map(&mut self) -> Result<()> {
        let place = self.range();
        let blocking = self.random.bool();
        let invalidates = self.random.u8(..4) == 0;
        let flags = if invalidates {
            CL_MAP_WRITE_INVALIDATE_REGION
        } else {
            CL_MAP_READ | CL_MAP_WRITE
        };
        let (on, before) = self.next()?;
        let before: Vec<_> = before.iter().collect();
        let mode = (blocking, flags);
        let (address, event) = command::map(&on.queue, &self.buffer, mode, place.clone(), &before)?;
        if !blocking {
            command::flush(&on.queue)?;
            command::wait([&event])?;
        }
        // SAFETY: the map is complete, and the region is the host's until it is unmapped.
        let mapped = unsafe { std::slice::from_raw_parts_mut(address, place.len()) };
        if !invalidates {
            compare("mapped", &self.words[place.clone()], mapped)?;
        }
        for (mapped, word) in mapped.iter_mut().zip(&mut self.words[place]) {
            *word = word.rotate_left(7) ^ 0x55;
            *mapped = *word;
        }
        self.last = Some(Last { event, shared: on });
        self.then(|this, on, before| command::unmap(&on.queue, &this.buffer, address, before))
    }

    /// Writes a rectangle from host memory; the words are rows of 32.
    fn write_rectangle(&mut self) -> Result<()> {
        const ROW: usize = 32;
        let rows = self.words.len() / ROW;
        let (x, y) = (self.random.usize(..ROW), self.random.usize(..rows));
        let width = self.random.usize(1..=ROW - x);
        let height = self.random.usize(1..=rows - y);
        let words = self.random_words(width * height);
        for (row, from) in words.chunks(width).enumerate() {
            let start = (y + row) * ROW + x;
            self.words[start..start + width].copy_from_slice(from);
        }
        let from = self.kept.keep(words);
        let buffer_origin = [x * WORD, y, 0];
        let region = [width * WORD, height, 1];
        self.then(|this, on, before| {
            enqueue!(
                before,
                clEnqueueWriteBufferRect(
                    on.queue.get(),
                    this.buffer.get(),
                    CL_FALSE,
                    buffer_origin.as_ptr(),
                    [0; 3].as_ptr(),
                    region.as_ptr(),
                    ROW * WORD,
                    0,
                    0,
                    0,
                    from,
                )
            )
        })
    }

    /// Waits by one of several calls and compares the contents.
    fn end(mut self) -> Result<()> {
        let last = self.last.take().context("there is always a last command")?;
        match self.random.u8(..4) {
            0 => command::finish(&last.shared.queue)?,
            1 => {
                // The commands complete some time after the flush, without a wait.
                command::flush(&last.shared.queue)?;
                let _waiting = harness::watchdog::waiting("a look at an event's status");
                while command::status(&last.event)? > CL_COMPLETE {
                    std::thread::yield_now();
                }
            }
            _ => command::wait([&last.event])?,
        }
        let queue = &self.station.any_queue(self.random).queue;
        let mut buffer = self.buffer.clone();
        if !self.host_reads {
            let staging = world::buffer(&self.station.context, 0, self.words.len(), None)?;
            let buffers = [&self.buffer, &staging];
            let copied = command::copy(queue, buffers, [0, 0], self.words.len(), &[&last.event])?;
            command::wait([&copied])?;
            buffer = staging;
        }
        let read = command::read_now(queue, &buffer, self.words.len(), &[&last.event])?;
        compare("the buffer", &self.words, &read)?;
        // The last command has ended, and all commands of the chain precede it.
        let kept = std::mem::take(&mut self.kept).finished();
        for (piece, expected) in &self.reads {
            compare("a pending read", expected, &kept[*piece])?;
        }
        Ok(())
    }
}
