//! Every way to fail ends with status 1 and one line that names the thing.

use std::fs;
use std::path::Path;

use serde_json::json;

use crate::program::{add_vocabulary, copy, empty_folder, failure, golden, repository, set, text};

fn assert_says(arguments: &[&str], words: &[&str]) {
    let line = failure(arguments);
    for word in words {
        assert!(line.contains(word), "{arguments:?}: {word:?} is not in: {line}");
    }
}

/// Runs the tiny masked language model on ids, which must fail with these words.
fn run_says(folder: &Path, more: &[&str], words: &[&str]) {
    let output = Path::new(env!("CARGO_TARGET_TMPDIR")).join("never.safetensors");
    assert_says(
        &[&["run", "--model", text(folder), "--backend", "cpu", "--output", text(&output)], more].concat(),
        words,
    );
    assert!(!output.exists());
}

fn inspect_says(folder: &Path, words: &[&str]) {
    assert_says(&["inspect", "--model", text(folder)], words);
    run_says(folder, &["--ids", "2,5,3"], words);
}

#[test]
fn arguments() {
    assert_says(&[], &["no command"]);
    assert_says(&["fly"], &["unrecognized subcommand 'fly'"]);
    assert_says(&["decay", "--head-dimension", "8"], &["unexpected argument '--head-dimension'"]);
    assert_says(&["run", "--backend", "tpu"], &["'tpu'", "auto, gpu, cpu"]);
    assert_says(&["inspect"], &["--model <DIR>"]);
    assert_says(&["run", "--model", "m", "--output", "o"], &["--text", "--ids"]);
    assert_says(&["run", "--model", "m", "--output", "o", "--ids", "1", "--text", "a"], &["cannot be used with"]);
    assert_says(&["run", "--model", "m", "--ids", "1"], &["--output <FILE>"]);
    assert_says(&["run", "--model", "m", "--ids", "1", "--output", "o", "--taps", "logit"], &["'logit'", "attentions"]);
    assert_says(&["run", "--model", "m", "--ids", "1", "--output", "o", "--position-offset", "-1"], &["-1"]);
    assert_says(&["decay", "--head-dim", "7", "--base", "10000", "--max-distance", "8"], &["--head-dim 7", "even"]);
    assert_says(&["decay", "--head-dim", "x"], &["'x'", "--head-dim"]);
    assert_says(&["decay", "--head-dim", "0"], &["--head-dim 0"]);
    assert_says(&["decay", "--max-distance", &usize::MAX.to_string()], &["--max-distance"]);
    assert_says(&["decay", "--base", "0"], &["--base 0"]);
    assert_says(&["decay", "--base", "NaN"], &["--base NaN"]);
    assert_says(&["decay", "--base", "1e4", "--base", "-1"], &["-1"]);
    assert_says(&["decay", "--curve", "falling"], &["'falling'", "bound", "cosines"]);
}

#[test]
fn settings_out_of_range() {
    let masked = golden("tiny_masked_lm");
    run_says(
        &masked,
        &["--ids", "2,5", "--position-offset", "1099511627777"],
        &["offset 1099511627777", "1099511627776"],
    );
    let (lengths, sizes) = (["--lengths", "64,65536"], ["--head-sizes", "1024"]);
    assert_says(&[&["bench-rotation", "--backend", "cpu"], &lengths[..], &sizes].concat(), &["65536", "1024"]);
    assert_says(&["bench-rotation", "--backend", "cpu", "--head-sizes", "7"], &["even head size"]);

    let generate = |folder: &Path, more: &[&str], words: &[&str]| {
        let model = ["generate", "--model", text(folder), "--backend", "cpu", "--ids", "2,5"];
        assert_says(&[&model[..], more].concat(), words);
    };
    generate(&masked, &[], &["RoFormerForMaskedLM", "not causal", "causal language model"]);
    let llama = golden("decoders/llama");
    generate(&llama, &["--repetition-penalty", "1e300"], &["repetition_penalty is 1e300,", "from 1e-20 to"]);
    generate(&llama, &["--repetition-penalty", "1e-40"], &["repetition_penalty is 1e-40,", "from 1e-20 to"]);

    generate(&llama, &["--cache", "f16"], &["the CPU has no exact 16-bit floats", "leave the cache as f32"]);

    let model = repository("models/roformer-english");
    let book = empty_folder("errors-book").join("book.txt");
    fs::write(&book, "The cat sat on the mat. ".repeat(100)).unwrap();
    let heads = |more: &[&str], words: &[&str]| {
        assert_says(&[&["heads", "--model", text(&model), "--text-file", text(&book)], more].concat(), words);
    };
    heads(&["--rows", "0"], &["--rows 0", "one stretch"]);
    heads(&["--length", "2"], &["--length 2", "no room"]);
    heads(&["--length", "500000"], &["too few"]);
}

#[test]
fn scores() {
    let folder = golden("tiny_masked_lm");
    let says = |more: &[&str], words: &[&str]| {
        let model = ["score", "--model", text(&folder), "--backend", "cpu"];
        assert_says(&[&model[..], more].concat(), words);
    };
    let place = |layer, head, query| ["--layer", layer, "--head", head, "--query", query, "--key", "0"];
    says(&place("0", "0", "0"), &["--text", "--ids"]);
    says(&[&["--ids", "2,5,3"][..], &place("0", "0", "3")].concat(), &["--query 3", "3 tokens"]);
    says(&[&["--ids", "2,5;3,5"][..], &place("0", "0", "0")].concat(), &["2 rows"]);
    says(&[&["--ids", "2,5,3"][..], &place("99", "0", "0")].concat(), &["99"]);
    says(&[&["--ids", "2,5,3"][..], &place("0", "99", "0")].concat(), &["99"]);
    says(&[&["--ids", "2,5"][..], &place("0", "0", "0"), &["--max-distance", "9999999"]].concat(), &["--max-distance"]);
}

#[test]
fn ropes() {
    let scaled = |settings: &str, words: &[&str]| assert_says(&["rope", "--scaling", settings], words);
    assert_says(&["rope", "--head-dim", "7"], &["head_dim is 7", "even"]);
    assert_says(&["rope", "--base", "0"], &["rope_theta is 0"]);
    assert_says(&["rope", "--base", "NaN"], &["rope_theta is NaN"]);
    assert_says(&["rope", "--length", "-1"], &["'-1'"]);
    assert_says(&["rope", "--max-position-embeddings", "0"], &["max_position_embeddings is 0"]);
    scaled("{", &["--scaling is no JSON", "line 1"]);
    scaled("[]", &["a list", "an object of settings"]);
    scaled(r#"{"rope_type":"mrope"}"#, &["\"mrope\"", "supported are \"default\""]);
    scaled(r#"{"rope_type":"mr\nope"}"#, &["rope type", "does not run here"]);
    scaled(r#"{"rope_type":"linear","factor":-1}"#, &["factor is -1", "a number above 0"]);
    scaled(r#"{"rope_type":"dynamic","factor":2}"#, &["type dynamic", "--max-position-embeddings N"]);
    let longrope =
        r#"{"type":"longrope","factor":2,"short_factor":[1],"long_factor":[1],"original_max_position_embeddings":8}"#;
    scaled(longrope, &["short_factor is a list of 1", "must be a list of 32"]);
}

#[test]
fn folders() {
    let missing = repository("models/no-such-model");
    inspect_says(&missing, &["no-such-model", "no such file or folder"]);
    let folder = empty_folder("errors-empty");
    inspect_says(&folder, &["model.safetensors", "no such file"]);
    fs::write(folder.join("model.safetensors.index.json"), "{}").unwrap();
    inspect_says(&folder, &["model.safetensors.index.json", "not a readable index"]);
    fs::remove_file(folder.join("model.safetensors.index.json")).unwrap();
    fs::write(folder.join("pytorch_model.bin"), "version https://git-lfs.github.com/spec/v1").unwrap();
    inspect_says(&folder, &["pytorch_model.bin", "neither PyTorch's archive"]);
    let folder = copy("tiny_masked_lm", "errors-no-config");
    fs::remove_file(folder.join("config.json")).unwrap();
    inspect_says(&folder, &["config.json", "no such file"]);
}

#[test]
fn configs() {
    let folder = copy("tiny_masked_lm", "errors-config");
    let original = fs::read(folder.join("config.json")).unwrap();
    for (key, value, words) in [
        ("model_type", json!("bert"), ["model_type", "\"bert\""]),
        ("architectures", json!(["RoFormerForMultipleChoice"]), ["RoFormerForMultipleChoice", "RoFormerForMaskedLM"]),
        ("hidden_act", json!("tanh"), ["hidden_act", "\"tanh\""]),
        ("norm_type", json!("rms_norm"), ["use_bias is missing", "where norm_type is rms_norm; supported: false"]),
        ("norm_type", json!("batch_norm"), ["norm_type", "layer_norm, rms_norm"]),
        ("attention", json!("cosine"), ["attention", "linear_rotate_first"]),
        ("embedding_order", json!("neither"), ["embedding_order", "project_then_norm"]),
        ("use_bias", json!(false), ["use_bias is false", "where norm_type is layer_norm; supported: true"]),
        (
            "add_cross_attention",
            json!(true),
            ["add_cross_attention is true", "where model_type is roformer; supported: false"],
        ),
        ("num_attention_heads", json!(32), ["odd size", "num_attention_heads 32"]),
        ("num_attention_heads", json!(5), ["num_attention_heads 5", "does not divide hidden_size 32"]),
        ("num_hidden_layers", json!(1_000_000_000), ["num_hidden_layers", "1000000000"]),
        ("num_hidden_layers", json!(3), ["roformer.encoder.layer.2.", "no tensor"]),
        ("vocab_size", json!(98), ["word_embeddings.weight", "[98, 32]"]),
        ("hidden_size", json!("wide"), ["hidden_size", "\"wide\""]),
        ("type_vocab_size", json!(-2), ["type_vocab_size", "-2"]),
    ] {
        fs::write(folder.join("config.json"), &original).unwrap();
        set(&folder, key, value);
        inspect_says(&folder, &words);
    }
    let folder = copy("decoders/llama", "errors-decoder-config");
    let original = fs::read(folder.join("config.json")).unwrap();
    for (key, value, words) in [
        (
            "model_type",
            json!("gpt2"),
            ["\"gpt2\"", "llama, mistral, qwen2, qwen3, gpt_neox, gemma3_text, modernbert, esm"],
        ),
        ("architectures", json!(["LlamaForSequenceClassification"]), ["architectures", "supported: LlamaForCausalLM"]),
        ("num_key_value_heads", json!(3), ["num_key_value_heads 3", "num_attention_heads 4"]),
        ("head_dim", json!(9), ["odd size", "heads of 9"]),
        ("rope_parameters", json!({"rope_type": "mrope"}), ["\"mrope\"", "does not run here"]),
        ("rope_parameters", json!({"rope_type": "linear"}), ["factor", "a number above 0"]),
        ("hidden_act", json!("tanh"), ["hidden_act", "supported: gelu"]),
        ("attention_bias", json!(true), ["no tensor", "q_proj.bias"]),
    ] {
        fs::write(folder.join("config.json"), &original).unwrap();
        set(&folder, key, value);
        inspect_says(&folder, &words);
    }
    for (case, key, value, words) in [
        ("decoders/gemma3", "model_type", json!("gemma3"), ["model_type", "\"gemma3\""]),
        (
            "decoders/gemma3",
            "architectures",
            json!(["Gemma3ForConditionalGeneration"]),
            ["Gemma3ForConditionalGeneration", "supported: Gemma3ForCausalLM, Gemma3TextModel"],
        ),
        ("decoders/gemma3", "attn_logit_softcapping", json!(50.0), ["attn_logit_softcapping is 50", "supported: null"]),
        ("decoders/gemma3", "final_logit_softcapping", json!(30), ["final_logit_softcapping is 30", "supported: null"]),
        ("decoders/gemma3", "layer_types", json!(["full_attention"]), ["layer_types", "an entry for each layer"]),
        (
            "decoders/gemma3",
            "layer_types",
            json!(["chunked_attention", "full_attention", "full_attention"]),
            ["chunked_attention", "sliding_attention"],
        ),
        (
            "readers/esm",
            "position_embedding_type",
            json!("absolute"),
            ["position_embedding_type is \"absolute\"", "rotary"],
        ),
        ("readers/esm", "is_decoder", json!(true), ["is_decoder is true", "supported: false"]),
        ("readers/esm", "mask_token_id", json!(null), ["mask_token_id is missing", "token_dropout"]),
        ("readers/modernbert_sequence", "classifier_pooling", json!("mean"), ["classifier_pooling", "cls"]),
        ("readers/modernbert", "norm_bias", json!(true), ["no tensor", "norm.bias"]),
        ("readers/llama_model", "architectures", json!(["LlamaForCausalLM"]), ["no tensor", "lm_head.weight"]),
    ] {
        let folder = copy(case, "errors-family-config");
        set(&folder, key, value);
        inspect_says(&folder, &words);
    }
    run_says(&golden("readers/modernbert"), &["--ids", "2,5,3", "--taps", "contacts"], &["contact head", "ESM-2"]);
    fs::write(folder.join("config.json"), "{\n\"model_type\":\n").unwrap();
    inspect_says(&folder, &["config.json", "JSON"]);
    fs::write(folder.join("config.json"), [0xff, 0xfe, 0]).unwrap();
    inspect_says(&folder, &["config.json", "UTF-8"]);
}

#[test]
fn weights() {
    let folder = copy("tiny_masked_lm", "errors-weights");
    let path = folder.join("model.safetensors");
    let original = fs::read(&path).unwrap();
    fs::write(&path, &original[..original.len() - 5]).unwrap();
    inspect_says(&folder, &["cut short", &original.len().to_string(), &(original.len() - 5).to_string()]);
    fs::write(&path, b"PK\x03\x04 and the rest of an archive").unwrap();
    inspect_says(&folder, &["PyTorch", "rename it to pytorch_model.bin"]);
    fs::write(&path, "version https://git-lfs.github.com/spec/v1").unwrap();
    inspect_says(&folder, &["not a readable safetensors file"]);
    // Types of the same width: the file stays whole, but its numbers mean something else.
    let length = u64::from_le_bytes(*original.first_chunk().unwrap()) as usize;
    let header = std::str::from_utf8(&original[8..8 + length]).unwrap().replace("\"F32\"", "\"U32\"");
    fs::write(&path, [&original[..8], header.as_bytes(), &original[8 + length..]].concat()).unwrap();
    run_says(&folder, &["--ids", "2,5,3"], &["U32", "float32"]);
}

#[test]
fn requests() {
    let folder = golden("masked_lm");
    run_says(&folder, &["--ids", "2,97,3"], &["id 97", "row 0, position 1", "vocabulary of 97"]);
    run_says(&folder, &["--ids", "1,2;3"], &["--ids", "row 1 has 1 numbers, but row 0 has 2"]);
    run_says(&folder, &["--ids", "1,two"], &["--ids", "\"two\""]);
    run_says(&folder, &["--ids", ""], &["--ids", "not a whole number"]);
    run_says(&folder, &["--ids", "1,2", "--attention-mask", "1"], &["--attention-mask", "do not fit"]);
    run_says(&folder, &["--ids", "1,2", "--attention-mask", "1,2"], &["--attention-mask", "neither 1"]);
    run_says(&folder, &["--ids", "1,2", "--token-type-ids", "0,2"], &["token type id 2", "types 0 to 1"]);
    let long = vec!["5"; 65].join(",");
    run_says(&folder, &["--ids", &long], &["65 tokens", "more than the 64"]);
    run_says(&folder, &["--text", "a cat"], &["neither tokenizer.json nor vocab.txt"]);
    assert_says(&["inspect", "--model", text(&folder), "--length", "65"], &["65 tokens", "64"]);
    assert_says(&["inspect", "--model", text(&folder), "--length", "0"], &["--length 0"]);
    let nowhere = empty_folder("errors-output").join("missing/out.safetensors");
    let arguments = ["run", "--model", text(&folder), "--ids", "2,3", "--backend", "cpu", "--output", text(&nowhere)];
    assert_says(&arguments, &["missing/out.safetensors"]);
}

#[test]
fn masks() {
    let folder = copy("tiny_masked_lm", "errors-mask");
    let fill = |more: &[&str], words: &[&str]| {
        assert_says(&[&["fill-mask", "--model", text(&folder), "--backend", "cpu"], more].concat(), words);
    };
    fill(&["--text", "the [MASK]"], &["neither tokenizer.json nor vocab.txt"]);
    fs::write(folder.join("vocab.txt"), "the\ncat").unwrap();
    fill(&["--text", "the [MASK]"], &["vocab.txt", "[UNK]"]);
    fs::write(folder.join("vocab.txt"), "[UNK]\n[CLS]\n[SEP]\nthe").unwrap();
    fill(&["--text", "the [MASK]"], &["vocab.txt", "has no mask token"]);
    add_vocabulary(&folder);
    fill(&["--text", "the cat"], &["the text has no [MASK]"]);
    fill(&["--text", "the [MASK]", "--top-k", "0"], &["--top-k 0"]);
    fill(&["--text", "the [MASK]", "--top-k", "65"], &["--top-k 65", "64"]);
    fs::write(folder.join("tokenizer.json"), "{}").unwrap();
    fill(&["--text", "the [MASK]"], &["tokenizer.json", "not a readable tokenizer"]);
    let folder = copy("tiny_question_answering", "errors-no-vocabulary-head");
    add_vocabulary(&folder);
    let arguments = ["fill-mask", "--model", text(&folder), "--backend", "cpu", "--text", "the [MASK]"];
    assert_says(&arguments, &["RoFormerForQuestionAnswering", "predicts no tokens"]);
}
