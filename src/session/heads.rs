//! Questions about the heads of a finished run: one head's map and rows, or every head's map at once, small.

use super::HeadMaps;
use crate::backend::Read;
use crate::error::Error;
use crate::ops::{CopyRows, HeadStatistics, MapKind, MapWindow, Maps};
use crate::plan::{Heads, Op, Operand, Sizes};

/// Numbers of one map that is read back at most: 4,096 queries and keys.
pub const LARGEST_MAP: u64 = 1 << 24;

/// # Errors
/// [`Error::TooManyMaps`] for a map that is too large to be read back.
pub fn check_map(queries: usize, keys: usize) -> Result<(), Error> {
    let needed = (queries as u64).saturating_mul(keys as u64);
    if needed > LARGEST_MAP {
        return Err(Error::TooManyMaps { needed: needed.saturating_mul(4), limit: 4 * LARGEST_MAP });
    }
    Ok(())
}

/// Questions, and where their answers lie one after the other.
#[derive(Default)]
pub struct Questions {
    pub questions: Vec<Box<dyn Op>>,
    /// Numbers of each answer.
    pub counts: Vec<usize>,
    /// Numbers behind the answers that are not read: what one question leaves to another.
    pub room: usize,
}

impl Questions {
    /// Numbers of all answers, and those behind them.
    pub fn numbers(&self) -> u64 {
        self.counts.iter().map(|count| *count as u64).sum::<u64>() + self.room as u64
    }

    /// Every answer by itself.
    pub fn reads(&self) -> Vec<Read> {
        let mut first = 0;
        let read = |count: &usize| {
            let read = Read { of: Operand::Answer, first, count: *count };
            first += count;
            read
        };
        self.counts.iter().map(read).collect()
    }
}

/// One head of the first sequence: its map (queries, keys), its query rows and its key rows.
pub fn head_questions(heads: &Heads, head: usize, sizes: Sizes) -> Questions {
    let (queries, keys, head_size) = (heads.queries(sizes), heads.keys(sizes), heads.query.head_size);
    let counts = vec![queries * keys, queries * head_size, keys * head_size];
    let map = Maps {
        heads: *heads,
        kind: MapKind::Weight,
        sequence: 0,
        chosen: head..head + 1,
        window: MapWindow::whole(queries, keys),
        offset: 0,
    };
    let (query, key) = (heads.query.head(head), heads.key.head(heads.key_head(head)));
    let rows = CopyRows::to_answer(query, 0, queries, counts[0]);
    let key_rows = CopyRows::to_answer(key, 0, keys, counts[0] + counts[1]);
    Questions { questions: vec![Box::new(map), Box::new(rows), Box::new(key_rows)], counts, room: 0 }
}

/// Every head of the first sequence, at most `cell` rows and columns each: (layers, heads, side, side).
pub fn picture_questions(layers: &[Heads], cell: usize, sizes: Sizes) -> Questions {
    let mut questions: Vec<Box<dyn Op>> = Vec::new();
    let mut counts = Vec::new();
    for heads in layers {
        let (queries, keys, side) = (heads.queries(sizes), heads.keys(sizes), side(heads, sizes, cell));
        let maps = Maps {
            heads: *heads,
            kind: MapKind::Weight,
            sequence: 0,
            chosen: 0..heads.query.heads,
            window: MapWindow { queries: 0..queries, keys: 0..keys, rows: side, columns: side },
            offset: counts.iter().sum(),
        };
        counts.push(maps.numbers());
        questions.push(Box::new(maps));
    }
    Questions { questions, counts, room: 0 }
}

/// Rows and columns of a map in a picture, which is square: no more than there are tokens on its longer side.
pub fn side(heads: &Heads, sizes: Sizes, cell: usize) -> usize {
    heads.queries(sizes).max(heads.keys(sizes)).min(cell).max(1)
}

/// Maps of some heads of one sequence, as they are: (heads, queries, keys).
pub fn whole_maps(heads: &Heads, sequence: usize, chosen: std::ops::Range<usize>, sizes: Sizes) -> Questions {
    let window = MapWindow::whole(heads.queries(sizes), heads.keys(sizes));
    let maps = Maps { heads: *heads, kind: MapKind::Weight, sequence, chosen, window, offset: 0 };
    Questions { counts: vec![maps.numbers()], questions: vec![Box::new(maps)], room: 0 }
}

/// One head's map of the first sequence, pooled to so many rows and columns.
pub fn one_map(heads: &Heads, head: usize, kind: MapKind, [rows, columns]: [usize; 2], sizes: Sizes) -> Questions {
    let window = MapWindow { rows, columns, ..MapWindow::whole(heads.queries(sizes), heads.keys(sizes)) };
    let maps = Maps { heads: *heads, kind, sequence: 0, chosen: head..head + 1, window, offset: 0 };
    Questions { counts: vec![maps.numbers()], questions: vec![Box::new(maps)], room: 0 }
}

/// Tokens that statistics of heads are told of: the keys', and the queries' where those are of another text.
pub fn told_tokens(heads: &Heads, sizes: Sizes) -> usize {
    heads.keys(sizes) + if heads.crosses() { heads.queries(sizes) } else { 0 }
}

/// What every head does over the first sequence: its tokens, then (layers, heads, 10).
pub fn statistics(layers: &[Heads], sizes: Sizes) -> Questions {
    let mut questions: Vec<Box<dyn Op>> = Vec::new();
    let mut counts = vec![layers.first().map_or(0, |heads| told_tokens(heads, sizes))];
    for heads in layers {
        let queries = 0..heads.queries(sizes);
        let offset = counts.iter().sum();
        let asked = HeadStatistics { heads: *heads, sequence: 0, queries, with_padding: false, tokens: 0, offset };
        counts.push(asked.numbers());
        questions.push(Box::new(asked));
    }
    Questions { questions, counts, room: 0 }
}

/// What [`head_questions`] read.
pub fn head_maps(mut read: impl Iterator<Item = Vec<f32>>) -> HeadMaps {
    let mut next = || read.next().unwrap_or_default();
    HeadMaps { attention: next(), query: next(), key: next() }
}
