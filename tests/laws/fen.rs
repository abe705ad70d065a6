//! The law of positions as people type them: a FEN that is read is written in one way, which reads as the same position; where it
//! is a legal position, both generators give the same moves, its key gives it back, and turning it round twice changes nothing. A
//! list of moves that is read is legal, and reads as the same when written. An error points into the text, at a character.

use crownhead::board::Variant;
use crownhead::game::{read_moves, write_moves};
use crownhead::notation::fen;
use crownhead::query::{Material, Pattern};
use crownhead::rules::Position;

use super::common::{assert_legal, files};

const ENGLISH: Variant = Variant::English;

pub(super) fn check(bytes: &[u8]) {
    let text = &*String::from_utf8_lossy(bytes);
    match fen::read(text, ENGLISH) {
        Ok(read) => {
            assert!(read.warnings.iter().all(|warning| text.is_char_boundary(warning.at)), "{:?}", read.warnings);
            let written = fen::write(&read.setup);
            let again = fen::read(&written, ENGLISH).expect("what is written can be read");
            assert_eq!((again.setup, fen::write(&again.setup)), (read.setup, written));
            if let Ok(position) = Position::from_setup(&read.setup) {
                assert_eq!(position.setup(), read.setup);
                legal_position(position);
            }
        }
        Err(error) => assert!(text.is_char_boundary(error.at) && error.to_string().len() < 400, "{error:?}"),
    }
    moves(text);
    for exact in [false, true] {
        if let Err(error) = Pattern::read(text, ENGLISH, exact) {
            assert!(text.get(error.at.clone()).is_some(), "{error:?}");
        }
    }
    match Material::read(text, ENGLISH) {
        Ok(material) => assert_eq!(material.reversed().reversed(), material),
        Err(error) => assert!(text.get(error.at.clone()).is_some(), "{error:?}"),
    }
}

fn legal_position(position: Position) {
    let moves = position.legal_moves();
    assert_eq!(moves, position.legal_moves_generic(), "{position:?}");
    assert_eq!(position.capture_paths(), position.capture_paths_generic(), "{position:?}");
    assert_eq!(position.has_legal_move(), !moves.is_empty());
    assert_eq!(position.key().position(), Some(position));
    assert_eq!(position.reversed().reversed(), position);
    assert_eq!(position.reversed().legal_moves().len(), moves.len());
    for played in &moves {
        let next = position.play(played).expect("a legal move can be played");
        assert_eq!(Position::from_setup(&next.setup()), Ok(next), "a legal move leads to a legal position");
    }
}

fn moves(text: &str) {
    let start = Position::start(ENGLISH);
    match read_moves(text, start) {
        Ok(moves) => {
            assert_legal(start, &moves);
            let written = write_moves(start, &moves);
            assert_eq!(read_moves(&written, start).expect("what is written can be read"), moves, "{written}");
        }
        Err(error) => assert!(text.is_char_boundary(error.at) && error.to_string().len() < 4_000, "{error:?}"),
    }
}

pub(super) fn seeds() -> Vec<Vec<u8>> {
    let written = [
        "B:W21-32:B1-12",
        "\"W:WK4-6,31:BK25.\"",
        "W: W 21, 25, k9 : B 1, 5 :H0:F1",
        "?:W29,13,11:B22,4,2",
        "R:R1:W21",
        "W:WK14,K10:BK1",
        "1. 11-15 22-18 2. 15x22 25x18",
        "11 to 15, 23 to 19. 8-11",
        "11 15 23 19 8 11",
        "W18 b9|b10 -14 ?22 BK1 wk32",
        "4v3+1k",
        "2k v 1+1k",
    ];
    let mut seeds: Vec<Vec<u8>> = written.iter().map(|text| text.as_bytes().to_vec()).collect();
    for table in files("tests/perft", &["perft"]) {
        let text = String::from_utf8_lossy(&table).into_owned();
        seeds.extend(text.lines().filter_map(|line| line.strip_prefix("fen ")).map(|fen| fen.as_bytes().to_vec()));
    }
    seeds
}
