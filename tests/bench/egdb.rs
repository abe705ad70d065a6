//! Speed of the endgame databases: `cargo bench --bench egdb`. Random positions of five pieces of the shipped values; with
//! `CROWNHEAD_EGDB=DIR` also random positions of six pieces of the files there. The items a second are look-ups.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use crownhead::board::{Color, Setup, Square, Variant};
use crownhead::engine::egdb::{Databases, GenerationOptions, generate};
use crownhead::rules::Position;
use divan::Bencher;
use divan::counter::ItemsCount;

fn main() {
    divan::main();
}

/// Legal positions of so many pieces, both sides present, always the same.
fn positions(pieces: u32) -> Vec<Position> {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut random = move |below: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 20) % below
    };
    let mut found = Vec::new();
    while found.len() < 20_000 {
        let turn = if random(2) == 0 { Color::Black } else { Color::White };
        let mut setup = Setup { turn: Some(turn), ..Setup::empty(Variant::English) };
        while (setup.black | setup.white).count() < pieces {
            let square = Square::new(random(32) as u8);
            if setup.piece_at(square).is_none() {
                if random(2) == 0 {
                    setup.black.insert(square);
                } else {
                    setup.white.insert(square);
                }
                if random(2) == 0 {
                    setup.kings.insert(square);
                }
            }
        }
        let both = !setup.black.is_empty() && !setup.white.is_empty();
        found.extend(Position::from_setup(&setup).ok().filter(|_| both));
    }
    found
}

/// Looks all positions up, everything having been asked for once.
fn look_up(bencher: Bencher, databases: &Databases, positions: &[Position]) {
    let all = || positions.iter().filter(|position| databases.value(position).ok().flatten().is_some()).count();
    assert_eq!(all(), positions.len());
    bencher.counter(ItemsCount::new(positions.len())).bench(all);
}

#[divan::bench]
fn five_pieces_packed(bencher: Bencher) {
    look_up(bencher, &Databases::embedded(Variant::English).expect("they ship"), &positions(5));
}

/// Positions in which nothing is to be captured, each one look-up.
#[divan::bench]
fn five_pieces_packed_quiet(bencher: Bencher) {
    let mut positions = positions(5);
    positions.retain(|position| !position.must_capture());
    look_up(bencher, &Databases::embedded(Variant::English).expect("they ship"), &positions);
}

#[divan::bench]
fn five_pieces_unpacked(bencher: Bencher) {
    let databases = Databases::embedded(Variant::English)
        .expect("they ship")
        .unpacked(5, 2, &AtomicBool::new(false))
        .expect("no damage");
    look_up(bencher, &databases, &positions(5));
}

fn folder() -> Option<PathBuf> {
    std::env::var_os("CROWNHEAD_EGDB").map(PathBuf::from)
}

#[divan::bench]
fn six_pieces_packed(bencher: Bencher) {
    if let Some(folder) = folder() {
        look_up(bencher, &Databases::open(&[&folder], Variant::English).expect("whole files"), &positions(6));
    }
}

/// Opening a folder of files, nothing looked up yet.
#[divan::bench]
fn open_folder(bencher: Bencher) {
    if let Some(folder) = folder() {
        bencher.bench(|| Databases::open(&[&folder], Variant::English).expect("whole files"));
    }
}

#[divan::bench]
fn open_shipped(bencher: Bencher) {
    bencher.bench(|| Databases::embedded(Variant::English).expect("they ship"));
}

/// Everything of up to four pieces made and written.
#[divan::bench(sample_count = 5, sample_size = 1)]
fn generate_four_pieces(bencher: Bencher) {
    bencher.counter(ItemsCount::new(6_408_836_usize)).bench(|| {
        let folder = tempfile::tempdir().expect("no damage");
        let options = GenerationOptions {
            variant: Variant::English,
            pieces: 4,
            distances: false,
            folder: folder.path().to_owned(),
            threads: 2,
            memory: None,
        };
        generate(&options, &AtomicBool::new(false), &|_| {}).expect("made")
    });
}
