//! The search: the same everywhere, right where it can be known, the same for either colour.

use std::sync::Arc;

use crownhead::board::{Value, Variant};
use crownhead::engine::egdb::Databases;
use crownhead::engine::{
    Analysis, Bound, Endings, Evaluation, MatchTally, Player, Random, Recipe, Sample, Search, SearchLimits, StopFlag,
    Weights, play, random_start, tune,
};
use crownhead::notation::fen;
use crownhead::rules::{FastPosition, Position};

fn position(text: &str) -> Position {
    Position::from_setup(&fen::read(text, Variant::English).unwrap().setup).unwrap()
}

fn fast(text: &str) -> FastPosition {
    FastPosition::from_position(&position(text)).unwrap()
}

fn start() -> FastPosition {
    FastPosition::from_position(&Position::start(Variant::English)).unwrap()
}

fn search(evaluation: Evaluation) -> Search {
    Search::new(Arc::new(evaluation), None, 1 << 20)
}

fn analyse(position: &FastPosition, limits: &SearchLimits) -> Analysis {
    search(Evaluation::best()).analyse(position, &[], limits, &StopFlag::default(), &mut |_| ())
}

fn walk(steps: usize, seed: u64) -> Vec<FastPosition> {
    let mut random = Random(seed);
    let mut position = start();
    let mut met = Vec::new();
    for _ in 0..steps {
        met.push(position);
        let next = position.steps();
        position = match next.get(random.below(next.len())) {
            Some(step) => position.after(step),
            None => start(),
        };
    }
    met
}

#[test]
fn fast_positions_play_as_positions_do() {
    for fast in walk(400, 7) {
        let slow = fast.position().unwrap();
        assert_eq!(FastPosition::from_position(&slow), Some(fast));
        assert_eq!(fast.must_capture(), slow.must_capture());
        let mut steps: Vec<_> = fast.steps().iter().map(|step| (step.to_move(), fast.after(step))).collect();
        steps.sort_unstable_by_key(|(played, _)| *played);
        let legal: Vec<_> = slow
            .legal_moves()
            .iter()
            .map(|played| (*played, FastPosition::from_position(&slow.play(played).unwrap()).unwrap()))
            .collect();
        assert_eq!(steps, legal);
        let passed = crownhead::board::Setup { turn: Some(!slow.turn()), ..slow.setup() };
        assert_eq!(fast.is_threatened(), Position::from_setup(&passed).unwrap().must_capture());
    }
}

#[test]
fn a_node_budget_gives_the_same_answer_each_time() {
    let limits = SearchLimits { nodes: Some(30_000), ..SearchLimits::default() };
    let [first, second] = [(); 2].map(|()| analyse(&start(), &limits));
    assert_eq!(first, second);
    assert!(first.nodes <= 30_001 && first.depth >= 5, "{} nodes, depth {}", first.nodes, first.depth);
    assert_eq!(first.lines.len(), 7);
}

#[test]
fn a_budget_too_small_for_anything_still_tells_of_every_move() {
    let found = analyse(&start(), &SearchLimits { nodes: Some(0), ..SearchLimits::default() });
    assert_eq!((found.depth, found.lines.len()), (1, 7));
    assert!(found.lines.iter().all(|line| !line.score.is_decided()), "{found:?}");
}

#[test]
fn a_broken_search_never_tells_of_less_than_it_knows() {
    // Whenever it ends, the best line has a score, and none of the others is known to be worth more.
    for text in [
        "W:W21,22,23,27,29,30:B5,6,8,11,12,14",
        "B:W19,21,24,28,32:B3,10,12,13,K26",
        "B:W16,20,22,25,27,28,29,30,32:B1,2,3,4,5,9,10,13,15",
    ] {
        for nodes in (50..4_000).step_by(50) {
            let found = analyse(&fast(text), &SearchLimits { nodes: Some(nodes), ..SearchLimits::default() });
            let best = found.best().unwrap();
            assert_ne!(best.bound, Bound::AtMost, "{text} {nodes}");
        }
    }
}

#[test]
fn each_line_asked_for_is_exact_and_can_be_played() {
    let limits = SearchLimits { depth: 7, lines: 3, ..SearchLimits::default() };
    let found = analyse(&start(), &limits);
    assert!(found.lines[..3].iter().all(|line| line.bound == Bound::Exact));
    assert!(found.lines.windows(2).take(2).all(|pair| pair[0].score >= pair[1].score));
    assert!(found.lines[3..].iter().all(|line| line.score <= found.lines[2].score));
    for line in &found.lines {
        let mut position = Position::start(Variant::English);
        for played in &line.moves {
            position = position.play(played).unwrap();
        }
    }
}

#[test]
fn more_lines_do_not_change_the_best_score() {
    for text in ["W:W21,22,23,27,29,30:B5,6,8,11,12,14", "B:W18,28,30:B5,9,20", "W:WK18,K23,15:BK10,4,12"] {
        let plain = |lines| {
            let limits = SearchLimits { depth: 5, lines, ..SearchLimits::default() };
            search(Evaluation::Material).analyse(&fast(text), &[], &limits, &StopFlag::default(), &mut |_| ()).lines[0]
                .score
        };
        assert_eq!(plain(1), plain(4), "{text}");
    }
}

#[test]
fn a_win_in_sight_is_counted_in_plies() {
    // One jump takes the last piece; the other side then has no move.
    let found = analyse(&fast("W:W18:B14,1"), &SearchLimits { depth: 3, ..SearchLimits::default() });
    assert_eq!(found.lines[0].score.plies_to_end(), None);
    let won = analyse(&fast("W:WK18:B14"), &SearchLimits { depth: 9, ..SearchLimits::default() });
    assert_eq!((won.lines[0].score.plies_to_end(), won.lines[0].score.to_string()), (Some(1), "win in 1".to_owned()));
}

#[test]
fn a_side_without_a_move_has_no_line() {
    let stuck = fast("B:W6,9,10:B5,1,2");
    let found = analyse(&stuck, &SearchLimits::default());
    assert_eq!(stuck.steps().is_empty(), found.lines.is_empty());
}

#[test]
fn colours_reversed_have_the_same_worth() {
    let evaluation = Evaluation::best();
    for fast in walk(300, 11) {
        let reversed = FastPosition::from_position(&fast.position().unwrap().reversed()).unwrap();
        assert_eq!(evaluation.hundredths(&fast), evaluation.hundredths(&reversed));
    }
}

#[test]
fn a_search_with_databases_finds_their_value() {
    let databases = Databases::embedded(Variant::English).unwrap();
    let endings: Arc<dyn Endings> = Arc::new(databases.clone());
    let mut search = Search::new(Arc::new(Evaluation::best()), Some(endings), 1 << 20);
    for text in ["W:WK22,K23,24:BK31,K32", "B:W26,23,K4:B24,K20", "W:W13,5:BK14,10,1", "W:WK18,15:BK10,4,12"] {
        let known = databases.value(&position(text)).unwrap().unwrap();
        let found = search.analyse(
            &fast(text),
            &[],
            &SearchLimits { depth: 5, ..SearchLimits::default() },
            &StopFlag::default(),
            &mut |_| (),
        );
        let score = found.lines[0].score;
        let told = match (score.is_decided(), score.0 > 0) {
            (true, true) => Value::Win,
            (true, false) => Value::Loss,
            (false, _) => Value::Draw,
        };
        assert_eq!(told, known, "{text}: {score}");
    }
}

#[test]
fn a_stop_ends_the_search_at_once() {
    let stop = StopFlag::default();
    stop.set();
    let found = search(Evaluation::best()).analyse(&start(), &[], &SearchLimits::default(), &stop, &mut |_| ());
    assert!(found.nodes <= 2_048, "{}", found.nodes);
    assert_eq!(found.lines.len(), 7);
}

#[test]
fn progress_hears_of_each_depth() {
    let mut depths = Vec::new();
    let limits = SearchLimits { depth: 6, ..SearchLimits::default() };
    search(Evaluation::Material)
        .analyse(&start(), &[], &limits, &StopFlag::default(), &mut |found| depths.push(found.depth));
    assert_eq!(depths, [1, 2, 3, 4, 5, 6]);
}

#[test]
fn weights_survive_their_file_and_damage_is_refused() {
    let mut random = Random(3);
    let samples: Vec<Sample> = (0..200)
        .filter_map(|_| Sample::from_position(&random_start(&start(), 8, &mut random), 0.5))
        .chain([
            Sample { position: fast("B:W32:B1,2,3"), result: 1.0 },
            Sample { position: fast("B:W32,31,30:B1"), result: 0.0 },
        ])
        .collect();
    let tuned = tune(&samples, &Recipe { epochs: 3, ..Recipe::default() });
    assert!(tuned.losses[2] <= tuned.losses[0]);
    let bytes = tuned.weights.to_bytes().unwrap();
    assert_eq!(Weights::from_bytes(&bytes).unwrap().to_bytes().unwrap(), bytes);
    assert!(Weights::from_bytes(&bytes[..bytes.len() - 9]).is_err());
    assert!(Weights::from_bytes(b"PNG").is_err());
    let evaluation = Evaluation::Weighed(Box::new(tuned.weights));
    assert!(evaluation.hundredths(&fast("B:W32:B1,2,3")) > 0);
}

#[test]
fn self_play_ends_and_tallies() {
    let mut players = [(); 2].map(|()| Player {
        search: search(Evaluation::best()),
        limits: SearchLimits { nodes: Some(300), ..SearchLimits::default() },
    });
    let databases = Databases::embedded(Variant::English).unwrap();
    let [black, white] = &mut players;
    let game = play(&start(), black, white, Some(&databases));
    assert!(!game.positions.is_empty());
    let tally = MatchTally { wins: 3, draws: 4, losses: 1 };
    assert_eq!((tally.games(), tally.score()), (8, 0.625));
    assert!((tally.elo().0 - 88.7).abs() < 0.1, "{:?}", tally.elo());
    assert_eq!(MatchTally { wins: 1, draws: 1, losses: 1 }.elo().0.abs(), 0.0);
    // Two draws do not show that players are equal.
    assert_eq!(MatchTally { wins: 0, draws: 2, losses: 0 }.elo(), (0.0, f64::INFINITY));
    assert_eq!(MatchTally { wins: 2, draws: 0, losses: 0 }.elo(), (f64::INFINITY, f64::INFINITY));
}
