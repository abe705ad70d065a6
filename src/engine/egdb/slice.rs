//! Slices: the positions of one material, seen from the side to move.

use std::fmt;

/// The most pieces a slice may have: what the tables of binomials and the file format allow for.
pub const MAX_PIECES: u8 = 8;

/// All positions with these pieces, the side to move named first. Colours are folded: the mover's men go up the board.
///
/// Written `KKMvKM`: two kings and a man to move against a king and a man.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Slice {
    /// Men of the side to move.
    pub my_men: u8,
    /// Kings of the side to move.
    pub my_kings: u8,
    /// Men of the other side.
    pub his_men: u8,
    /// Kings of the other side.
    pub his_kings: u8,
}

impl Slice {
    /// The same material with the other side to move. The two are solved together.
    #[must_use]
    pub const fn mirror(self) -> Self {
        Self { my_men: self.his_men, my_kings: self.his_kings, his_men: self.my_men, his_kings: self.my_kings }
    }

    /// How many pieces stand on the board.
    #[must_use]
    pub const fn pieces(self) -> u8 {
        self.my_men + self.my_kings + self.his_men + self.his_kings
    }

    /// How many of them are men.
    #[must_use]
    pub const fn men(self) -> u8 {
        self.my_men + self.his_men
    }

    /// Whether this slice stands for itself and its mirror: the side to move has more pieces, or as many and no fewer kings.
    #[must_use]
    pub const fn is_canonical(self) -> bool {
        let (mine, his) = (self.my_men + self.my_kings, self.his_men + self.his_kings);
        mine > his || (mine == his && self.my_kings >= self.his_kings)
    }

    /// This slice or its mirror, whichever names the two.
    #[must_use]
    pub const fn canonical(self) -> Self {
        if self.is_canonical() { self } else { self.mirror() }
    }

    /// The canonical slices of `pieces` pieces with `men` men, in a fixed order. None of them leads to another.
    #[must_use]
    pub fn group(pieces: u8, men: u8) -> Vec<Self> {
        let mut slices = Vec::new();
        for mine in 1..pieces {
            let his = pieces - mine;
            for my_men in 0..=mine.min(men) {
                let his_men = men - my_men;
                if his_men > his {
                    continue;
                }
                let slice = Self { my_men, my_kings: mine - my_men, his_men, his_kings: his - his_men };
                if slice.is_canonical() {
                    slices.push(slice);
                }
            }
        }
        slices
    }

    /// The canonical slices of up to `pieces` pieces, each after all that its positions lead to: fewer pieces first, then
    /// fewer men, for a capture takes pieces away and a crowning a man.
    #[must_use]
    pub fn up_to(pieces: u8) -> Vec<Self> {
        (2..=pieces).flat_map(|n| (0..=n).flat_map(move |men| Self::group(n, men))).collect()
    }

    /// The slices that a move may lead to, seen from either side: its mirror, those with a man crowned, those with a piece less.
    pub(super) fn leads_to(self) -> Vec<Self> {
        let Self { my_men, my_kings, his_men, his_kings } = self;
        let mut slices = vec![self.mirror()];
        if my_men > 0 {
            slices.push(Self { my_men: my_men - 1, my_kings: my_kings + 1, ..self });
        }
        if his_men > 0 {
            slices.push(Self { his_men: his_men - 1, his_kings: his_kings + 1, ..self });
        }
        let fewer = [
            my_men.checked_sub(1).map(|my_men| Self { my_men, ..self }),
            my_kings.checked_sub(1).map(|my_kings| Self { my_kings, ..self }),
            his_men.checked_sub(1).map(|his_men| Self { his_men, ..self }),
            his_kings.checked_sub(1).map(|his_kings| Self { his_kings, ..self }),
        ];
        let both = |slice: &Self| slice.my_men + slice.my_kings > 0 && slice.his_men + slice.his_kings > 0;
        slices.extend(fewer.into_iter().flatten().filter(both));
        slices
    }

    /// A small number for this slice: a place in a table.
    pub(super) const fn index(self) -> usize {
        let base = MAX_PIECES as usize;
        ((self.my_men as usize * base + self.my_kings as usize) * base + self.his_men as usize) * base
            + self.his_kings as usize
    }

    /// The first of all slices.
    pub(super) const FIRST: Self = Self { my_men: 0, my_kings: 1, his_men: 0, his_kings: 1 };

    /// How many places there are.
    pub(super) const SLICE_INDEXES: usize = (MAX_PIECES as usize).pow(4);

    /// The slice of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let (mine, his) = name.split_once(['v', 'V', '-'])?;
        let side = |text: &str| -> Option<(u8, u8)> {
            let kings = text.bytes().take_while(|&b| b == b'K').count();
            let men = text.len() - kings;
            let fits = !text.is_empty() && text.len() < usize::from(MAX_PIECES);
            (fits && text.bytes().skip(kings).all(|b| b == b'M')).then_some((men as u8, kings as u8))
        };
        let ((my_men, my_kings), (his_men, his_kings)) = (side(mine)?, side(his)?);
        let slice = Self { my_men, my_kings, his_men, his_kings };
        (slice.pieces() <= MAX_PIECES).then_some(slice)
    }
}

impl fmt::Display for Slice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = |kings: u8, men: u8| "K".repeat(kings.into()) + &"M".repeat(men.into());
        f.pad(&format!("{}v{}", side(self.my_kings, self.my_men), side(self.his_kings, self.his_men)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for slice in Slice::up_to(6).into_iter().flat_map(|slice| [slice, slice.mirror()]) {
            assert_eq!(Slice::from_name(&slice.to_string()), Some(slice));
        }
        for bad in ["", "K", "Kv", "vK", "MKvK", "KvX", "KKKKKKKKvK", "KKKKvKKKKK"] {
            assert_eq!(Slice::from_name(bad), None, "{bad}");
        }
    }

    #[test]
    fn every_material_has_one_canonical_slice() {
        let slices = Slice::up_to(6);
        // Of the 155 slices of two to six pieces, those that are their own mirror stand alone.
        let directed: usize = slices.iter().map(|s| if *s == s.mirror() { 1 } else { 2 }).sum();
        assert_eq!(directed, 155);
        for slice in &slices {
            assert!(slice.is_canonical(), "{slice}");
            assert!(slice.mirror() == *slice || !slice.mirror().is_canonical(), "{slice}");
        }
    }
}
