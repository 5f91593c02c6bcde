//! Queries scaled by their token, before anything is made of them: Su's log-n scaling of scores (kexue.fm/archives/8823) is one.

use crate::kernels;
use crate::plan::{Input, Inputs, Kernel, Launch, Op, Operand, Plan, Sizes, Use, View};
use std::ops::Range;

struct ScaleQueries {
    query: View,
}

impl Plan {
    /// Multiplies the view's columns of each token with its query scale, in place: scores, maps and what is kept of the queries
    /// follow. The view is of a value over tokens.
    pub fn scale_queries(&mut self, query: View) {
        let width = match query.of {
            Operand::Value(value) => self.shape(value).fixed_width().filter(|_| self.shape(value).is_tokens()),
            _ => None,
        };
        if width != Some(query.stride) || query.first + query.width() > query.stride {
            return self.fail("query_scale", format!("queries are {}", query.describe()));
        }
        self.step(ScaleQueries { query });
    }
}

impl Op for ScaleQueries {
    fn name(&self) -> &'static str {
        "query_scale"
    }

    fn uses(&self) -> Vec<Use> {
        vec![Use::read(Input::QueryScales), Use::change(self.query.of)]
    }

    fn kernel(&self) -> Kernel {
        Kernel { name: "query_scale", source: shader!("query_scale"), entry: "main", constants: Vec::new() }
    }

    fn launch(&self, _rows: Range<usize>, sizes: Sizes) -> Launch {
        let (width, View { first, stride, .. }) = (self.query.width(), self.query);
        let numbers = sizes.tokens() * width;
        Launch::new(numbers.div_ceil(64), &[numbers, width, first, stride])
    }

    fn run(&self, inputs: &dyn Inputs, outputs: &mut [&mut [f32]], _sizes: Sizes) {
        let columns = self.query.first..self.query.first + self.query.width();
        let scales = inputs.numbers(Input::QueryScales);
        for (row, scale) in outputs[0].chunks_exact_mut(self.query.stride).zip(scales) {
            kernels::scale(&mut row[columns.clone()], *scale);
        }
    }
}
