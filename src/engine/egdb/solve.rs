//! One segment solved: the positions with the same men, both sides to move.
//!
//! A first pass gives each position what it has from outside the segment: captures, man moves and crownings lead to finished
//! tables. Where a capture is due that settles the value. Otherwise it tells a win, that the position is never lost, or how
//! many king moves must lose too. King moves are then taken back from every decided position: who can move to a lost one
//! wins, and who can only move to won ones loses. What is left is a draw.
//!
//! A segment is small (some ten thousand places for most slices of six pieces), so all this happens in the caches of one core,
//! and threads share nothing but finished tables.

use smallvec::SmallVec;

use super::bits::bits;
use super::board::EndgameBoard;
use super::padded::{Padded, pad};
use super::sets::{KingSets, rank, rank_turned};
use super::slice::Slice;
use super::table::{SliceTable, Tables};
use super::value::{Best, bits_of};
use crate::board::Value;

// States of a position: below `DECIDED` the king moves not yet known to lose, with a flag; else the value.
/// It has a way out, so it is never lost.
const NEVER_LOST: u8 = 0x40;
/// The least state that is a value.
const DECIDED: u8 = 0x80;
/// Drawn by force of captures.
const DRAWN: u8 = 0x80;
/// Lost; moves to it not yet taken back.
const LOST_NEW: u8 = 0x81;
/// Won; moves to it not yet taken back.
const WON_NEW: u8 = 0x82;
/// Lost; done.
const LOST: u8 = 0x83;
/// Won; done.
const WON: u8 = 0x84;

/// The bit of an entry that tells the half; the rest is the place.
const HALF_BIT: u32 = 1 << 31;

/// How many positions have which value.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct ValueCounts {
    /// Won for the side to move.
    pub wins: u64,
    /// Lost for the side to move.
    pub losses: u64,
    /// Drawn.
    pub draws: u64,
    /// Positions in which the side to move must capture.
    pub captures: u64,
    /// The longest win in plies; 0 where distances are not known.
    pub longest_win: u16,
    /// The longest loss in plies; 0 where distances are not known.
    pub longest_loss: u16,
}

impl ValueCounts {
    /// All positions.
    #[must_use]
    pub const fn positions(&self) -> u64 {
        self.wins + self.losses + self.draws
    }
}

impl std::ops::AddAssign for ValueCounts {
    fn add_assign(&mut self, other: Self) {
        self.wins += other.wins;
        self.losses += other.losses;
        self.draws += other.draws;
        self.captures += other.captures;
        self.longest_win = self.longest_win.max(other.longest_win);
        self.longest_loss = self.longest_loss.max(other.longest_loss);
    }
}

/// A quiet move of a man, whatever the kings do.
struct ManMove<'a> {
    to: u32,
    /// Whether it crowns: the kings of the position after have one more.
    crowns: bool,
    table: &'a SliceTable,
    segment: usize,
}

/// A segment as the side to move of one half sees it.
struct View<'a> {
    my_men: u32,
    his_men: u32,
    my_sets: &'static KingSets,
    his_sets: &'static KingSets,
    man_moves: SmallVec<[ManMove<'a>; 8]>,
    table: &'a SliceTable,
    segment: usize,
}

/// The arrays of one half.
#[derive(Default)]
struct SolverHalf {
    states: Vec<u8>,
    /// Distances in plies; for an undecided position the least that a loss of it would have.
    distances: Vec<u16>,
    captures: u64,
}

/// Working memory of one thread, used again for every segment.
#[derive(Default)]
pub(super) struct Workspace {
    halves: [SolverHalf; 2],
    stack: Vec<u32>,
    buckets: Vec<Vec<u32>>,
    packed: Vec<u8>,
    packed_distances: Vec<u8>,
}

impl Workspace {
    /// Bytes that solving a segment of `slice` takes at most.
    pub(super) fn size(slice: Slice, distances: bool) -> u64 {
        let places = super::table::SliceShape::for_slice(slice).positions() as u64;
        2 * places * if distances { 1 + 2 + 4 + 1 } else { 1 + 4 }
    }

    /// Solves the segment of `slice` and its mirror in which my men stand on `my_men` and his on `his_men`, and stores it in
    /// their tables. What it counts for `slice` and for its mirror.
    pub(super) fn solve<const DISTANCE: bool>(
        &mut self,
        tables: &Tables,
        slice: Slice,
        my_men: u32,
        his_men: u32,
    ) -> [ValueCounts; 2] {
        let views = [
            View::new(tables, slice, my_men, his_men),
            View::new(tables, slice.mirror(), his_men.reverse_bits(), my_men.reverse_bits()),
        ];
        self.first_pass::<DISTANCE>(tables, &views);
        if DISTANCE {
            self.by_layers(&views);
        } else {
            self.in_any_order(&views);
        }
        [0, 1].map(|half| self.finish::<DISTANCE>(tables, &views[half], half))
    }

    fn first_pass<const DISTANCE: bool>(&mut self, tables: &Tables, views: &[View<'_>; 2]) {
        for (index, view) in views.iter().enumerate() {
            let half = &mut self.halves[index];
            half.captures = 0;
            let places = view.my_sets.count() * view.his_sets.count();
            if half.states.len() < places {
                half.states.resize(places, 0);
                half.distances.resize(if DISTANCE { places } else { 0 }, 0);
            }
            let (my_men, his_men) = (pad(view.my_men), pad(view.his_men));
            let buckets = &mut self.buckets;
            let mut due = |distance: u16, place: usize| push(buckets, distance, entry(index, place));
            view.each_index(|place, mine, his| {
                let board = view.board(mine, his);
                let kings = view.my_sets.padded[mine];
                let his_kings = view.his_sets.padded[his];
                let padded = Padded { mine: my_men | kings, kings, his: his_men | his_kings, his_kings };
                let mut outside = Best::default();
                if padded.must_capture(tables.law) {
                    half.captures += 1;
                    board.captures(tables.law, &mut |after| {
                        outside.add(tables.after::<DISTANCE>(&after));
                        DISTANCE || !outside.wins()
                    });
                    let (value, distance) = outside.value();
                    let state = match value {
                        Value::Win => WON_NEW,
                        Value::Draw => DRAWN,
                        Value::Loss => LOST_NEW,
                    };
                    half.states[place] = state;
                    if DISTANCE {
                        half.distances[place] = distance;
                        if state != DRAWN {
                            due(distance, place);
                        }
                    }
                    return;
                }
                let occupied = board.my_kings | board.his_kings;
                let mut stuck = true;
                for man in &view.man_moves {
                    if man.to & occupied == 0 {
                        stuck = false;
                        outside.add(man.look_up::<DISTANCE>(tables, view, mine, his));
                        if !DISTANCE && outside.wins() {
                            break;
                        }
                    }
                }
                let count = padded.king_moves();
                stuck &= count == 0;
                let flag = if outside.is_never_lost() { NEVER_LOST } else { 0 };
                let mut state = count as u8 | flag;
                if stuck {
                    state = if tables.law.stuck == Value::Loss { LOST_NEW } else { WON_NEW };
                } else if state == 0 {
                    state = LOST_NEW;
                } else if !DISTANCE && outside.wins() {
                    state = WON_NEW;
                }
                half.states[place] = state;
                if DISTANCE {
                    half.distances[place] = outside.longest_loss();
                    if let (Value::Win, distance) = outside.value() {
                        due(distance, place);
                    } else if state >= DECIDED {
                        due(outside.longest_loss(), place);
                    }
                }
            });
        }
    }

    /// Takes moves back from all that is decided, in any order.
    fn in_any_order(&mut self, views: &[View<'_>; 2]) {
        for half in [0, 1] {
            let view = &views[half];
            view.each_index(|place, mine, his| {
                let lost = match self.halves[half].states[place] {
                    LOST_NEW => true,
                    WON_NEW => false,
                    _ => return,
                };
                self.take_back(views, half, mine, his, lost);
                while let Some(next) = self.stack.pop() {
                    let (half, place) = (usize::from(next & HALF_BIT != 0), (next & !HALF_BIT) as usize);
                    let (mine, his) = views[half].ranks(place);
                    let lost = self.halves[half].states[place] == LOST;
                    self.take_back(views, half, mine, his, lost);
                }
            });
        }
    }

    /// Takes the king moves back that lead to a decided place of `half`, where my kings have rank `mine` and his `his`.
    #[inline]
    fn take_back(&mut self, views: &[View<'_>; 2], half: usize, mine: usize, his: usize, lost: bool) {
        let (other, stack) = (1 - half, &mut self.stack);
        let states = &mut self.halves[other].states;
        views[half].before(&views[other], mine, his, |place| {
            let state = &mut states[place];
            if *state >= DECIDED {
                return;
            }
            if lost {
                *state = WON;
            } else if *state & NEVER_LOST != 0 {
                return;
            } else {
                *state -= 1;
                if *state != 0 {
                    return;
                }
                *state = LOST;
            }
            stack.push(entry(other, place));
        });
    }

    /// Takes moves back from all that is decided, nearest to the end first, so that every distance is exact.
    fn by_layers(&mut self, views: &[View<'_>; 2]) {
        let mut plies = 0;
        while plies < self.buckets.len() {
            let due = std::mem::take(&mut self.buckets[plies]);
            let after = plies as u16 + 1;
            for &next in &due {
                let (half, place) = (usize::from(next & HALF_BIT != 0), (next & !HALF_BIT) as usize);
                let state = &mut self.halves[half].states[place];
                let lost = match *state {
                    LOST_NEW => true,
                    WON_NEW => false,
                    // A win by a move to outside, which nothing shorter came before.
                    state if state < DECIDED => false,
                    _ => continue,
                };
                *state = if lost { LOST } else { WON };
                self.halves[half].distances[place] = plies as u16;
                let (mine, his) = views[half].ranks(place);
                let other = 1 - half;
                let (SolverHalf { states, distances, .. }, buckets) = (&mut self.halves[other], &mut self.buckets);
                views[half].before(&views[other], mine, his, |place| {
                    let state = &mut states[place];
                    if *state >= DECIDED {
                        return;
                    }
                    if lost {
                        *state = WON_NEW;
                        push(buckets, after, entry(other, place));
                    } else if *state & NEVER_LOST == 0 {
                        *state -= 1;
                        if *state == 0 {
                            *state = LOST_NEW;
                            push(buckets, distances[place].max(after), entry(other, place));
                        }
                    }
                });
            }
            // Its memory serves again.
            self.buckets[plies] = due;
            self.buckets[plies].clear();
            plies += 1;
        }
    }

    /// Stores one half in its table and counts it.
    fn finish<const DISTANCE: bool>(&mut self, tables: &Tables, view: &View<'_>, half: usize) -> ValueCounts {
        let half = &self.halves[half];
        let mut counts = ValueCounts { captures: half.captures, ..ValueCounts::default() };
        self.packed.clear();
        self.packed.resize(view.table.stride(), 0);
        if DISTANCE {
            self.packed_distances.clear();
            self.packed_distances.resize(view.table.shape.positions(), 0);
        }
        let mut number = [0_u64; 3];
        view.each_index(|place, _, _| {
            let value = match half.states[place] {
                WON | WON_NEW => Value::Win,
                LOST | LOST_NEW => Value::Loss,
                _ => Value::Draw,
            };
            number[usize::from(bits_of(value))] += 1;
            self.packed[place / 4] |= bits_of(value) << (place % 4 * 2);
            if DISTANCE && value != Value::Draw {
                let plies = half.distances[place];
                self.packed_distances[place] = tables.law.half_of(plies);
                let longest = if value == Value::Win { &mut counts.longest_win } else { &mut counts.longest_loss };
                *longest = plies.max(*longest);
            }
        });
        [counts.draws, counts.wins, counts.losses] = number;
        view.table.store(view.segment, &self.packed, &self.packed_distances);
        counts
    }
}

/// What stands in a stack or a bucket for a place of a half.
#[inline]
const fn entry(half: usize, place: usize) -> u32 {
    place as u32 | if half == 1 { HALF_BIT } else { 0 }
}

fn push(buckets: &mut Vec<Vec<u32>>, plies: u16, entry: u32) {
    let plies = usize::from(plies);
    if buckets.len() <= plies {
        buckets.resize_with(plies + 1, Vec::new);
    }
    buckets[plies].push(entry);
}

impl<'a> View<'a> {
    fn new(tables: &'a Tables, slice: Slice, my_men: u32, his_men: u32) -> Self {
        let table: &SliceTable = tables.get(slice);
        let segment = rank(my_men) as usize * table.shape.his_men + rank_turned(his_men) as usize;
        let mut man_moves = SmallVec::new();
        EndgameBoard { my_men, my_kings: 0, his_men, his_kings: 0 }.quiet(&mut |after| {
            let crowns = after.my_kings != 0;
            let crowned = u8::from(crowns);
            let to = after.my_kings | after.my_men & !my_men;
            let after_slice =
                Slice { my_men: slice.my_men - crowned, my_kings: slice.my_kings + crowned, ..slice }.mirror();
            let table: &SliceTable = tables.get(after_slice);
            let segment = rank_turned(his_men) as usize * table.shape.his_men + rank(after.my_men) as usize;
            man_moves.push(ManMove { to, crowns, table, segment });
            true
        });
        let (my_sets, his_sets) = (KingSets::for_kings(slice.my_kings), KingSets::for_kings(slice.his_kings));
        Self { my_men, his_men, my_sets, his_sets, man_moves, table, segment }
    }

    /// Calls `visit` with the place, and the ranks of my kings and his, of every position.
    #[inline]
    fn each_index(&self, mut visit: impl FnMut(usize, usize, usize)) {
        let men = self.my_men | self.his_men;
        let his_count = self.his_sets.count();
        for (mine, &my_kings) in self.my_sets.sets.iter().enumerate() {
            if my_kings & men != 0 {
                continue;
            }
            let occupied = men | my_kings;
            for (his, &his_kings) in self.his_sets.sets.iter().enumerate() {
                if his_kings & occupied == 0 {
                    visit(mine * his_count + his, mine, his);
                }
            }
        }
    }

    fn board(&self, mine: usize, his: usize) -> EndgameBoard {
        EndgameBoard {
            my_men: self.my_men,
            my_kings: self.my_sets.sets[mine],
            his_men: self.his_men,
            his_kings: self.his_sets.sets[his],
        }
    }

    /// The ranks of my kings and his at `place`.
    #[inline]
    fn ranks(&self, place: usize) -> (usize, usize) {
        let (place, count) = (place as u32, self.his_sets.count() as u32);
        ((place / count) as usize, (place % count) as usize)
    }

    /// Calls `visit` with the places of `other`, this segment with the other side to move, from which a king move leads to
    /// the position where my kings have rank `mine` and his `his`.
    #[inline]
    fn before(&self, other: &View<'_>, mine: usize, his: usize, mut visit: impl FnMut(usize)) {
        let (his, mine) = (self.his_sets.turned[his] as usize, self.my_sets.turned[mine] as usize);
        let occupied = other.my_men | other.his_men | other.his_sets.sets[mine];
        for (before, from) in other.my_sets.moves(his) {
            if occupied >> from & 1 == 0 {
                visit(before * other.his_sets.count() + mine);
            }
        }
    }
}

impl ManMove<'_> {
    /// The value for the other side after this move, where my kings have rank `mine` and his `his` before it.
    #[inline]
    fn look_up<const DISTANCE: bool>(&self, tables: &Tables, view: &View<'_>, mine: usize, his: usize) -> (Value, u16) {
        let my_kings = if self.crowns {
            rank_turned(view.my_sets.sets[mine] | self.to) as usize
        } else {
            view.my_sets.turned[mine] as usize
        };
        let place = view.his_sets.turned[his] as usize * self.table.shape.his_kings + my_kings;
        self.table.at::<DISTANCE>(tables.law, self.segment, place)
    }
}

/// Calls `visit` with the bits of `men`: how far up they stand, all together. Every man move adds one.
pub(super) fn advancement(men: u32) -> u32 {
    bits(men).map(|man| man.trailing_zeros() / 4).sum()
}
