//! Prints every compute pipeline that the engine can build, as JSON: browsers' shader compilers accept less than naga
//! does, so the browser tests build each one.

use std::collections::BTreeMap;
use std::process::ExitCode;

use ropescope::Error;
use ropescope::kernels::Format;
use ropescope::model::{Architecture, Attention, FAMILIES, Facts};
use ropescope::ops::{
    Append, CopyRows, EmbeddingWeights, Epilogue, HeadStatistics, LinearWeights, MapKind, MapWindow, Maps, MeanMap,
    RowNorms,
};
use ropescope::plan::{
    Access, Capacity, InterventionKinds, NumberTensors, Op, Part, Plan, PlanBuilder, PlanOptions, Sizes, Taps,
    TensorName, Weight,
};
use serde_json::{Value, json};

fn main() -> ExitCode {
    match pipelines() {
        Ok(pipelines) => {
            println!("{}", Value::from_iter(pipelines.into_values()));
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// By shader, conditions and constants: whatever chooses a kernel takes each of its values here.
fn pipelines() -> Result<BTreeMap<String, Value>, Error> {
    let mut pipelines = BTreeMap::new();
    let mut add = |ops: &[Box<dyn Op>]| {
        for op in ops {
            pipelines.entry(format!("{:?}", op.kernel())).or_insert_with(|| describe(&**op));
        }
    };
    for config in configs() {
        let model = Architecture::read(&config.to_string(), None)?;
        for options in all_options(&model.facts) {
            let plan = model.record(&options)?.plan;
            add(&questions(&plan));
            add(&plan.steps);
        }
    }
    // Rows of 1090 and 1092 numbers have 35 blocks: int4 and int8 are read by units that are no multiple of four words.
    let sizes = [(1, 20), (1, 1024), (1, 1090), (1, 1092), (1, 1250), (1, 8200), (8, 20), (8, 30), (8, 3100)];
    for (length, inner) in sizes {
        for f16 in [false, true] {
            add(&products(length, inner, f16)?.steps);
        }
    }
    Ok(pipelines)
}

/// Products with a weight of each format, whose rows are read by four numbers or by blocks and words, also in slices; and the same where
/// the last columns are appended to a cache. f16: for a GPU with 16-bit floats.
fn products(length: usize, inner: usize, f16: bool) -> Result<Plan, Error> {
    let capacity = Capacity { keys: 64, ..Capacity::new(1, length, 1) };
    let options = PlanOptions { splits_work: true, has_cache: true, ..PlanOptions::new(capacity) };
    let mut plan = PlanBuilder::new(PlanOptions { f16_weights: f16, f16_cache: f16, ..options });
    plan.set_formats([Format::F32].into_iter().chain(Format::ALL).collect());
    let word = Weight { index: 0, rows: 9, columns: inner };
    let x = plan.embedding(&EmbeddingWeights { word, added: None, norm: None, scale: 1.0 });
    for index in 1..=Format::ALL.len() {
        let weight = Weight { index, rows: 8, columns: inner };
        let append = Append { rotary: None, to: plan.cache_state(4), first: 4, columns: 4 };
        for epilogue in [Epilogue::None, Epilogue::Append(append)] {
            let y = plan.linear(x, &LinearWeights { weight, bias: None }, epilogue);
            plan.output(y);
        }
    }
    plan.finish()
}

/// Every family, class, activation and way to write a model; sizes that divide by four, and others.
fn configs() -> Vec<Value> {
    let mut configs = Vec::new();
    for (family, architecture) in
        FAMILIES.iter().flat_map(|family| family.architectures.iter().map(|name| (family.model_type, *name)))
    {
        for activation in ["gelu", "gelu_new", "relu", "silu"] {
            for (hidden, embedding, intermediate, heads) in
                [(32, 32, 64, 4), (32, 20, 37, 4), (18, 18, 37, 3), (30, 21, 44, 5), (32, 32, 1536, 4)]
            {
                let attentions: &[&str] =
                    if family == "roformer" { &["softmax", "linear", "linear_rotate_first"] } else { &["softmax"] };
                for (varies, attention) in
                    [false, true].into_iter().flat_map(|varies| attentions.iter().map(move |kind| (varies, kind)))
                {
                    configs.push(json!({
                        "model_type": family, "architectures": [architecture], "hidden_act": activation,
                        "hidden_activation": activation, "classifier_activation": activation, "norm_bias": varies,
                        "position_embedding_type": "rotary", "token_dropout": varies, "mask_token_id": 4,
                        "vocab_size": 99,
                        "hidden_size": hidden, "embedding_size": embedding, "intermediate_size": intermediate,
                        "num_attention_heads": heads, "num_key_value_heads": if varies { 1 } else { heads }, "num_hidden_layers": 1, "max_position_embeddings": 64,
                        "n_heads": heads, "n_layers": 1, "block_size": 64, "attention": attention,
                        "rotary_value": varies, "attention_bias": varies, "mlp_bias": varies,
                        "d_model": hidden, "encoder_layers": 1, "decoder_layers": 1, "encoder_attention_heads": heads,
                        "decoder_attention_heads": heads, "encoder_ffn_dim": intermediate, "decoder_ffn_dim": intermediate,
                        "activation_function": activation,
                        "tie_word_embeddings": varies, "head_dim": if intermediate == 64 { 8 } else { 6 }, "is_decoder": architecture == "RoFormerForCausalLM",
                    }));
                }
            }
        }
    }
    configs
}

fn all_options(facts: &Facts) -> Vec<PlanOptions> {
    let (predicts_tokens, causal) = (facts.predicts_tokens(), facts.causal);
    // Only scores after a softmax are scaled or clamped, and only there are values turned.
    let softmax = facts.attention == Attention::Softmax;
    let capacity = Capacity::new(1, 8, 1);
    let taps = [
        Taps::none(),
        Taps::from_iter([TensorName::HiddenStates.at(0), TensorName::Query.at(0), TensorName::QueryRotated.at(0)]),
    ];
    let mut options = Vec::new();
    for length in [32, 64 * 128] {
        // More rows than fill a small tile, and a long text.
        options.push(PlanOptions { splits_work: true, ..PlanOptions::new(Capacity::new(1, length, 1)) });
    }
    if causal {
        // A written token: few rows, few queries; after a short text and a long one.
        for keys in [8, 512] {
            let capacity = Capacity { keys, ..Capacity::new(1, 1, 1) };
            options.push(PlanOptions { has_cache: true, splits_work: true, ..PlanOptions::new(capacity) });
        }
        // A cache of f16: a decode step, a prefill, and one with interventions between projection and cache.
        for (length, intervenes) in [(1, false), (8, false), (8, true)] {
            let cached = PlanOptions {
                has_cache: true,
                splits_work: true,
                f16_weights: true,
                f16_cache: true,
                ..PlanOptions::new(Capacity::new(1, length, 1))
            };
            let clamps = intervenes && softmax && !facts.adds_positions;
            let max_distance = clamps.then_some(3);
            let interventions =
                InterventionKinds { scaled_queries: intervenes && softmax, max_distance, ..cached.interventions };
            options.push(PlanOptions { interventions, ..cached });
        }
    }
    if facts.encoder.is_some() {
        options.push(PlanOptions { part: Part::Encoder, keeps_heads: true, ..PlanOptions::new(capacity) });
    }
    for taps in taps {
        for keeps_heads in [false, true] {
            for cached in if causal { vec![false, true] } else { vec![false] } {
                // Fills, a penalty, losses of labels.
                let results = match predicts_tokens {
                    true => vec![(0, false, false), (5, false, true), (5, true, false)],
                    false => vec![(0, false, false)],
                };
                for (top_k, has_penalty, scores_labels) in results {
                    // Nothing is changed where queries and keys do not turn.
                    for intervenes in if facts.adds_positions { vec![false] } else { vec![false, true] } {
                        options.push(PlanOptions {
                            capacity,
                            part: Part::Decoder,
                            taps: taps.clone(),
                            keeps_heads,
                            has_cache: cached,
                            gathers_rows: top_k > 0,
                            top_k,
                            has_penalty,
                            has_bans: has_penalty && keeps_heads,
                            draws: has_penalty,
                            scores_labels,
                            has_lens: top_k > 0 && intervenes,
                            interventions: InterventionKinds {
                                pairs: intervenes,
                                heads: intervenes,
                                rotated_values: intervenes && softmax,
                                scaled_queries: intervenes && softmax,
                                max_distance: (intervenes && keeps_heads && softmax).then_some(3),
                                numbers: NumberTensors::new(
                                    NumberTensors::all().filter(|_| intervenes),
                                    facts.layers,
                                    1,
                                ),
                            },
                            splits_work: true,
                            f16_weights: false,
                            f16_cache: false,
                        });
                    }
                }
            }
        }
    }
    options
}

/// The probes about the heads of a run.
fn questions(plan: &Plan) -> Vec<Box<dyn Op>> {
    let sizes = Sizes::from(plan.capacity);
    let mut questions: Vec<Box<dyn Op>> = Vec::new();
    let values = Part::ALL.into_iter().flat_map(|part| plan.head_values(part));
    for (heads, values) in Part::ALL.into_iter().flat_map(|part| plan.heads(part)).zip(values) {
        for kind in [MapKind::Weight, MapKind::Score, MapKind::Unrotated, MapKind::RotationEffect] {
            let window = MapWindow::full(heads.queries(sizes), heads.keys(sizes));
            questions.push(Box::new(Maps { heads, kind, sequence: 0, head_range: 0..1, window, offset: 0 }));
        }
        let queries = 0..heads.queries(sizes);
        questions.push(Box::new(HeadStatistics {
            heads,
            sequence: 0,
            queries,
            with_padding: false,
            tokens: 0,
            offset: 0,
        }));
        let (sequence, head_range, heads_of) = (0, 0..heads.query.heads, heads.query.heads);
        for output in [None, Some(values.output)] {
            let (rows, head_range, count) = (values.view, head_range.clone(), heads.keys(sizes));
            questions.push(Box::new(RowNorms {
                rows,
                heads: heads_of,
                output,
                sequence,
                head_range,
                count,
                offset: 1,
            }));
        }
        for factors in [None, Some(5)] {
            let (head_range, share, accumulates) = (head_range.clone(), 0.5, factors.is_some());
            questions.push(Box::new(MeanMap { heads, sequence, head_range, factors, share, accumulates, offset: 2 }));
        }
        questions.push(Box::new(CopyRows::to_results(heads.key, 0, 1, 0)));
    }
    questions
}

fn describe(op: &dyn Op) -> Value {
    let bindings = op.uses().into_iter().map(|used| match used.access {
        Access::Read => "read-only-storage",
        Access::Write | Access::Change => "storage",
    });
    let kernel = op.kernel();
    json!({
        "name": kernel.shader,
        "source": kernel.wgsl(),
        "constants": kernel.constants.iter().copied().collect::<BTreeMap<_, _>>(),
        "bindings": bindings.collect::<Vec<_>>(),
    })
}
