//! A motion as files have it: rows of numbers, a row a frame, at equal distances in time.

/// Rows of channel values: lengths in the file's unit, angles in degrees.
#[derive(Clone, Debug, PartialEq)]
pub struct Motion {
    /// Seconds from frame to frame; greater than 0.
    pub frame_time: f64,
    channels: usize,
    values: Vec<f64>,
}

impl Motion {
    /// A motion without frames; `channels` is the length of a row.
    pub fn new(channels: usize, frame_time: f64) -> Self {
        Self { frame_time, channels, values: Vec::new() }
    }

    pub(crate) fn from_values(channels: usize, frame_time: f64, values: Vec<f64>) -> Self {
        Self { frame_time, channels, values }
    }

    /// Number of frames; 0 where there are no channels.
    pub fn len(&self) -> usize {
        self.values.len().checked_div(self.channels).unwrap_or(0)
    }

    /// Whether there is no frame.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Numbers in a row.
    pub fn channels(&self) -> usize {
        self.channels
    }

    /// A frame's numbers.
    pub fn row(&self, frame: usize) -> Option<&[f64]> {
        let from = frame.checked_mul(self.channels)?;
        self.values.get(from..from.checked_add(self.channels)?).filter(|row| !row.is_empty())
    }

    /// A frame's numbers to be changed.
    pub fn row_mut(&mut self, frame: usize) -> Option<&mut [f64]> {
        let from = frame.checked_mul(self.channels)?;
        self.values.get_mut(from..from.checked_add(self.channels)?).filter(|row| !row.is_empty())
    }

    /// All rows in order.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[f64]> + DoubleEndedIterator {
        self.values.chunks_exact(self.channels.max(1))
    }

    /// Adds a frame.
    ///
    /// # Panics
    /// Where the row has another length than [`channels`](Self::channels).
    pub fn push(&mut self, row: &[f64]) {
        assert_eq!(row.len(), self.channels, "the row has another number of channels");
        self.values.extend_from_slice(row);
    }

    /// Drops all frames from this one on.
    pub fn truncate(&mut self, frames: usize) {
        self.values.truncate(frames.saturating_mul(self.channels));
    }
}
