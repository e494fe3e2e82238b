//! What an interruption does: it ends the command at once, but for files that are being written, which are finished first.
//! So no file is half written, and no temporary one is left behind.

use std::process;
use std::sync::atomic::{AtomicBool, Ordering};

/// What a shell says of a program that was interrupted.
const STATUS: i32 = 130;

static WRITING: AtomicBool = AtomicBool::new(false);
static ASKED: AtomicBool = AtomicBool::new(false);

/// Begins to heed interruptions. Where the system lets no one do so they end the program as ever.
pub(super) fn watch() {
    let _ = ctrlc::set_handler(|| {
        // Who asks twice means it.
        let asked_before = ASKED.swap(true, Ordering::SeqCst);
        if asked_before || !WRITING.load(Ordering::SeqCst) {
            process::exit(STATUS);
        }
    });
}

/// Writes without being interrupted; ends the program after it where that was asked for.
pub(super) fn undisturbed<T>(write: impl FnOnce() -> T) -> T {
    WRITING.store(true, Ordering::SeqCst);
    let written = write();
    WRITING.store(false, Ordering::SeqCst);
    if ASKED.load(Ordering::SeqCst) {
        process::exit(STATUS);
    }
    written
}
