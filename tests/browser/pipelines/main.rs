//! Prints every compute pipeline that the engine can build, as JSON: browsers' shader compilers accept less than naga does, so the
//! browser tests build each one.

use std::collections::BTreeMap;
use std::process::ExitCode;

use ropescope::Error;
use ropescope::model::{Architecture, Config, Model, Purpose};
use ropescope::plan::{Access, Capacity, Kernel, Tap, Taps};
use serde_json::{Value, json};

/// Rows of a large embedding are split at this size; the kernels are the same.
const BINDING_LIMIT: u64 = 128 << 20;

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

/// By entry point and constants: whatever chooses a kernel takes each of its values here.
fn pipelines() -> Result<BTreeMap<String, Value>, Error> {
    let mut pipelines = BTreeMap::new();
    for config in configs()? {
        let model = Model::declare(&config, Architecture::choose(&config, None));
        for purpose in purposes(model.architecture.predicts_tokens()) {
            for step in &model.record(&purpose)?.plan.steps {
                for dispatch in step.op.dispatches(BINDING_LIMIT) {
                    let kernel = dispatch.kernel;
                    let key = format!("{} {} {:?}", kernel.name, kernel.entry, kernel.constants);
                    pipelines.entry(key).or_insert_with(|| describe(&kernel));
                }
            }
        }
    }
    Ok(pipelines)
}

/// Every architecture, activation and way to write a model; sizes that divide by four, and others.
fn configs() -> Result<Vec<Config>, Error> {
    let mut configs = Vec::new();
    for architecture in ropescope::model::config::ARCHITECTURES {
        for activation in ["gelu", "relu", "silu"] {
            for (hidden, embedding, intermediate, heads) in
                [(32, 32, 64, 4), (32, 20, 37, 4), (18, 18, 37, 3), (30, 21, 44, 5)]
            {
                for rotary_value in [false, true] {
                    let config = json!({
                        "model_type": "roformer", "architectures": [architecture], "hidden_act": activation, "vocab_size": 99,
                        "hidden_size": hidden, "embedding_size": embedding, "intermediate_size": intermediate,
                        "num_attention_heads": heads, "num_hidden_layers": 1, "max_position_embeddings": 64,
                        "rotary_value": rotary_value, "is_decoder": architecture == "RoFormerForCausalLM",
                    });
                    configs.push(Config::parse(&config.to_string())?);
                }
            }
        }
    }
    Ok(configs)
}

fn purposes(predicts_tokens: bool) -> Vec<Purpose> {
    let capacity = Capacity { batch: 1, length: 8, rows: 1 };
    let taps = [
        Taps::none(),
        Taps::from_iter([Tap::HiddenStates(0), Tap::Attentions(0), Tap::Query(0), Tap::QueryRotated(0)]),
    ];
    let mut purposes = Vec::new();
    for taps in taps {
        for selects_heads in [false, true] {
            for (gathers, top_k) in if predicts_tokens { vec![(false, 0), (true, 5)] } else { vec![(false, 0)] } {
                // A head is selected from the maps and rows that taps keep.
                if !(selects_heads && taps.is_empty()) {
                    purposes.push(Purpose { capacity, taps: taps.clone(), selects_heads, gathers, top_k });
                }
            }
        }
    }
    purposes
}

fn describe(kernel: &Kernel) -> Value {
    let accesses = kernel.accesses.iter().map(|access| match access {
        Access::Read => "read-only-storage",
        Access::ReadWrite => "storage",
    });
    json!({
        "name": kernel.name,
        "entry": kernel.entry,
        "source": kernel.source,
        "constants": kernel.constants.iter().copied().collect::<BTreeMap<_, _>>(),
        "bindings": accesses.collect::<Vec<_>>(),
    })
}
