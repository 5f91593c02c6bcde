//! The canvas that the grid of all heads is painted on: by the GPU from its own buffers, or by the CPU painter.

use crate::backend::gpu::Gpu;
use crate::draw::{GridPainter, Layout, Numbers, paint};
use crate::error::Error;
use crate::session::{Answer, Device, Picture, Session};
use wasm_bindgen::{Clamped, JsCast};
use web_sys::{ImageData, OffscreenCanvas, OffscreenCanvasRenderingContext2d};

/// A canvas keeps its kind for life.
pub enum Canvas {
    Gpu {
        surface: wgpu::Surface<'static>,
        format: wgpu::TextureFormat,
        painter: Option<Box<GridPainter>>,
        size: (u32, u32),
    },
    Cpu {
        canvas: OffscreenCanvas,
        context: OffscreenCanvasRenderingContext2d,
    },
}

impl Canvas {
    /// # Errors
    /// The canvas has another kind of context already.
    pub fn new(device: &Device, canvas: OffscreenCanvas) -> Result<Self, Error> {
        match device {
            Device::Gpu(device) => {
                let (surface, format) = device.gpu.surface(wgpu::SurfaceTarget::OffscreenCanvas(canvas))?;
                Ok(Canvas::Gpu { surface, format, painter: None, size: (0, 0) })
            }
            Device::Cpu => {
                let context = canvas.get_context("2d").ok().flatten();
                let context = context.and_then(|context| context.dyn_into::<OffscreenCanvasRenderingContext2d>().ok());
                let context = context.ok_or_else(|| Error::Gpu { reason: "the canvas gave no 2d context".into() })?;
                Ok(Canvas::Cpu { canvas, context })
            }
        }
    }

    /// Paints the maps of the last run; nothing before one. Returns the dispatches and draws on the GPU.
    ///
    /// # Errors
    /// A canvas that cannot be painted on.
    pub fn paint(&mut self, device: &Device, session: &mut Session, layout: &Layout) -> Result<usize, Error> {
        let Some(picture) = session.picture(layout.cell as usize)? else { return Ok(0) };
        let Picture { layers, heads, side, dispatches, .. } = picture;
        let wanted = layout.size(layers, heads);
        match (self, picture.answer, device) {
            (Canvas::Gpu { surface, format, painter, size }, Answer::Gpu(buffer), Device::Gpu(device)) => {
                let gpu = &device.gpu;
                if *size != wanted {
                    configure(gpu, surface, *format, wanted);
                    *size = wanted;
                }
                let painter = match painter {
                    Some(made) if made.serves(layers, heads) => made,
                    _ => painter.insert(Box::new(GridPainter::new(gpu, *format, layers, heads))),
                };
                let texture = match surface.get_current_texture() {
                    wgpu::CurrentSurfaceTexture::Success(texture)
                    | wgpu::CurrentSurfaceTexture::Suboptimal(texture) => texture,
                    _ => {
                        // Configured anew at the next picture.
                        *size = (0, 0);
                        return Err(Error::Gpu { reason: "the canvas gave nothing to paint on".into() });
                    }
                };
                let view = texture.texture.create_view(&wgpu::TextureViewDescriptor::default());
                let draws = painter.paint(gpu, &view, layout, &Numbers { buffer, layers, heads, side });
                gpu.queue().present(texture);
                Ok(dispatches + draws)
            }
            (Canvas::Cpu { canvas, context }, Answer::Cpu(numbers), _) => {
                let (width, height) = wanted;
                let maps: Vec<&[f32]> = numbers.chunks_exact(heads * side * side).take(layers).collect();
                let pixels = paint(layout, &maps, heads, side);
                if (canvas.width(), canvas.height()) != (width, height) {
                    canvas.set_width(width);
                    canvas.set_height(height);
                }
                let image = ImageData::new_with_u8_clamped_array_and_sh(Clamped(&pixels), width, height);
                let put = image.and_then(|image| context.put_image_data(&image, 0.0, 0.0));
                put.map(|()| 0).map_err(|_| Error::Gpu { reason: "the canvas took no picture".into() })
            }
            _ => Err(Error::Gpu { reason: "the canvas belongs to the other backend".into() }),
        }
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
