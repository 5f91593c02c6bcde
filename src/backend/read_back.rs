//! The results that a run reads back, behind typed tickets, so that no two places have to agree on an order.

use crate::plan::{Op, Operand, Value};

/// Numbers `first .. first + count` of a value, or of the result buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Read {
    pub of: Operand,
    pub first: usize,
    pub count: usize,
}

/// The probes that follow a run and the numbers to read back, all in one submit and one map.
#[derive(Default)]
pub struct Reads {
    probes: Vec<Box<dyn Op>>,
    result_numbers: usize,
    reads: Vec<Read>,
}

/// A claim to a result of [`Reads`]: [`Ticket::take`] redeems it.
pub struct Ticket<T>(Box<dyn FnOnce(&mut ReadBack) -> T>);

/// The numbers that were read back, one list for each read.
pub struct ReadBack(Vec<Vec<f32>>);

impl Reads {
    /// Reads the first `count` numbers of a value.
    pub fn value(&mut self, value: Value, count: usize) -> Ticket<Vec<f32>> {
        self.read(Read { of: value.into(), first: 0, count })
    }

    /// Reserves `count` numbers of the result buffer. Returns the offset of the first.
    pub fn reserve(&mut self, count: usize) -> usize {
        let offset = self.result_numbers;
        self.result_numbers += count;
        offset
    }

    /// Adds a probe, which writes to reserved numbers of the result buffer.
    pub fn probe(&mut self, probe: impl Op + 'static) {
        self.probes.push(Box::new(probe));
    }

    /// Adds a probe that writes `count` numbers of the result buffer, from the offset that it gets, and reads them.
    pub fn probe_result<Q: Op + 'static>(&mut self, count: usize, probe: impl FnOnce(usize) -> Q) -> Ticket<Vec<f32>> {
        let offset = self.reserve(count);
        self.probe(probe(offset));
        self.results(offset, count)
    }

    /// Reads numbers of the result buffer.
    pub fn results(&mut self, first: usize, count: usize) -> Ticket<Vec<f32>> {
        self.read(Read { of: Operand::Results, first, count })
    }

    fn read(&mut self, read: Read) -> Ticket<Vec<f32>> {
        let index = self.reads.len();
        self.reads.push(read);
        Ticket(Box::new(move |read_back| read_back.0.get_mut(index).map(std::mem::take).unwrap_or_default()))
    }

    /// The probes, in the order in which they run.
    pub fn probes(&self) -> &[Box<dyn Op>] {
        &self.probes
    }

    /// Numbers of the result buffer that the probes use.
    pub fn result_numbers(&self) -> u64 {
        self.result_numbers as u64
    }

    /// The reads; a [`ReadBack`] has one list for each, in this order.
    pub fn reads(&self) -> &[Read] {
        &self.reads
    }

    /// Bytes that are read back.
    pub fn bytes(&self) -> u64 {
        self.reads.iter().map(|read| 4 * read.count as u64).sum()
    }
}

impl<T: 'static> Ticket<T> {
    /// A ticket whose result is computed from the read-back: usually by redeeming other tickets.
    pub fn new(take: impl FnOnce(&mut ReadBack) -> T + 'static) -> Self {
        Self(Box::new(take))
    }

    /// The same claim, with its result converted.
    pub fn map<U: 'static>(self, convert: impl FnOnce(T) -> U + 'static) -> Ticket<U> {
        Ticket::new(move |read_back| convert(self.take(read_back)))
    }

    /// Redeems the ticket with the numbers that its own [`Reads`] read back.
    pub fn take(self, read_back: &mut ReadBack) -> T {
        (self.0)(read_back)
    }
}

impl ReadBack {
    /// One list for each of [`Reads::reads`].
    pub(super) fn new(lists: Vec<Vec<f32>>) -> Self {
        Self(lists)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ticket_gives_its_own_numbers_whatever_the_order() {
        let mut reads = Reads::default();
        let first = reads.value(Value::default(), 2);
        let offset = reads.reserve(3);
        let second = reads.results(offset, 3).map(|numbers| numbers.len());
        let third = reads.reserve(1);
        let both = Ticket::new(move |read_back| (second.take(read_back), first.take(read_back)));
        assert_eq!((offset, third, reads.result_numbers(), reads.bytes()), (0, 3, 4, 20));
        let mut read_back = ReadBack::new(vec![vec![1.0, 2.0], vec![3.0, 4.0, 5.0]]);
        assert_eq!(both.take(&mut read_back), (3, vec![1.0, 2.0]));
    }
}
