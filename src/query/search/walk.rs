//! Patterns and material held against every position of every line.

use std::ops::ControlFlow;

use crate::board::Color;
use crate::rules::Position;
use crate::store::{Database, PackedLine, Pieces, Pieces32, Walker};

use super::masks::Masks;
use super::needs::Needs;
use super::{Hit, Material, Search};
use crate::query::QueryError;

/// What one colouring of a search asks of a position.
struct Wanted {
    small: Vec<Masks<u32>>,
    large: Vec<Masks<u128>>,
    material: Option<Material>,
    /// The fewest black and white pieces, and black and white men: below that it never holds again in this line.
    fewest: [u32; 4],
    /// The most pieces: above that it does not hold yet.
    most: u32,
    reversed: bool,
}

impl Wanted {
    fn of(search: &Search, reversed: bool) -> Self {
        let all = search.variant.geometry().all().0;
        let large = search.pattern.as_ref().map_or_else(|| vec![Masks::free()], |pattern| pattern.ways().to_vec());
        let needs = large.iter().map(Masks::fewest);
        let mut fewest = needs.reduce(|a, b| std::array::from_fn(|i| a[i].min(b[i]))).unwrap_or_default();
        let mut most = large.iter().map(|way| way.most(all)).max().unwrap_or(0);
        if let Some(material) = &search.material {
            let black = material.black_men + material.black_kings;
            let white = material.white_men + material.white_kings;
            let needs = [black, white, material.black_men, material.white_men];
            fewest = std::array::from_fn(|i| fewest[i].max(needs[i]));
            most = most.min(material.pieces());
        }
        Self {
            small: large.iter().map(Masks::small).collect(),
            large,
            material: search.material,
            fewest,
            most,
            reversed,
        }
    }

    fn small(&self, pieces: Pieces32) -> bool {
        let Pieces32 { black, white, kings } = pieces;
        self.small.iter().any(|way| way.fit(black, white, kings))
            && self.material.is_none_or(|material| material.fits(black.into(), white.into(), kings.into()))
    }

    fn large(&self, pieces: Pieces) -> bool {
        let Pieces { black, white, kings } = pieces;
        self.large.iter().any(|way| way.fit(black, white, kings))
            && self.material.is_none_or(|material| material.fits(black, white, kings))
    }

    fn state(&self, counts: [u32; 4]) -> State {
        if counts.iter().zip(self.fewest).any(|(&count, fewest)| count < fewest) {
            State::Over
        } else if counts[0] + counts[1] > self.most {
            State::NotYet
        } else {
            State::Now
        }
    }
}

/// Whether the pieces that are left let something hold.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    NotYet,
    Now,
    Over,
}

/// Follows one line to the first ply where something wanted holds.
struct Finder<'a> {
    wanted: &'a [Wanted],
    states: [State; 2],
    found: Option<(u32, bool)>,
}

impl Finder<'_> {
    /// Pieces have left: what can still hold?
    fn recount(&mut self, counts: [u32; 4]) -> ControlFlow<()> {
        let mut over = true;
        for (state, wanted) in self.states.iter_mut().zip(self.wanted) {
            *state = wanted.state(counts);
            over &= *state == State::Over;
        }
        if over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    #[inline]
    fn look(&mut self, ply: u32, holds: impl Fn(&Wanted) -> bool) -> ControlFlow<()> {
        for (state, wanted) in self.states.iter().zip(self.wanted) {
            if *state == State::Now && holds(wanted) {
                self.found = Some((ply, wanted.reversed));
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }
}

impl Walker for Finder<'_> {
    #[inline]
    fn small(&mut self, ply: u32, pieces: Pieces32, captured: bool) -> ControlFlow<()> {
        if captured {
            let Pieces32 { black, white, kings } = pieces;
            self.recount([black, white, black & !kings, white & !kings].map(u32::count_ones))?;
        }
        self.look(ply, |wanted| wanted.small(pieces))
    }

    fn large(&mut self, ply: u32, pieces: Pieces, captured: bool) -> ControlFlow<()> {
        if captured {
            let Pieces { black, white, kings } = pieces;
            self.recount([black, white, black & !kings, white & !kings].map(u128::count_ones))?;
        }
        self.look(ply, |wanted| wanted.large(pieces))
    }
}

/// Whether pattern and material hold in `position`.
pub(super) fn holds(search: &Search, position: &Position) -> bool {
    let pieces = Pieces {
        black: position.pieces(Color::Black).0,
        white: position.pieces(Color::White).0,
        kings: position.kings().0,
    };
    Wanted::of(search, false).large(pieces)
}

/// Every line where the pattern and the material of `search`, or of `turned`, hold.
pub(super) fn find(database: &Database, search: &Search, turned: Option<&Search>) -> Result<Vec<Hit>, QueryError> {
    let mut wanted = vec![Wanted::of(search, false)];
    wanted.extend(turned.map(|turned| Wanted::of(turned, true)));
    let most = wanted.iter().map(|wanted| wanted.most).max().unwrap_or(0);
    let needs = Needs::of(std::iter::once(search).chain(turned));
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let visit = |line: &PackedLine<'_>| {
        // Lines too short to lose enough pieces, or in which nothing came where it must, are not begun.
        if line.start.variant() != search.variant || line.fewest_pieces() > most || !needs.may_hold(line) {
            return Ok(None);
        }
        let mut finder = Finder { wanted: &wanted, states: [State::NotYet; 2], found: None };
        line.walk(&mut finder)?;
        Ok(finder.found.map(|(ply, reversed)| Hit { line: line.id, ply, reversed }))
    };
    Ok(database.scan(threads, visit)?)
}
