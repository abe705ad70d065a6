//! What all stored verdicts imply: values in `moves`, values kept and told stale, and the proved layer against databases.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use crownhead::analysis::{ClaimKind, ColorClaim, TreeSource, TreeValues, keep_tree_values, tree_answer};
use crownhead::board::{Color, Outcome, Value, Variant};
use crownhead::engine::Endings;
use crownhead::engine::egdb::Databases;
use crownhead::game::{move_text, moves_text, read_moves};
use crownhead::rules::{FastPosition, PositionKey};
use crownhead::store::{AnalysisLimits, Database, NewCertificate, StoredAnalysis};

use crate::database::import_text;
use crate::support::{crownhead, crownhead_ends, position};

const CHAPTERS: &str = include_str!("../report/chapters.txt");
const COOKS: &str = include_str!("../report/cooks.pdn");
/// The first chapter's line, and where the second one joins it.
const TRUNK: &str = "11-15 23-19 9-14 27-23 8-11 22-18 15-22 25-9 5-14";

fn embedded() -> Databases {
    Databases::embedded(Variant::English).unwrap()
}

/// Databases that know less than they could.
struct Less(Databases, u32);

impl Endings for Less {
    fn most_pieces(&self) -> u32 {
        self.1
    }

    fn value(&self, position: &FastPosition) -> Option<Value> {
        if position.pieces() > self.1 { None } else { Endings::value(&self.0, position) }
    }
}

/// Move, value and witness of each row of `moves`, and what was said.
fn moves(database: &Path, place: &str) -> (Vec<String>, String) {
    let args = ["--format", "csv", "--columns", "move,value,witness", "moves", place];
    let ran = crownhead(database, &args);
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    (ran.out.lines().skip(1).map(str::to_owned).collect(), ran.err)
}

/// The position after these moves.
fn after(moves: &str) -> PositionKey {
    let start = crownhead::rules::Position::start(Variant::English);
    start.along(&read_moves(moves, start).unwrap()).last().unwrap().key()
}

#[test]
fn a_chapter_that_improves_on_another_by_transposition_turns_its_verdict() {
    let folder = tempfile::tempdir().unwrap();
    let (database, file) = (folder.path().join("a.db"), folder.path().join("a.txt"));
    let first = CHAPTERS.split("\n\n").take(2).collect::<Vec<_>>().join("\n\n");
    fs::write(&file, first).unwrap();
    crownhead_ends(&database, 0, &["--quiet", "import", file.to_str().unwrap()]);
    let (rows, said) = moves(&database, "11-15 23-19 9-14 27-23 8-11");
    assert_eq!(rows, ["22-18,loss,tree"], "a move that books alone have is told with its value");
    assert!(said.contains("White to move. Value: Black wins (what stored verdicts imply)."), "{said}");
    fs::write(&file, CHAPTERS).unwrap();
    crownhead(&database, &["--quiet", "import", file.to_str().unwrap()]);
    let (rows, said) = moves(&database, "11-15 23-19 9-14 27-23 8-11");
    assert_eq!(rows, ["22-18,draw,tree"]);
    assert!(said.contains("Value: draw (what stored verdicts imply)."), "{said}");
    // A database proves what it knows, and no tree says it again.
    let (rows, said) = moves(&database, "W:W28,30:B14,20");
    assert!(rows.contains(&"30-25,draw,proved".to_owned()) && said.contains("endgame database"), "{rows:?} {said}");
}

#[test]
fn a_claim_that_outweighs_the_moves_is_told_as_such() {
    let folder = tempfile::tempdir().unwrap();
    let (database, file) = (folder.path().join("a.db"), folder.path().join("a.txt"));
    fs::write(&file, "TWO LINES\n\n11-15, 23-19. Black wins.\n\n11-15, 23-19, 8-11. White wins.\n").unwrap();
    crownhead_ends(&database, 0, &["--quiet", "import", file.to_str().unwrap()]);
    let (rows, said) = moves(&database, "11-15 23-19");
    assert_eq!(rows, ["8-11,loss,tree"]);
    assert!(said.contains("Black to move. Value: Black wins (a source says so of the position itself)."), "{said}");
}

#[test]
fn plain_games_carry_no_verdict_up() {
    let folder = tempfile::tempdir().unwrap();
    let mut database = Database::in_memory().unwrap();
    // A game that somebody lost, down to a position that databases know.
    let pdn = "[SetUp \"1\"]\n[FEN \"W:W18,28,29,30:B5,9,20\"]\n[Result \"1-0\"]\n1. ... 29-25 2. 9-14 18x9 3. 5x14 28-24 4. 20x27 1-0\n";
    import_text(&mut database, folder.path(), "a.pdn", pdn);
    let endings = embedded();
    let tree = TreeValues::compute(&database, Some(&endings)).unwrap();
    let start = position("W:W18,28,29,30:B5,9,20");
    assert_eq!(tree.at(start.key()), None);
    let end = position("W:W25,30:B14,27");
    assert!(tree.at(end.key()).is_some_and(|value| value.is_proved));
    // A book's word at the end of a game is about its last position, unless it says which move lost.
    let game = |event: &str, mark: &str| {
        format!(
            "[Event \"{event}\"]\n[Result \"0-1\"]\n[CrownheadVerdict \"W wins.\"]\n1. 11-15 22-18 2. 15x22 25x18 3. 8-11{mark} 29-25 0-1\n\n"
        )
    };
    import_text(&mut database, folder.path(), "b.pdn", game("unmarked", ""));
    let value = |database: &Database, moves| Some(TreeValues::compute(database, None).unwrap().at(after(moves))?.value);
    assert_eq!(value(&database, "11-15 22-18 15-22 25-18 8-11 29-25"), Some(Value::Loss));
    assert_eq!(value(&database, "11-15 22-18 15-22 25-18"), None);
    import_text(&mut database, folder.path(), "c.pdn", game("marked", " {[%losing]}"));
    assert_eq!(value(&database, "11-15 22-18 15-22 25-18 8-11"), Some(Value::Win));
    assert_eq!(value(&database, "11-15 22-18 15-22 25-18"), Some(Value::Draw));
}

#[test]
fn what_plain_games_prove_far_from_databases_is_told_with_or_without_verdicts() {
    let folder = tempfile::tempdir().unwrap();
    let mut database = Database::in_memory().unwrap();
    // Black is blocked with twelve men.
    let play = "10-15 23-18 12-16 21-17 16-19 17-14 9-13 24-20 8-12 25-21 12-16 21-17 4-8 29-25 6-9 27-24 1-6 32-27 6-10 \
                27-23 8-12 25-21 2-6 31-27 3-8 30-25";
    import_text(&mut database, folder.path(), "a.pdn", format!("[Result \"0-1\"]\n{play} 0-1\n"));
    let (endings, last) = (embedded(), after(play));
    let asked = [last, after(play.strip_suffix(" 30-25").unwrap())];
    let worth = |database: &Database| {
        let answer = tree_answer(database, Some(&endings), &asked, 1_000).unwrap();
        answer.values.into_iter().map(|value| value.map(|value| (value.value, value.is_proved))).collect::<Vec<_>>()
    };
    let proved = [Some((Value::Loss, true)), Some((Value::Win, true))];
    assert_eq!(worth(&database), proved);
    let verdict = "[Result \"*\"]\n1. 9-14 22-17 (22-18 5-9 {Drawn}) 11-15 *\n";
    import_text(&mut database, folder.path(), "b.pdn", verdict);
    assert_eq!(worth(&database), proved);
    keep_tree_values(&mut database, Some(&endings)).unwrap();
    assert_eq!(worth(&database), proved);
}

#[test]
fn a_verdict_about_a_position_that_was_not_reached_is_no_claim() {
    let folder = tempfile::tempdir().unwrap();
    let mut database = Database::in_memory().unwrap();
    let pdn = |last: &str| {
        format!(
            "[Result \"1-0\"]\n[CrownheadKind \"book\"]\n[CrownheadVerdict \"Black wins.\"]\n1. 11-15 {last} 1-0\n\n"
        )
    };
    // 23-17 is no move: the first line ends before it.
    import_text(&mut database, folder.path(), "a.pdn", pdn("23-17") + &pdn("23-19"));
    let tree = TreeValues::compute(&database, None).unwrap();
    assert_eq!((tree.counts().claims, tree.counts().implied), (1, 3));
    assert_eq!(tree.at(after("11-15 23-19")).unwrap().value, Value::Win);
}

#[test]
fn what_is_proved_above_small_databases_is_what_greater_ones_know() {
    let folder = tempfile::tempdir().unwrap();
    let mut database = Database::in_memory().unwrap();
    let (whole, less) = (embedded(), Less(embedded(), 3));
    // Every line of six plies from some endings: kings that walk round, exchanges, men that are crowned.
    let mut pdn = String::new();
    for fen in ["W:WK18,26:BK11,12", "B:W22,30:B14,K7", "W:WK15,K23:B3,12", "B:WK32,25:BK22,19"] {
        let mut lines = vec![(position(fen), Vec::new())];
        for _ in 0..6 {
            let mut longer = Vec::new();
            for (here, played) in lines {
                let legal = here.legal_moves();
                for next in legal.iter().take(3) {
                    let mut text: Vec<String> = Vec::clone(&played);
                    text.push(move_text(&here, next));
                    longer.push((here.play_unchecked(next), text));
                }
            }
            lines = longer;
        }
        for (_, text) in lines {
            pdn.push_str(&format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n{} *\n\n", text.join(" ")));
        }
    }
    import_text(&mut database, folder.path(), "a.pdn", pdn);
    let tree = TreeValues::compute(&database, Some(&less)).unwrap();
    let (mut above, mut proved) = (0, 0);
    for (key, value) in tree.iter() {
        let here = key.position().unwrap();
        let pieces = here.pieces(Color::Black).count() + here.pieces(Color::White).count();
        above += u32::from(pieces > 3);
        if pieces > 3 && value.is_proved {
            let known = whole.value(&here).unwrap().unwrap();
            assert_eq!(value.value, known, "{here:?}");
            proved += 1;
        }
    }
    assert!(proved > 20, "{proved} of {above} positions were proved");
}

#[test]
fn kept_values_are_those_worked_out_and_stale_as_soon_as_anything_changes() {
    let folder = tempfile::tempdir().unwrap();
    let mut database = Database::in_memory().unwrap();
    import_text(&mut database, folder.path(), "chapters.txt", CHAPTERS);
    let endings = embedded();
    let known =
        |database: &Database| TreeValues::compute(database, Some(&endings)).unwrap().iter().collect::<HashMap<_, _>>();
    let values = known(&database);
    let keys: Vec<PositionKey> = values.keys().copied().collect();
    assert!(keys.len() > 20 && keys.contains(&after(TRUNK)));
    // Too large to be worked out, as it were.
    let ask = |database: &Database| tree_answer(database, Some(&endings), &keys, 0).unwrap();
    assert_eq!(ask(&database).source, TreeSource::None);
    let counts = keep_tree_values(&mut database, Some(&endings)).unwrap();
    assert_eq!((counts.proved + counts.implied) as usize, keys.len());
    let kept = ask(&database);
    assert_eq!(kept.source, TreeSource::Current);
    assert!(keys.iter().zip(&kept.values).all(|(key, value)| *value == Some(values[key])));
    // Other endgame databases would imply other things.
    let less = Less(embedded(), 4);
    assert_eq!(tree_answer(&database, Some(&less), &keys, 0).unwrap().source, TreeSource::Stale);
    // Whatever changes: play that comes, play that goes, a source turned round.
    import_text(&mut database, folder.path(), "cooks.pdn", COOKS);
    let stale = ask(&database);
    assert!(stale.source == TreeSource::Stale && stale.values.iter().all(Option::is_none));
    keep_tree_values(&mut database, Some(&endings)).unwrap();
    assert_eq!(ask(&database).source, TreeSource::Current);
    let sources = database.source_names().unwrap();
    let id = sources.iter().find(|(_, name)| name.ends_with("cooks.pdn")).map_or(2, |(id, _)| *id);
    // With play that goes, the values go: it had a part in them.
    assert!(database.remove_source(id).unwrap().had_tree_values);
    assert_eq!(ask(&database).source, TreeSource::None);
    keep_tree_values(&mut database, Some(&endings)).unwrap();
    database.connection().execute("UPDATE source SET result_order = 'white-first'", []).unwrap();
    assert_eq!(ask(&database).source, TreeSource::Stale);
    keep_tree_values(&mut database, Some(&endings)).unwrap();
    // The same text again changes nothing.
    import_text(&mut database, folder.path(), "chapters.txt", CHAPTERS);
    assert_eq!(ask(&database).source, TreeSource::Current);
    // In a small library stale values are in nobody's way.
    import_text(&mut database, folder.path(), "cooks.pdn", COOKS);
    let answer = tree_answer(&database, Some(&endings), &keys, u64::MAX).unwrap();
    assert_eq!(answer.source, TreeSource::Current);
    let values = known(&database);
    assert!(keys.iter().zip(&answer.values).all(|(key, value)| *value == values.get(key).copied()));
}

#[test]
fn values_kept_that_do_not_follow_are_damage() {
    for (sql, wrong) in [
        ("UPDATE tree_value SET witness = 1, value = 1 WHERE witness = 0 AND value = 0", true),
        ("UPDATE tree_value SET key = x'00' WHERE key = (SELECT min(key) FROM tree_value)", true),
        ("DELETE FROM tree_value WHERE value = 1", true),
        // Nobody is told what is stale.
        ("UPDATE tree_value SET value = 1; UPDATE revision SET number = number + 1", false),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let (path, file) = (folder.path().join("a.db"), folder.path().join("a.txt"));
        fs::write(&file, CHAPTERS).unwrap();
        crownhead_ends(&path, 0, &["--quiet", "import", file.to_str().unwrap()]);
        crownhead_ends(&path, 0, &["--quiet", "annotate", "--tree"]);
        assert!(crownhead_ends(&path, 0, &["--format", "csv", "check"]).lines().count() < 2);
        Database::create(&path).unwrap().0.connection().execute_batch(sql).unwrap();
        let rows = crownhead_ends(&path, i32::from(wrong), &["--format", "csv", "check"]);
        assert_eq!(
            rows.contains("error,analysis,,") && rows.contains("annotate --tree renews them"),
            wrong,
            "{sql}: {rows}"
        );
    }
}

#[test]
fn a_certificate_overturns_a_verdict_without_any_database() {
    let folder = tempfile::tempdir().unwrap();
    let mut database = Database::in_memory().unwrap();
    let pdn = "[SetUp \"1\"]\n[FEN \"B:W18,28,30:B5,9,20\"]\n[Result \"1-0\"]\n[CrownheadVerdict \"Black wins.\"]\n1. 9-14 1-0\n";
    import_text(&mut database, folder.path(), "a.pdn", pdn);
    assert!(TreeValues::compute(&database, None).unwrap().cooks(&database, |_| true).unwrap().is_empty());
    let text = include_str!("../cli/foster.proof");
    let certificate = NewCertificate {
        key: position("W:W18,28,30:B5,14,20").key().to_bytes(),
        claim: "not-loss",
        endings: 5,
        positions: 1,
        text: text.to_owned(),
    };
    let digest = certificate.digest().to_owned();
    let limits = AnalysisLimits {
        maker: "crownhead".to_owned(),
        version: "0.1.0".to_owned(),
        nodes: 1,
        depth: 1,
        proof_nodes: 1,
        pieces: 5,
    };
    let analysis = StoredAnalysis {
        line: 1,
        limits,
        plies: 1,
        loser: None,
        losing_ply: None,
        witness: None,
        engine_ply: None,
        proved_ply: None,
        proof: Some(digest.clone()),
        note: None,
        swings: Vec::new(),
    };
    assert!(database.store_analysis(&analysis, &[certificate]).unwrap());
    // Another one about the same position does not overturn it.
    let other =
        "INSERT INTO certificate SELECT '00', key, 'not-win', endings, positions, length, zstd FROM certificate";
    database.connection().execute(other, []).unwrap();
    let tree = TreeValues::compute(&database, None).unwrap();
    let cooks = tree.cooks(&database, |_| true).unwrap();
    let [cook] = &cooks[..] else { panic!("{cooks:?}") };
    assert_eq!(cook.published, ColorClaim::Ends(Outcome::Won(Color::Black)));
    assert_eq!((cook.implied, cook.is_proved), (ColorClaim::Ends(Outcome::Draw), true));
    assert_eq!(cook.certificate.as_ref(), Some(&digest));
    assert!(tree.cooks(&database, |line| line != 1).unwrap().is_empty());
}

#[test]
fn the_cook_of_the_exchange_is_found_and_proved() {
    let folder = tempfile::tempdir().unwrap();
    let mut database = Database::in_memory().unwrap();
    import_text(&mut database, folder.path(), "cooks.pdn", COOKS);
    let endings = embedded();
    let tree = TreeValues::compute(&database, Some(&endings)).unwrap();
    let cooks = tree.cooks(&database, |line| line == 1).unwrap();
    let [cook] = &cooks[..] else { panic!("{cooks:?}") };
    assert_eq!((cook.claim.kind, cook.claim.ply), (ClaimKind::Verdict, 3));
    assert_eq!(
        (cook.published, cook.implied),
        (ColorClaim::Ends(Outcome::Won(Color::Black)), ColorClaim::Ends(Outcome::Draw))
    );
    assert!(cook.is_proved && cook.by_ply == 4);
    assert_eq!(moves_text(&cook.from, &cook.by[..1]), "30-25", "the only move that draws");
}
