//! From bytes to text: UTF-8 only, with or without a byte order mark.

use crate::error::Fault;

const SAVE_AS_UTF8: &str = "save the file as UTF-8, for example with iconv";

/// The text of a file's bytes.
pub(crate) fn decode(bytes: Vec<u8>) -> Result<String, (String, Fault)> {
    let is_utf16 = bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]);
    String::from_utf8(bytes).map_err(|error| {
        let good = error.utf8_error().valid_up_to();
        let problem = if is_utf16 { "the text is UTF-16".to_owned() } else { format!("byte {good} is not UTF-8") };
        let before = String::from_utf8_lossy(&error.as_bytes()[..good]).into_owned();
        (before, Fault::at(good, "document", problem).advise(SAVE_AS_UTF8))
    })
}

/// What to do about a text that is not even XML.
pub(crate) fn advice(text: &str) -> &'static str {
    if text.starts_with("version https://git-lfs") {
        "it is a Git LFS pointer: fetch the file itself with git lfs pull"
    } else {
        "give the URDF file itself, XML whose outermost element is <robot>"
    }
}
