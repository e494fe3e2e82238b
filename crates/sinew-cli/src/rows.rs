//! The rows of a table in CSV, each with its line: what every complaint about a table begins with.

use anyhow::{Result, bail};
use csv::{ErrorKind, Reader, ReaderBuilder, StringRecord, Trim};

/// The rows of a table with the lines that they end on.
#[derive(Debug)]
pub(crate) struct Rows<'a> {
    bytes: &'a [u8],
    reader: Reader<&'a [u8]>,
    /// Bytes whose lines are counted, and those lines.
    counted: usize,
    lines: usize,
}

impl<'a> Rows<'a> {
    pub(crate) fn of(bytes: &'a [u8]) -> Self {
        let mut builder = ReaderBuilder::new();
        builder.trim(Trim::All).comment(Some(b'#')).flexible(true).has_headers(false);
        Self { bytes, reader: builder.from_reader(bytes), counted: 0, lines: 0 }
    }

    pub(crate) fn next(&mut self) -> Result<Option<(usize, StringRecord)>> {
        let mut row = StringRecord::new();
        let read = self.reader.read_record(&mut row);
        // Where a row begins is told with the blank lines before it.
        let end = self.bytes.len().min(self.reader.position().byte() as usize);
        let fresh = self.bytes[self.counted..end].trim_ascii_end();
        self.lines += fresh.split(|&byte| byte == b'\n').count() - 1;
        self.counted += fresh.len();
        let line = self.lines + 1;
        match read {
            Ok(is_row) => Ok(is_row.then_some((line, row))),
            Err(error) if matches!(error.kind(), ErrorKind::Utf8 { .. }) => {
                bail!("line {line}: is no text in UTF-8; save it as plain CSV")
            }
            Err(error) => bail!("line {line}: {error}; save it as plain CSV"),
        }
    }
}
