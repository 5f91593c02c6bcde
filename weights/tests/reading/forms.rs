//! What the generator wrote is, byte for byte, what the same model's safetensors file holds.

use std::collections::BTreeMap;
use std::fs;

use ropescope_weights::weights_among;
use safetensors::{Dtype, SafeTensors};

use crate::files::{Files, files, golden, open, whole};

type Tensors = BTreeMap<String, (Dtype, Vec<usize>, Vec<u8>)>;

fn tensors(bytes: &[u8]) -> Tensors {
    let tensors = SafeTensors::deserialize(bytes).unwrap();
    let each = tensors.tensors().into_iter();
    each.map(|(name, view)| (name, (view.dtype(), view.shape().to_vec(), view.data().to_vec()))).collect()
}

fn main_of(files: &Files) -> &str {
    let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    weights_among(&names).unwrap().unwrap()
}

/// The tensors of a folder that the generator wrote, with those that the same model's safetensors file has.
fn both(form: &str, case: &str) -> (Tensors, Tensors) {
    let files = files(&golden("checkpoints").join(form));
    let opened = open(main_of(&files), &files);
    let all: usize = files.iter().map(|(_, bytes)| bytes.len()).sum();
    // A small file lies in what is read to find its end; of larger ones little is.
    assert!(opened.rounds <= 10 && opened.read as usize <= 2 * all, "{form}: {} rounds", opened.rounds);
    let found = tensors(&whole(&opened.result.unwrap(), &files));
    (found, tensors(&fs::read(golden(case).join("model.safetensors")).unwrap()))
}

#[test]
fn every_form_of_one_model_holds_the_same_tensors() {
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
fn what_a_training_program_keeps_beside_the_weights_is_left_out() {
    for (form, case) in [("training", "decoders/llama_bfloat16"), ("training_stream", "decoders/llama_float16")] {
        let (found, expected) = both(form, case);
        assert_eq!(found, expected, "{form}");
    }
}

#[test]
fn tensors_stand_in_the_order_of_their_bytes_and_pieces_are_joined() {
    let files = files(&golden("checkpoints/shards"));
    let checkpoint = open(main_of(&files), &files).result.unwrap();
    // Safetensors files have no gaps: one piece a file.
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
