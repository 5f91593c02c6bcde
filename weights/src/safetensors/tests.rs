use super::*;

/// A safetensors file of this header and data.
fn file(header: &str, data: &[u8]) -> Vec<u8> {
    [&(header.len() as u64).to_le_bytes(), header.as_bytes(), data].concat()
}

fn parse(bytes: &[u8]) -> Result<Header, HeaderError> {
    Header::parse(bytes, Some(bytes.len() as u64))
}

fn error(bytes: &[u8]) -> HeaderError {
    parse(bytes).expect_err("must not be read")
}

fn is_malformed(error: &HeaderError) -> bool {
    matches!(error, HeaderError::Malformed(_))
}

#[test]
fn a_header_describes_its_tensors() {
    let json = r#"{"__metadata__":{"format":"pt"},"odd":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},
        "single":{"dtype":"F32","shape":[2],"data_offsets":[1,9]},
        "half":{"dtype":"F16","shape":[1,2],"data_offsets":[9,13]},
        "brain":{"dtype":"BF16","shape":[],"data_offsets":[13,15]}}"#;
    let bytes = file(json, &[0; 15]);
    let header = parse(&bytes).unwrap();
    assert_eq!(header.tensors().map(|(name, _)| name).collect::<Vec<_>>(), ["brain", "half", "odd", "single"]);
    let half = TensorInfo { dtype: Dtype::F16, shape: vec![1, 2], range: 9..13 };
    assert_eq!(header.get("half"), Some(&half));
    assert_eq!(header.get("brain").and_then(TensorInfo::elements), Some(1));
    assert_eq!(header.get("odd").map(|tensor| tensor.dtype.name()), Some("U8"));
    assert_eq!((header.length(), header.data_length()), (bytes.len() as u64 - 15, 15));
    // The header alone gives the same result.
    let start = &bytes[..bytes.len() - 15];
    assert_eq!(Header::length_from(&start[..8]), Ok(start.len() as u64));
    assert_eq!(Header::parse(start, None).unwrap(), header);
}

#[test]
fn the_bundled_model_is_read() {
    let header = parse(include_bytes!("../../../models/roformer-english/model.safetensors")).unwrap();
    let words = header.get("roformer.embeddings.word_embeddings.weight").unwrap();
    assert_eq!(
        words.elements().map(|count| count * words.dtype.bytes().unwrap()),
        Some(words.range.end - words.range.start)
    );
}

#[test]
fn pickles_are_recognised() {
    for bytes in [&b"PK\x03\x04and more of it"[..], b"\x80\x02\x8a\x0al\xfc\x9cF\xf9 j\xa8P\x19."] {
        assert_eq!(error(bytes), HeaderError::Pickle);
        assert_eq!(Header::length_from(&bytes[..8]).unwrap_err(), HeaderError::Pickle);
    }
    assert_eq!(Header::length_from(b"PK\x03\x04").unwrap_err(), HeaderError::Pickle);
    // A header of 0x280 bytes begins like a pickle.
    let header = format!("{{{}}}", " ".repeat(0x280 - 2));
    let bytes = file(&header, &[]);
    assert_eq!(Header::length_from(&bytes[..8]), Ok(0x288));
    assert!(parse(&bytes).is_ok());
}

#[test]
fn a_truncated_file_is_refused() {
    let header = r#"{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}"#;
    let complete = file(header, &[0; 8]);
    assert!(parse(&complete).is_ok());
    for length in 0..complete.len() {
        let expected = error(&complete[..length]);
        assert!(matches!(expected, HeaderError::Truncated { .. }), "{length}: {expected}");
    }
    assert_eq!(error(&complete[..65]), HeaderError::Truncated { expected: complete.len() as u64, found: 65 });
    assert!(is_malformed(&error(&[&complete[..], b"!"].concat())));
    let endless = [&u64::MAX.to_le_bytes()[..], b"{}"].concat();
    assert!(is_malformed(&error(&endless)));
    for length in 100_000_001..100_000_003_u64 {
        assert!(is_malformed(&Header::length_from(&length.to_le_bytes()).unwrap_err()));
    }
    assert_eq!(Header::length_from(&100_000_000_u64.to_le_bytes()), Ok(100_000_008));
}

#[test]
fn a_wrong_length_of_the_header_is_refused() {
    let header = r#"{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}"#;
    let complete = file(header, &[0; 8]);
    let right = header.len() as u64;
    for length in (0..400).filter(|length| *length != right).chain([1 << 20, 1 << 32, u64::MAX]) {
        let found = error(&[&length.to_le_bytes(), &complete[8..]].concat());
        let expected = match length {
            0..=62 => matches!(found, HeaderError::Malformed(FileDefect::HeaderNotJson { .. })),
            63..=MAX_JSON_BYTES => matches!(found, HeaderError::Truncated { .. }),
            _ => found == HeaderError::Malformed(FileDefect::NoHeader),
        };
        assert!(expected, "{length}: {found}");
    }
}

#[test]
fn types_without_a_name_are_refused() {
    let with_type =
        |dtype: &str| file(&format!(r#"{{"a":{{"dtype":"{dtype}","shape":[8],"data_offsets":[0,8]}}}}"#), &[0; 8]);
    // Of an unknown type only the loading is refused.
    assert!(parse(&with_type("F8_E4M3")).is_ok());
    for dtype in ["F 32", "F32\\n", "é", "a-name-of-17-byte"] {
        let expected = HeaderError::Malformed(FileDefect::TensorType { tensor: "\"a\"".into() });
        assert_eq!(error(&with_type(dtype)), expected, "{dtype}");
    }
}

#[test]
fn inconsistent_headers_are_refused() {
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
        assert!(is_malformed(&found), "{header}: {found}");
    }
    let far = r#"{"a":{"dtype":"X","shape":[1],"data_offsets":[0,18446744073709551615]}}"#;
    assert!(matches!(error(&file(far, &[0; 8])), HeaderError::Truncated { .. }));
}
