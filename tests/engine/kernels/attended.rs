//! Attention as the tests record it: queries, keys and values side by side in rows of a value or a state.

use crate::support::Bench;
use ropescope::ops::{MapKind, MapWindow, Maps};
use ropescope::plan::{Heads, Operand, Shape, Value, View};

/// The heads of a case.
#[derive(Debug, Clone, Copy)]
pub struct Of {
    pub heads: usize,
    pub key_heads: usize,
    pub head_size: usize,
    pub causal: bool,
    pub window: Option<usize>,
}

impl Of {
    /// As many key heads as heads, no window.
    pub fn new(heads: usize, head_size: usize, causal: bool) -> Self {
        Self { heads, key_heads: heads, head_size, causal, window: None }
    }

    /// Numbers of a row: queries, keys and values.
    pub fn width(self) -> usize {
        (self.heads + 2 * self.key_heads) * self.head_size
    }

    /// Queries, keys and values in such rows, without the first `gone` columns of each.
    pub fn views(self, of: Operand, gone: usize) -> [View; 3] {
        let view = |first: usize, heads| View {
            operand: of,
            first: (first * self.head_size).saturating_sub(gone),
            stride: self.width() - gone,
            heads,
            head_size: self.head_size,
        };
        let Self { heads, key_heads, .. } = self;
        [view(0, heads), view(heads, key_heads), view(heads + key_heads, key_heads)]
    }

    /// These queries and keys as heads.
    pub fn over(self, query: View, key: View, statistics: Operand) -> Heads {
        let scale = 1.0 / (self.head_size as f64).sqrt();
        Heads {
            query,
            key,
            statistics,
            causal: self.causal,
            window: self.window,
            scale: scale as f32,
            table: None,
            max_distance: None,
            linear: false,
        }
    }
}

/// Context and statistics of each token of the run; what heads are made of is kept for questions.
pub fn attend(bench: &mut Bench, projected: Value, of: Of) -> (Heads, [Value; 2]) {
    let [query, key, value] = of.views(projected.into(), 0);
    let statistics = bench.plan.value(Shape::tokens(2 * of.heads));
    let heads = of.over(query, key, statistics.into());
    let head_outputs = bench.plan.attention(heads, value);
    bench.plan.output(projected);
    bench.plan.output(statistics);
    (heads, [head_outputs, statistics])
}

/// Asks for all weights of all heads: (batch, heads, queries, keys).
pub fn probe_maps(bench: &mut Bench, heads: Heads) {
    let (queries, keys, head_range) = (heads.queries(bench.sizes), bench.sizes.keys(), 0..heads.query.heads);
    for sequence in 0..bench.sizes.batch {
        let (kind, window, head_range) = (MapKind::Weight, MapWindow::full(queries, keys), head_range.clone());
        bench.probe(head_range.len() * queries * keys, |offset| {
            Box::new(Maps { heads, kind, sequence, head_range, window, offset })
        });
    }
}
