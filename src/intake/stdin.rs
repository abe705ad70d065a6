//! Standard input that can be given up: a read of a quiet pipe or terminal would otherwise outlast Ctrl-C.

use std::io::{self, Read};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// Bytes asked of the system at a time.
const BLOCK: usize = 64 * 1024;
/// Blocks read ahead.
const AHEAD: usize = 16;
/// How often a waiting read looks whether it is still wanted.
const LOOK: Duration = Duration::from_millis(100);

/// Standard input, read by a thread of its own, which ends with the input or the process.
pub(super) struct Stdin<'a> {
    blocks: Receiver<io::Result<Vec<u8>>>,
    block: io::Cursor<Vec<u8>>,
    stop: &'a AtomicBool,
}

impl<'a> Stdin<'a> {
    /// Standard input until `stop` is raised: then a read that would wait is an error.
    pub(super) fn new(stop: &'a AtomicBool) -> Self {
        let (to_reader, blocks) = mpsc::sync_channel(AHEAD);
        thread::spawn(move || {
            let mut stdin = io::stdin().lock();
            loop {
                let mut block = Vec::with_capacity(BLOCK);
                let read = stdin.by_ref().take(BLOCK as u64).read_to_end(&mut block).map(|_| block);
                let last = read.as_ref().map_or(true, |block| block.len() < BLOCK);
                if to_reader.send(read).is_err() || last {
                    return;
                }
            }
        });
        Self { blocks, block: io::Cursor::default(), stop }
    }
}

impl Read for Stdin<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        loop {
            let taken = self.block.read(out)?;
            if taken > 0 || out.is_empty() {
                return Ok(taken);
            }
            match self.blocks.recv_timeout(LOOK) {
                Ok(block) => self.block = io::Cursor::new(block?),
                Err(RecvTimeoutError::Disconnected) => return Ok(0),
                Err(RecvTimeoutError::Timeout) if self.stop.load(Ordering::Relaxed) => {
                    return Err(io::Error::other("stopped"));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}
