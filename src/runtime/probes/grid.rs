//! Every head's map at once, pooled to small squares: the picture of all heads.

use crate::backend::{NeverCancelled, Reads};
use crate::error::Error;
use crate::plan::{Heads, Part, Sizes};
use crate::runtime::inner::{Inner, borrow};
use crate::runtime::probe_reads::{add_grid_probe, add_head_probe, pooled_side};
use crate::runtime::run::Run;
use crate::runtime::run_key::RunKey;

/// The maps of every head in a GPU's buffer: (layers, heads, side, side).
pub struct Grid {
    /// The buffer of the maps.
    pub maps: wgpu::Buffer,
    /// Layers of the part.
    pub layers: usize,
    /// Heads of a layer.
    pub heads: usize,
    /// Rows and columns of a map: its tokens, or fewer where they were pooled.
    pub side: usize,
    /// Dispatches that computed them.
    pub dispatches: usize,
}

impl Run {
    /// Every head's map of a part, pooled to at most `map_side` rows and columns, in a buffer of the GPU. `None` on the CPU, which computes
    /// maps one by one: [`Run::map`].
    ///
    /// # Errors
    /// No memory.
    pub fn grid(&self, part: Part, map_side: usize) -> Result<Option<Grid>, Error> {
        let inner = self.inner()?;
        let mut inner = borrow(&inner)?;
        let (layers, sizes, run) = inner.heads(self.key(), part)?;
        let first = *layers.first().ok_or(Error::NoHeads)?;
        let numbers = inner.prepare_grid(&run, &layers, sizes, map_side)?;
        let mut reads = Reads::default();
        let _ = add_grid_probe(&mut reads, &layers, map_side, sizes);
        inner.map_side = map_side;
        let (context_plan, states, _) = inner.locate_mut(&run)?;
        let maps = context_plan.device_plan.submit_probes(states.as_deref(), sizes, &reads, numbers)?;
        let (heads, side) = (first.query.heads, pooled_side(&first, sizes, map_side));
        let dispatches = reads.probes().len();
        Ok(maps.map(|maps| Grid { maps, layers: layers.len(), heads, side, dispatches }))
    }

    /// The numbers of [`Run::grid`] on any backend, (layers, heads, side, side), and the side of a map.
    ///
    /// # Errors
    /// Those of [`Run::grid`].
    pub async fn read_grid(&self, part: Part, map_side: usize) -> Result<(Vec<f32>, usize), Error> {
        let inner = self.inner()?;
        let mut inner = borrow(&inner)?;
        let (layers, sizes, run) = inner.heads(self.key(), part)?;
        let first = *layers.first().ok_or(Error::NoHeads)?;
        inner.prepare_grid(&run, &layers, sizes, map_side)?;
        let mut reads = Reads::default();
        let grid = add_grid_probe(&mut reads, &layers, map_side, sizes);
        let numbers = grid.take(&mut inner.probe(&run, &reads, &NeverCancelled).await?);
        Ok((numbers, pooled_side(&first, sizes, map_side)))
    }
}

impl Inner {
    /// Creates the buffers and bind groups of a question about any head, with room for the grid of the plan's longest text. Another head or
    /// a longer text then creates nothing. Returns the numbers of that grid.
    fn prepare_grid(&mut self, run: &RunKey, layers: &[Heads], sizes: Sizes, map_side: usize) -> Result<u64, Error> {
        let (context_plan, states, _) = self.locate_mut(run)?;
        let full = Sizes::from(context_plan.device_plan.plan().capacity);
        let (mut any, mut largest) = (Reads::default(), Reads::default());
        layers.iter().for_each(|heads| drop(add_head_probe(&mut any, heads, 0, sizes)));
        let _ = add_grid_probe(&mut largest, layers, map_side, full);
        context_plan.device_plan.prepare(states.as_deref(), &any, largest.result_numbers())?;
        Ok(largest.result_numbers())
    }
}
