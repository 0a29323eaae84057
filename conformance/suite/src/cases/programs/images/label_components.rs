//! Connected components of a picture, compared with flood fill.

use crate::compare::equal;
use anyhow::Result;
use harness::random::Random;
use harness::session::{Argument, Session};

const WIDTH: usize = 110;
const HEIGHT: usize = 70;

pub fn run(session: &Session) -> Result<()> {
    let mut random = Random::new(45);
    // The density is just above that at which components become large.
    let picture: Vec<u8> = (0..WIDTH * HEIGHT)
        .map(|_| u8::from(random.below(100) < 61))
        .collect();
    let program = session.program(include_str!("label_components.cl"), "")?;
    let (spread, jump) = (program.kernel("spread")?, program.kernel("jump")?);
    let there = session.buffer(&picture)?;
    let labels = session.zeros::<i32>(picture.len())?;
    let mut changed = session.zeros::<i32>(1)?;
    session.run(
        &program.kernel("start")?,
        &[picture.len()],
        &[],
        &[&there, &labels],
    )?;
    loop {
        session.write(&mut changed, &[0])?;
        let arguments: [&dyn Argument; 4] = [&labels, &(WIDTH as i32), &(HEIGHT as i32), &changed];
        session.run(&spread, &[WIDTH, HEIGHT], &[11, 7], &arguments)?;
        session.run(&jump, &[picture.len()], &[], &[&labels])?;
        if session.read(&changed)?[0] == 0 {
            break;
        }
    }
    let mut expected = vec![-1; picture.len()];
    for start in 0..picture.len() {
        let mut pending = vec![start];
        while let Some(place) = pending.pop() {
            if picture[place] == 0 || expected[place] >= 0 {
                continue;
            }
            expected[place] = start as i32;
            let (x, y) = (place % WIDTH, place / WIDTH);
            pending.extend((x > 0).then(|| place - 1));
            pending.extend((x + 1 < WIDTH).then_some(place + 1));
            pending.extend((y > 0).then(|| place - WIDTH));
            pending.extend((y + 1 < HEIGHT).then_some(place + WIDTH));
        }
    }
    equal("labels", &session.read(&labels)?, &expected)
}
