//! Speed of the rules: `cargo bench --bench perft`. The items a second of perft are lines counted, bulk-counted on one
//! thread; those of replay are half-moves.

use crownhead::board::{Move, Variant};
use crownhead::rules::{Position, perft};
use divan::Bencher;
use divan::counter::ItemsCount;

fn main() {
    divan::main();
}

#[divan::bench(args = [8, 9], sample_count = 20, sample_size = 1)]
fn lines_from_the_start(bencher: Bencher, depth: u8) {
    let start = Position::start(Variant::English);
    bencher.counter(ItemsCount::new(perft(&start, depth))).bench(|| perft(divan::black_box(&start), depth));
}

/// Random games that always run the same: each position with the move played in it.
fn games() -> Vec<(Position, Move)> {
    let mut plies = Vec::new();
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    for _ in 0..200 {
        let mut position = Position::start(Variant::English);
        for _ in 0..70 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let played = moves[(state % moves.len() as u64) as usize];
            plies.push((position, played));
            position = position.play_unchecked(&played);
        }
    }
    plies
}

/// What an import does with a half-move: find it by its ends, make it, take the key.
#[divan::bench]
fn replay(bencher: Bencher) {
    let plies = games();
    bencher.counter(ItemsCount::new(plies.len())).bench(|| {
        plies.iter().fold(0, |keys, (position, played)| {
            let found = divan::black_box(position).find_moves(played.from, played.to);
            found.iter().fold(keys, |keys, each| keys ^ position.play_unchecked(each).key().0)
        })
    });
}

#[divan::bench]
fn legal_moves(bencher: Bencher) {
    let plies = games();
    bencher
        .counter(ItemsCount::new(plies.len()))
        .bench(|| plies.iter().map(|(position, _)| divan::black_box(position).legal_moves().len()).sum::<usize>());
}
