//! `ropescope run` against Hugging Face's numbers, through files and arguments alone.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use safetensors::{Dtype, SafeTensors};

use crate::program::{
    add_vocabulary, copy, empty_folder, failure, golden, repository, stdout, stdout_of, text, within,
};

pub type Tensors = BTreeMap<String, (Vec<usize>, Vec<f32>)>;

/// The f32 tensors of a file, and its integers as the command line takes them.
pub fn read(path: &Path) -> (Tensors, BTreeMap<String, String>) {
    let bytes = fs::read(path).unwrap();
    let (mut tensors, mut rows) = (BTreeMap::new(), BTreeMap::new());
    for (name, view) in SafeTensors::deserialize(&bytes).unwrap().iter() {
        match view.dtype() {
            Dtype::F32 => {
                let data = view.data().as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
                tensors.insert(name.to_string(), (view.shape().to_vec(), data));
            }
            Dtype::I64 => {
                let numbers: Vec<String> =
                    view.data().as_chunks().0.iter().map(|bytes| i64::from_le_bytes(*bytes).to_string()).collect();
                let lines: Vec<String> = numbers.chunks(view.shape()[1]).map(|row| row.join(",")).collect();
                rows.insert(name.to_string(), lines.join(";"));
            }
            other => panic!("{name} is {other:?}"),
        }
    }
    (tensors, rows)
}

/// Runs a golden folder and compares everything that it expects.
pub fn compare(case: &str, backend: &str, tolerance: f32) {
    let folder = golden(case);
    let (expected, rows) = read(&folder.join("expected.safetensors"));
    let output = empty_folder(&format!("run-{case}-{backend}")).join("out.safetensors");
    let mut arguments = vec!["run", "--model", text(&folder), "--ids", &rows["input_ids"]];
    arguments.extend(["--attention-mask", &rows["attention_mask"]]);
    if let Some(types) = rows.get("token_type_ids") {
        arguments.extend(["--token-type-ids", types]);
    } else {
        arguments.push("--beyond-length");
    }
    if let Some(text) = rows.get("decoder_input_ids") {
        let mask = &rows["decoder_attention_mask"];
        arguments.extend(["--decoder-ids", text, "--decoder-attention-mask", mask]);
    }
    let taps = if expected.contains_key("contacts") {
        "hidden_states,attentions,contacts"
    } else {
        "hidden_states,attentions"
    };
    arguments.extend(["--backend", backend, "--taps", taps, "--output", text(&output)]);
    let printed = stdout(&arguments);
    let (found, _) = read(&output);
    assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>(), "{case}");
    for (name, (shape, values)) in &expected {
        let (found_shape, found) = &found[name];
        assert_eq!(found_shape, shape, "{case}: {name}");
        let largest = values.iter().fold(1.0_f32, |largest, value| largest.max(value.abs()));
        for (found, value) in found.iter().zip(values) {
            // A comparison with NaN is false, so that NaN fails.
            let near = (found - value).abs() <= tolerance * largest;
            assert!(near, "{case}: {name}: {found} instead of {value}");
        }
        assert!(printed.contains(&format!("{name} {shape:?}\n")), "{case}: {name} is not in\n{printed}");
    }
}

#[test]
fn every_head_gives_hugging_faces_numbers() {
    for case in [
        "tiny_model",
        "tiny_masked_lm",
        "tiny_causal_lm",
        "tiny_sequence_classification",
        "tiny_token_classification",
        "tiny_question_answering",
        "masked_lm",
        "decoder_untied",
        "float16",
    ] {
        compare(case, "cpu", 1e-5);
    }
}

#[test]
fn the_gpu_gives_the_same() {
    compare("masked_lm", "gpu", 1e-4);
    compare("decoders/qwen3", "gpu", 1e-4);
    compare("readers/esm", "gpu", 1e-4);
}

#[test]
fn every_decoder_gives_hugging_faces_numbers() {
    let decoders = within("decoders");
    assert!(decoders.len() >= 60, "only {} decoders", decoders.len());
    decoders.iter().for_each(|case| compare(case, "cpu", 1e-5));
}

#[test]
fn every_reader_gives_hugging_faces_numbers() {
    let readers = within("readers");
    assert!(readers.len() >= 30, "only {} readers", readers.len());
    readers.iter().for_each(|case| compare(case, "cpu", 1e-5));
}

/// Queries, keys and values under the names that the library gives them; key heads are fewer where query heads share them.
#[test]
fn a_layers_heads_are_written_by_name() {
    let (folder, output) = (golden("decoders/llama"), empty_folder("run-heads").join("out.safetensors"));
    let arguments = ["run", "--model", text(&folder), "--ids", "2,5,7", "--backend", "cpu", "--output", text(&output)];
    stdout(&[&arguments[..], &["--taps", "query,key,value,query_rotated,key_rotated,written"]].concat());
    let (found, _) = read(&output);
    let mut expected = vec!["logits".to_string()];
    for layer in 0..2 {
        expected.extend(
            ["key", "key.rotated", "query", "query.rotated", "value", "written"]
                .map(|end| format!("layer.{layer}.{end}")),
        );
    }
    expected.sort();
    assert_eq!(found.keys().collect::<Vec<_>>(), expected.iter().collect::<Vec<_>>());
    assert_eq!(found["layer.1.query"].0, [1, 4, 3, 10]);
    assert_eq!(found["layer.1.key.rotated"].0, [1, 2, 3, 10]);
    assert_eq!(found["layer.1.written"].0, [1, 4, 3]);
    for (unrotated, rotated) in [("layer.0.query", "layer.0.query.rotated"), ("layer.0.key", "layer.0.key.rotated")] {
        let (before, after) = (&found[unrotated].1, &found[rotated].1);
        // At position 0 every angle is 0.
        assert_eq!(before[..10], after[..10], "{rotated}");
        assert_ne!(before[10..20], after[10..20], "{rotated}");
    }
}

#[test]
fn a_text_longer_than_the_model_is_made_for_runs_where_that_is_asked_for() {
    let (folder, output) = (golden("decoders/llama"), empty_folder("run-beyond").join("out.safetensors"));
    let ids = vec!["5"; 65].join(",");
    let arguments = ["run", "--model", text(&folder), "--ids", &ids, "--backend", "cpu", "--output", text(&output)];
    let refused = failure(&arguments);
    assert!(refused.contains("65 tokens, more than the 64") && refused.contains("beyond that length"), "{refused}");
    stdout(&[&arguments[..], &["--beyond-length"]].concat());
    assert_eq!(read(&output).0["logits"].0, [1, 65, 71]);
}

/// The interventions of tests/golden/generate_interventions.py.
#[test]
fn changes_are_asked_for_by_name() {
    let (expected, rows) = read(&repository("tests/golden/interventions.safetensors"));
    for (change, flags) in [
        ("zero", "--ablate-heads 0.1,1.0"),
        ("mean", "--ablate-heads-mean 0.0,1.1"),
        ("mean_and_zero", "--heads-off 0.0 --heads-mean 0.1"),
        ("rove", "--rove"),
        ("log_n", "--log-n 3"),
        ("rerope", "--rerope 2"),
        ("all", "--ablate-heads-mean 1.0 --rove --log-n 4 --rerope 3"),
    ] {
        let output = empty_folder(&format!("run-{change}")).join("out.safetensors");
        let folder = golden("decoders/llama");
        let of = |input: &str| rows[&format!("decoders/llama/{input}")].as_str();
        let arguments = ["run", "--model", text(&folder), "--ids", of("input_ids"), "--backend", "cpu"];
        let rest = ["--attention-mask", of("attention_mask"), "--output", text(&output)];
        stdout(&[&arguments[..], &rest, &flags.split(' ').collect::<Vec<_>>()].concat());
        let (found, expected) = (&read(&output).0["logits"], &expected[&format!("decoders/llama/{change}.logits")]);
        assert_eq!(found.0, expected.0, "{change}");
        let largest = expected.1.iter().fold(1.0_f32, |largest, value| largest.max(value.abs()));
        let near = |(found, value): (&f32, &f32)| (found - value).abs() <= 1e-5 * largest;
        assert!(found.1.iter().zip(&expected.1).all(near), "{change}");
    }
}

/// Every intervention by its site computes the numbers of its named option, bit for bit.
#[test]
fn an_intervention_by_its_site_equals_its_option() {
    let folder = golden("decoders/llama");
    let logits = |name: &str, flags: &[&str]| {
        let output = empty_folder(&format!("run-site-{name}")).join("out.safetensors");
        let arguments = ["run", "--model", text(&folder), "--ids", "2,5,7,11,3", "--backend", "cpu"];
        stdout(&[&arguments[..], &["--output", text(&output)], flags].concat());
        read(&output).0.remove("logits").unwrap().1
    };
    let plain = logits("plain", &[]);
    for (name, option, site) in [
        ("freeze", &["--freeze-pairs", "1.2:0-1"][..], "layer.1.query.rotated[2,*,p0-1]=frozen"),
        ("ablate", &["--ablate-pairs", "1.2:0-1"], "layer.1.query.rotated[2,*,p0-1]=zero"),
        ("zero", &["--ablate-heads", "0.3"], "layer.0.head[3,*,*]=zero"),
        ("mean", &["--ablate-heads-mean", "0.3"], "layer.0.head[3,*,*]=mean"),
        ("rove", &["--rove"], "layer.*.value=rotated"),
        ("log-n", &["--log-n", "3"], "layer.*.query.rotated=log-n:3"),
        ("clamp", &["--rerope", "2"], "layer.*.score=clamp:2"),
        ("neuron", &["--neurons-off", "1.3"], "ffn.1[*,3]=zero"),
        ("network", &["--neurons-off", "1"], "ffn.1[*,*]=0"),
    ] {
        let by_option = logits(name, option);
        assert_ne!(by_option, plain, "{name} changes nothing");
        assert_eq!(logits(name, &["--intervene", site]), by_option, "{name}");
    }
    let older = |name: &str, pairs: &str| logits(name, &[name, pairs]);
    assert_eq!(older("--stop-pairs", "1.2:0-1"), older("--freeze-pairs", "1.2:0-1"));
    assert_eq!(older("--cut-pairs", "1.2:0-1"), older("--ablate-pairs", "1.2:0-1"));
    let both = ["--intervene", "layer.0.head[3,*,*]=zero", "--intervene", "layer.*.value=rotated"];
    assert_eq!(logits("both", &both), logits("both", &["--heads-off", "0.3", "--rove"]));
    let arguments = ["run", "--model", text(&folder), "--ids", "2", "--backend", "cpu", "--output", "/dev/null"];
    let refused = failure(&[&arguments[..], &["--intervene", "layer.0.head"]].concat());
    assert!(refused.contains("layer.0.head") && refused.contains("give a site and zero"), "{refused}");
}

#[test]
fn one_site_is_written_alone() {
    let folder = golden("decoders/llama");
    let taps = |taps: &str| {
        let output = empty_folder("run-one-site").join("out.safetensors");
        let arguments = ["run", "--model", text(&folder), "--ids", "2,5,7", "--backend", "cpu"];
        stdout(&[&arguments[..], &["--taps", taps, "--output", text(&output)]].concat());
        read(&output).0
    };
    let (alone, all) = (taps("layer.0.query"), taps("query"));
    assert_eq!(alone.keys().collect::<Vec<_>>(), ["layer.0.query", "logits"]);
    assert_eq!(alone["layer.0.query"], all["layer.0.query"]);
    let of_layers = taps("layer.*.ffn,ffn.1.gate");
    assert_eq!(of_layers.keys().collect::<Vec<_>>(), ["ffn.1.gate", "layer.0.ffn", "layer.1.ffn", "logits"]);
    assert_eq!(of_layers["layer.1.ffn"], taps("layer.1.ffn")["layer.1.ffn"]);
    let arguments =
        ["run", "--model", text(&folder), "--ids", "2", "--output", "/dev/null", "--taps", "layer.0.querry"];
    let refused = failure(&arguments);
    assert!(refused.contains("'layer.0.querry'") && refused.contains("or a site as layer.2.query"), "{refused}");
    let model = ["run", "--model", text(&folder), "--ids", "2", "--output", "/dev/null"];
    let refused = failure(&[&model[..], &["--taps", "key,attentions.0[1,0,0]"]].concat());
    let lacks = failure(&[&model[..], &["--taps", "encoder.layer.*.ffn"]].concat());
    assert!(lacks.contains("encoder"), "a part that the model lacks is no empty list: {lacks}");
    assert!(refused.contains("attentions.0[1,0,0]"), "a comma in brackets separates no sites: {refused}");
}

#[test]
fn without_taps_only_the_result_is_written() {
    let output = empty_folder("run-no-taps").join("out.safetensors");
    let folder = golden("tiny_model");
    stdout(&["run", "--model", text(&folder), "--ids", "2, 5, 7", "--backend", "cpu", "--output", text(&output)]);
    let (found, _) = read(&output);
    assert_eq!(found.keys().collect::<Vec<_>>(), ["last_hidden_state"]);
    assert_eq!(found["last_hidden_state"].0, [1, 3, 32]);
}

#[test]
fn a_position_offset_changes_nothing_but_the_rounding() {
    let folder = golden("masked_lm");
    let logits = |offset: &str| {
        let output = empty_folder(&format!("run-offset-{offset}")).join("out.safetensors");
        let arguments = ["run", "--model", text(&folder), "--ids", "2,5,11,4,17", "--position-offset", offset];
        stdout(&[&arguments[..], &["--backend", "cpu", "--output", text(&output)]].concat());
        read(&output).0.remove("logits").unwrap().1
    };
    let (here, there) = (logits("0"), logits("5000"));
    assert_ne!(here, there, "the offset reaches the rotation");
    let largest = here.iter().fold(1.0_f32, |largest, value| largest.max(value.abs()));
    assert!(here.iter().zip(&there).all(|(here, there)| (here - there).abs() <= 1e-3 * largest));
}

#[test]
fn a_text_goes_through_the_models_tokenizer() {
    let folder = copy("tiny_masked_lm", "run-text");
    add_vocabulary(&folder);
    let output = folder.join("out.safetensors");
    let arguments = ["run", "--model", text(&folder), "--backend", "cpu", "--output", text(&output)];
    stdout(&[&arguments[..], &["--text", "The cat sat."]].concat());
    let (by_text, _) = read(&output);
    stdout(&[&arguments[..], &["--ids", "2,5,6,7,10,3"]].concat());
    assert_eq!(by_text, read(&output).0);
    for input in ["The cat sat.", "The cat sat.\n", "The cat sat.\r\n"] {
        stdout_of(input, &[&arguments[..], &["--text", "-"]].concat());
        assert_eq!(by_text, read(&output).0, "{input:?}");
    }
    let bundled = repository("models/roformer-english");
    let arguments = ["run", "--model", text(&bundled), "--text", "", "--backend", "cpu", "--output", text(&output)];
    stdout(&arguments);
    assert_eq!(read(&output).0["logits"].0[..2], [1, 2], "an empty text is [CLS] [SEP]");
}
