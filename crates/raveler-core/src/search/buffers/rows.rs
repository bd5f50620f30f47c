//! Vector clocks of steps: which steps come before which in every run that is equivalent to this one.
//!
//! A row has a number for each process: one more than the place in the run of the last step of that process which
//! comes before, 0 if none does. Rows are made as the run goes forward and left when it goes back, last first, so
//! they are a stack, and a row that does not change is shared by its number.

/// The number of a row.
pub(super) type RowId = u32;

/// All rows of a run. Row 0 is empty: nothing comes before.
pub(super) struct Rows {
    stride: usize,
    data: Vec<u32>,
}

impl Rows {
    pub fn new() -> Rows {
        let stride = 8;
        Rows { stride, data: vec![0; stride] }
    }

    /// Make room for so many processes; rows are laid out anew.
    pub fn widen(&mut self, processes: usize) {
        if processes <= self.stride {
            return;
        }
        let stride = processes.next_multiple_of(8);
        let mut data = Vec::with_capacity(self.data.len() / self.stride * stride);
        for row in self.data.chunks_exact(self.stride) {
            data.extend_from_slice(row);
            data.resize(data.len() + stride - self.stride, 0);
        }
        (self.stride, self.data) = (stride, data);
    }

    /// How many rows there are.
    pub fn count(&self) -> u32 {
        (self.data.len() / self.stride) as u32
    }

    /// Leave all rows from this one on.
    pub fn truncate(&mut self, count: u32) {
        self.data.truncate(count as usize * self.stride);
    }

    #[inline]
    pub fn get(&self, row: RowId) -> &[u32] {
        let at = row as usize * self.stride;
        &self.data[at..at + self.stride]
    }

    /// A new row, the same as another one.
    pub fn copy(&mut self, row: RowId) -> RowId {
        let (new, at) = (self.count(), row as usize * self.stride);
        self.data.extend_from_within(at..at + self.stride);
        new
    }

    /// What comes before `from` comes before `into`, which is the newer of the two.
    pub fn join(&mut self, into: RowId, from: RowId) {
        debug_assert!(from < into);
        let (older, newer) = self.data.split_at_mut(into as usize * self.stride);
        let at = from as usize * self.stride;
        for (into, from) in newer[..self.stride].iter_mut().zip(&older[at..at + self.stride]) {
            *into = (*into).max(*from);
        }
    }

    /// Is the step at this place of the run, of this process, among what the row has?
    #[inline]
    pub fn has(&self, row: RowId, process: u32, step: usize) -> bool {
        self.data[row as usize * self.stride + process as usize] as usize > step
    }

    /// The row has the step at this place of the run, of this process.
    pub fn add(&mut self, row: RowId, process: u32, step: usize) {
        self.data[row as usize * self.stride + process as usize] = step as u32 + 1;
    }

    /// Does the row have only steps before this place of the run?
    pub fn ends_before(&self, row: RowId, step: usize) -> bool {
        self.get(row).iter().all(|&last| last as usize <= step)
    }
}
