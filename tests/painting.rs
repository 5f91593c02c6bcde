//! Pictures painted on the GPU equal those of the CPU painter to one colour step.

mod support;

use ropescope::backend::gpu::Gpu;
use ropescope::draw::{GridPainter, Layout, Palette, paint};
use ropescope::session::{Device, LayerMaps, Request, Selection};
use support::{Adapter, demo_model, golden, gpu, numbers, run};

/// Attention maps of a layer, (heads, length, length): rows between one-hot and uniform, a diagonal among the heads.
fn maps(layer: usize, heads: usize, length: usize) -> Vec<f32> {
    let drawn = numbers((layer * 100 + heads * 10 + length) as u64, heads * length * length);
    let mut maps: Vec<f32> = drawn.iter().map(|x| x.abs().powi(1 + 2 * layer as i32)).collect();
    for (head, map) in maps.chunks_exact_mut(length * length).enumerate() {
        for (query, row) in map.chunks_exact_mut(length).enumerate() {
            if (head + layer) % 3 == 1 {
                row.fill(0.0);
                row[query.saturating_sub(1)] = 1.0;
            }
            let total: f32 = row.iter().sum();
            row.iter_mut().for_each(|weight| *weight /= total.max(f32::MIN_POSITIVE));
        }
    }
    maps
}

fn upload(gpu: &Gpu, maps: &[f32]) -> wgpu::Buffer {
    let buffer = gpu.device().create_buffer(&wgpu::BufferDescriptor {
        label: Some("maps"),
        size: 4 * maps.len() as u64,
        usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    gpu.queue().write_buffer(&buffer, 0, bytemuck::cast_slice(maps));
    buffer
}

/// Entry i is a colour that no other entry has, and its neighbours' are one step away.
fn ramp() -> Palette {
    Palette::from_stops(&[0, 255, 0, 255, 0, 0])
}

/// The entry of the palette that a pixel shows.
fn entry(palette: &[u8], pixel: &[u8], what: &str) -> usize {
    let entry = palette.chunks_exact(3).position(|colour| colour == &pixel[..3]);
    assert_eq!(pixel[3], 255, "{what}: it is opaque");
    entry.unwrap_or_else(|| panic!("{what}: {pixel:?} is not in the palette"))
}

/// RGBA of both painters: cells to one step of the palette, the ground between them exactly.
fn assert_pictures(what: &str, layout: &Layout, layers: usize, heads: usize, found: &[u8], expected: &[u8]) {
    let (width, height) = layout.size(layers, heads);
    assert_eq!((found.len(), expected.len()), (4 * (width * height) as usize, found.len()), "{what}");
    let palette = layout.palette.bytes();
    let in_cell = |at: u32| at % (layout.cell + layout.gap) < layout.cell;
    for (index, (found, expected)) in found.chunks_exact(4).zip(expected.chunks_exact(4)).enumerate() {
        let (x, y) = (index as u32 % width, index as u32 / width);
        let what = format!("{what}: pixel ({x}, {y})");
        if in_cell(x) && in_cell(y) {
            let steps = entry(&palette, found, &what).abs_diff(entry(&palette, expected, &what));
            assert!(steps <= 1, "{what}: {found:?}, expected {expected:?}");
        } else {
            assert_eq!(found, expected, "{what}");
            assert_eq!(found, [&layout.ground[..], &[255]].concat(), "{what} is ground");
        }
    }
}

#[test]
fn gpu_paints_what_the_cpu_paints() {
    let adapter = Adapter::open();
    for (layers, heads) in [(1, 1), (2, 3), (3, 2), (4, 5)] {
        for (cell, gap) in [(1, 0), (1, 1), (7, 0), (16, 3), (33, 1)] {
            // Below, equal to and above the cell; multiples of it and others.
            for length in [1, 2, 7, 15, 16, 17, 33, 70] {
                let what =
                    format!("{layers} layers of {heads} heads, cells of {cell} and {gap} between, length {length}");
                let layout = Layout { cell, gap, palette: ramp(), ground: [10, 20, 30] };
                let maps: Vec<Vec<f32>> = (0..layers).map(|layer| maps(layer, heads, length)).collect();
                let buffers: Vec<wgpu::Buffer> = maps.iter().map(|map| upload(&adapter.gpu, map)).collect();
                let buffers: Vec<&wgpu::Buffer> = buffers.iter().collect();
                let painted = GridPainter::pixels(&adapter.gpu, &layout, &buffers, heads, length);
                let found = pollster::block_on(painted).unwrap();
                let maps: Vec<&[f32]> = maps.iter().map(Vec::as_slice).collect();
                assert_pictures(&what, &layout, layers, heads, &found, &paint(&layout, &maps, heads, length));
            }
        }
    }
    adapter.gpu.alive().unwrap();
}

/// A model's own maps, painted from its buffers: larger ones than the text needs, used before by another text.
#[test]
fn gpu_paints_a_models_maps() {
    for (folder, lengths) in [(golden("tiny_masked_lm"), vec![31, 5, 40]), (demo_model(), vec![9])] {
        let (mut on_gpu, mut on_cpu) = (folder.load(gpu()), folder.load(Device::Cpu));
        let config = folder.config();
        let (layers, heads) = (config.num_hidden_layers, config.num_attention_heads);
        for length in lengths {
            let request = Request { selection: Some(Selection { layer: 0, head: 0 }), ..folder.text(1, length) };
            run(&mut on_gpu, &request);
            run(&mut on_cpu, &request);
            let layout = Layout { cell: 24, gap: 2, palette: ramp(), ground: [255, 255, 255] };
            let LayerMaps::Gpu(buffers) = on_gpu.maps().unwrap().layers else { panic!("no maps on the GPU") };
            assert_eq!(buffers.len(), layers);
            let painted = GridPainter::pixels(on_gpu.gpu().unwrap(), &layout, &buffers, heads, length);
            let found = pollster::block_on(painted).unwrap();
            let what = format!("{}, length {length}", folder.name);
            // The same numbers by the other painter, and the other backend's numbers.
            let read = pollster::block_on(on_gpu.read_maps()).unwrap();
            let read: Vec<&[f32]> = read.iter().map(Vec::as_slice).collect();
            assert_pictures(&what, &layout, layers, heads, &found, &paint(&layout, &read, heads, length));
            let LayerMaps::Cpu(maps) = on_cpu.maps().unwrap().layers else { panic!("no maps in memory") };
            assert_pictures(&what, &layout, layers, heads, &found, &paint(&layout, &maps, heads, length));
        }
    }
}

/// Painting again creates nothing; other buffers take new bind groups.
#[test]
fn painting_again_creates_nothing() {
    let Adapter { gpu, .. } = &Adapter::open();
    let layout = |cell| Layout { cell, gap: 1, palette: ramp(), ground: [0; 3] };
    let texture = gpu.device().create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: wgpu::Extent3d { width: 64, height: 64, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba8Unorm,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
        view_formats: &[],
    });
    let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
    let buffers: Vec<wgpu::Buffer> = (0..3).map(|layer| upload(gpu, &maps(layer, 2, 9))).collect();
    let [first, second, third] = &buffers[..] else { unreachable!() };
    let mut painter = GridPainter::new(gpu, wgpu::TextureFormat::Rgba8Unorm, 2);
    let created = |painter: &mut GridPainter, layers: &[&wgpu::Buffer], cell, length| {
        let before = gpu.created();
        assert_eq!(painter.paint(gpu, &view, &layout(cell), layers, 2, length), layers.len());
        gpu.created() - before
    };
    assert_eq!(created(&mut painter, &[first, second], 20, 9), 2);
    for (cell, length) in [(20, 9), (20, 4), (31, 9)] {
        assert_eq!(created(&mut painter, &[first, second], cell, length), 0);
    }
    assert_eq!(created(&mut painter, &[first, third], 20, 9), 2);
    assert_eq!(created(&mut painter, &[third], 20, 9), 1);
    gpu.device().poll(wgpu::PollType::wait_indefinitely()).unwrap();
    gpu.alive().unwrap();
}
