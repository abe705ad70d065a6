//! The PDN reader's speed over text of the usual kind: three tags, some fifty plies, lines of eighty characters.

#![allow(missing_docs)]

use std::fmt::Write as _;

use crownhead::board::Variant;
use crownhead::notation::{Location, pdn};
use divan::counter::BytesCount;

fn main() {
    divan::main();
}

/// Games whose moves have the lengths of real ones; the reader does not ask whether they are legal.
fn text(games: u32) -> String {
    let mut text = String::new();
    let mut seed = 0x9E37_79B9_u32;
    let mut random = |below: u32| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 16) % below
    };
    for game in 1..=games {
        writeln!(text, "[Event \"Game {game}\"]\n[Result \"1-0\"]\n[GameType \"21\"]").expect("memory");
        let mut line = String::new();
        for ply in 0..50 {
            let number = if ply % 2 == 0 { format!("{}. ", ply / 2 + 1) } else { String::new() };
            let sign = if random(4) == 0 { 'x' } else { '-' };
            let from = random(31) + 1;
            let word = format!("{number}{from}{sign}{} ", from + 1);
            if line.len() + word.len() > 80 {
                text.push_str(line.trim_end());
                text.push('\n');
                line.clear();
            }
            line.push_str(&word);
        }
        writeln!(text, "{line}1-0\n").expect("memory");
    }
    text
}

#[divan::bench]
fn read(bencher: divan::Bencher<'_, '_>) {
    let text = text(2000);
    bencher.counter(BytesCount::of_str(&text)).bench(|| {
        pdn::PdnReader::new(&text, Location::FIRST, 1, Variant::English).map(|g| g.line.moves.len()).sum::<usize>()
    });
}

#[divan::bench]
fn split(bencher: divan::Bencher<'_, '_>) {
    let text = text(2000);
    bencher.counter(BytesCount::of_str(&text)).bench(|| {
        let (mut at, mut cuts) = (0, 0);
        while let Some(next) = text.as_bytes().get(at..).and_then(|rest| pdn::split(rest, 1)) {
            at += next;
            cuts += 1;
        }
        cuts
    });
}
