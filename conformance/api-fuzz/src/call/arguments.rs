//! Arguments of a call.

use super::*;

impl Run {
    /// Adds an argument, with its text in logs.
    pub fn argument(&mut self, name: &str, value: u64, text: &str) {
        let comma = if self.call.places.is_empty() {
            ""
        } else {
            ", "
        };
        // Writing to a string does not fail.
        let _ = write!(self.call.text, "{comma}{name}={text}");
        self.call.places.push(value);
    }

    /// The last argument added.
    pub fn last_argument(&self) -> u64 {
        self.call.places.last().copied().unwrap_or(0)
    }

    /// Adds a number as argument.
    pub fn number(&mut self, name: &str, value: impl TryInto<u64>) {
        let value = value.try_into().unwrap_or(u64::MAX);
        let text = if value < 1 << 20 {
            value.to_string()
        } else {
            format!("{value:#x}")
        };
        self.argument(name, value, &text);
    }

    /// Adds a null pointer as argument.
    pub fn null(&mut self, name: &str) {
        self.argument(name, 0, "NULL");
    }

    /// Adds an enumerator or flags as argument: `value`, or a random one. One that the
    /// specification does not know has the fault `invalid`.
    pub fn enumerator(
        &mut self,
        name: &str,
        value: u64,
        known: impl Fn(u64) -> bool,
        invalid: i32,
    ) -> u64 {
        let mut value = value;
        if self.wrong() {
            // Most enumerators have 32 bits.
            value = self.garbage() & 0xFFFF_FFFF;
            self.fault_if(!known(value), invalid);
        }
        self.argument(name, value, &format!("{value:#x}"));
        value
    }

    /// Memory with these bytes, which is valid during the call.
    pub fn momentary(&mut self, bytes: &[u8]) -> u64 {
        let alignment = if bytes.len().is_multiple_of(8) { 8 } else { 1 };
        let Some(block) = self.momentary.take(bytes.len(), alignment) else {
            self.short_of_memory = true;
            return 0;
        };
        // SAFETY: a block of that many bytes.
        unsafe { block.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
        block as u64
    }

    /// Adds a pointer to memory with these bytes as argument.
    pub fn input(&mut self, name: &str, bytes: &[u8], text: &str) -> u64 {
        let address = self.momentary(bytes);
        self.argument(name, address, text);
        address
    }

    /// Adds a pointer to an array of sizes as argument.
    pub fn sizes(&mut self, name: &str, sizes: &[usize]) {
        let bytes: Vec<u8> = sizes.iter().flat_map(|size| size.to_ne_bytes()).collect();
        self.input(name, &bytes, &format!("{sizes:?}"));
    }

    /// Adds a pointer to an origin or region as argument, or an invalid null pointer.
    pub fn triple(&mut self, name: &str, sizes: [usize; 3]) {
        if self.wrong() && self.one_in(3) {
            self.fault(CL_INVALID_VALUE);
            self.null(name);
        } else {
            self.sizes(name, &sizes);
        }
    }

    /// Adds a pointer to memory for a result of `bytes` bytes as argument.
    pub fn output(&mut self, name: &str, bytes: usize) -> u64 {
        let address = self.momentary(&vec![UNTOUCHED; bytes]);
        self.argument(name, address, &format!("&[{bytes} bytes]"));
        address
    }

    /// A result of 64 bits.
    pub fn word_at(&self, address: u64) -> u64 {
        // SAFETY: `output` gave the address, of at least 8 bytes.
        unsafe { (address as usize as *const u64).read_unaligned() }
    }

    /// A result of 32 bits.
    pub fn half_word_at(&self, address: u64) -> u32 {
        // SAFETY: `output` gave the address, of at least 4 bytes.
        unsafe { (address as usize as *const u32).read_unaligned() }
    }

    /// Bytes at an address that is known to be valid.
    pub fn bytes_at(&self, address: u64, count: usize) -> Vec<u8> {
        // SAFETY: as the caller knows.
        unsafe { std::slice::from_raw_parts(address as usize as *const u8, count) }.to_vec()
    }

    /// The text of an object in logs.
    fn shown(&self, id: Id) -> String {
        let object = self.model.object(id);
        let state = if object.is_alive() { "" } else { "released " };
        format!("{state}{:?}#{id}", object.kind)
    }

    /// An invalid handle where one of `kinds` is required, with its text in logs.
    fn wrong_handle(&mut self, kinds: &[Kind]) -> (u64, String) {
        let of_kind = |object: &Object| kinds.contains(&object.kind);
        match self.random.below(8) {
            0 => return (0, "NULL".to_owned()),
            1..3 => {
                if let Some(id) = self.pick_where(|object| of_kind(object) && object.is_gone()) {
                    return (self.model.object(id).handle, self.shown(id));
                }
            }
            3 | 4 => {
                if let Some(id) = self.pick_where(|object| !of_kind(object)) {
                    return (self.model.object(id).handle, self.shown(id));
                }
            }
            5 => {
                // The memory looks like a handle, also to the loader.
                // SAFETY: the platform's handle is valid.
                let dispatch = unsafe { (self.platform as usize as *const u64).read() };
                let address = self.momentary(&[dispatch, 0].map(u64::to_ne_bytes).concat());
                return (address, "memory like a handle".to_owned());
            }
            6 => {
                if let Some(id) = self.pick_where(of_kind) {
                    let handle =
                        self.model.object(id).handle + 1 + u64::from(self.random.below(15));
                    self.go_direct();
                    return (handle, format!("{handle:#x}, next to {}", self.shown(id)));
                }
            }
            _ => {}
        }
        let handle = self.garbage();
        if handle != 0 {
            self.go_direct();
        }
        (handle, format!("{handle:#x}"))
    }

    /// Chooses a handle for an argument or a list: that of `wanted`, or an invalid one with the
    /// fault `invalid`. Returns the object if the handle is valid.
    pub fn choose_handle(
        &mut self,
        kinds: &[Kind],
        wanted: Option<Id>,
        invalid: i32,
    ) -> (u64, String, Option<Id>) {
        let mut chosen = wanted;
        if self.wrong() {
            if !self.one_in(6) {
                let (handle, text) = self.wrong_handle(kinds);
                self.fault(invalid);
                return (handle, text, None);
            }
            // The host has no reference, but another object may hold it.
            chosen = self.pick_where(|object| {
                kinds.contains(&object.kind) && !object.is_alive() && object.held
            });
        }
        match chosen {
            Some(id) => {
                let object = self.model.object(id);
                let (handle, alive) = (object.handle, object.is_alive());
                let gone = object.is_gone();
                self.fault_if(gone, invalid);
                if !alive {
                    self.may(invalid);
                }
                (handle, self.shown(id), (!gone).then_some(id))
            }
            None => {
                self.fault(invalid);
                (0, "NULL".to_owned(), None)
            }
        }
    }

    /// Adds a handle of one of these kinds as argument. The kinds have the same error code. Returns
    /// the object if the handle is valid.
    pub fn handle(&mut self, name: &str, kinds: &[Kind], wanted: Option<Id>) -> Option<Id> {
        let (handle, text, id) = self.choose_handle(kinds, wanted, kinds[0].invalid_handle());
        self.argument(name, handle, &text);
        id
    }

    /// Adds a list of handles, preceded by its length, as two arguments. Returns the valid objects
    /// in the list.
    pub fn handles(
        &mut self,
        (count_name, list_name): (&str, &str),
        kinds: &[Kind],
        wanted: &[Id],
    ) -> Vec<Id> {
        let invalid = kinds[0].invalid_handle();
        let mut list = Vec::new();
        let mut texts = Vec::new();
        let mut ids = Vec::new();
        for id in wanted {
            let (handle, text, id) = self.choose_handle(kinds, Some(*id), invalid);
            list.extend(handle.to_ne_bytes());
            texts.push(text);
            ids.extend(id);
        }
        self.number(count_name, wanted.len());
        if wanted.is_empty() {
            self.null(list_name);
        } else {
            self.input(list_name, &list, &format!("[{}]", texts.join(", ")));
        }
        ids
    }
}
