use super::*;

/// A file of the given header and data.
fn file(header: &str, data: &[u8]) -> Vec<u8> {
    [&(header.len() as u64).to_le_bytes(), header.as_bytes(), data].concat()
}

fn error(bytes: &[u8]) -> Error {
    Checkpoint::parse(bytes).expect_err("must not be read")
}

fn numbers(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

#[test]
fn tensors_come_as_f32_from_any_type_and_offset() {
    let header = r#"{"__metadata__":{"format":"pt"},"odd":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},
        "single":{"dtype":"F32","shape":[2],"data_offsets":[1,9]},
        "half":{"dtype":"F16","shape":[1,2],"data_offsets":[9,13]},
        "brain":{"dtype":"BF16","shape":[],"data_offsets":[13,15]}}"#;
    let half = [f16::from_f32(0.5).to_le_bytes(), f16::from_f32(-65504.0).to_le_bytes()].concat();
    let data = [vec![7], numbers(&[1.5, -2.0]), half, bf16::from_f32(3.0).to_le_bytes().to_vec()].concat();
    let bytes = file(header, &data);
    let checkpoint = Checkpoint::parse(&bytes).unwrap();
    assert_eq!(checkpoint.tensor("single", &[2]).unwrap(), [1.5, -2.0]);
    assert_eq!(checkpoint.tensor("half", &[1, 2]).unwrap(), [0.5, -65504.0]);
    assert_eq!(checkpoint.tensor("brain", &[]).unwrap(), [3.0]);
    assert_eq!(checkpoint.names().collect::<Vec<_>>(), ["brain", "half", "odd", "single"]);
    assert_eq!(checkpoint.parameters(), 6);
    let wrong = Error::WrongShape { name: "half".into(), expected: vec![2], found: vec![1, 2] };
    assert_eq!(checkpoint.tensor("half", &[2]), Err(wrong));
    assert_eq!(checkpoint.tensor("odd", &[1]).unwrap_err().code(), "unsupported-dtype");
    assert_eq!(checkpoint.tensor("none", &[1]).unwrap_err().code(), "missing-tensor");
}

#[test]
fn older_names_are_found() {
    let header = r#"{"embeddings.LayerNorm.gamma":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},
        "roformer.encoder.LayerNorm.beta":{"dtype":"F32","shape":[1],"data_offsets":[4,8]},
        "encoder.embed_positions.weight":{"dtype":"F32","shape":[1],"data_offsets":[8,12]}}"#;
    let bytes = file(header, &numbers(&[1.0, 2.0, 3.0]));
    let checkpoint = Checkpoint::parse(&bytes).unwrap();
    assert_eq!(checkpoint.tensor("roformer.embeddings.LayerNorm.weight", &[1]).unwrap(), [1.0]);
    assert_eq!(checkpoint.tensor("roformer.encoder.LayerNorm.bias", &[1]).unwrap(), [2.0]);
    assert!(!checkpoint.contains("roformer.encoder.LayerNorm.weight"));
    assert_eq!(checkpoint.shape("roformer.embeddings.LayerNorm.weight"), Some(&[1][..]));
    assert_eq!(checkpoint.parameters(), 2);
}

#[test]
fn the_bundled_model_is_read() {
    let bytes = include_bytes!("../../../models/roformer-english/model.safetensors");
    let checkpoint = Checkpoint::parse(bytes).unwrap();
    let shape = checkpoint.shape("roformer.embeddings.word_embeddings.weight").unwrap().to_vec();
    let values = checkpoint.tensor("roformer.embeddings.word_embeddings.weight", &shape).unwrap();
    assert_eq!(values.len(), shape.iter().product::<usize>());
    assert!(values.iter().all(|value| value.is_finite()));
}

#[test]
fn pickles_are_told_apart() {
    for bytes in [&b"PK\x03\x04and more of it"[..], b"\x80\x02\x8a\x0al\xfc\x9cF\xf9 j\xa8P\x19."] {
        assert_eq!(error(bytes).code(), "pickle");
    }
    // A header of 0x280 bytes begins like a pickle.
    let header = format!("{{{}}}", " ".repeat(0x280 - 2));
    assert!(Checkpoint::parse(&file(&header, &[])).is_ok());
}

#[test]
fn a_file_cut_short_says_so() {
    let header = r#"{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}"#;
    let whole = file(header, &[0; 8]);
    assert!(Checkpoint::parse(&whole).is_ok());
    for length in 0..whole.len() {
        let expected = error(&whole[..length]);
        assert_eq!(expected.code(), "cut-short", "{length}: {expected}");
    }
    assert_eq!(error(&whole[..65]), Error::CutShort { expected: whole.len() as u64, found: 65 });
    let endless = [&u64::MAX.to_le_bytes()[..], b"{}"].concat();
    assert_eq!(error(&endless).code(), "malformed-checkpoint");
}

#[test]
fn headers_that_lie_are_refused() {
    let malformed = [
        r#"{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}}"#,
        r#"{"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}}"#,
        r#"{"a":{"dtype":"F32","shape":[1],"data_offsets":[8,4]}}"#,
        r#"{"a":{"dtype":"F32","shape":[1]}}"#,
        r#"{"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}}"#,
        r#"{"a":{"dtype":"F32","shape":[1.0],"data_offsets":[0,4]}}"#,
        r#"{"a":{"dtype":"F32","shape":[1,1,1,1,1,1,1,1,1],"data_offsets":[0,4]}}"#,
        r#"{"a":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,0]}}"#,
        r#"{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}}"#,
        r#"{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"b":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}"#,
        r#"{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"b":{"dtype":"F32","shape":[1],"data_offsets":[3,7]}}"#,
        r#"{"a":{"dtype":"F4","shape":[8],"data_offsets":[0,4,8]}}"#,
        r#"{"a":[]}"#,
        r#"{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}"#,
        r#"{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,18446744073709551616]}}"#,
        "[]",
    ];
    for header in malformed {
        let found = error(&file(header, &[0; 8]));
        assert_eq!(found.code(), "malformed-checkpoint", "{header}: {found}");
    }
    let far = r#"{"a":{"dtype":"X","shape":[1],"data_offsets":[0,18446744073709551615]}}"#;
    assert_eq!(error(&file(far, &[0; 8])).code(), "cut-short");
}
