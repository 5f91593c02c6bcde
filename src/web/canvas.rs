//! The canvas on which a GPU paints the grid of all heads, from its own buffers.

use crate::backend::gpu::Gpu;
use crate::draw::{GridPainter, Layout, MapBuffer};
use crate::error::Error;
use crate::plan::Part;
use crate::runtime::{Grid, Run};
use web_sys::OffscreenCanvas;

pub struct Canvas {
    surface: wgpu::Surface<'static>,
    format: wgpu::TextureFormat,
    painter: Option<Box<GridPainter>>,
    size: (u32, u32),
}

impl Canvas {
    pub fn new(gpu: &Gpu, canvas: OffscreenCanvas) -> Result<Self, Error> {
        let (surface, format) = gpu.surface(wgpu::SurfaceTarget::OffscreenCanvas(canvas))?;
        Ok(Self { surface, format, painter: None, size: (0, 0) })
    }

    /// Paints the maps of one part of a run. Returns the number of dispatches and draws.
    pub fn paint(&mut self, gpu: &Gpu, run: &Run, part: Part, layout: &Layout) -> Result<usize, Error> {
        let Some(grid) = run.grid(part, layout.cell as usize)? else { return Ok(0) };
        let Grid { maps, layers, heads, side, dispatches } = grid;
        let size = layout.size(layers, heads);
        if self.size != size {
            configure(gpu, &self.surface, self.format, size);
            self.size = size;
        }
        let painter = match &mut self.painter {
            Some(painter) if painter.fits(layers, heads) => painter,
            painter => painter.insert(Box::new(GridPainter::new(gpu, self.format, layers, heads))),
        };
        let texture = match self.surface.get_current_texture() {
            wgpu::CurrentSurfaceTexture::Success(texture) | wgpu::CurrentSurfaceTexture::Suboptimal(texture) => texture,
            _ => {
                // The next picture configures the surface again.
                self.size = (0, 0);
                return Err(Error::CanvasRefused);
            }
        };
        let view = texture.texture.create_view(&wgpu::TextureViewDescriptor::default());
        let draws = painter.paint(gpu, &view, layout, &MapBuffer { buffer: &maps, layers, heads, side });
        gpu.queue().present(texture);
        Ok(dispatches + draws)
    }
}

fn configure(gpu: &Gpu, surface: &wgpu::Surface<'static>, format: wgpu::TextureFormat, (width, height): (u32, u32)) {
    surface.configure(
        gpu.device(),
        &wgpu::SurfaceConfiguration {
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
            format,
            color_space: Default::default(),
            width,
            height,
            present_mode: wgpu::PresentMode::Fifo,
            desired_maximum_frame_latency: 2,
            alpha_mode: wgpu::CompositeAlphaMode::Opaque,
            view_formats: Vec::new(),
        },
    );
}
