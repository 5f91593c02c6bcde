//! All forms of a model have the same bytes as its safetensors file.

use std::collections::BTreeMap;
use std::fs;

use ropescope_weights::find_weights;
use safetensors::{Dtype, SafeTensors};

use crate::files::{Files, assemble, files, golden, open};

type Tensors = BTreeMap<String, (Dtype, Vec<usize>, Vec<u8>)>;

fn tensors(bytes: &[u8]) -> Tensors {
    let tensors = SafeTensors::deserialize(bytes).unwrap();
    let each = tensors.tensors().into_iter();
    each.map(|(name, view)| (name, (view.dtype(), view.shape().to_vec(), view.data().to_vec()))).collect()
}

fn main_of(files: &Files) -> &str {
    let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    find_weights(&names).unwrap().unwrap()
}

/// The tensors of a folder, and those of the same model's safetensors file.
fn both(form: &str, case: &str) -> (Tensors, Tensors) {
    let files = files(&golden("checkpoints").join(form));
    let opened = open(main_of(&files), &files);
    let all: usize = files.iter().map(|(_, bytes)| bytes.len()).sum();
    // The reads that find the end of a small file contain all of it.
    assert!(opened.rounds <= 10 && opened.read as usize <= 2 * all, "{form}: {} rounds", opened.rounds);
    let found = tensors(&assemble(&opened.result.unwrap(), &files));
    (found, tensors(&fs::read(golden(case).join("model.safetensors")).unwrap()))
}

#[test]
fn every_form_of_a_model_has_the_same_tensors() {
    for form in ["archive", "stream", "shards", "archive_shards"] {
        let (found, expected) = both(form, "masked_lm_head_size_2");
        for (name, tensor) in &expected {
            assert_eq!(found.get(name), Some(tensor), "{form}: {name}");
        }
        let more: Vec<&str> = found.keys().filter(|name| !expected.contains_key(*name)).map(String::as_str).collect();
        let [weight, bias] = ["cls.predictions.decoder.weight", "cls.predictions.decoder.bias"];
        let buffer = "roformer.embeddings.position_ids";
        if form.ends_with("shards") {
            assert!(more.is_empty(), "{form}: {more:?}");
        } else {
            assert_eq!(more, [bias, weight, buffer], "{form}");
            assert_eq!(found[weight], found["roformer.embeddings.word_embeddings.weight"]);
            let numbers: Vec<u8> = (0..12_i64).flat_map(i64::to_le_bytes).collect();
            assert_eq!(found[buffer], (Dtype::I64, vec![1, 12], numbers));
        }
    }
}

#[test]
fn other_entries_of_a_training_program_are_skipped() {
    for (form, case) in [("training", "decoders/llama_bfloat16"), ("training_stream", "decoders/llama_float16")] {
        let (found, expected) = both(form, case);
        assert_eq!(found, expected, "{form}");
    }
}

#[test]
fn tensors_are_in_the_order_of_their_bytes_and_pieces_are_joined() {
    let files = files(&golden("checkpoints/shards"));
    let checkpoint = open(main_of(&files), &files).result.unwrap();
    // Safetensors files have no gaps, so there is one piece for each file.
    assert_eq!(checkpoint.pieces.len(), 3);
    assert!(checkpoint.pieces.is_sorted());
    assert_eq!(checkpoint.header.len() % 8, 0);
}

#[test]
fn only_the_headers_of_large_shards_are_read() {
    let header = r#"{"w":{"dtype":"U8","shape":[1048576],"data_offsets":[0,1048576]}}"#;
    let shard = [&(header.len() as u64).to_le_bytes(), header.as_bytes(), &[0; 1 << 20]].concat();
    let index = r#"{"weight_map":{"w":"a.safetensors"}}"#;
    let files = vec![("a.safetensors".to_string(), shard), ("model.safetensors.index.json".to_string(), index.into())];
    let opened = open(main_of(&files), &files);
    assert_eq!(opened.result.unwrap().length(), 8 + 72 + (1 << 20));
    assert!(opened.read < 500, "{} bytes were read", opened.read);
}
