//! One line looked at: every position searched, the last first, the losing move proved where it can be.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::board::{Bounds, Color, Move, Value, Winner, Witness};
use crate::engine::{Claim, Endings, Evaluation, Memory, Prover, Score, Search, SearchLimits, StopFlag};
use crate::game::write_moves;
use crate::rules::{FastPosition, Position};
use crate::store::{AnalysisLimits, NewCertificate, StoredAnalysis, StoredLine, StoredSwing};

use super::judge::{Assessment, Swing, judge, swings};
use super::mark_check::Comparison;
use super::proofs::{Proofs, known};
use super::value::PositionValue;

/// Memory of a search's table, in bytes: enough for the budgets of a game, and quickly cleared.
const TABLE_BYTES: usize = 32 << 20;
/// Positions that a database knows are searched for the play alone: this much is enough.
const KNOWN_NODES: u64 = 20_000;
/// Failed proofs in a row after which going back through the game stops.
const MAX_FAILED_PROOFS: u32 = 2;
/// Rounds of proofs that may move the losing move.
const MAX_ROUNDS: u32 = 4;
/// Plies of a line that are stored.
const MAX_LINE_PLIES: usize = 24;

/// Within which limits lines are looked at. All are counts, so that the same limits find the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AnnotationLimits {
    /// Positions that the search of a position may look at.
    pub nodes: u64,
    /// The last iteration of a search, in plies.
    pub depth: u8,
    /// Positions that an attempt to prove something may look at; 0 for no attempts.
    pub proof_nodes: u64,
}

/// A line looked at, ready to be stored.
#[derive(Clone, Debug)]
pub struct Annotated {
    /// What is stored.
    pub analysis: StoredAnalysis,
    /// The proofs that it names.
    pub certificates: Vec<NewCertificate>,
}

/// How far the work on lines has come, shared by those who do it and those who show it. A line is done by halves: each ply once
/// when it was searched, and once when proofs were tried.
#[derive(Clone, Debug, Default)]
pub struct Meter {
    halves: Arc<AtomicU64>,
}

impl Meter {
    /// Plies done so far.
    #[must_use]
    pub fn plies(&self) -> u64 {
        self.halves.load(Ordering::Relaxed) / 2
    }

    /// Adds plies of a line that needs no more work.
    pub(super) fn add_plies(&self, plies: u64) {
        self.halves.fetch_add(plies * 2, Ordering::Relaxed);
    }

    fn add_halves(&self, halves: usize) {
        self.halves.fetch_add(halves as u64, Ordering::Relaxed);
    }
}

/// Looks at lines one after the other.
pub struct Annotator {
    search: Search,
    evaluation: Arc<Evaluation>,
    endings: Option<Arc<dyn Endings>>,
    meter: Meter,
}

impl Annotator {
    /// An annotator by these means.
    #[must_use]
    pub fn new(evaluation: Arc<Evaluation>, endings: Option<Arc<dyn Endings>>) -> Self {
        let search = Search::new(Arc::clone(&evaluation), endings.clone(), TABLE_BYTES);
        Self { search, evaluation, endings, meter: Meter::default() }
    }

    /// The same, with its work counted by `meter` too.
    #[must_use]
    pub fn counted_by(self, meter: &Meter) -> Self {
        Self { meter: meter.clone(), ..self }
    }

    /// Looks at all plies of `line`, which `winner` is said to have won, and whose source marks the moves at the plies `marks` as
    /// losing. `None` when `stop` was set meanwhile, or the line is not of a game that can be searched.
    pub fn annotate(
        &mut self,
        line: &StoredLine,
        winner: Winner,
        marks: &BTreeSet<u32>,
        limits: &AnnotationLimits,
        stop: &StopFlag,
    ) -> Option<Annotated> {
        let positions: Vec<Position> = line.positions().collect();
        let fast: Vec<FastPosition> = positions.iter().map(FastPosition::from_position).collect::<Option<_>>()?;
        // What was learnt from other lines must not show in this one.
        self.search.forget();
        let mut looks: Vec<Assessment> = Vec::with_capacity(fast.len());
        for position in fast.iter().rev() {
            looks.push(self.look(position, limits, stop));
            if stop.is_set() {
                return None;
            }
            // There is a position more than there are plies.
            self.meter.add_halves(usize::from(looks.len() > 1));
        }
        looks.reverse();
        let proofs = Proofs {
            prover: Prover { evaluation: &self.evaluation, endings: self.endings.as_deref() },
            nodes: limits.proof_nodes,
            stop,
            positions: &positions,
            fast: &fast,
            memory: Memory::default(),
            found: BTreeMap::new(),
        };
        let mut game = PendingLine {
            line,
            positions: &positions,
            looks,
            proofs,
            marks,
            proved_from: None,
            meter: &self.meter,
            tried: 0,
        };
        let pieces = self.endings.as_ref().map_or(0, |endings| endings.most_pieces());
        let annotated = game.annotated(winner, limits, pieces);
        self.meter.add_halves(line.moves.len().saturating_sub(game.tried));
        (!stop.is_set()).then_some(annotated)
    }

    fn look(&mut self, position: &FastPosition, limits: &AnnotationLimits, stop: &StopFlag) -> Assessment {
        let proved = known(position, self.endings.as_deref());
        if position.steps().is_empty() {
            return Assessment { score: Some(Score::LOST), line: Vec::new(), proved };
        }
        let nodes = if proved != Bounds::OPEN { limits.nodes.min(KNOWN_NODES) } else { limits.nodes };
        let budget = SearchLimits { depth: limits.depth, nodes: Some(nodes), time: None, lines: 1 };
        let found = self.search.analyse(position, &[], &budget, stop, &mut |_| ());
        let best = found.lines.into_iter().next();
        Assessment {
            score: best.as_ref().map(|best| best.score),
            line: best.map_or_else(Vec::new, |best| best.moves),
            proved,
        }
    }
}

/// A line on its way to be annotated.
struct PendingLine<'a> {
    line: &'a StoredLine,
    positions: &'a [Position],
    looks: Vec<Assessment>,
    proofs: Proofs<'a>,
    marks: &'a BTreeSet<u32>,
    /// The index of the first position from which the loser's is proved lost.
    proved_from: Option<usize>,
    meter: &'a Meter,
    /// Plies that the meter counted as tried.
    tried: usize,
}

impl PendingLine<'_> {
    fn first(&self) -> Color {
        self.line.start.turn()
    }

    fn turn(&self, index: usize) -> Color {
        if index.is_multiple_of(2) { self.first() } else { !self.first() }
    }

    fn last(&self) -> usize {
        self.positions.len().saturating_sub(1)
    }

    fn judged(&self, loser: Option<Color>) -> (Vec<PositionValue>, Option<u32>) {
        judge(&self.looks, &self.line.moves, self.first(), loser)
    }

    /// Who finally lost: by the result, or where none is told by what the last position is worth.
    fn loser(&self, winner: Winner) -> Option<Color> {
        match winner {
            Winner::Black => Some(Color::White),
            Winner::White => Some(Color::Black),
            Winner::Draw => None,
            Winner::Unknown => {
                let end = PositionValue::new(self.looks.last()?.score, self.looks.last()?.proved);
                match end.value {
                    Value::Win => Some(!self.turn(self.last())),
                    Value::Draw => None,
                    Value::Loss => Some(self.turn(self.last())),
                }
            }
        }
    }

    fn annotated(&mut self, winner: Winner, limits: &AnnotationLimits, pieces: u32) -> Annotated {
        let loser = self.loser(winner);
        let (_, engine_ply) = self.judged(loser);
        if let Some(loser) = loser {
            self.prove(loser, engine_ply);
        }
        self.refute_marks(loser);
        let (values, losing) = self.judged(loser);
        let mut stored = Vec::new();
        let all = swings(&values);
        for ply in 1..values.len() as u32 {
            let swing = all.iter().find(|swing| swing.ply == ply);
            if swing.is_none() && !self.marks.contains(&ply) {
                continue;
            }
            let index = ply as usize - 1;
            let seen =
                swing.copied().unwrap_or(Swing { ply, before: values[index], after: values[ply as usize].turned() });
            stored.push(self.stored(&seen, swing.is_some(), losing));
        }
        let witness = stored.iter().find(|swing| swing.is_losing).map(|swing| swing.witness);
        let digest = |index: usize| self.proofs.found.get(&index).and_then(|proof| digest(&proof.text));
        let analysis = StoredAnalysis {
            line: self.line.id,
            limits: AnalysisLimits {
                maker: env!("CARGO_PKG_NAME").to_owned(),
                version: env!("CARGO_PKG_VERSION").to_owned(),
                nodes: limits.nodes,
                depth: limits.depth,
                proof_nodes: limits.proof_nodes,
                pieces,
            },
            plies: self.line.moves.len() as u32,
            loser,
            losing_ply: losing,
            witness,
            engine_ply,
            proved_ply: self.proved_from.map(|index| index as u32),
            proof: self.proved_from.and_then(digest),
            note: self.note(winner),
            swings: stored,
        };
        let certificates = self.certificates(&analysis);
        Annotated { analysis, certificates }
    }

    /// Proves what it can: from the end back that the loser's positions are lost, and that the one before was not.
    fn prove(&mut self, loser: Color, engine_ply: Option<u32>) {
        let lost = |proved: Bounds| proved == Bounds::exactly(Value::Win);
        // Where the loser would be to move at the end, that he is lost there proves the winner's last move.
        let last = self.last();
        if self.turn(last) == loser && self.looks[last].proved == Bounds::OPEN {
            self.looks[last].proved = self.proofs.attempt(last, Claim::Loss, false);
        }
        // Positions in which the winner is to move, the last first; those before the engine's losing move are not lost for
        // all it sees.
        let first = engine_ply.map_or(1, |ply| ply as usize);
        let mut failures = 0;
        for index in (first..=self.last()).rev() {
            self.meter.add_halves(1);
            self.tried += 1;
            if self.turn(index) == loser {
                continue;
            }
            if self.looks[index].proved == Bounds::OPEN {
                self.looks[index].proved = self.proofs.attempt(index, Claim::Win, false);
            }
            if lost(self.looks[index].proved) {
                self.proved_from = Some(index);
                failures = 0;
            } else {
                failures += 1;
                if failures == MAX_FAILED_PROOFS {
                    break;
                }
            }
        }
        for _ in 0..MAX_ROUNDS {
            let (_, losing) = self.judged(Some(loser));
            let mut changed = false;
            if let Some(ply) = losing {
                let index = ply as usize;
                if self.looks[index].proved == Bounds::OPEN {
                    self.looks[index].proved = self.proofs.attempt(index, Claim::Win, true);
                    changed |= self.looks[index].proved != Bounds::OPEN;
                }
                if lost(self.looks[index].proved) {
                    self.proved_from = Some(self.proved_from.map_or(index, |from| from.min(index)));
                }
                changed |= index.checked_sub(1).is_some_and(|before| self.prove_not_lost(before));
            }
            if let Some(from) = self.proved_from.filter(|from| Some(*from as u32) != losing) {
                changed |= from.checked_sub(1).is_some_and(|before| self.prove_not_lost(before));
            }
            if !changed {
                break;
            }
        }
    }

    /// Tries to prove that the side to move is not lost, or that it is; whether something new is known.
    fn prove_not_lost(&mut self, index: usize) -> bool {
        if self.looks[index].proved != Bounds::OPEN {
            return false;
        }
        self.looks[index].proved = self.proofs.attempt(index, Claim::NotLoss, true);
        self.looks[index].proved != Bounds::OPEN
    }

    /// Where a marked move does not lose for all that is seen, tries to prove that.
    fn refute_marks(&mut self, loser: Option<Color>) {
        let (values, losing) = self.judged(loser);
        for &ply in self.marks {
            let index = ply as usize;
            let Some(value) = values.get(index) else { continue };
            if losing != Some(ply) && value.value != Value::Win && self.looks[index].proved == Bounds::OPEN {
                self.looks[index].proved = self.proofs.attempt(index, Claim::NotWin, false);
            }
        }
    }

    fn stored(&self, swing: &Swing, is_swing: bool, losing: Option<u32>) -> StoredSwing {
        let (before, after) = (swing.ply as usize - 1, swing.ply as usize);
        let digest = |index: usize, value: &PositionValue| {
            let proof = self.proofs.found.get(&index).filter(|_| value.witness() == Witness::Proved)?;
            digest(&proof.text)
        };
        let played = self.line.moves.get(before);
        let better = self.best_line(before).filter(|line| is_swing && line.first() != played);
        let refutation = self.best_line(after).filter(|_| is_swing);
        let write = |index: usize, line: Vec<Move>| write_moves(self.positions[index], &line);
        let score = |value: &PositionValue| value.score.map(|score| score.0);
        let compared = self.marks.contains(&swing.ply).then(|| Comparison::compare(swing, losing));
        let witness = if is_swing { None } else { compared.map(|compared| compared.witness(swing)) };
        StoredSwing {
            ply: swing.ply,
            is_swing,
            is_losing: losing == Some(swing.ply),
            witness: witness.unwrap_or(swing.witness()),
            before: swing.before.says(),
            before_witness: swing.before.witness(),
            before_score: score(&swing.before),
            after: swing.after.says(),
            after_witness: swing.after.witness(),
            after_score: score(&swing.after),
            better: better.map(|line| write(before, line)),
            refutation: refutation.map(|line| write(after, line)),
            distance: self.looks[after].score.and_then(Score::plies_to_end),
            before_certificate: digest(before, &swing.before),
            certificate: digest(after, &swing.after),
            mark: compared.map(|compared| compared.name().to_owned()),
        }
    }

    /// The best play from a position: what a proof plays first, and what was searched as far as it goes with that. While it
    /// goes as the game went, what was seen later is put behind it.
    fn best_line(&self, index: usize) -> Option<Vec<Move>> {
        let searched = &self.looks.get(index)?.line;
        let mut line = match self.proofs.first_move(index) {
            Some(proved) if searched.first() != Some(&proved) => vec![proved],
            _ => searched.clone(),
        };
        while line.len() < MAX_LINE_PLIES && self.line.moves.get(index..index + line.len()) == Some(line.as_slice()) {
            match self.looks.get(index + line.len()) {
                Some(later) if !later.line.is_empty() => line.extend_from_slice(&later.line),
                _ => break,
            }
        }
        line.truncate(MAX_LINE_PLIES);
        (!line.is_empty()).then_some(line)
    }

    /// Where the result says one thing and a proof about the last position another.
    fn note(&self, winner: Winner) -> Option<String> {
        let value = self.looks.last()?.proved.exact()?;
        let turn = self.turn(self.last());
        let proved = match value {
            Value::Win => Winner::from(Some(crate::board::Outcome::Won(turn))),
            Value::Draw => Winner::Draw,
            Value::Loss => Winner::from(Some(crate::board::Outcome::Won(!turn))),
        };
        let says = |winner: Winner| match winner {
            Winner::Draw => "a draw".to_owned(),
            winner => format!("won by {winner}"),
        };
        (winner != Winner::Unknown && winner != proved)
            .then(|| format!("the result is {}; the last position is proved {}", says(winner), says(proved)))
    }

    /// The certificates that an analysis names.
    fn certificates(&self, analysis: &StoredAnalysis) -> Vec<NewCertificate> {
        let named: BTreeSet<&str> = analysis.digests().collect();
        let found = self.proofs.found.iter().filter_map(|(index, proof)| {
            Some(NewCertificate {
                key: self.positions.get(*index)?.key().to_bytes(),
                claim: proof.claim.name(),
                endings: proof.certificate.endings(),
                positions: proof.certificate.positions(),
                text: proof.text.clone(),
            })
        });
        found.filter(|certificate| named.contains(certificate.digest())).collect()
    }
}

/// The digest that names a certificate.
fn digest(text: &str) -> Option<String> {
    text.trim_end().rsplit(' ').next().map(ToOwned::to_owned)
}
