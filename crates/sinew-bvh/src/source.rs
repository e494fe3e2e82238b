//! Words and lines of a text that is read through a buffer, so that a file need not be held in memory.

use std::io::Read;

use crate::error::{Fault, quoted};

/// Bytes that are held at once: no word and no name may be longer.
const BUFFER: usize = 64 * 1024;

const UTF8: &str = "save the file as UTF-8";

/// A text on its way in.
pub(crate) struct Source<R> {
    input: R,
    buffer: Vec<u8>,
    /// What of the buffer is still to be read.
    start: usize,
    end: usize,
    /// Line of `start`, counted from 1.
    line: usize,
    /// Whether the byte before `start` was a carriage return, so that a line feed does not count.
    after_return: bool,
    /// Bytes taken from the input.
    taken: u64,
}

impl<R: Read> Source<R> {
    /// Begins to read; a byte order mark of UTF-8 is left out, another is refused.
    pub(crate) fn new(input: R) -> Result<Self, Fault> {
        let buffer = vec![0; BUFFER];
        let mut source = Self { input, buffer, start: 0, end: 0, line: 1, after_return: false, taken: 0 };
        while source.end < 3 && source.fill()? {}
        if source.rest().starts_with(b"\xef\xbb\xbf") {
            source.start = 3;
        } else if source.rest().starts_with(b"\xff\xfe") || source.rest().starts_with(b"\xfe\xff") {
            return Err(Fault::new(1, "the text is UTF-16", UTF8));
        }
        Ok(source)
    }

    /// The line that is being read, counted from 1.
    pub(crate) fn line(&self) -> usize {
        self.line
    }

    /// Bytes that were read so far.
    pub(crate) fn position(&self) -> u64 {
        self.taken - (self.end - self.start) as u64
    }

    /// A fault on the line that is being read.
    pub(crate) fn fault(&self, problem: impl Into<String>, advice: &'static str) -> Fault {
        Fault::new(self.line, problem, advice)
    }

    /// The next word on whichever line; none at the end. Braces are words of their own.
    pub(crate) fn word(&mut self) -> Result<Option<&[u8]>, Fault> {
        self.skip(true)?;
        self.word_here()
    }

    /// The next word on this line; none at its end.
    pub(crate) fn word_in_line(&mut self) -> Result<Option<&[u8]>, Fault> {
        self.skip(false)?;
        self.word_here()
    }

    /// The rest of this line up to a brace, without blanks around it.
    pub(crate) fn rest_of_line(&mut self) -> Result<&str, Fault> {
        self.skip(false)?;
        let length = self.length(|byte| matches!(byte, b'\n' | b'\r' | b'{' | b'}'))?;
        let line = self.line;
        let rest = std::str::from_utf8(self.take(length).trim_ascii());
        rest.map_err(|_| Fault::new(line, "the line is not UTF-8", UTF8))
    }

    /// Skips blanks, and with `lines` ends of lines.
    fn skip(&mut self, lines: bool) -> Result<(), Fault> {
        loop {
            for at in self.start..self.end {
                match self.buffer[at] {
                    b' ' | b'\t' | b'\x0b' | b'\x0c' => self.after_return = false,
                    b'\n' | b'\r' if !lines => {
                        self.start = at;
                        return Ok(());
                    }
                    b'\n' => {
                        self.line += usize::from(!self.after_return);
                        self.after_return = false;
                    }
                    b'\r' => {
                        self.line += 1;
                        self.after_return = true;
                    }
                    _ => {
                        self.after_return = false;
                        self.start = at;
                        return Ok(());
                    }
                }
            }
            self.start = self.end;
            if !self.fill()? {
                return Ok(());
            }
        }
    }

    /// The word that begins at `start`; none at the end of a line or of the text.
    fn word_here(&mut self) -> Result<Option<&[u8]>, Fault> {
        let length = match self.rest().first() {
            None | Some(b'\n' | b'\r') => return Ok(None),
            Some(b'{' | b'}') => 1,
            Some(_) => {
                self.length(|byte| byte <= b' ' && byte.is_ascii_whitespace() || matches!(byte, b'\x0b' | b'{' | b'}'))?
            }
        };
        Ok(Some(self.take(length)))
    }

    /// Bytes from `start` up to the first that `ends`, all of which are then in the buffer.
    fn length(&mut self, ends: impl Fn(u8) -> bool) -> Result<usize, Fault> {
        let mut length = 0;
        loop {
            if let Some(more) = self.rest()[length..].iter().position(|&byte| ends(byte)) {
                return Ok(length + more);
            }
            length = self.end - self.start;
            if length == BUFFER {
                let problem = format!("{} goes on for more than {BUFFER} bytes", quoted(self.rest()));
                return Err(self.fault(problem, "this is no BVH; check what wrote the file"));
            }
            if !self.fill()? {
                return Ok(length);
            }
        }
    }

    fn rest(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    fn take(&mut self, length: usize) -> &[u8] {
        let from = self.start;
        self.start += length;
        &self.buffer[from..self.start]
    }

    /// Moves what is still to be read to the front and reads more behind it; false at the end of the input.
    fn fill(&mut self) -> Result<bool, Fault> {
        self.buffer.copy_within(self.start..self.end, 0);
        (self.start, self.end) = (0, self.end - self.start);
        loop {
            match self.input.read(&mut self.buffer[self.end..]) {
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(Fault::Read(error)),
                Ok(count) => {
                    self.end += count;
                    self.taken += count as u64;
                    return Ok(count > 0);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A reader that gives one byte at a time.
    struct Slow<'a>(&'a [u8]);

    impl Read for Slow<'_> {
        fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
            let Some((first, rest)) = self.0.split_first() else { return Ok(0) };
            into[0] = *first;
            self.0 = rest;
            Ok(1)
        }
    }

    #[test]
    fn words_are_the_same_whatever_a_read_gives() {
        let text = b"\xef\xbb\xbfone  two{\r\n\r\n}three\rfour \n five";
        let words = |mut source: Source<Slow<'_>>| {
            let mut words = Vec::new();
            while let Some(word) = source.word().unwrap().map(<[u8]>::to_vec) {
                words.push((String::from_utf8(word).unwrap(), source.line()));
            }
            words
        };
        let expected = [("one", 1), ("two", 1), ("{", 1), ("}", 3), ("three", 3), ("four", 4), ("five", 5)];
        let found = words(Source::new(Slow(text)).unwrap());
        assert!(found.iter().map(|(word, line)| (word.as_str(), *line)).eq(expected), "{found:?}");
    }

    #[test]
    fn lines_end_words_and_names_keep_their_blanks() {
        let mut source = Source::new(&b"ROOT  Bip01  L Thigh \t{ 1 2\n\n3"[..]).unwrap();
        assert_eq!(source.word().unwrap(), Some(&b"ROOT"[..]));
        assert_eq!(source.rest_of_line().unwrap(), "Bip01  L Thigh");
        assert_eq!(source.word().unwrap(), Some(&b"{"[..]));
        assert_eq!(source.word_in_line().unwrap(), Some(&b"1"[..]));
        assert_eq!(source.word_in_line().unwrap(), Some(&b"2"[..]));
        assert_eq!(source.word_in_line().unwrap(), None);
        assert_eq!(source.word().unwrap(), Some(&b"3"[..]));
        assert_eq!(source.line(), 3);
    }
}
