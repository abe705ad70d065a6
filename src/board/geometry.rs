//! Boards as graphs of diagonal steps.

use super::{Bitboard, Color, Square};

/// A diagonal direction as seen with Black's side at the top: *down* is the way Black's men move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Direction {
    /// Towards White's side and to the left of a viewer who sees square 1 in the top row.
    DownLeft,
    /// Towards White's side and to the right.
    DownRight,
    /// Towards Black's side and to the left.
    UpLeft,
    /// Towards Black's side and to the right.
    UpRight,
}

impl Direction {
    /// All four.
    pub const ALL: [Self; 4] = [Self::DownLeft, Self::DownRight, Self::UpLeft, Self::UpRight];

    /// The two directions in which a man of `color` moves.
    #[must_use]
    pub const fn forward(color: Color) -> [Self; 2] {
        match color {
            Color::Black => [Self::DownLeft, Self::DownRight],
            Color::White => [Self::UpLeft, Self::UpRight],
        }
    }
}

/// The largest number of playable squares on any board: 12x12.
const MAX_SQUARES: usize = 72;
/// "No such square" in a step table.
const NO_SQUARE: u8 = u8::MAX;

/// A square board whose dark squares are numbered row by row from Black's side; the first row's start one column in.
#[derive(Debug, PartialEq, Eq)]
pub struct Geometry {
    rows: u8,
    steps: [[u8; 4]; MAX_SQUARES],
}

/// The 8x8 board of 32 squares.
static EIGHT: Geometry = Geometry::new(8);

impl Geometry {
    /// The 8x8 board of 32 playable squares.
    #[must_use]
    pub fn eight() -> &'static Self {
        &EIGHT
    }

    /// A board of `rows` rows and columns (even, at most 12).
    const fn new(rows: u8) -> Self {
        let mut steps = [[NO_SQUARE; 4]; MAX_SQUARES];
        let half = rows / 2;
        let mut index = 0;
        while index < rows * half {
            let row = index / half;
            let column = index % half * 2 + (row + 1) % 2;
            let mut direction = 0;
            while direction < 4 {
                let down = direction < 2;
                let right = direction % 2 == 1;
                let fits_row = if down { row + 1 < rows } else { row > 0 };
                let fits_column = if right { column + 1 < rows } else { column > 0 };
                if fits_row && fits_column {
                    let to_row = if down { row + 1 } else { row - 1 };
                    let to_column = if right { column + 1 } else { column - 1 };
                    steps[index as usize][direction] = to_row * half + to_column / 2;
                }
                direction += 1;
            }
            index += 1;
        }
        Self { rows, steps }
    }

    /// How many rows, and columns, the board has.
    #[must_use]
    pub const fn rows(&self) -> u8 {
        self.rows
    }

    /// How many playable squares the board has.
    #[must_use]
    pub const fn squares(&self) -> u8 {
        self.rows * (self.rows / 2)
    }

    /// All playable squares.
    #[must_use]
    pub const fn all(&self) -> Bitboard {
        Bitboard::first(self.squares())
    }

    /// The square one diagonal step from `square`, if it is on the board.
    #[must_use]
    pub fn step(&self, square: Square, direction: Direction) -> Option<Square> {
        match self.steps[square.index()][direction as usize] {
            NO_SQUARE => None,
            index => Some(Square::new(index)),
        }
    }

    /// The row of `square`, from 0 on Black's side.
    #[must_use]
    pub const fn row(&self, square: Square) -> u8 {
        square.index() as u8 / (self.rows / 2)
    }

    /// The column of `square`, from 0, as seen with Black's side at the top.
    #[must_use]
    pub const fn column(&self, square: Square) -> u8 {
        square.index() as u8 % (self.rows / 2) * 2 + (self.row(square) + 1) % 2
    }

    /// The playable square at `row` and `column`, or `None` for a light square or one off the board.
    #[must_use]
    pub const fn at(&self, row: u8, column: u8) -> Option<Square> {
        if row >= self.rows || column >= self.rows || (row + column).is_multiple_of(2) {
            return None;
        }
        Some(Square::new(row * (self.rows / 2) + column / 2))
    }

    /// The row where men of `color` are crowned: the far row as that side sees it.
    #[must_use]
    pub const fn crown_head(&self, color: Color) -> Bitboard {
        let row = Bitboard::first(self.rows / 2);
        match color {
            Color::White => row,
            Color::Black => Bitboard(row.0 << (self.squares() - self.rows / 2)),
        }
    }
}
