//! Files as the system has them: written whole or not at all, and looked at before they are trusted.
//!
//! Purpose: one way to write a file for every command and layer. [`WholeFile`] writes to a temporary file beside the target
//! and renames it when it is complete, so that Ctrl-C, a kill, a full disk or an error leaves the older file. Devices and
//! pipes are written directly.
//!
//! The steps of a write:
//! 1. `write_plan::WritePlan::for_path` follows links to the file that is meant and decides between a rename and direct writing;
//! 2. `temporary::Temporary` makes `.crownhead-PID-N.partial` in that folder, locks it and registers it, after removing
//!    those of processes that are gone;
//! 3. [`WholeFile::commit`] writes the bytes to the disk and renames. Dropping without it removes the temporary file.
//!
//! [`abandon`] is for a signal handler: it removes every registered temporary file and keeps the register locked, so that no
//! other thread can rename one afterwards. Whoever makes temporary files without registering them breaks that.
//!
//! Must not know: any other layer.

mod input;
mod kind;
mod reason;
mod temporary;
mod whole;
mod write_plan;

pub use input::{InputError, SpecialFile, read_limited, special_file};
pub use kind::FileKind;
pub use reason::{create_folder, reason};
pub use temporary::{Abandoned, Temporary, abandon, is_alive, sweep};
pub use whole::{WholeFile, check_writable, write};
pub use write_plan::{check_folder, check_unprotected, folder_of, is_open_file, resolved};
