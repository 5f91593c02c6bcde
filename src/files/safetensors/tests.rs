use super::*;
use crate::files::tests::file;

fn parse(bytes: &[u8]) -> Result<Directory, Error> {
    Directory::parse(bytes, Some(bytes.len() as u64))
}

fn error(bytes: &[u8]) -> Error {
    parse(bytes).expect_err("must not be read")
}

#[test]
fn a_header_says_what_is_where() {
    let header = r#"{"__metadata__":{"format":"pt"},"odd":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},
        "single":{"dtype":"F32","shape":[2],"data_offsets":[1,9]},
        "half":{"dtype":"F16","shape":[1,2],"data_offsets":[9,13]},
        "brain":{"dtype":"BF16","shape":[],"data_offsets":[13,15]}}"#;
    let bytes = file(header, &[0; 15]);
    let directory = parse(&bytes).unwrap();
    assert_eq!(directory.names().collect::<Vec<_>>(), ["brain", "half", "odd", "single"]);
    let half = Stored { dtype: Dtype::F16, shape: vec![1, 2], file: 0, range: 9..13 };
    assert_eq!(directory.get("half"), Some(&half));
    assert_eq!(directory.get("brain").and_then(Stored::elements), Some(1));
    assert_eq!(directory.get("odd").map(|stored| stored.dtype.name()), Some("U8"));
    assert_eq!((directory.header_length(), directory.data_length()), (bytes.len() as u64 - 15, 15));
    // The header alone says the same.
    let start = &bytes[..bytes.len() - 15];
    assert_eq!(Directory::header_bytes(&start[..8]), Ok(start.len() as u64));
    assert_eq!(Directory::parse(start, None).unwrap(), directory);
}

#[test]
fn the_bundled_model_is_read() {
    let directory = parse(include_bytes!("../../../models/roformer-english/model.safetensors")).unwrap();
    let words = directory.get("roformer.embeddings.word_embeddings.weight").unwrap();
    assert_eq!(
        words.elements().map(|count| count * words.dtype.bytes().unwrap()),
        Some(words.range.end - words.range.start)
    );
}

#[test]
fn pickles_are_told_apart() {
    for bytes in [&b"PK\x03\x04and more of it"[..], b"\x80\x02\x8a\x0al\xfc\x9cF\xf9 j\xa8P\x19."] {
        assert_eq!(error(bytes).code(), "pickle");
        assert_eq!(Directory::header_bytes(&bytes[..8]).unwrap_err().code(), "pickle");
    }
    assert_eq!(Directory::header_bytes(b"PK\x03\x04").unwrap_err().code(), "pickle");
    // A header of 0x280 bytes begins like a pickle.
    let header = format!("{{{}}}", " ".repeat(0x280 - 2));
    let bytes = file(&header, &[]);
    assert_eq!(Directory::header_bytes(&bytes[..8]), Ok(0x288));
    assert!(parse(&bytes).is_ok());
}

#[test]
fn a_file_cut_short_says_so() {
    let header = r#"{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}"#;
    let whole = file(header, &[0; 8]);
    assert!(parse(&whole).is_ok());
    for length in 0..whole.len() {
        let expected = error(&whole[..length]);
        assert_eq!(expected.code(), "cut-short", "{length}: {expected}");
    }
    assert_eq!(error(&whole[..65]), Error::CutShort { expected: whole.len() as u64, found: 65 });
    assert_eq!(error(&[&whole[..], b"!"].concat()).code(), "malformed-checkpoint");
    let endless = [&u64::MAX.to_le_bytes()[..], b"{}"].concat();
    assert_eq!(error(&endless).code(), "malformed-checkpoint");
    for length in 100_000_001..100_000_003_u64 {
        assert_eq!(Directory::header_bytes(&length.to_le_bytes()).unwrap_err().code(), "malformed-checkpoint");
    }
    assert_eq!(Directory::header_bytes(&100_000_000_u64.to_le_bytes()), Ok(100_000_008));
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
