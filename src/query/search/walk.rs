//! Patterns and material held against every position of every line.

use std::ops::ControlFlow;

use crate::board::Color;
use crate::rules::Position;
use crate::store::{Database, PackedLine, Pieces, STRETCH_PLIES, Stretch, Walker};

use super::masks::Masks;
use super::required_events::RequiredEvents;
use super::{Hit, Material, PositionSearch, threads};
use crate::query::QueryError;

/// What one colouring of a search asks of a position.
struct ColoredSearch {
    small: Vec<Masks<u32>>,
    large: Vec<Masks<u128>>,
    material: Option<Material>,
    /// The fewest black and white pieces, and black and white men: below that it never holds again in this line.
    fewest: [u32; 4],
    /// The most pieces: above that it does not hold yet.
    most: u32,
    reversed: bool,
}

impl ColoredSearch {
    fn new(search: &PositionSearch, reversed: bool) -> Self {
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

    /// The first position of a stretch where it holds.
    fn small(&self, stretch: Stretch<'_>) -> Option<usize> {
        let Stretch { black, white, kings } = stretch;
        let mut counts = [0; STRETCH_PLIES];
        if let Some(material) = &self.material {
            for (at, count) in counts.iter_mut().enumerate() {
                *count = material.wrong(black[at], white[at], kings[at]);
            }
        }
        let mut first = None;
        for way in &self.small {
            let wrong = |at: usize| counts[at] | way.wrong(black[at], white[at], kings[at]);
            // A loop of known length without a branch becomes a few operations on wide registers.
            let mut holds = 0;
            for at in 0..STRETCH_PLIES {
                holds |= u32::from(wrong(at) == 0);
            }
            if holds != 0 {
                first = first.into_iter().chain((0..STRETCH_PLIES).find(|&at| wrong(at) == 0)).min();
            }
        }
        first
    }

    fn large(&self, pieces: Pieces) -> bool {
        let Pieces { black, white, kings } = pieces;
        self.large.iter().any(|way| way.wrong(black, white, kings) == 0)
            && self.material.is_none_or(|material| material.fits(black, white, kings))
    }

    /// Whether too few pieces are left for it to hold again in this line.
    fn is_over(&self, counts: [u32; 4]) -> bool {
        counts.iter().zip(self.fewest).any(|(&count, fewest)| count < fewest)
    }
}

/// Follows one line to the first ply where something wanted holds.
struct Finder<'a> {
    wanted: &'a [ColoredSearch],
    found: Option<(u32, bool)>,
}

impl Finder<'_> {
    /// Ends the walk where something was found, or where too few pieces are left for anything to be.
    fn go_on(&self, counts: [u32; 4]) -> ControlFlow<()> {
        let over = self.found.is_some() || self.wanted.iter().all(|wanted| wanted.is_over(counts));
        if over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl Walker for Finder<'_> {
    fn small(&mut self, ply: u32, stretch: Stretch<'_>) -> ControlFlow<()> {
        let last = STRETCH_PLIES - 1;
        let (black, white, kings) = (stretch.black[last], stretch.white[last], stretch.kings[last]);
        let left = [black, white, black & !kings, white & !kings].map(u32::count_ones);
        let mut first = STRETCH_PLIES;
        for wanted in self.wanted {
            // Before so many have left it does not hold.
            if left[0] + left[1] > wanted.most {
                continue;
            }
            if let Some(at) = wanted.small(stretch).filter(|&at| at < first) {
                first = at;
                self.found = Some((ply + at as u32, wanted.reversed));
            }
        }
        self.go_on(left)
    }

    fn large(&mut self, ply: u32, pieces: Pieces) -> ControlFlow<()> {
        let Pieces { black, white, kings } = pieces;
        self.found = self.wanted.iter().find(|wanted| wanted.large(pieces)).map(|wanted| (ply, wanted.reversed));
        self.go_on([black, white, black & !kings, white & !kings].map(u128::count_ones))
    }
}

/// Whether pattern and material hold in `position`.
pub(super) fn holds(search: &PositionSearch, position: &Position) -> bool {
    let pieces = Pieces {
        black: position.pieces(Color::Black).0,
        white: position.pieces(Color::White).0,
        kings: position.kings().0,
    };
    ColoredSearch::new(search, false).large(pieces)
}

/// Every line where the pattern and the material of `search`, or of `turned`, hold.
pub(super) fn find(
    database: &Database,
    search: &PositionSearch,
    turned: Option<&PositionSearch>,
) -> Result<Vec<Hit>, QueryError> {
    let mut wanted = vec![ColoredSearch::new(search, false)];
    wanted.extend(turned.map(|turned| ColoredSearch::new(turned, true)));
    let most = wanted.iter().map(|wanted| wanted.most).max().unwrap_or(0);
    let needs = RequiredEvents::from_searches(std::iter::once(search).chain(turned));
    let visit = |line: &PackedLine<'_>| {
        // Lines too short to lose enough pieces, or in which nothing came where it must, are not begun.
        if line.start.variant() != search.variant || line.fewest_pieces() > most || !needs.may_hold(line) {
            return Ok(None);
        }
        let mut finder = Finder { wanted: &wanted, found: None };
        line.walk(&mut finder)?;
        Ok(finder.found.map(|(ply, reversed)| Hit { line: line.id, ply, reversed }))
    };
    Ok(database.scan(threads(), visit)?)
}
