//! Paints the grid of all heads on the GPU, from maps that stay there.

use super::Layout;
use crate::backend::gpu::Gpu;
use crate::error::Error;
use crate::plan::{Parameter, ParameterType, parameters};
use crate::shaders;
use std::num::NonZeroU64;

parameters! {
    struct Params {
        cell: u32,
        gap: u32,
        length: u32,
        top: u32,
        first: u32,
        order: u32,
        heads: u32,
    }
}

/// Bytes of a binding of the parameters.
const PARAMETERS: u64 = size_of::<Params>().next_multiple_of(16) as u64;

/// Cached bind groups. During generation, prefill and decode plans are painted in turn.
const BUFFERS: usize = 4;

/// Paints grids of one size on one device, in one texture format. Its GPU objects are reused from picture to picture.
pub struct GridPainter {
    pipeline: wgpu::RenderPipeline,
    layout: wgpu::BindGroupLayout,
    /// The palette's colours, then the head at each place of each layer.
    palette: wgpu::Buffer,
    /// Parameters of each layer, `stride` bytes apart.
    parameters: wgpu::Buffer,
    stride: u64,
    /// Bind groups by buffer of maps, most recently used last.
    bind_groups: Vec<(wgpu::Buffer, wgpu::BindGroup)>,
}

fn palette_bytes(layers: usize, heads: usize) -> u64 {
    4 * (256 + layers * heads) as u64
}

/// Attention maps at the start of a buffer: f32, (layers, heads, side, side).
pub struct MapBuffer<'a> {
    pub buffer: &'a wgpu::Buffer,
    pub layers: usize,
    pub heads: usize,
    pub side: usize,
}

impl GridPainter {
    /// The layout of its shader's `Parameters`, for the test that compares them.
    pub const PARAMETERS: ParameterType = <Params as Parameter>::TYPE;

    pub fn new(gpu: &Gpu, format: wgpu::TextureFormat, layers: usize, heads: usize) -> Self {
        let device = gpu.device();
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some("head_grid"),
            source: wgpu::ShaderSource::Wgsl(shaders::resolve("head_grid/head_grid", &[]).into()),
        });
        let storage = wgpu::BufferBindingType::Storage { read_only: true };
        let types = [
            (storage, false, None),
            (storage, false, None),
            (wgpu::BufferBindingType::Uniform, true, NonZeroU64::new(PARAMETERS)),
        ];
        let entries: Vec<_> = types
            .into_iter()
            .zip(0..)
            .map(|((ty, has_dynamic_offset, min_binding_size), binding)| wgpu::BindGroupLayoutEntry {
                binding,
                visibility: wgpu::ShaderStages::FRAGMENT,
                ty: wgpu::BindingType::Buffer { ty, has_dynamic_offset, min_binding_size },
                count: None,
            })
            .collect();
        let layout = device
            .create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some("head_grid"), entries: &entries });
        let pipeline_layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("head_grid"),
            bind_group_layouts: &[Some(&layout)],
            immediate_size: 0,
        });
        gpu.count_created();
        let pipeline = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some("head_grid"),
            layout: Some(&pipeline_layout),
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some("cover"),
                compilation_options: Default::default(),
                buffers: &[],
            },
            primitive: Default::default(),
            depth_stencil: None,
            multisample: Default::default(),
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: Some("paint"),
                compilation_options: Default::default(),
                targets: &[Some(format.into())],
            }),
            multiview_mask: None,
            cache: None,
        });
        let stride = PARAMETERS.next_multiple_of(u64::from(device.limits().min_uniform_buffer_offset_alignment));
        let usage = wgpu::BufferUsages::COPY_DST;
        Self {
            pipeline,
            layout,
            palette: gpu.buffer("palette", palette_bytes(layers, heads), usage | wgpu::BufferUsages::STORAGE),
            parameters: gpu.buffer("grid", stride * layers.max(1) as u64, usage | wgpu::BufferUsages::UNIFORM),
            stride,
            bind_groups: Vec::new(),
        }
    }

    /// Whether its buffers have the size of this grid.
    pub fn fits(&self, layers: usize, heads: usize) -> bool {
        self.parameters.size() == self.stride * layers.max(1) as u64
            && self.palette.size() == palette_bytes(layers, heads)
    }

    /// Paints and submits. `view` has the pixels of [`Layout::size`]; `maps` has the painter's layers and heads. Returns the number of draws.
    pub fn paint(&mut self, gpu: &Gpu, view: &wgpu::TextureView, picture: &Layout, maps: &MapBuffer<'_>) -> usize {
        let MapBuffer { layers, heads, side, .. } = *maps;
        let (width, _) = picture.size(layers, heads);
        let mut words = picture.palette.packed();
        let places =
            (0..layers).flat_map(|layer| (0..heads).map(move |place| picture.head_at(layer, place, heads) as u32));
        words.extend(places);
        gpu.queue().write_buffer(&self.palette, 0, bytemuck::cast_slice(&words));
        for layer in 0..layers {
            let params = Params {
                cell: picture.cell,
                gap: picture.gap,
                length: side as u32,
                top: picture.top(layer),
                first: (layer * heads * side * side) as u32,
                order: (layer * heads) as u32,
                heads: heads as u32,
            };
            gpu.queue().write_buffer(&self.parameters, self.stride * layer as u64, bytemuck::bytes_of(&params));
        }
        self.bind(gpu, maps.buffer);
        let mut encoder = gpu.device().create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("paint") });
        let [red, green, blue] = picture.ground.map(|channel| f64::from(channel) / 255.0);
        {
            let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("paint"),
                color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                    view,
                    depth_slice: None,
                    resolve_target: None,
                    ops: wgpu::Operations {
                        load: wgpu::LoadOp::Clear(wgpu::Color { r: red, g: green, b: blue, a: 1.0 }),
                        store: wgpu::StoreOp::Store,
                    },
                })],
                ..Default::default()
            });
            pass.set_pipeline(&self.pipeline);
            if let Some((_, group)) = self.bind_groups.last() {
                for layer in 0..layers {
                    pass.set_bind_group(0, group, &[(self.stride * layer as u64) as u32]);
                    pass.set_scissor_rect(0, picture.top(layer), width, picture.cell);
                    pass.draw(0..3, 0..1);
                }
            }
        }
        gpu.queue().submit([encoder.finish()]);
        layers
    }

    /// Moves the bind group of this buffer to the end of the cache, and creates it if it is missing.
    fn bind(&mut self, gpu: &Gpu, numbers: &wgpu::Buffer) {
        if let Some(at) = self.bind_groups.iter().position(|(buffer, _)| buffer == numbers) {
            let group = self.bind_groups.remove(at);
            self.bind_groups.push(group);
            return;
        }
        if self.bind_groups.len() == BUFFERS {
            self.bind_groups.remove(0);
        }
        gpu.count_created();
        let entry = |binding, resource| wgpu::BindGroupEntry { binding, resource };
        let parameters = wgpu::BufferBinding { buffer: &self.parameters, offset: 0, size: NonZeroU64::new(PARAMETERS) };
        let group = gpu.device().create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("head_grid"),
            layout: &self.layout,
            entries: &[
                entry(0, numbers.as_entire_binding()),
                entry(1, self.palette.as_entire_binding()),
                entry(2, wgpu::BindingResource::Buffer(parameters)),
            ],
        });
        self.bind_groups.push((numbers.clone(), group));
    }

    /// Paints into a texture and reads it back, for files and tests. Returns RGBA bytes, (height, width, 4).
    pub async fn pixels(gpu: &Gpu, picture: &Layout, maps: &MapBuffer<'_>) -> Result<Vec<u8>, Error> {
        let (width, height) = picture.size(maps.layers, maps.heads);
        let format = wgpu::TextureFormat::Rgba8Unorm;
        let size = wgpu::Extent3d { width, height, depth_or_array_layers: 1 };
        let texture = gpu.device().create_texture(&wgpu::TextureDescriptor {
            label: Some("grid"),
            size,
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
            view_formats: &[],
        });
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        let mut painter = Self::new(gpu, format, maps.layers, maps.heads);
        painter.paint(gpu, &view, picture, maps);
        let row = (4 * width).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        let usage = wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC;
        let buffer = gpu.buffer("grid", u64::from(row) * u64::from(height), usage);
        let mut encoder = gpu.device().create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("grid") });
        encoder.copy_texture_to_buffer(
            texture.as_image_copy(),
            wgpu::TexelCopyBufferInfo {
                buffer: &buffer,
                layout: wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(row), rows_per_image: None },
            },
            size,
        );
        gpu.queue().submit([encoder.finish()]);
        let padded = gpu.read(&buffer, (row * height) as usize / 4).await?;
        let bytes: &[u8] = bytemuck::cast_slice(&padded);
        Ok(bytes.chunks_exact(row as usize).flat_map(|line| &line[..4 * width as usize]).copied().collect())
    }
}
