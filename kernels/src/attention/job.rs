//! Attention as work for several threads. A chunk is a block of queries of one head, from scores to the weighted sum of values.

use super::mask::MaskPattern;
use crate::exp::exp_x8;
use crate::gemm::{PACKING_PAYS, PANEL, TILE_ROWS, gemv, interleave_rows, multiply_panels};
use crate::pool::{JobKind, Work};
use crate::simd::{F32x4, F32x8};

/// Queries of a block.
pub const QUERY_BLOCK: usize = 32;

/// Keys that are packed at once, and values that all queries of a block use before the next: they stay in the L1 cache.
const KEY_BLOCK: usize = 128;

/// Cost of turning a score into a weight, in multiply-adds.
const EXP: u64 = 32;

/// Rows of all heads side by side: (batch · pitch, stride), from the first head on.
#[repr(C)]
pub struct RawHeads {
    pub data: *const f32,
    /// Numbers from one row to the next.
    pub stride: usize,
    /// Rows from one sequence to the next.
    pub pitch: usize,
}

/// softmax(q kᵀ · scale + mask) v, of some query blocks.
#[repr(C)]
pub struct AttentionJob {
    /// (batch, length, heads · head size)
    pub head_outputs: *mut f32,
    /// (batch, statistics_pitch, heads, 2): each row's largest score, and its sum of e^(score − largest).
    pub statistics: *mut f32,
    pub statistics_pitch: usize,
    pub query: RawHeads,
    pub key: RawHeads,
    pub value: RawHeads,
    /// (batch, keys), added to scores.
    pub mask: *const f32,
    /// Query heads.
    pub heads: usize,
    /// Query heads that share a key head.
    pub group: usize,
    pub head_size: usize,
    /// Queries of a sequence.
    pub length: usize,
    /// Keys of a sequence.
    pub keys: usize,
    pub pattern: MaskPattern,
    pub scale: f32,
    /// The blocks `first .. end`, of (batch, heads, blocks of a head).
    pub first: usize,
    pub end: usize,
}

// SAFETY: no other work has this kind.
unsafe impl Work for AttentionJob {
    const KIND: JobKind = JobKind::Attention;

    fn cost(&self) -> u64 {
        let scores = (self.end - self.first) as u64 * (QUERY_BLOCK.min(self.length) * self.keys) as u64;
        scores * (2 * self.head_size as u64 + EXP)
    }

    /// Scores, packed keys, and interleaved rows.
    fn scratch(&self) -> usize {
        QUERY_BLOCK * self.score_stride() + KEY_BLOCK * self.head_size + TILE_ROWS * self.head_size.max(KEY_BLOCK)
    }

    #[inline(always)]
    unsafe fn run_chunks(&self, _threads: usize, scratch: *mut f32, mut next: impl FnMut() -> usize) {
        // SAFETY: `run_chunks` requires pointers that are valid for the shapes, which `attend` asserts, and scratch of this thread's own.
        unsafe { while self.run_chunk(next(), scratch) {} }
    }
}

impl AttentionJob {
    /// Scores of a query in scratch: the keys, up to whole panels.
    #[inline(always)]
    fn score_stride(&self) -> usize {
        self.keys.next_multiple_of(PANEL)
    }

    /// Runs chunk `chunk`; false past the last.
    ///
    /// # Safety
    /// The pointers are valid for their shapes. `scratch` has [`Work::scratch`] writable numbers. No other thread has this chunk or
    /// scratch.
    #[inline(always)]
    unsafe fn run_chunk(&self, chunk: usize, scratch: *mut f32) -> bool {
        let block = self.first + chunk;
        let blocks = self.length.div_ceil(QUERY_BLOCK);
        // Checked: a panic would need data, which the module that workers run does not have.
        let (Some(sequence_head), Some(block_in_head)) = (block.checked_div(blocks), block.checked_rem(blocks)) else {
            return false;
        };
        let (Some(sequence), Some(head)) =
            (sequence_head.checked_div(self.heads), sequence_head.checked_rem(self.heads))
        else {
            return false;
        };
        if block >= self.end {
            return false;
        }
        let first = block_in_head * QUERY_BLOCK;
        let count = QUERY_BLOCK.min(self.length - first);
        let key_head = head.checked_div(self.group).unwrap_or(0);
        // SAFETY: `sequence`, `head` and `first + count` are in bounds, because `block < end`; scores of `row < count` are in scratch, and
        // the keys `from .. to` among the sequence's keys.
        unsafe {
            let rows = |of: &RawHeads, head: usize, row: usize| {
                of.data.add((sequence * of.pitch + row) * of.stride + head * self.head_size)
            };
            let (query, key, value) =
                (rows(&self.query, head, first), rows(&self.key, key_head, 0), rows(&self.value, key_head, 0));
            let mask = self.mask.add(sequence * self.keys);
            let statistics = self.statistics.add(2 * ((sequence * self.statistics_pitch + first) * self.heads + head));
            let width = self.heads * self.head_size;
            let head_outputs = self.head_outputs.add((sequence * self.length + first) * width + head * self.head_size);
            let (mut from, mut to) = self.pattern.visible_to_block(first, count, self.keys);
            loop {
                self.score(scratch, query, key, count, (from, to));
                let (mut row, mut uniform) = (0, false);
                while row < count {
                    let (start, end) = self.pattern.visible(first + row);
                    let visible = (start.max(from) - from, end.max(from) - from);
                    let scores = scratch.add(row * self.score_stride() + from);
                    let row_statistics = statistics.add(2 * row * self.heads);
                    weigh_row(scores, to - from, mask.add(from), visible, row_statistics);
                    uniform |= *row_statistics == f32::MIN;
                    row += 1;
                }
                // A row whose keys are all masked is uniform over every key, visible to the block or not.
                if !uniform || to - from == self.keys {
                    break;
                }
                (from, to) = (0, self.keys);
            }
            self.sum_values((head_outputs, width), scratch, value, count, (from, to));
            let mut row = 0;
            while row < count {
                let total = *statistics.add(2 * row * self.heads + 1);
                scale_row(head_outputs.add(row * width), self.head_size, 1.0 / total);
                row += 1;
            }
        }
        true
    }

    /// The scores of `count` queries with the keys `from .. to`, in scratch.
    ///
    /// # Safety
    /// `scores` is the scratch, `query` and `key` are the first rows of the block and the sequence. `count <= QUERY_BLOCK`, `to <= keys`.
    /// `from` is a multiple of 8.
    #[inline(always)]
    unsafe fn score(
        &self,
        scores: *mut f32,
        query: *const f32,
        key: *const f32,
        count: usize,
        (from, to): (usize, usize),
    ) {
        let (size, stride) = (self.head_size, self.score_stride());
        // SAFETY: `row < count` and keys stay below `to`. A last panel may end after `to`, but not after the row's scores, which are whole
        // panels; the keys of a block are whole panels, too.
        unsafe {
            if count < PACKING_PAYS {
                let mut row = 0;
                while row < count {
                    let (query, key) = (query.add(row * self.query.stride), key.add(from * self.key.stride));
                    let scores = scores.add(row * stride + from);
                    gemv(scores, query, (key, self.key.stride), (size, to - from), self.scale);
                    row += 1;
                }
                return;
            }
            let packed = scores.add(QUERY_BLOCK * stride);
            let interleaved = packed.add(KEY_BLOCK * size);
            let mut first = from;
            while first < to {
                let end = to.min(first + KEY_BLOCK);
                let (mut panels, mut at) = (0, first);
                while at < end {
                    let (panel, rows) = (packed.add(panels * PANEL * size), key.add(at * self.key.stride));
                    interleave_rows(panel, PANEL, rows, self.key.stride, PANEL.min(end - at), size);
                    (panels, at) = (panels + 1, at + PANEL);
                }
                let out = (scores.add(first), stride);
                let (x, w) = ((query, self.query.stride), (packed.cast_const(), PANEL));
                multiply_panels(out, x, w, (PANEL * size, panels), (count, size), (self.scale, false), interleaved);
                first = end;
            }
        }
    }

    /// The sum of the values of the keys `from .. to` by their weights, which are not normalised yet.
    ///
    /// # Safety
    /// `weights` is the scratch, `head_outputs` and `value` are the first rows of the block and the sequence. `count <= QUERY_BLOCK` and
    /// `to <= keys`.
    #[inline(always)]
    unsafe fn sum_values(
        &self,
        (head_outputs, width): (*mut f32, usize),
        weights: *mut f32,
        value: *const f32,
        count: usize,
        (from, to): (usize, usize),
    ) {
        let (size, stride) = (self.head_size, self.score_stride());
        let panels = size / PANEL;
        // SAFETY: `row < count`, keys stay below `to`, columns below `size`; four rows of up to KEY_BLOCK weights have room after the keys.
        unsafe {
            let interleaved = weights.add(QUERY_BLOCK * stride + KEY_BLOCK * size);
            let mut first = from;
            while first < to {
                let keys = KEY_BLOCK.min(to - first);
                let (x, w) = (
                    (weights.add(first).cast_const(), stride),
                    (value.add(first * self.value.stride), self.value.stride),
                );
                let accumulate = (1.0, first > from);
                multiply_panels((head_outputs, width), x, w, (PANEL, panels), (count, keys), accumulate, interleaved);
                first += KEY_BLOCK;
            }
            let mut row = 0;
            while row < count {
                let mut column = panels * PANEL;
                while column < size {
                    let (mut sum, mut key) = (0.0, from);
                    while key < to {
                        sum += *weights.add(row * stride + key) * *value.add(key * self.value.stride + column);
                        key += 1;
                    }
                    *head_outputs.add(row * width + column) = sum;
                    column += 1;
                }
                row += 1;
            }
        }
    }
}

/// Replaces a query's scores by e^(score − largest), after adding `mask` to those of the visible keys `first .. end` and `f32::MIN` to all
/// others. Added, not −∞, as Hugging Face does: a row whose keys are all masked is uniform. Writes the largest score and the sum
/// of the results to `statistics`.
///
/// # Safety
/// `scores` has `keys` writable numbers, up to a multiple of 8; `mask` has `keys` readable and `statistics` two writable ones.
#[cfg_attr(target_arch = "wasm32", inline(never))]
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
unsafe fn weigh_row(
    scores: *mut f32,
    keys: usize,
    mask: *const f32,
    (first, end): (usize, usize),
    statistics: *mut f32,
) {
    let end = end.min(keys);
    let first = first.min(end);
    // SAFETY: `key < keys` before each single number, `key + 4 <= end` before each vector; what is after `keys` is below `padded`.
    unsafe {
        let mut key = 0;
        while key < keys {
            let visible = key >= first && key < end;
            *scores.add(key) += if visible { *mask.add(key) } else { f32::MIN };
            key += 1;
            while visible && key + F32x4::LANES <= end {
                F32x4::load(scores.add(key)).plus(F32x4::load(mask.add(key))).store(scores.add(key));
                key += F32x4::LANES;
            }
        }
        let padded = keys.next_multiple_of(F32x8::LANES);
        while key < padded {
            *scores.add(key) = f32::NEG_INFINITY;
            key += 1;
        }
        let mut largest = F32x8::splat(f32::MIN);
        let mut key = 0;
        while key < padded {
            largest = largest.max(F32x8::load(scores.add(key)));
            key += F32x8::LANES;
        }
        let largest = largest.largest();
        let shift = F32x8::splat(-largest);
        let mut sums = F32x8::splat(0.0);
        let mut key = 0;
        while key < padded {
            let weight = exp_x8(F32x8::load(scores.add(key)).plus(shift));
            weight.store(scores.add(key));
            sums = sums.plus(weight);
            key += F32x8::LANES;
        }
        *statistics = largest;
        *statistics.add(1) = sums.sum() as f32;
    }
}

/// # Safety
/// `row` has `count` writable numbers.
#[inline(always)]
unsafe fn scale_row(row: *mut f32, count: usize, factor: f32) {
    let mut at = 0;
    // SAFETY: `at + 4 <= count` for vectors and `at < count` for the tail.
    unsafe {
        while at + F32x4::LANES <= count {
            F32x4::load(row.add(at)).times(F32x4::splat(factor)).store(row.add(at));
            at += F32x4::LANES;
        }
        while at < count {
            *row.add(at) *= factor;
            at += 1;
        }
    }
}
