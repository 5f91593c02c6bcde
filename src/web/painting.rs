//! The grid of all heads, which a GPU paints. On the CPU backend the worker paints it, head by head.

use super::canvas::Canvas;
use super::engine::Engine;
use super::model_contexts::{ModelContexts, model_contexts};
use super::names::BackendName;
use super::results::Pixels;
use crate::draw::{GridPainter, Layout, MapBuffer, Palette, paint};
use crate::error::Error;
use crate::runtime::{Device, Grid};
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::OffscreenCanvas;

#[wasm_bindgen]
impl Engine {
    /// Paints this canvas from now on. The CPU backend paints none.
    pub fn attach(&mut self, canvas: OffscreenCanvas) -> Result<(), Error> {
        let Device::Gpu(device) = &self.device else { return Ok(()) };
        self.canvas = Some(Canvas::new(&device.gpu, canvas)?);
        self.paint().map(drop)
    }

    /// Sets sizes, colours and order of the grid, and repaints. stops: (stops × 3) and ground: (3) sRGB bytes; order: the head at each
    /// place, (layers, heads), or empty.
    pub fn layout(&mut self, cell: u32, gap: u32, stops: &[u8], ground: &[u8], order: Vec<u32>) -> Result<(), Error> {
        let ground = ground.first_chunk().copied().unwrap_or([255; 3]);
        let (cell, gap) = (cell.clamp(1, 1024), gap.min(1024));
        let layout = Layout { cell, gap, palette: Palette::from_stops(stops), ground, order };
        if self.layout.as_ref() == Some(&layout) {
            return Ok(());
        }
        self.layout = Some(layout);
        self.paint().map(drop)
    }

    /// The pixels of the grid from one of its painters.
    #[wasm_bindgen(js_name = gridPixels)]
    pub async fn grid_pixels(&mut self, painter: BackendName) -> Result<Pixels, Error> {
        let layout = self.layout.as_ref().ok_or(Error::NoPicture)?;
        let ModelContexts { model, runs, .. } = model_contexts(&mut self.contexts)?;
        let (part, run) = runs.newest.as_ref().ok_or(Error::NoPicture)?;
        let (part, cell) = (*part, layout.cell as usize);
        let facts = model.facts().part(part);
        let (layers, heads) = (facts.layers, facts.heads);
        if painter == BackendName::Gpu {
            let gpu = model.gpu().ok_or(Error::NoGpuPainter)?;
            let Grid { maps, layers, heads, side, .. } = run.grid(part, cell)?.ok_or(Error::NoPicture)?;
            let pixels = GridPainter::pixels(gpu, layout, &MapBuffer { buffer: &maps, layers, heads, side }).await?;
            return Ok(Pixels::new(layout.size(layers, heads), pixels));
        }
        let (numbers, side) = run.read_grid(part, cell).await?;
        let maps: Vec<&[f32]> = numbers.chunks_exact((heads * side * side).max(1)).collect();
        Ok(Pixels::new(layout.size(layers, heads), paint(layout, &maps, heads, side)))
    }
}

impl Engine {
    /// Repaints the canvas if there is one. Returns the number of dispatches and draws.
    pub(super) fn paint(&mut self) -> Result<usize, Error> {
        let run = self.contexts.as_ref().and_then(|contexts| contexts.runs.newest.as_ref());
        let (Device::Gpu(device), Some(canvas), Some(layout), Some((part, run))) =
            (&self.device, &mut self.canvas, &self.layout, run)
        else {
            return Ok(0);
        };
        match canvas.paint(&device.gpu, run, *part, layout) {
            // A newer run is in flight and paints its own heads.
            Err(Error::Stale | Error::Busy) => Ok(0),
            painted => painted,
        }
    }
}
