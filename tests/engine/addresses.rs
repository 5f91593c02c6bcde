//! Every number of attention, norms and embeddings that a run reads back, against the numbers that it is computed from.

use crate::support::{Folder, assert_close, context, golden, gpu, output};
use ropescope::backend::NeverCancelled;
use ropescope::error::Error;
use ropescope::model::Facts;
use ropescope::plan::{Part, Site, Taps, TensorName};
use ropescope::runtime::{Device, Output, PredictionRows, Request};
use safetensors::SafeTensors;

/// An encoder, decoders with groups of heads, normed heads, windows and parallel sublayers, readers, and encoder–decoders.
const FOLDERS: [&str; 11] = [
    "masked_lm",
    "decoders/llama",
    "decoders/qwen3",
    "decoders/mistral_window_padded_left",
    "decoders/gpt_neox",
    "decoders/gemma3",
    "decoders/roformer_padded_left",
    "readers/modernbert",
    "readers/esm",
    "pairs/marian",
    "pairs/bart",
];

/// The parts of a model that have heads.
fn parts(facts: &Facts) -> impl Iterator<Item = Part> {
    Part::ALL.into_iter().filter(|part| facts.has(*part))
}

/// The numbers of a tensor of a layer.
fn numbers(output: &Output, tensor: TensorName, layer: usize, part: Part) -> &[f32] {
    let site = tensor.at(layer).in_part(part);
    &output.taps.get(&site).unwrap_or_else(|| panic!("{site} was not read")).data
}

/// Queries, keys and values, as attention reads them.
fn operands(part: Part) -> [TensorName; 3] {
    match part {
        Part::Cross => [TensorName::Query, TensorName::Key, TensorName::Value],
        _ => [TensorName::QueryRotated, TensorName::KeyRotated, TensorName::Value],
    }
}

/// What attention reads and makes, of one layer.
fn compare_attention(what: &str, output: &Output, facts: &Facts, layer: usize, part: Part) {
    let of = |tensor| numbers(output, tensor, layer, part);
    let shape = &output.taps[&TensorName::Score.at(layer).in_part(part)].shape;
    let &[batch, heads, queries, keys] = &shape[..] else { panic!("{what}: {shape:?}") };
    let [unscaled, score, masked] = [TensorName::UnscaledScore, TensorName::Score, TensorName::MaskedScore].map(of);
    let [maximum, sum, weights] = [TensorName::ScoreMaximum, TensorName::ScoreSum, TensorName::Attentions].map(of);
    let scaled: Vec<f32> = unscaled.iter().map(|score| score * facts.scale as f32).collect();
    assert_close(&format!("{what}: scaled"), score, &scaled, 1e-6);
    let rows = || masked.chunks_exact(keys).zip(maximum);
    for (at, (row, maximum)) in rows().enumerate() {
        assert_eq!(row.iter().copied().fold(f32::MIN, f32::max), *maximum, "{what}: row {at}");
        for (key, (masked, score)) in row.iter().zip(&score[at * keys..]).enumerate() {
            let is_hidden = weights[at * keys + key] == 0.0;
            assert!(masked == score || (*masked < -1e38 && (is_hidden || *maximum < -1e38)), "{what}: {at}, {key}");
        }
    }
    let exponentials = rows().flat_map(|(row, maximum)| row.iter().map(move |score| f64::from(score - maximum).exp()));
    let exponentials: Vec<f64> = exponentials.collect();
    let sums: Vec<f32> = exponentials.chunks_exact(keys).map(|row| row.iter().sum::<f64>() as f32).collect();
    assert_close(&format!("{what}: sums"), sum, &sums, 1e-6);
    let expected: Vec<f32> =
        exponentials.iter().enumerate().map(|(at, number)| (number / f64::from(sum[at / keys])) as f32).collect();
    assert_close(&format!("{what}: weights"), weights, &expected, 1e-4);
    let (size, group) = (facts.head_size, facts.heads / facts.key_heads);
    let [query, key, value] = operands(part).map(of);
    let (mut products, mut sums) = (Vec::new(), Vec::new());
    for (text, head, row) in
        (0..batch).flat_map(|t| (0..heads).flat_map(move |h| (0..queries).map(move |row| (t, h, row))))
    {
        let key_row = |at: usize| ((text * facts.key_heads + head / group) * keys + at) * size;
        let query = &query[((text * heads + head) * queries + row) * size..][..size];
        let weights = &weights[((text * heads + head) * queries + row) * keys..][..keys];
        for at in 0..keys {
            let key = &key[key_row(at)..][..size];
            products.push(query.iter().zip(key).map(|(q, k)| f64::from(*q) * f64::from(*k)).sum::<f64>() as f32);
        }
        for column in 0..size {
            let terms = weights.iter().enumerate();
            sums.push(terms.map(|(at, weight)| f64::from(weight * value[key_row(at) + column])).sum::<f64>() as f32);
        }
    }
    assert_close(&format!("{what}: products"), unscaled, &products, 1e-4);
    assert_close(&format!("{what}: head outputs"), of(TensorName::Head), &sums, 1e-4);
}

fn attention_on(device: impl Fn() -> Device) {
    for folder in FOLDERS.map(golden) {
        let facts = folder.facts();
        let model = folder.load(device());
        for part in parts(&facts) {
            let of_part = facts.part(part);
            for layer in 0..of_part.layers {
                let tensors = [
                    TensorName::UnscaledScore,
                    TensorName::Score,
                    TensorName::MaskedScore,
                    TensorName::ScoreMaximum,
                    TensorName::ScoreSum,
                    TensorName::Attentions,
                    TensorName::Head,
                ];
                let taps =
                    tensors.into_iter().chain(operands(part)).map(|tensor| tensor.at(layer).in_part(part)).collect();
                let found = output(&context(&model), &Request { taps, ..folder.request_with_source() });
                compare_attention(&format!("{}, {part}, layer {layer}", folder.name), &found, of_part, layer, part);
            }
        }
    }
}

#[test]
fn scores_weights_and_head_outputs_follow_from_each_other_on_the_cpu() {
    attention_on(|| Device::Cpu);
}

#[test]
fn scores_weights_and_head_outputs_follow_from_each_other_on_the_gpu() {
    let device = gpu();
    attention_on(|| device.clone());
}

/// Mean and 1 / √(variance + ε) of rows of `width`; without the mean those of an RMS norm.
fn statistics(x: &[f32], width: usize, centres: bool, epsilon: f64) -> [Vec<f32>; 2] {
    let of_row = |row: &[f32]| {
        let mean = |power: i32, centre: f64| {
            row.iter().map(|x| (f64::from(*x) - centre).powi(power)).sum::<f64>() / width as f64
        };
        let centre = if centres { mean(1, 0.0) } else { 0.0 };
        [centre as f32, (1.0 / (mean(2, centre) + epsilon).sqrt()) as f32]
    };
    let rows: Vec<[f32; 2]> = x.chunks_exact(width).map(of_row).collect();
    [0, 1].map(|at| rows.iter().map(|row| row[at]).collect())
}

/// Norms of layer 1 of a model, each by its number and the terms whose sum it reads.
struct Norms {
    folder: &'static str,
    terms: &'static [(u8, &'static [&'static str])],
    is_layer_norm: bool,
    epsilon: f64,
    has_final: bool,
}

/// LayerNorms after sublayers, RMS norms and LayerNorms before them, of parallel sublayers, and before and after them.
const NORMS: [Norms; 7] = {
    let pre = Norms {
        folder: "",
        terms: &[(0, &["hidden_states.1"]), (1, &["layer.1.residual"])],
        is_layer_norm: true,
        epsilon: 1e-5,
        has_final: true,
    };
    [
        Norms {
            folder: "masked_lm",
            terms: &[(0, &["hidden_states.1", "layer.1.attention"]), (1, &["layer.1.residual", "layer.1.ffn"])],
            epsilon: 1e-12,
            has_final: false,
            ..pre
        },
        // Norm 1 is that of cross-attention.
        Norms {
            folder: "pairs/marian",
            terms: &[(0, &["hidden_states.1", "layer.1.attention"]), (2, &["layer.1.residual", "layer.1.ffn"])],
            has_final: false,
            ..pre
        },
        Norms { folder: "decoders/llama", is_layer_norm: false, ..pre },
        // Norms 1 and 3 are of the sublayers' outputs.
        Norms {
            folder: "decoders/gemma3",
            terms: &[(0, &["hidden_states.1"]), (2, &["layer.1.residual"])],
            is_layer_norm: false,
            epsilon: 1e-6,
            ..pre
        },
        Norms { folder: "decoders/gpt_neox", terms: &[(0, &["hidden_states.1"]), (1, &["hidden_states.1"])], ..pre },
        Norms { folder: "readers/modernbert", ..pre },
        Norms { folder: "readers/esm", ..pre },
    ]
};

#[test]
fn statistics_of_norms_are_those_of_what_they_read() {
    let device = gpu();
    let site = |name: &str| name.parse::<Site>().unwrap();
    for Norms { folder, terms, is_layer_norm, epsilon, has_final } in NORMS {
        let folder = golden(folder);
        let width = folder.facts().hidden_size;
        let of_layer =
            terms.iter().map(|(norm, terms)| (TensorName::NormMean(*norm), TensorName::NormScale(*norm), *terms));
        let residual: &[&str] = &["residual"];
        let last = has_final.then_some((TensorName::FinalNormMean, TensorName::FinalNormScale, residual));
        let norms: Vec<_> = of_layer.chain(last).collect();
        let tensors = norms.iter().flat_map(|(mean, scale, _)| [is_layer_norm.then_some(*mean), Some(*scale)]);
        let tensors = tensors.flatten().map(|tensor| tensor.at(1));
        let taps: Taps =
            tensors.chain(norms.iter().flat_map(|(.., terms)| terms.iter().map(|term| site(term)))).collect();
        for device in [Device::Cpu, device.clone()] {
            let request = Request { taps: taps.clone(), ..folder.request_with_source() };
            let found = output(&context(&folder.load(device)), &request);
            for (mean, scale, terms) in &norms {
                let terms: Vec<&[f32]> = terms.iter().map(|term| &found.taps[&site(term)].data[..]).collect();
                let x: Vec<f32> = (0..terms[0].len()).map(|at| terms.iter().map(|term| term[at]).sum()).collect();
                let [means, scales] = statistics(&x, width, is_layer_norm, epsilon);
                let what = format!("{}, {scale:?}", folder.name);
                if is_layer_norm {
                    assert_close(&what, numbers(&found, *mean, 1, Part::Decoder), &means, 1e-6);
                }
                let found = &found.taps[&scale.at(1)];
                assert_eq!(found.shape, [request.batch, request.length], "{what}");
                assert_close(&what, &found.data, &scales, 1e-5);
            }
        }
    }
    // An RMS norm has no mean.
    let folder = golden("decoders/llama");
    let request = Request { taps: Taps::from_iter([TensorName::NormMean(0).at(1)]), ..folder.request() };
    let error = pollster::block_on(context(&folder.load(Device::Cpu)).run(&request, &NeverCancelled)).err();
    assert_eq!(error, Some(Error::NoSuchTensor { site: "layer.1.norm.0.mean".into() }));
}

/// Rows of a tensor in the file.
fn rows(folder: &Folder, tensor: &str, rows: impl Iterator<Item = usize>, scale: f32) -> Vec<f32> {
    let file = folder.file();
    let tensors = SafeTensors::deserialize(&file).unwrap();
    let view = tensors.tensor(tensor).unwrap();
    let width = view.shape()[1];
    let numbers: Vec<f32> = view.data().as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes) * scale).collect();
    rows.flat_map(|row| numbers[row * width..][..width].to_vec()).collect()
}

#[test]
fn terms_of_the_embedding_are_rows_of_the_file() {
    let device = gpu();
    for device in [Device::Cpu, device] {
        let terms = |name: &str, sites: &[&str]| {
            let folder = golden(name);
            let request = folder.request_with_source();
            let taps = sites.iter().map(|site| site.parse::<Site>().unwrap()).collect();
            let found = output(&context(&folder.load(device.clone())), &Request { taps, ..request.clone() });
            let found =
                sites.iter().map(|site| found.taps[&site.parse::<Site>().unwrap()].data.clone()).collect::<Vec<_>>();
            (folder, request, found)
        };
        let ids = |ids: &[u32]| ids.iter().map(|id| *id as usize).collect::<Vec<_>>().into_iter();
        let (folder, request, found) = terms("masked_lm", &["embeddings.word", "embeddings.type"]);
        let types = request.token_type_ids.as_deref().unwrap();
        assert!(types.contains(&1));
        let prefix = "roformer.embeddings";
        let word = format!("{prefix}.word_embeddings.weight");
        assert_eq!(found[0], rows(&folder, &word, ids(&request.ids), 1.0));
        assert_eq!(found[1], rows(&folder, &format!("{prefix}.token_type_embeddings.weight"), ids(types), 1.0));

        let (folder, request, found) = terms("decoders/gemma3", &["embeddings.word", "hidden_states.0"]);
        assert_close("gemma3", &found[0], &found[1], 0.0);
        let scale = (folder.facts().hidden_size as f32).sqrt();
        assert_close("gemma3", &found[0], &rows(&folder, "model.embed_tokens.weight", ids(&request.ids), scale), 1e-6);

        let sites = ["embeddings.word", "embeddings.position"].map(|name| format!("decoder.{name}"));
        let (folder, request, found) = terms("pairs/bart", &sites.each_ref().map(|site| &site[..]));
        let scale = if folder.config_json().contains("\"scale_embedding\": true") {
            (folder.facts().hidden_size as f32).sqrt()
        } else {
            1.0
        };
        assert_close("bart", &found[0], &rows(&folder, "model.shared.weight", ids(&request.ids), scale), 1e-6);
        let positions = (0..request.batch).flat_map(|_| 2..request.length + 2);
        assert_eq!(found[1], rows(&folder, "model.decoder.embed_positions.weight", positions, 1.0));
    }
}

/// A LayerNorm with the gain and the shift of the file, from the tapped mean and scale. tensors: gain and shift.
fn layer_norm(folder: &Folder, tensors: [&str; 2], x: &[f32], [means, scales]: [&[f32]; 2]) -> Vec<f32> {
    let file = folder.file();
    let tensors_of_file = SafeTensors::deserialize(&file).unwrap();
    let [gain, shift] = tensors.map(|tensor| {
        let view = tensors_of_file.tensor(tensor).unwrap();
        view.data().as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect::<Vec<f32>>()
    });
    let of_row = |(row, (mean, scale)): (&[f32], (&f32, &f32))| {
        let columns = row.iter().zip(gain.iter().zip(&shift));
        columns.map(|(x, (gain, shift))| (x - mean) * scale * gain + shift).collect::<Vec<f32>>()
    };
    x.chunks_exact(gain.len()).zip(means.iter().zip(scales)).flat_map(of_row).collect()
}

#[test]
fn embeddings_are_summed_and_normed() {
    let device = gpu();
    let cases: [(&str, &str, [&str; 2]); 3] = [
        (
            "masked_lm",
            "embeddings.type",
            ["roformer.embeddings.LayerNorm.weight", "roformer.embeddings.LayerNorm.bias"],
        ),
        (
            "pairs/bart",
            "embeddings.position",
            ["model.decoder.layernorm_embedding.weight", "model.decoder.layernorm_embedding.bias"],
        ),
        (
            "decoders/roformer",
            "embeddings.type",
            ["roformer.embeddings.LayerNorm.weight", "roformer.embeddings.LayerNorm.bias"],
        ),
    ];
    for (name, added, norm) in cases {
        let folder = golden(name);
        for device in [Device::Cpu, device.clone()] {
            let names = [
                "embeddings.word",
                added,
                "embeddings",
                "embeddings.norm",
                "embeddings.norm.mean",
                "embeddings.norm.scale",
            ];
            let sites = names.map(|name| name.parse::<Site>().unwrap());
            let context = context(&folder.load(device));
            let plain = output(&context, &folder.request_with_source()).result.unwrap();
            let request = Request { taps: sites.into_iter().collect(), ..folder.request_with_source() };
            let found = output(&context, &request);
            let [word, added, sum, normed, mean, scale] = sites.each_ref().map(|site| &found.taps[site].data[..]);
            let expected: Vec<f32> = word.iter().zip(added).map(|(word, added)| word + added).collect();
            assert_close(&format!("{name}: sum"), sum, &expected, 1e-6);
            let expected = layer_norm(&folder, norm, sum, [mean, scale]);
            assert_close(&format!("{name}: norm"), normed, &expected, 1e-5);
            assert_close(&format!("{name}: result"), &found.result.unwrap().data, &plain.data, 1e-5);
        }
    }
    // A norm without a shift.
    let folder = golden("readers/modernbert");
    let taps =
        ["embeddings", "embeddings.norm.scale", "embeddings.norm.mean"].map(|name| name.parse::<Site>().unwrap());
    let found =
        output(&context(&folder.load(Device::Cpu)), &Request { taps: taps.into_iter().collect(), ..folder.request() });
    let [x, scale, mean] = taps.each_ref().map(|site| &found.taps[site].data[..]);
    let [means, scales] = statistics(x, folder.facts().hidden_size, true, 1e-5);
    assert_close("modernbert", scale, &scales, 1e-5);
    assert_close("modernbert", mean, &means, 1e-6);
}

/// Logits are of every token, whatever rows the result has, and before any penalty.
#[test]
fn logits_and_probabilities_are_of_every_token() {
    let device = gpu();
    let taps: Taps = [TensorName::Logits, TensorName::Probabilities].into_iter().map(|tensor| tensor.at(0)).collect();
    for name in ["masked_lm", "decoders/llama", "pairs/marian"] {
        let folder = golden(name);
        for device in [Device::Cpu, device.clone()] {
            let model = folder.load(device);
            let request = folder.request_with_source();
            let all = output(&context(&model), &request).result.unwrap();
            let rows = PredictionRows::At(vec![1]);
            let some = Request { taps: taps.clone(), rows, penalty: Some(3.0), ..request };
            let found = output(&context(&model), &some);
            let logits = &found.taps[&TensorName::Logits.at(0)];
            assert_eq!(logits.shape, all.shape, "{name}");
            assert_close(name, &logits.data, &all.data, 1e-5);
            let width = all.shape[2];
            let probabilities = numbers(&found, TensorName::Probabilities, 0, Part::Decoder);
            for (row, probabilities) in logits.data.chunks_exact(width).zip(probabilities.chunks_exact(width)) {
                let sum: f64 = row.iter().map(|logit| f64::from(*logit).exp()).sum();
                let expected: Vec<f32> = row.iter().map(|logit| (f64::from(*logit).exp() / sum) as f32).collect();
                assert_close(name, probabilities, &expected, 1e-6);
            }
        }
    }
    let folder = Folder::of_class("RoFormerForSequenceClassification").remove(0);
    let request = Request { taps, ..folder.request() };
    let error = pollster::block_on(context(&folder.load(Device::Cpu)).run(&request, &NeverCancelled)).err();
    assert_eq!(error, Some(Error::NoSuchTensor { site: "logits".into() }), "a head that reads the text as a whole");
}

/// A text that goes on from a cache has taps of every row.
#[test]
fn a_text_that_continues_has_every_row() {
    let device = gpu();
    let folder = golden("decoders/llama");
    let taps: Taps = [
        TensorName::WordEmbeddings,
        TensorName::MaskedScore,
        TensorName::ScoreSum,
        TensorName::Head,
        TensorName::NormScale(1),
        TensorName::Probabilities,
    ]
    .into_iter()
    .map(|tensor| tensor.at(1))
    .collect();
    let request = Request { taps, ..folder.text(2, 9) };
    let expected = output(&context(&folder.load(Device::Cpu)), &request);
    for device in [Device::Cpu, device] {
        let context = context(&folder.load(device));
        output(&context, &Request { continues: true, ..folder.text(2, 5) });
        let found = output(&context, &Request { continues: true, ..request.clone() });
        assert_eq!(found.taps.len(), 6);
        for (site, expected) in &expected.taps {
            assert_eq!(found.taps[site].shape, expected.shape, "{site}");
            assert_close(&site.to_string(), &found.taps[site].data, &expected.data, 1e-4);
        }
    }
}

/// Linear attention has no softmax.
#[test]
fn linear_attention_has_scores_alone() {
    let folder = golden("sources/linear");
    let run = |tensor: TensorName| {
        let request = Request { taps: Taps::from_iter([tensor.at(0)]), ..folder.request() };
        pollster::block_on(context(&folder.load(Device::Cpu)).run(&request, &NeverCancelled)).map(|(output, _)| output)
    };
    let device = gpu();
    for device in [Device::Cpu, device] {
        let tensors = [TensorName::UnscaledScore, TensorName::QueryRotated, TensorName::KeyRotated];
        let taps = tensors.into_iter().map(|tensor| tensor.at(0)).collect();
        let found = output(&context(&folder.load(device)), &Request { taps, ..folder.request() });
        let [scores, query, key] = tensors.map(|tensor| numbers(&found, tensor, 0, Part::Decoder));
        let (size, length) = (folder.facts().head_size, folder.request().length);
        let rows = |numbers: &'_ [f32]| numbers.chunks_exact(size * length).map(<[f32]>::to_vec).collect::<Vec<_>>();
        let products = rows(query).into_iter().zip(rows(key)).flat_map(|(query, key)| {
            let dot = |q: &[f32], k: &[f32]| q.iter().zip(k).map(|(q, k)| f64::from(q * k)).sum::<f64>() as f32;
            let of_query = |q: &[f32]| key.chunks_exact(size).map(|k| dot(q, k)).collect::<Vec<f32>>();
            query.chunks_exact(size).flat_map(of_query).collect::<Vec<f32>>()
        });
        assert_close("scores of feature maps", scores, &products.collect::<Vec<f32>>(), 1e-4);
    }
    for tensor in [TensorName::MaskedScore, TensorName::ScoreMaximum, TensorName::ScoreSum] {
        assert!(matches!(run(tensor), Err(Error::NoSuchTensor { .. })), "{tensor:?}");
    }
}
