//! `annotate`: swings, losing moves, proofs, and that runs repeat and go on.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use crownhead::analysis::{Annotated, AnnotationLimits, Annotator, Meter};
use crownhead::board::{Variant, Winner, Witness};
use crownhead::engine::egdb::Databases;
use crownhead::engine::{Endings, Evaluation, MAX_DEPTH, StopFlag, check};
use crownhead::game::read_moves;
use crownhead::store::{Database, StoredLine};
use tempfile::{TempDir, tempdir};

use crate::support::{crownhead, crownhead_ends, position};

const GAMES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/data/illustrative_games.txt");
const LOW: [&str; 4] = ["--nodes", "4000", "--proof-nodes", "20000"];

fn endings() -> Arc<dyn Endings> {
    Arc::new(Databases::embedded(Variant::English).unwrap())
}

/// Play from a position, looked at within small limits.
fn annotated(fen: &str, moves: &str, winner: Winner, marks: &[u32], nodes: u64) -> Annotated {
    let start = position(fen);
    let line = StoredLine { id: 1, start, moves: read_moves(moves, start).unwrap() };
    let marks: BTreeSet<u32> = marks.iter().copied().collect();
    let limits = AnnotationLimits { nodes, depth: MAX_DEPTH, proof_nodes: nodes };
    let mut annotator = Annotator::new(Arc::new(Evaluation::best()), Some(endings()));
    annotator.annotate(&line, winner, &marks, &limits, &StopFlag::default()).unwrap()
}

#[test]
fn a_meter_has_counted_every_ply_when_a_line_is_done() {
    let start = position("B:W18,28,30:B5,9,20");
    let line = StoredLine { id: 1, start, moves: read_moves("9-14 18x9 5x14 28-24 20x27", start).unwrap() };
    let limits = AnnotationLimits { nodes: 200, depth: MAX_DEPTH, proof_nodes: 200 };
    let meter = Meter::default();
    let mut annotator = Annotator::new(Arc::new(Evaluation::best()), Some(endings())).counted_by(&meter);
    for (lines, winner) in [(1, Winner::Black), (2, Winner::Draw)] {
        annotator.annotate(&line, winner, &BTreeSet::new(), &limits, &StopFlag::default()).unwrap();
        assert_eq!(meter.plies(), lines * 5, "{winner:?}");
    }
}

#[test]
fn a_losing_move_that_a_database_knows_is_proved_on_both_sides() {
    // White to move holds with 30-25 alone; 28-24 gives a man away.
    let found = annotated("B:W18,28,30:B5,9,20", "9-14 18x9 5x14 28-24 20x27", Winner::Black, &[4], 5_000);
    let analysis = found.analysis;
    assert_eq!((analysis.losing_ply, analysis.witness.map(Witness::name)), (Some(4), Some("proved")), "{analysis:?}");
    let swing = analysis.swings.iter().find(|swing| swing.is_losing).unwrap();
    assert_eq!((swing.before.name(), swing.after.name()), ("draw", "loss"));
    assert!(swing.better.as_deref().unwrap().starts_with("30-25"), "{swing:?}");
    assert!(swing.refutation.as_deref().unwrap().starts_with("20x27"), "{swing:?}");
    assert_eq!(swing.mark.as_deref(), Some("agrees"));
    // The exchange that came before was Black's error: it gave a win away, or was none.
    assert!(analysis.swings.iter().all(|swing| swing.ply == 4 || swing.ply % 2 == 1));
}

#[test]
fn a_result_against_a_proof_is_noted_and_a_mark_is_refuted_only_by_proof() {
    let found = annotated("B:W18,28,30:B5,9,20", "9-14 18x9 5x14 30-25", Winner::Black, &[4], 5_000).analysis;
    assert_eq!(found.losing_ply, None);
    assert_eq!(found.note.as_deref(), Some("the result is won by black; the last position is proved a draw"));
    let marked = found.swings.iter().find(|swing| swing.ply == 4).unwrap();
    assert_eq!((marked.mark.as_deref(), marked.is_swing), (Some("refuted"), false));
}

#[test]
fn proofs_beyond_the_databases_come_with_certificates_that_check() {
    // The end of the seventh illustrative game: Black is blocked.
    let moves = "10-15 23-18 12-16 21-17 16-19 17-14 9-13 24-20 8-12 25-21 12-16 21-17 4-8 29-25 6-9 27-24 1-6 32-27 6-10 27-23 \
        8-12 25-21 2-6 31-27 3-8 30-25";
    let found = annotated("B:W21-32:B1-12", moves, Winner::White, &[], 4_000);
    assert!(found.analysis.losing_ply.is_some());
    let from = found.analysis.proved_ply.unwrap();
    assert!((15..=25).contains(&from), "{from}");
    assert!(!found.certificates.is_empty());
    let endings = endings();
    for certificate in &found.certificates {
        let checked = check(&certificate.text, Some(&*endings)).unwrap();
        assert_eq!(checked.claim.name(), certificate.claim);
        assert_eq!(checked.position.key().to_bytes(), certificate.key);
    }
}

fn library() -> (TempDir, PathBuf) {
    let folder = tempdir().unwrap();
    let db = folder.path().join("a.db");
    crownhead_ends(&db, 0, &["--quiet", "import", "--as", "book", GAMES]);
    (folder, db)
}

/// Everything that is stored of analyses.
fn content(db: &Path) -> Vec<String> {
    let database = Database::open(db).unwrap();
    let mut rows = Vec::new();
    for id in database.line_ids().unwrap() {
        rows.push(format!("{:?}", database.analysis(id).unwrap()));
    }
    for digest in database.certificates().unwrap() {
        rows.push(database.certificate(&digest).unwrap().unwrap());
    }
    rows
}

fn annotate<'a>(more: &[&'a str]) -> Vec<&'a str> {
    let mut args = vec!["--quiet", "annotate"];
    args.extend(LOW);
    args.extend(more);
    args
}

#[test]
fn runs_repeat_are_renewed_by_wider_limits_and_go_with_their_source() {
    let (folder, db) = library();
    crownhead_ends(&db, 0, &annotate(&[]));
    let first = content(&db);
    assert_eq!(first.iter().filter(|row| row.contains("Some(StoredAnalysis")).count(), 7);
    crownhead_ends(&db, 0, &annotate(&["--again"]));
    assert_eq!(content(&db), first);
    let ran = crownhead(&db, &["annotate", "--nodes", "3000", "--proof-nodes", "10"]);
    assert!(ran.err.contains("0 lines analysed") && ran.err.contains("7 analysed before"), "{}", ran.err);
    let ran = crownhead(&db, &["--limit", "1", "annotate", "--nodes", "5000", "--proof-nodes", "10"]);
    assert!(ran.err.contains("1 line analysed"), "{}", ran.err);
    // What was searched is told, not what was asked for.
    assert!(ran.err.contains("at most 5,000 positions per move and 20,000 per attempt at a proof"), "{}", ran.err);
    let all = crownhead(&db, &["annotate", "--nodes", "3000", "--proof-nodes", "10"]).err;
    assert!(all.contains("at most 4,000 to 5,000 positions per move and 20,000 per attempt"), "{all}");
    // Where the losing move itself is not proved, the move is named from which on the loser is proved lost.
    let proved = ["--format", "csv", "--columns", "losing_ply,proved_ply", "annotate", "7", "--nodes", "3000"];
    let proved = crownhead(&db, &[&proved[..], &["--proof-nodes", "10"]].concat()).out;
    assert_eq!(proved, "losing_ply,proved_ply\n17,19\n");
    for args in [&["annotate", "7", "--nodes", "3000", "--proof-nodes", "10"][..], &["show", "7"]] {
        assert!(crownhead(&db, args).out.contains("\n  Proved lost after 10. 6-10.\n"), "{args:?}");
    }
    let limits = Database::open(&db).unwrap().analysis_limits(1).unwrap().unwrap();
    assert_eq!((limits.nodes, limits.proof_nodes), (5_000, 20_000), "what is renewed is not renewed by less");
    let proofs = folder.path().join("proofs");
    crownhead_ends(&db, 0, &annotate(&["--certificates", proofs.to_str().unwrap()]));
    let files: Vec<String> =
        fs::read_dir(&proofs).unwrap().map(|entry| entry.unwrap().path().display().to_string()).collect();
    assert!(!files.is_empty());
    let mut args = vec!["check-proof"];
    args.extend(files.iter().map(String::as_str));
    crownhead_ends(&db, 0, &args);
    crownhead_ends(&db, 0, &["check"]);
    crownhead_ends(&db, 0, &["remove", "--number", "1"]);
    assert!(content(&db).is_empty(), "analyses and certificates go with their source");
    crownhead_ends(&db, 0, &["check"]);
}

#[test]
fn a_killed_run_leaves_whole_lines_and_is_finished_by_the_next() {
    let (_folder, whole) = library();
    crownhead_ends(&whole, 0, &annotate(&[]));
    let wanted = content(&whole);
    for milliseconds in [60, 150, 300] {
        let (_folder, db) = library();
        let mut child = Command::new(env!("CARGO_BIN_EXE_crownhead"))
            .arg("--db")
            .arg(&db)
            .args(annotate(&[]))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(milliseconds));
        child.kill().unwrap();
        child.wait().unwrap();
        crownhead_ends(&db, 0, &["check"]);
        for (row, of_whole) in content(&db).iter().zip(&wanted).filter(|(row, _)| row.starts_with("Some(")) {
            assert_eq!(row, of_whole, "a line is there whole or not at all");
        }
        crownhead_ends(&db, 0, &annotate(&[]));
        assert_eq!(content(&db), wanted, "killed after {milliseconds} ms");
    }
}

#[test]
fn exported_annotations_do_not_come_back_as_the_sources_word() {
    let (folder, db) = library();
    crownhead_ends(&db, 0, &annotate(&[]));
    let plain = crownhead_ends(&db, 0, &["--quiet", "export", "pdn"]);
    let annotated = crownhead_ends(&db, 0, &["--quiet", "export", "pdn", "--annotations"]);
    assert!(
        annotated.contains(" $4 {Crownhead found: the losing move, ")
            && annotated.contains("({Crownhead found: better}")
    );
    let file = folder.path().join("annotated.pdn");
    fs::write(&file, annotated).unwrap();
    let back = folder.path().join("back.db");
    crownhead_ends(&back, 0, &["--quiet", "import", file.to_str().unwrap()]);
    assert_eq!(crownhead_ends(&back, 0, &["--quiet", "export", "pdn"]), plain);
    let told = crownhead_ends(&back, 0, &["--quiet", "--format", "csv", "verify", file.to_str().unwrap()]);
    assert!(told.contains(",note,own-annotation,"), "{told}");
}

#[test]
fn a_better_play_stands_at_its_ply_whatever_variations_follow() {
    let folder = tempdir().unwrap();
    let (db, file) = (folder.path().join("a.db"), folder.path().join("a.pdn"));
    // The first illustrative game; White's twelfth ply loses it.
    let text = "1. 11-15 22-18 2. 15x22 25x18 3. 8-11 29-25 4. 4-8 24-20 5. 10-15 25-22 6. 12-16 27-24 7. 15-19 24x15 8. 16-19 23x16 \
        9. 9-14 18x9 10. 11x25 28-24 11. 5x14 (11. 6x13 24-19 (11... 32-27) (11... 32-28)) 24-19 12. 6-10 1-0\n";
    fs::write(&file, text).unwrap();
    crownhead_ends(&db, 0, &["--quiet", "import", file.to_str().unwrap()]);
    crownhead_ends(&db, 0, &["--quiet", "annotate", "--nodes", "20000", "--proof-nodes", "1000"]);
    let annotated = crownhead_ends(&db, 0, &["--quiet", "export", "pdn", "--annotations"]).replace('\n', " ");
    assert!(annotated.contains("27-24 $4 {Crownhead found: the losing move, draw (engine) before,"), "{annotated}");
    assert!(annotated.contains("} ({Crownhead found: better} 6... 21-17 7. "), "{annotated}");
    // And those of variations in them, with the better play as variations of theirs.
    let plain = crownhead_ends(&db, 0, &["--quiet", "export", "pdn"]);
    let both = "1. 11-15 22-18 2. 15x22 25x18 3. 8-11 29-25 4. 4-8 24-20 5. 10-15 25-22 6. 12-16 21-17 (27-24 15-19 24x15 16-19 23x16) *\n";
    fs::write(&file, both).unwrap();
    crownhead_ends(&db, 0, &["--quiet", "import", file.to_str().unwrap()]);
    crownhead_ends(
        &db,
        0,
        &["--quiet", "annotate", "--kind", "variation", "--nodes", "20000", "--proof-nodes", "1000"],
    );
    let annotated = crownhead_ends(&db, 0, &["--quiet", "export", "pdn", "--annotations"]).replace('\n', " ");
    assert!(annotated.contains("(6... 27-24 $") && annotated.contains("({Crownhead found: better}"), "{annotated}");
    fs::write(&file, annotated.replace("  ", "\n\n")).unwrap();
    let back = folder.path().join("back.db");
    crownhead_ends(&back, 0, &["--quiet", "import", file.to_str().unwrap()]);
    let again = crownhead_ends(&back, 0, &["--quiet", "export", "pdn"]);
    assert!(again.starts_with(plain.trim_end()), "{again}");
}

#[test]
fn a_certificate_proves_every_position_that_it_goes_through() {
    let (_folder, db) = library();
    crownhead_ends(&db, 0, &annotate(&["--opening", "Kelso Cross"]));
    // Black is proved lost from the nineteenth ply on: White's winning move is proved too, and what it leads to.
    let play =
        "10-15 23-18 12-16 21-17 16-19 17-14 9-13 24-20 8-12 25-21 12-16 21-17 4-8 29-25 6-9 27-24 1-6 32-27 6-10";
    let args = |place: &str| crownhead(&db, &["--format", "csv", "--columns", "move,value,witness", "moves", place]);
    let before = args(play);
    assert!(
        before.out.contains("27-23,win,proved") && before.err.contains("White wins"),
        "{}{}",
        before.out,
        before.err
    );
    let after = args(&format!("{play} 27-23"));
    assert!(after.err.contains("Value: White wins (proved"), "{}", after.err);
}

#[test]
fn a_mark_agrees_where_its_move_loses_whatever_became_of_the_game() {
    for (moves, result, wanted) in [
        ("1. 19-16*", "1/2-1/2", "agrees,proved"),
        ("1. 19-16*", "*", "agrees,proved"),
        ("1. 19-15* 28-32 2. 15-10 32-28*", "0-1", "refuted; \"already lost before, proved\""),
    ] {
        let folder = tempdir().unwrap();
        let (db, file) = (folder.path().join("a.db"), folder.path().join("a.pdn"));
        fs::write(
            &file,
            format!("[SetUp \"1\"]\n[FEN \"W:WK19,K23:B12,K28\"]\n[Result \"{result}\"]\n\n{moves} {result}\n"),
        )
        .unwrap();
        crownhead_ends(&db, 0, &["--quiet", "import", "--asterisk", "losing", file.to_str().unwrap()]);
        crownhead_ends(&db, 0, &annotate(&[]));
        let rows = crownhead_ends(
            &db,
            0,
            &["--quiet", "--format", "csv", "--columns", "compares,known_by", "report", "stars"],
        );
        let told: Vec<&str> = rows.lines().skip(1).collect();
        assert!(told.iter().all(|row| row.ends_with(",proved")) && !told.is_empty(), "{moves} {result}: {rows}");
        assert!(rows.contains(wanted.split(';').next().unwrap()), "{moves} {result}: {rows}");
    }
}

#[test]
fn limits_count_the_lines_that_are_looked_at_and_more_databases_are_not_given_up_for_less() {
    let (folder, db) = library();
    let file = folder.path().join("openings.pdn");
    let opening = |name: &str, moves: &str| {
        format!("[CrownheadKind \"opening\"]\n[CrownheadName \"{name}\"]\n[Event \"a\"]\n\n{moves} *\n\n")
    };
    let openings = [opening("One", "1. 9-13 22-18"), opening("Two", "1. 9-14 22-18")].concat();
    let game = "[Event \"b\"]\n\n1. 10-15 23-18 2. 12-16 26-23 *\n";
    fs::write(&file, openings + game).unwrap();
    crownhead_ends(&db, 0, &["--quiet", "import", file.to_str().unwrap()]);
    let run = |nodes: &str| {
        let ran =
            crownhead(&db, &["--offset", "7", "--limit", "1", "annotate", "--nodes", nodes, "--proof-nodes", "0"]);
        assert_eq!(ran.status, Some(0), "{}", ran.err);
        ran.err
    };
    assert!(run("500").contains("1 line analysed"));
    let id = Database::open(&db).unwrap().line_ids().unwrap().into_iter().max().unwrap();
    let (mut database, _) = Database::create(&db).unwrap();
    let mut richer = database.analysis(id).unwrap().unwrap();
    richer.limits.pieces = 7;
    assert!(database.store_analysis(&richer, &[]).unwrap());
    drop(database);
    assert!(run("600").contains("1 analysed before"));
    assert_eq!(Database::open(&db).unwrap().analysis(id).unwrap(), Some(richer));
}

#[test]
fn damaged_analyses_are_told() {
    for (sql, told) in [
        ("UPDATE analysis SET plies = 3 WHERE line = 2", "\nerror,analysis,2,"),
        ("UPDATE swing SET better = '1-32' WHERE line = 4", "\nerror,analysis,4,"),
        ("UPDATE certificate SET zstd = x'00'", "\nerror,analysis,,"),
        ("UPDATE certificate SET claim = 'not-win'", "\nerror,analysis,,"),
        ("UPDATE certificate SET key = x'00'", "\nerror,analysis,,"),
        ("DELETE FROM certificate", "\nerror,analysis,7,"),
    ] {
        let (_folder, db) = library();
        crownhead_ends(&db, 0, &annotate(&[]));
        let (database, _) = Database::create(&db).unwrap();
        database.connection().execute_batch(sql).unwrap();
        drop(database);
        let rows = crownhead_ends(&db, 1, &["--format", "csv", "check"]);
        assert!(rows.contains(told), "{sql}: {rows}");
    }
}
