//! Models with quantised weights: they give the results of the dequantised weights, and results close to those of the file's own weights.

use crate::support::{Folder, assert_close, context, dequantised, golden, gpu, output};
use ropescope::kernels::Format;
use ropescope::plan::{Taps, TensorName};
use ropescope::runtime::{Device, LoadOptions, Model, Output, Request};
use safetensors::SafeTensors;
use safetensors::tensor::{Dtype, TensorView, serialize};

/// Masked and causal models, tied embeddings or not, factorised ones, grouped-query attention, fused projections, two ropes, head norms.
fn folders() -> Vec<Folder> {
    let names = ["tiny_masked_lm", "decoders/llama", "decoders/gpt_neox", "decoders/qwen3", "decoders/gemma3"];
    names.into_iter().chain(["readers/modernbert", "readers/esm"]).map(golden).collect()
}

fn load(folder: &Folder, file: &[u8], format: Option<Format>, device: &Device) -> Model {
    let options = LoadOptions { format, ..LoadOptions::default() };
    pollster::block_on(Model::load(device, &folder.config_json(), file, options)).unwrap()
}

/// The file with every matrix quantised and dequantised again.
fn dequantised_file(file: &[u8], format: Format) -> Vec<u8> {
    let tensors = SafeTensors::deserialize(file).unwrap();
    let of = |(name, view): (String, TensorView<'_>)| {
        assert_eq!(view.dtype(), Dtype::F32, "{name}");
        let numbers: Vec<f32> = view.data().as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
        let stays_f32 =
            ["token_type", "embed_positions", "inv_freq", "contact_head"].iter().any(|part| name.contains(part));
        let numbers = match *view.shape() {
            [_, columns] if !stays_f32 => dequantised(format, columns, &numbers),
            _ => numbers,
        };
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        (name, view.shape().to_vec(), bytes)
    };
    let owned: Vec<_> = tensors.tensors().into_iter().map(of).collect();
    let views =
        owned.iter().map(|(name, shape, bytes)| (name, TensorView::new(Dtype::F32, shape.clone(), bytes).unwrap()));
    serialize(views, None).unwrap()
}

fn results(model: &Model, folder: &Folder) -> Output {
    let taps: Taps =
        [TensorName::Attentions.at(0), TensorName::HiddenStates.at(1), TensorName::Written.at(0)].into_iter().collect();
    output(&context(model), &Request { taps, ..folder.request() })
}

/// Calls `check` with what each tensor is, its numbers with quantised weights, and those with the dequantised ones.
fn compare(device: &Device, formats: &[Format], check: impl Fn(&str, &[f32], &[f32])) {
    for folder in folders() {
        for &format in formats {
            let quantised = results(&load(&folder, &folder.file(), Some(format), device), &folder);
            let plain =
                results(&load(&folder, &dequantised_file(&folder.file(), format), Some(Format::F32), device), &folder);
            assert_eq!(quantised.taps.len(), 3, "{}", folder.name);
            let facts = folder.facts();
            let plain = plain.named(&facts);
            for (name, tensor) in quantised.named(&facts) {
                let what = format!("{}, {format:?}, {name}", folder.name);
                check(&what, &tensor.data, &plain[&name].data);
            }
        }
    }
}

#[test]
fn quantised_weights_compute_what_the_dequantised_do_on_the_cpu() {
    compare(&Device::Cpu, &[Format::F32, Format::F16, Format::BF16], |what, found, expected| {
        assert_close(what, found, expected, 1e-5);
    });
}

/// For int8 and int4 weights the CPU rounds x to 127 steps of its block's largest number, too: on average this moves a number by a few
/// hundredths at most.
#[test]
fn integer_weights_compute_what_the_dequantised_do_on_the_cpu_but_for_the_rounding_of_x() {
    compare(&Device::Cpu, &[Format::Int8, Format::Int4], |what, found, expected| {
        let sum = |terms: &mut dyn Iterator<Item = f32>| terms.map(f64::from).sum::<f64>();
        let moved = sum(&mut found.iter().zip(expected).map(|(found, expected)| (found - expected).abs()));
        let moved = moved / sum(&mut expected.iter().map(|number| number.abs()));
        assert!(moved < 0.06, "{what}: moved by {moved}");
    });
}

#[test]
fn quantised_weights_compute_what_the_dequantised_do_on_the_gpu() {
    compare(&gpu(), &Format::ALL, |what, found, expected| assert_close(what, found, expected, 1e-4));
}

/// Mean absolute change of the last hidden state, relative to its mean absolute value. f16 rounds to 11 bits, bf16 to 8; blocks of normally
/// distributed numbers reach to some 2.2 deviations, which int8 divides into 127 steps and int4 into 7. For both, x has 127 steps, too.
#[test]
fn quantisation_moves_results_by_no_more_than_its_rounding() {
    for folder in folders() {
        let mean = |output: &Output, than: Option<&Output>| {
            let of = |output: &Output| output.taps[&TensorName::HiddenStates.at(1)].data.clone();
            let zeros = vec![0.0; of(output).len()];
            let other = than.map_or(zeros, of);
            of(output).iter().zip(&other).map(|(a, b)| f64::from((a - b).abs())).sum::<f64>()
        };
        let exact = results(&load(&folder, &folder.file(), Some(Format::F32), &Device::Cpu), &folder);
        let mut before = 0.0;
        for (format, most) in [(Format::F16, 1e-3), (Format::BF16, 8e-3), (Format::Int8, 3e-2), (Format::Int4, 0.4)] {
            let quantised = results(&load(&folder, &folder.file(), Some(format), &Device::Cpu), &folder);
            let moved = mean(&quantised, Some(&exact)) / mean(&exact, None);
            assert!(moved > 0.0 && moved < most, "{}, {format:?}: {moved}", folder.name);
            assert!(
                moved > before || format == Format::Int8,
                "{}, {format:?}: {moved}, less than {before}",
                folder.name
            );
            before = moved;
        }
    }
}

/// A file of 16-bit numbers keeps them, and gives the results that they give as f32.
#[test]
fn as_stored_is_exact() {
    for name in ["float16", "bfloat16", "readers/modernbert_bfloat16"] {
        let folder = golden(name);
        for device in [Device::Cpu, gpu()] {
            let stored = load(&folder, &folder.file(), None, &device);
            let plain = load(&folder, &folder.file(), Some(Format::F32), &device);
            let (found, expected) =
                (output(&context(&stored), &folder.request()), output(&context(&plain), &folder.request()));
            assert!(found.report.bytes_allocated < expected.report.bytes_allocated, "{name}");
            assert_close(name, &found.result.unwrap().data, &expected.result.unwrap().data, 1e-5);
        }
    }
}
