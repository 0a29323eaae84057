//! Letters in C comments, counted in parallel by composing a state machine's functions.

use crate::compare::equal;
use anyhow::Result;
use harness::random::Random;
use harness::session::{Argument, Local, Session};

const LINES: usize = 40;
const ITEMS: usize = 24;

/// Seven ends of states and seven counts, each padded to eight: 8 + 16 bytes.
type Effect = [u16; 12];

pub fn run(session: &Session) -> Result<()> {
    let mut random = Random::new(62);
    let mut texts: Vec<Vec<u8>> = (0..LINES)
        .map(|line| {
            let letters = b"ab /*/*\"\\\nc";
            (0..line * 37)
                .map(|_| letters[random.below(letters.len() as u32) as usize])
                .collect()
        })
        .collect();
    texts[5] =
        b"code \"no /* comment \\\" */\" yes /* four ** / \" */ more // seven letters".to_vec();
    let mut starts = vec![0u32];
    for text in &texts {
        starts.push(starts[starts.len() - 1] + text.len() as u32);
    }
    let program = session.program(include_str!("comment_count.cl"), "")?;
    let (text, starts) = (session.buffer(&texts.concat())?, session.buffer(&starts)?);
    let results = session.zeros::<[u32; 2]>(LINES)?;
    let effects = Local::<Effect>::new(ITEMS);
    let arguments: [&dyn Argument; 4] = [&text, &starts, &results, &effects];
    let kernel = program.kernel("comments_of_lines")?;
    session.run(&kernel, &[LINES * ITEMS], &[ITEMS], &arguments)?;
    let got = session.read(&results)?;
    let counts: Vec<u32> = got.iter().map(|result| result[0]).collect();
    let expected: Vec<u32> = texts.iter().map(|text| count(text)).collect();
    equal("letters of the example", &[expected[5]], &[16])?;
    equal("letters", &counts, &expected)
}

/// Counts the letters in comments sequentially.
fn count(text: &[u8]) -> u32 {
    let letters = |part: &[u8]| part.iter().filter(|byte| byte.is_ascii_lowercase()).count() as u32;
    let (mut total, mut rest) = (0, text);
    while let Some(&first) = rest.first() {
        let end = if first == b'"' {
            let mut end = 1;
            while end < rest.len() && rest[end] != b'"' {
                end += if rest[end] == b'\\' { 2 } else { 1 };
            }
            end + 1
        } else if rest.starts_with(b"//") {
            let end = rest.iter().position(|&byte| byte == b'\n');
            let end = end.unwrap_or(rest.len());
            total += letters(&rest[..end]);
            end
        } else if rest.starts_with(b"/*") {
            let end = rest[2..].windows(2).position(|pair| pair == b"*/");
            let end = end.map_or(rest.len(), |end| end + 4);
            total += letters(&rest[..end]);
            end
        } else {
            1
        };
        rest = rest.get(end..).unwrap_or_default();
    }
    total
}
