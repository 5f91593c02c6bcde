//! The values that a run keeps: alike on both backends, and in the relations that the equations give them.

use crate::support::{Folder, assert_close, golden, gpu, run};
use ropescope::plan::{Tap, Taps};
use ropescope::rope::{self, Frequencies};
use ropescope::session::{Device, Output, Request};

/// Every tap of a layer.
const OF_LAYER: [fn(usize) -> Tap; 7] =
    [Tap::HiddenStates, Tap::Attentions, Tap::Query, Tap::Key, Tap::Value, Tap::QueryRotated, Tap::KeyRotated];

fn folders() -> [Folder; 5] {
    ["masked_lm", "masked_lm_rotary_value", "masked_lm_5_heads", "masked_lm_head_size_2", "causal_lm_padded"]
        .map(golden)
}

/// A run of a golden folder's inputs at an offset with these taps of every layer.
fn tapped(folder: &Folder, device: Device, position_offset: u64, taps: &[fn(usize) -> Tap]) -> Output {
    let layers = 0..folder.config().num_hidden_layers;
    let taps: Taps = layers.flat_map(|layer| taps.iter().map(move |tap| tap(layer))).collect();
    run(&mut folder.load(device), &Request { position_offset, taps, ..folder.request() })
}

#[test]
fn every_tap_agrees_between_cpu_and_gpu() {
    let device = gpu();
    for folder in folders() {
        let config = folder.config();
        let (cpu, gpu) = (tapped(&folder, Device::Cpu, 5, &OF_LAYER), tapped(&folder, device.clone(), 5, &OF_LAYER));
        assert_eq!(cpu.tensors.len(), OF_LAYER.len() * config.num_hidden_layers + 1, "{}", folder.name);
        assert_eq!(gpu.tensors.len(), cpu.tensors.len());
        let (request, heads) = (folder.request(), config.num_attention_heads);
        for (name, expected) in &cpu.tensors {
            let found = &gpu.tensors[name];
            let shape = match name.as_str() {
                "logits" => vec![request.batch, request.length, config.vocab_size],
                name if name.starts_with("hidden_states") => vec![request.batch, request.length, config.hidden_size],
                name if name.starts_with("attentions") => vec![request.batch, heads, request.length, request.length],
                _ => vec![request.batch, heads, request.length, config.head_size()],
            };
            assert_eq!((&found.shape, &expected.shape), (&shape, &shape), "{}: {name}", folder.name);
            assert_close(&format!("{}: {name}", folder.name), &found.data, &expected.data, 1e-4);
        }
    }
}

/// Rows (batch, heads, length, head_size), each turned to its position by the table: eq. 34 by hand.
fn rotate(rows: &[f32], head_size: usize, length: usize, offset: u64) -> Vec<f32> {
    let table = rope::table(&Frequencies::of_base(head_size, rope::BASE), offset, length);
    let positions = table.chunks_exact(head_size).cycle();
    let turned = rows.chunks_exact(head_size).zip(positions).flat_map(|(row, turns)| {
        row.chunks_exact(2).zip(turns.chunks_exact(2)).flat_map(|(x, turn)| {
            let [x, y, cos, sin] = [x[0], x[1], turn[0], turn[1]].map(f64::from);
            [(x * cos - y * sin) as f32, (y * cos + x * sin) as f32]
        })
    });
    turned.collect()
}

#[test]
fn rotated_rows_are_the_unrotated_turned_to_their_positions() {
    let device = gpu();
    for folder in folders() {
        let (head_size, length) = (folder.config().head_size(), folder.request().length);
        for (device, offset) in [(Device::Cpu, 0), (Device::Cpu, 100_000), (device.clone(), 7)] {
            let output = tapped(&folder, device.clone(), offset, &OF_LAYER);
            // Without the unrotated tap, the product's epilogue rotates.
            let fused = tapped(&folder, device, offset, &[Tap::QueryRotated, Tap::KeyRotated]);
            for layer in 0..folder.config().num_hidden_layers {
                for (unrotated, rotated) in
                    [(Tap::Query(layer), Tap::QueryRotated(layer)), (Tap::Key(layer), Tap::KeyRotated(layer))]
                {
                    let what = format!("{}: {rotated} from {offset}", folder.name);
                    let by_hand = rotate(&output.tensors[&unrotated.to_string()].data, head_size, length, offset);
                    assert_close(&what, &output.tensors[&rotated.to_string()].data, &by_hand, 1e-6);
                    let fused = &fused.tensors[&rotated.to_string()].data;
                    assert_close(&format!("{what}, fused"), fused, &by_hand, 1e-5);
                }
            }
        }
    }
}

/// A rotation turns each pair and keeps its length.
#[test]
fn rotation_keeps_norms() {
    for folder in folders() {
        for offset in [0, 3, 100_000] {
            let output = tapped(&folder, Device::Cpu, offset, &OF_LAYER);
            for layer in 0..folder.config().num_hidden_layers {
                for (unrotated, rotated) in
                    [(Tap::Query(layer), Tap::QueryRotated(layer)), (Tap::Key(layer), Tap::KeyRotated(layer))]
                {
                    let norms = |tap: Tap| {
                        let pairs = output.tensors[&tap.to_string()].data.chunks_exact(2);
                        pairs.map(|pair| pair[0].hypot(pair[1])).collect::<Vec<f32>>()
                    };
                    let what = format!("{}: pairs of {rotated} from {offset}", folder.name);
                    assert_close(&what, &norms(rotated), &norms(unrotated), 1e-6);
                }
            }
        }
    }
}
