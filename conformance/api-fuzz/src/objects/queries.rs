//! The `clGet…Info` queries.

use crate::call::{Returns, Run, Step, UNTOUCHED};
use cl_sys::{CL_INVALID_VALUE, CL_PROGRAM_BINARIES};

/// The expected answer of a query.
#[derive(Clone, Debug)]
pub enum Answer {
    /// These bytes.
    Bytes(Vec<u8>),
    /// This number of bytes.
    Size(usize),
    /// Up to `MOST` bytes with any contents.
    Any,
    /// The answer or this error code.
    Perhaps(i32, Box<Answer>),
    /// An error code.
    Refused(i32),
}

/// Largest answer whose exact size is not known, in bytes.
const MOST: usize = 4096;

/// An answer of the type `uint`.
pub fn uint(value: u32) -> Answer {
    Answer::Bytes(value.to_ne_bytes().to_vec())
}

/// An answer of 64 bits: a size or a handle.
pub fn size(value: impl TryInto<u64>) -> Answer {
    let value = value.try_into().unwrap_or(u64::MAX);
    Answer::Bytes(value.to_ne_bytes().to_vec())
}

/// An answer that is a list of 64-bit values.
pub fn sizes(values: &[u64]) -> Answer {
    Answer::Bytes(
        values
            .iter()
            .flat_map(|value| value.to_ne_bytes())
            .collect(),
    )
}

/// An answer that is a string.
pub fn text(value: &str) -> Answer {
    let mut bytes = value.as_bytes().to_vec();
    bytes.push(0);
    Answer::Bytes(bytes)
}

impl Run {
    /// Adds the last four arguments of a query and makes the call. `answers` has all valid
    /// parameter names.
    pub fn query(&mut self, answers: &[(u32, Answer)]) -> Step {
        self.query_among(answers, false)
    }

    /// As `query`. If `others`, there are valid parameter names that are not in `answers`.
    pub fn query_among(&mut self, answers: &[(u32, Answer)], others: bool) -> Step {
        let (name, mut answer) = self.choose_query(answers, others);
        self.argument("param_name", u64::from(name), &format!("{name:#x}"));
        if let Answer::Perhaps(code, otherwise) = answer {
            self.may(code);
            answer = *otherwise;
        }
        let size = match &answer {
            Answer::Bytes(bytes) => Some(bytes.len()),
            Answer::Size(size) => Some(*size),
            Answer::Refused(code) => {
                self.fault(*code);
                None
            }
            _ => None,
        };
        let least = size.unwrap_or(MOST);
        let mut room = None;
        if self.one_in(4) {
            // The call queries the size only; param_value_size has no meaning then.
            let any = self.garbage();
            self.number("param_value_size", any);
            self.null("param_value");
        } else {
            let mut bytes = least;
            if self.wrong() && size.is_some() && least > 0 {
                bytes = self.size(0, least - 1);
                self.fault(CL_INVALID_VALUE);
            } else if self.one_in(3) {
                bytes = least + self.random.below(64) as usize;
            }
            self.number("param_value_size", bytes);
            room = Some((self.output("param_value", bytes), bytes));
        }
        let mut size_at = None;
        if self.one_in(4) {
            self.null("param_value_size_ret");
        } else {
            size_at = Some(self.output("param_value_size_ret", 8));
        }
        if !self.make(Returns::Status)?.succeeded {
            return Some(());
        }
        let reported = size_at.map(|address| self.word_at(address) as usize);
        self.check_answer(&answer, size, reported, room)
    }

    /// A parameter name and its expected answer.
    fn choose_query(&mut self, answers: &[(u32, Answer)], others: bool) -> (u32, Answer) {
        let (mut name, mut answer) = self.one_of_answers(answers);
        if self.wrong() {
            let garbage = self.garbage() as u32;
            name = if self.one_in(2) {
                garbage
            } else {
                name ^ (1 + garbage % 31)
            };
            if name == CL_PROGRAM_BINARIES {
                // The query writes to addresses in the answer, which must be valid.
                name = 0;
            }
            match answers.iter().find(|known| known.0 == name) {
                Some(known) => answer = known.1.clone(),
                None if others => {
                    self.leave_open();
                    answer = Answer::Any;
                }
                None => answer = Answer::Refused(CL_INVALID_VALUE),
            }
        }
        (name, answer)
    }

    /// Compares the result of a query with the expected answer of `size` bytes, if that is known.
    /// `reported` is `param_value_size_ret`, `room` the address and size in bytes of `param_value`.
    fn check_answer(
        &mut self,
        answer: &Answer,
        size: Option<usize>,
        reported: Option<usize>,
        room: Option<(u64, usize)>,
    ) -> Step {
        if let (Some(size), Some(reported)) = (size, reported)
            && size != reported
        {
            return self.fail_call(&format!("param_value_size_ret is {reported}, not {size}"));
        }
        let Some((address, bytes)) = room else {
            return Some(());
        };
        let got = self.bytes_at(address, bytes);
        if let Answer::Bytes(expected) = answer
            && got[..expected.len()] != expected[..]
        {
            let got = &got[..expected.len()];
            return self.fail_call(&format!("the answer is {got:02x?}, not {expected:02x?}"));
        }
        if let Some(reported) = reported.or(size)
            && (reported > bytes || got[reported..].iter().any(|byte| *byte != UNTOUCHED))
        {
            return self.fail_call(&format!(
                "it wrote beyond the {reported} bytes of the answer: {got:02x?}"
            ));
        }
        Some(())
    }

    fn one_of_answers(&mut self, answers: &[(u32, Answer)]) -> (u32, Answer) {
        let chosen = self.random.below(answers.len() as u32) as usize;
        answers[chosen].clone()
    }

    /// Adds the last three arguments of a function that lists objects, and makes the call. `known`
    /// is the expected list.
    pub fn list(
        &mut self,
        names: [&'static str; 3],
        element_bytes: usize,
        known: Option<&[u64]>,
        both_null: Option<i32>,
        too_short: Option<i32>,
    ) -> Option<Vec<u64>> {
        let count = known.map_or(64, <[u64]>::len);
        let mut entries = count;
        let mut list_at = None;
        if self.one_in(3) {
            entries = if self.one_in(2) {
                0
            } else {
                self.garbage() as u32 as usize
            };
            self.number(names[0], entries);
            self.null(names[1]);
        } else {
            if self.wrong() {
                entries = 0;
                self.fault(CL_INVALID_VALUE);
            } else if self.one_in(3) && count > 1 {
                entries = self.size(1, count - 1);
                if let Some(code) = too_short {
                    self.fault(code);
                }
            } else if self.one_in(3) {
                entries = count + 1 + self.random.below(8) as usize;
            }
            self.number(names[0], entries);
            list_at = Some(self.output(names[1], entries * element_bytes));
        }
        let mut count_at = None;
        if self.one_in(4) {
            self.null(names[2]);
            if let Some(code) = both_null
                && list_at.is_none()
            {
                self.fault(code);
            }
        } else {
            count_at = Some(self.output(names[2], 4));
        }
        if !self.make(Returns::Status)?.succeeded {
            return Some(Vec::new());
        }
        let reported = count_at.map(|address| self.half_word_at(address) as usize);
        self.check_list(list_at, entries, element_bytes, known, reported)
    }

    /// Compares a list at an address, with room for `entries`, with the known one. `reported` is
    /// the number of elements that the function returned.
    fn check_list(
        &mut self,
        list_at: Option<u64>,
        entries: usize,
        element_bytes: usize,
        known: Option<&[u64]>,
        reported: Option<usize>,
    ) -> Option<Vec<u64>> {
        if let (Some(known), Some(reported)) = (known, reported)
            && reported != known.len()
        {
            return self.fail_call(&format!("there are {}, not {reported}", known.len()));
        }
        let Some(address) = list_at else {
            return Some(Vec::new());
        };
        let got = self.bytes_at(address, entries * element_bytes);
        let written = reported
            .or(known.map(<[u64]>::len))
            .unwrap_or(entries)
            .min(entries);
        let (list, rest) = got.split_at(written * element_bytes);
        if (reported.is_some() || known.is_some()) && rest.iter().any(|byte| *byte != UNTOUCHED) {
            return self.fail_call("it wrote beyond the end of the list");
        }
        let list: Vec<u64> = list
            .chunks(element_bytes)
            .map(|bytes| {
                let mut word = [0; 8];
                word[..bytes.len()].copy_from_slice(bytes);
                u64::from_ne_bytes(word)
            })
            .collect();
        if let Some(known) = known
            && element_bytes == 8
            && list.iter().any(|element| !known.contains(element))
        {
            return self.fail_call(&format!("the list is {list:x?}, not {known:x?}"));
        }
        Some(list)
    }
}
