//! Pictures painted on the GPU equal those of the CPU painter to one colour step.

use crate::support::{Adapter, Bench, context_with_heads, demo_model, golden, gpu, numbers, run};
use ropescope::backend::NeverCancelled;
use ropescope::backend::gpu::Gpu;
use ropescope::draw::{GridPainter, Layout, MapBuffer, Palette, paint};
use ropescope::ops::{MapKind, MapWindow, Maps};
use ropescope::plan::{Heads, Input, Part, Shape, View};
use ropescope::runtime::{Device, Grid, HeadId, Model, Request, Run};

/// Maps of a layer, (heads, length, length): rows between one-hot and uniform, a diagonal among the heads.
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

/// RGBA of maps that lie on the GPU.
fn painted(gpu: &Gpu, layout: &Layout, maps: &MapBuffer<'_>) -> Vec<u8> {
    pollster::block_on(GridPainter::pixels(gpu, layout, maps)).unwrap()
}

/// RGBA of the same maps in memory, (layers, heads, side, side), by the other painter.
fn expected(layout: &Layout, maps: &[f32], layers: usize, heads: usize, side: usize) -> Vec<u8> {
    let layers: Vec<&[f32]> = maps.chunks_exact(maps.len() / layers).collect();
    paint(layout, &layers, heads, side)
}

#[test]
fn gpu_paints_what_the_cpu_paints() {
    let adapter = Adapter::open();
    for (layers, heads) in [(1, 1), (2, 3), (3, 2), (4, 5)] {
        for (cell, gap) in [(1, 0), (1, 1), (7, 0), (16, 3), (33, 1)] {
            // Below, equal to and above the cell; multiples of it and others.
            for side in [1, 2, 7, 15, 16, 17, 33, 70] {
                let what = format!("{layers} layers of {heads} heads, cells of {cell} and {gap} between, side {side}");
                // As numbered, or turned round in every layer but the last.
                let reversed = (0..(layers - 1) * heads).map(|place| (heads - 1 - place % heads) as u32);
                let order = if side % 2 == 0 { Vec::new() } else { reversed.collect() };
                let layout = Layout { cell, gap, palette: ramp(), ground: [10, 20, 30], order };
                let maps: Vec<f32> = (0..layers).flat_map(|layer| maps(layer, heads, side)).collect();
                let buffer = upload(&adapter.device.gpu, &maps);
                let found = painted(&adapter.device.gpu, &layout, &MapBuffer { buffer: &buffer, layers, heads, side });
                let expected = expected(&layout, &maps, layers, heads, side);
                assert_pictures(&what, &layout, layers, heads, &found, &expected);
            }
        }
    }
    adapter.device.gpu.check_alive().unwrap();
}

/// The grid of a run on a GPU: RGBA from where it lies, and the side of a map.
fn picture(model: &Model, run: &Run, layout: &Layout) -> (Vec<u8>, usize) {
    let Grid { maps, layers, heads, side, dispatches } =
        run.grid(Part::Decoder, layout.cell as usize).unwrap().unwrap();
    assert_eq!(dispatches, layers, "a grid is one dispatch a layer");
    (painted(model.gpu().unwrap(), layout, &MapBuffer { buffer: &maps, layers, heads, side }), side)
}

/// The picture of a run on the CPU, made head by head as the page makes it.
fn one_by_one(model: &Model, run: &Run, layout: &Layout) -> Vec<u8> {
    let (layers, heads) = (model.facts().layers, model.facts().heads);
    let mut numbers = Vec::new();
    let mut side = 0;
    for head in (0..layers * heads).map(|at| HeadId::new(at / heads, at % heads)) {
        let small = run.map(head, MapKind::Weight, layout.cell as usize, &NeverCancelled);
        let small = pollster::block_on(small).unwrap();
        numbers.extend(small.data);
        side = small.shape[0];
    }
    expected(layout, &numbers, layers, heads, side)
}

/// A model's own maps, of texts below and above the cell, before and after those of other lengths and cells; decoders
/// over a cache.
#[test]
fn gpu_paints_a_models_maps() {
    for (folder, lengths, continues) in [
        (golden("tiny_masked_lm"), vec![31, 5, 40, 70, 24], false),
        (golden("tiny_causal_lm"), vec![5, 6, 40, 41], true),
        (golden("decoders/llama"), vec![23, 40], true),
        (demo_model(), vec![9], false),
    ] {
        let (gpu_model, cpu_model) = (folder.load(gpu()), folder.load(Device::Cpu));
        let (on_gpu, on_cpu) = (context_with_heads(&gpu_model), context_with_heads(&cpu_model));
        let facts = folder.facts();
        let (layers, heads) = (facts.layers, facts.heads);
        for length in lengths {
            let request = Request { continues, ..folder.text(1, length) };
            let (_, gpu_run) = run(&on_gpu, &request);
            let (_, cpu_run) = run(&on_cpu, &request);
            assert!(cpu_run.grid(Part::Decoder, 9).unwrap().is_none(), "the CPU makes maps one by one");
            for cell in [24, 7] {
                let layout = Layout { cell, gap: 2, palette: ramp(), ground: [255, 255, 255], order: Vec::new() };
                let what = format!("{}, length {length}, cell {cell}", folder.name);
                let (found, side) = picture(&gpu_model, &gpu_run, &layout);
                assert_eq!(side, length.min(cell as usize), "{what}");
                // The same numbers by the other painter, and the other backend's numbers.
                let (read, read_side) = pollster::block_on(gpu_run.read_grid(Part::Decoder, cell as usize)).unwrap();
                assert_eq!((read.len(), read_side), (layers * heads * side * side, side), "{what}");
                assert_pictures(&what, &layout, layers, heads, &found, &expected(&layout, &read, layers, heads, side));
                assert_pictures(&what, &layout, layers, heads, &found, &one_by_one(&cpu_model, &cpu_run, &layout));
            }
        }
    }
}

/// A grid pools a head's own map: each number is the largest that it covers.
#[test]
fn a_grid_pools_the_heads_that_are_read() {
    let folder = golden("tiny_masked_lm");
    let (length, cell) = (37, 8);
    for model in [folder.load(gpu()), folder.load(Device::Cpu)] {
        let context = context_with_heads(&model);
        let (_, run) = run(&context, &folder.text(1, length));
        let (grid, side) = pollster::block_on(run.read_grid(Part::Decoder, cell)).unwrap();
        assert_eq!(side, cell);
        for (layer, head) in [(0, 0), (1, 3)] {
            let map = pollster::block_on(run.head(HeadId::new(layer, head), &NeverCancelled)).unwrap().attention;
            let pooled = &grid[(layer * folder.facts().heads + head) * cell * cell..][..cell * cell];
            for (at, found) in pooled.iter().enumerate() {
                let covered = |at: usize| at * length / cell..((at + 1) * length).div_ceil(cell);
                let numbers = covered(at / cell).flat_map(|row| &map[row * length..][covered(at % cell)]);
                let largest = numbers.fold(0.0f32, |most, number| most.max(*number));
                assert!(
                    (found - largest).abs() < 1e-6,
                    "layer {layer}, head {head}, pixel {at}: {found}, not {largest}"
                );
            }
        }
    }
}

/// A head that attends to its own token alone: however small the cell, its picture is a diagonal in the last colour.
#[test]
fn a_long_text_keeps_its_diagonal() {
    let adapter = Adapter::open();
    for (length, cell) in [(512usize, 16u32), (60, 60), (256, 4)] {
        let side = cell as usize;
        let mut bench = Bench::new(1, length, 0);
        bench.inputs.set(Input::KeyMask, vec![0.0_f32; length]);
        let x = bench.value(Shape::tokens(12), &numbers(length as u64, 12 * length));
        let view = |first| View { operand: x.into(), first, stride: 12, heads: 1, head_size: 4 };
        let statistics = bench.plan.value(Shape::tokens(2));
        let (query, key, window) = (view(0), view(4), Some(1));
        let heads = Heads {
            query,
            key,
            statistics: statistics.into(),
            causal: true,
            window,
            scale: 0.5,
            table: None,
            max_distance: None,
            linear: false,
        };
        bench.plan.attention(heads, view(8));
        [x, statistics].into_iter().for_each(|value| bench.plan.output(value));
        let window = MapWindow { rows: side, columns: side, ..MapWindow::full(length, length) };
        bench.probe(side * side, |offset| {
            Box::new(Maps { heads, kind: MapKind::Weight, sequence: 0, head_range: 0..1, window, offset })
        });
        let pooled = bench.run(&[], Some(&adapter)).swap_remove(0);
        let layout = Layout { cell, gap: 0, palette: ramp(), ground: [0; 3], order: Vec::new() };
        let buffer = upload(&adapter.device.gpu, &pooled);
        let found = painted(&adapter.device.gpu, &layout, &MapBuffer { buffer: &buffer, layers: 1, heads: 1, side });
        let palette = layout.palette.bytes();
        for (at, pixel) in found.chunks_exact(4).enumerate() {
            let expected = if at % (side + 1) == 0 { 255 } else { 0 };
            let what = format!("{length} tokens, pixel {at}");
            assert_eq!(entry(&palette, pixel, &what), expected, "{what}");
        }
    }
}

/// Painting again creates nothing, nor does painting from two buffers in turn; a buffer that is new takes a bind group.
#[test]
fn painting_again_creates_nothing() {
    let adapter = Adapter::open();
    let gpu = &adapter.device.gpu;
    let layout = |cell| Layout { cell, gap: 1, palette: ramp(), ground: [0; 3], order: Vec::new() };
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
    let numbers: Vec<f32> = (0..2).flat_map(|layer| maps(layer, 2, 9)).collect();
    let (first, second) = (upload(gpu, &numbers), upload(gpu, &numbers));
    let mut painter = GridPainter::new(gpu, wgpu::TextureFormat::Rgba8Unorm, 2, 2);
    assert!(painter.fits(2, 2) && !painter.fits(3, 2) && !painter.fits(2, 3));
    let mut created = |buffer: &wgpu::Buffer, layers, cell, side| {
        let before = gpu.created();
        assert_eq!(painter.paint(gpu, &view, &layout(cell), &MapBuffer { buffer, layers, heads: 2, side }), layers);
        gpu.created() - before
    };
    assert_eq!(created(&first, 2, 20, 9), 1);
    for (layers, cell, side) in [(2, 20, 9), (2, 20, 4), (1, 20, 9), (2, 31, 9)] {
        assert_eq!(created(&first, layers, cell, side), 0);
    }
    assert_eq!(created(&second, 2, 20, 9), 1);
    assert_eq!([&first, &second, &first].map(|buffer| created(buffer, 2, 20, 9)), [0; 3]);
    gpu.device().poll(wgpu::PollType::wait_indefinitely()).unwrap();
    gpu.check_alive().unwrap();
}
