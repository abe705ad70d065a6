//! Endgame databases: what every position of a few pieces is worth, by complete enumeration.
//!
//! Purpose: [`generate()`] makes them, [`Databases`] answers from them, [`verify()`] checks them. A position is seen from the side
//! to move, colours folded; a [`Slice`] is all positions of one material. Invariants: a value told is exact; a file is whole or
//! not there, and what is damaged is refused by the name of its slice.
//!
//! Games with short kings on 32 squares can be enumerated; how they differ is in `board::Law`.
//!
//! Must not know: terminals, stored play, notation.

mod bits;
mod board;
mod conversion;
mod embedded;
mod file;
mod folder;
mod generate;
mod group;
mod implied;
mod layout;
mod pack;
mod padded;
mod play;
mod probe;
mod restore;
mod runs;
mod sets;
mod share;
mod slice;
mod solve;
mod table;
mod value;
mod verify;

pub use folder::{FolderPart, parts_in};
pub use generate::{Generated, GenerationOptions, GenerationProgress, Made, bundle, generate};
pub use play::{Guide, KnownEnding, KnownMove};
pub use probe::{Databases, Probed, SliceInfo};
pub use slice::{MAX_PIECES, Slice};
pub use solve::ValueCounts;
pub use verify::{CheckedSlice, Fault, verify};
