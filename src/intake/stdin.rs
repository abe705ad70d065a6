//! Standard input and pipes that can be given up: waiting for a quiet pipe or terminal would otherwise outlast Ctrl-C.

use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::thread;
use std::time::Duration;

/// Bytes asked of the system at a time.
const BLOCK_BYTES: usize = 64 * 1024;
/// Blocks read ahead.
const BLOCKS_AHEAD: usize = 16;
/// How often a waiting read looks whether it is still wanted.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// Standard input or a pipe, read by a thread of its own, which ends with the input or the process.
pub(super) struct Patient<'a> {
    blocks: Receiver<io::Result<Vec<u8>>>,
    block: io::Cursor<Vec<u8>>,
    stop: &'a AtomicBool,
}

impl<'a> Patient<'a> {
    /// Standard input until `stop` is raised: then a read that would wait is an error.
    pub(super) fn stdin(stop: &'a AtomicBool) -> Self {
        Self::new(stop, |to_reader| read_blocks(&mut io::stdin().lock(), to_reader))
    }

    /// The same of a pipe or a device. To open a pipe is to wait for its other end, too.
    pub(super) fn special(path: PathBuf, stop: &'a AtomicBool) -> Self {
        Self::new(stop, move |to_reader| match File::open(path) {
            Ok(mut file) => read_blocks(&mut file, to_reader),
            Err(error) => {
                // No one waits for it any more if this fails.
                let _ = to_reader.send(Err(error));
            }
        })
    }

    fn new(stop: &'a AtomicBool, read: impl FnOnce(&SyncSender<io::Result<Vec<u8>>>) + Send + 'static) -> Self {
        let (to_reader, blocks) = mpsc::sync_channel(BLOCKS_AHEAD);
        thread::spawn(move || read(&to_reader));
        Self { blocks, block: io::Cursor::default(), stop }
    }
}

/// Sends what `input` has, block by block, to its end or an error.
fn read_blocks(input: &mut impl Read, to_reader: &SyncSender<io::Result<Vec<u8>>>) {
    loop {
        let mut block = Vec::with_capacity(BLOCK_BYTES);
        let read = input.by_ref().take(BLOCK_BYTES as u64).read_to_end(&mut block).map(|_| block);
        let last = read.as_ref().map_or(true, |block| block.len() < BLOCK_BYTES);
        if to_reader.send(read).is_err() || last {
            return;
        }
    }
}

impl Read for Patient<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        loop {
            let taken = self.block.read(out)?;
            if taken > 0 || out.is_empty() {
                return Ok(taken);
            }
            match self.blocks.recv_timeout(POLL_INTERVAL) {
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
