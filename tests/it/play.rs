//! Play of the best first move: every won ending comes to its end, whatever the other side does.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use crownhead::board::{Move, Value, Variant};
use crownhead::engine::egdb::{Databases, Guide, KnownEnding};
use crownhead::game::move_text;
use crownhead::notation::fen;
use crownhead::rules::Position;

use crate::egdb;
use crate::support::{crownhead, position};

/// More plies than any ending of five pieces takes, however it is won.
const MOST_PLIES: usize = 600;

fn moves(guide: &mut Guide<'_>, position: &Position, lines: usize) -> KnownEnding {
    guide.moves(position, lines, &AtomicBool::new(false)).unwrap().unwrap()
}

/// How the side that does not win replies.
#[derive(Clone, Copy)]
enum Defence {
    /// By the first row.
    Best,
    /// By any move, from these numbers.
    Any(u64),
}

/// Plays a position that is won or lost to its end, the winner by the first move each time; the plies it took. Fails where a
/// position comes again, where the value changes, or where every distance is known (up to `distances` pieces) and the play
/// is longer than the shortest win.
fn play_out(databases: &Databases, start: Position, mut defence: Defence, distances: u32) -> usize {
    let mut guide = Guide::new(databases, 2);
    let first = databases.probe(&start).unwrap().unwrap();
    let wins_at = usize::from(first.value == Value::Loss);
    let (mut at, mut seen) = (start, BTreeMap::new());
    let is_shortest = pieces(&start) <= distances;
    for ply in 0..MOST_PLIES {
        let text = fen::write(&at.setup());
        assert_eq!(seen.insert(at.key(), ply), None, "{text} comes again in play from {}", fen::write(&start.setup()));
        let known = moves(&mut guide, &at, 0);
        let is_winner = ply % 2 == wins_at;
        assert_eq!(known.value.value, if is_winner { Value::Win } else { Value::Loss }, "{text}");
        if known.moves.is_empty() {
            if let (true, Defence::Best) = (is_shortest, defence) {
                assert_eq!(Some(ply), first.plies.map(usize::from), "the shortest win against the longest defence");
            }
            return ply;
        }
        let choice = match &mut defence {
            Defence::Any(random) if !is_winner => {
                *random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (*random >> 33) as usize % known.moves.len()
            }
            _ => 0,
        };
        let best = &known.moves[choice];
        assert!(!is_shortest || choice > 0 || best.value == Some(known.value), "{text}");
        at = at.play(&best.line[0]).unwrap();
    }
    panic!("no end of play from {}", fen::write(&start.setup()));
}

fn pieces(position: &Position) -> u32 {
    32 - position.empty().count()
}

/// Positions with published values that are no draws, of so many pieces.
fn decided(pieces: u32) -> Vec<Position> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/egdb/positions.tsv");
    let text = fs::read_to_string(file).unwrap();
    let rows = text.lines().skip(1).map(|line| line.split('\t').collect::<Vec<_>>());
    let decided = rows.filter(|fields| fields[1] != "draw").map(|fields| position(fields[0]));
    decided.filter(|position| self::pieces(position) == pieces).collect()
}

/// How many positions of five pieces are played out: `CROWNHEAD_PLAYS=1000 cargo test --release --test it play::` plays more.
fn plays(default: usize) -> usize {
    std::env::var("CROWNHEAD_PLAYS").ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

#[test]
fn known_endings_are_played_to_their_end() {
    let databases = Databases::embedded(Variant::English).unwrap();
    for text in [
        // Two kings that went round.
        "W:WK16:BK26",
        "W:WK19:BK30",
        "B:WK6:B12,K22",
        "W:WK19,K23:B12,K28",
        "W:W20,K15:B12,K28",
        "W:WK22,K23,K24:BK31,K32",
        "B:WK22,K23,K24:BK31,K32",
        "B:W26,23,K4:B24,K20",
    ] {
        let start = position(text);
        let plies = play_out(&databases, start, Defence::Best, 4);
        let anyhow = play_out(&databases, start, Defence::Any(7), 4);
        assert!(plies > 0 && anyhow > 0, "{text}");
    }
}

#[test]
fn shortest_wins_are_played_where_distances_are_known() {
    let databases = Databases::embedded(Variant::English).unwrap();
    let positions: Vec<Position> = (2..=4).flat_map(decided).collect();
    assert!(positions.len() > 200, "{}", positions.len());
    for start in positions {
        play_out(&databases, start, Defence::Best, 4);
    }
}

/// Values of four pieces, with the distances of the slices that `distances` lets through, and their folder: files are read when
/// they are asked for.
fn four_pieces(distances: impl Fn(&str) -> bool) -> (tempfile::TempDir, Databases) {
    let folder = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(egdb::made().0.path()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if name.ends_with(".wld") || name.strip_suffix(".plies").is_some_and(&distances) {
            fs::copy(&path, folder.path().join(name)).unwrap();
        }
    }
    let databases = Databases::open(&[folder.path()], Variant::English).unwrap();
    (folder, databases)
}

#[test]
fn play_leads_on_without_distances_and_with_some_of_them() {
    let (none, some) = (four_pieces(|_| false), four_pieces(|name| name.len() < 4 || name.starts_with("KM")));
    let positions: Vec<Position> = (2..=4).flat_map(decided).collect();
    for start in positions.into_iter().step_by(3) {
        for (_, databases) in [&none, &some] {
            play_out(databases, start, Defence::Best, 0);
            play_out(databases, start, Defence::Any(3), 0);
        }
    }
}

#[test]
fn endings_of_five_pieces_come_to_an_end_without_distances() {
    let databases = Databases::embedded(Variant::English).unwrap();
    let positions = decided(5);
    assert!(positions.len() > 100, "{}", positions.len());
    let step = positions.len().div_ceil(plays(24)).max(1);
    for (start, seed) in positions.into_iter().step_by(step).zip(1..) {
        play_out(&databases, start, Defence::Best, 4);
        play_out(&databases, start, Defence::Any(seed), 4);
    }
}

#[test]
fn a_line_is_what_first_moves_make_of_it() {
    let databases = Databases::embedded(Variant::English).unwrap();
    for text in ["W:WK16:BK26", "W:WK19,K23:B12,K28", "W:WK22,23,K24:BK31,K32"] {
        let start = position(text);
        let line: Vec<Move> = moves(&mut Guide::new(&databases, 2), &start, 1).moves.swap_remove(0).line;
        let mut at = start;
        for (ply, played) in line.iter().enumerate() {
            // Every tenth is asked for by itself: nobody has to remember anything.
            if ply % 10 == 0 {
                let fresh = moves(&mut Guide::new(&databases, 2), &at, 0);
                assert_eq!(fresh.moves[0].line[0], *played, "{text}: {}", move_text(&at, played));
            }
            at = at.play(played).unwrap();
        }
        assert!(!at.has_legal_move(), "{text}: {}", fen::write(&at.setup()));
    }
}

#[test]
fn analyse_shows_the_value_and_a_line_of_a_known_ending() {
    let folder = tempfile::tempdir().unwrap();
    let none = folder.path().join("none.db");
    let analyse = |text: &str| {
        let ran = crownhead(&none, &["--format", "csv", "analyse", text]);
        assert_eq!(ran.status, Some(0), "{}", ran.err);
        ran
    };
    let won = analyse("W:WK19:BK30");
    assert_eq!(
        won.out.lines().take(4).collect::<Vec<_>>(),
        [
            "move,score,bound,hundredths,depth,line",
            "19-15,win in 7,exact,,,19-15 30-25 15-18 25-21 18-22 21-17 22x13",
            "19-23,win in 7,exact,,,19-23",
            "19-16,win in 11,exact,,,19-16",
        ]
    );
    assert!(won.err.contains("White wins in 7 plies (endgame database)"), "{}", won.err);
    let lost = analyse("B:WK12:BK19");
    assert!(lost.out.ends_with("19-16,loss in 2,exact,,,19-16\n"), "{}", lost.out);
    let five = analyse("W:WK22,23,24:BK31,K32");
    assert!(five.out.lines().nth(1).unwrap().contains(",win,exact,,,"), "{}", five.out);
    assert!(five.err.contains("Value: White wins (endgame database)"), "{}", five.err);
}

#[test]
fn analyse_gives_scores_to_the_lines_asked_for_alone() {
    let folder = tempfile::tempdir().unwrap();
    let none = folder.path().join("none.db");
    for lines in [1, 3] {
        let args =
            ["--format", "csv", "--columns", "score,bound", "analyse", "--depth", "5", "--lines", &lines.to_string()];
        let ran = crownhead(&none, &args);
        let rows: Vec<&str> = ran.out.lines().skip(1).collect();
        assert_eq!(rows.len(), 7);
        assert!(rows[..lines].iter().all(|row| row.ends_with(",exact") && !row.starts_with("not")), "{rows:?}");
        assert!(rows[lines..].iter().all(|row| *row == "not better,at most"), "{rows:?}");
    }
}
