use super::*;

/// A header of F32 tensors and a tensor "bytes" of U8.
fn header(tensors: &[(&str, &[u64])]) -> Header {
    let mut entries = vec![r#""bytes":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}"#.to_string()];
    let mut start = 4;
    for (name, shape) in tensors {
        let end = start + 4 * shape.iter().product::<u64>();
        entries.push(format!("{name:?}:{{\"dtype\":\"F32\",\"shape\":{shape:?},\"data_offsets\":[{start},{end}]}}"));
        start = end;
    }
    let header = format!("{{{}}}", entries.join(","));
    Header::parse(&crate::weight_table::tests::file(&header, &[]), None).unwrap()
}

#[test]
fn weights_are_numbered_named_and_counted() {
    let mut table = WeightTable::default();
    let words = table.matrix("words", 5, 3);
    let angles = table.host("angles", &[7, 2]);
    let projections = ["q", "k", "v"].map(|name| WeightPart::new(name, &[2, 3]));
    let packed = table.weight(6, 3, WeightPart::stacked(projections));
    let bias = table.vector("bias", 6);
    assert_eq!(packed, Weight { index: 1, rows: 6, columns: 3 });
    assert_eq!(
        table.iter().map(|(weight, _, name)| (weight, name)).collect::<Vec<_>>(),
        [(words, "words"), (packed, "q"), (bias, "bias")]
    );
    assert_eq!(angles.index, 0);
    assert_eq!(table.parameters(), 15 + 18 + 6);
    assert_eq!(table.bytes(), 4 * (15 + 18 + 6 + 14));
    assert_eq!(table.weights[1].parts.iter().map(|part| part.first_row).collect::<Vec<_>>(), [0, 2, 4]);
}

#[test]
fn tensors_are_listed_with_their_roles() {
    let mut table = WeightTable::new(Aliases { prefix: "model.", gamma_beta: false });
    let words = table.lookup("model.words", 5, 3);
    table.host("angles", &[7, 2]);
    let parts = ["q", "k"].map(|name| WeightPart::new(name, &[2, 3]));
    table.weight(4, 3, WeightPart::stacked(parts));
    let bias = table.weight(1, 4, vec![WeightPart::either(["bias".into(), "older".into()], &[4])]);
    table.tie(["head".into(), "other_head".into()], words);
    table.tie(["head.bias".into()], bias);
    let declared = |name, shape, role| TensorSpec { name, shape, role };
    let expected = [
        declared("model.words", &[5, 3][..], Role::Embedding),
        declared("q", &[2, 3], Role::Parameter),
        declared("k", &[2, 3], Role::Parameter),
        declared("bias", &[4], Role::Parameter),
        declared("angles", &[7, 2], Role::Buffer),
        declared("head", &[5, 3], Role::Tied),
        declared("head.bias", &[4], Role::Tied),
    ];
    assert_eq!(table.tensors().collect::<Vec<_>>(), expected);
    let parameters: u64 = expected.iter().map(TensorSpec::parameters).sum();
    assert_eq!((parameters, 4 * parameters), (15 + 12 + 4 + 14, table.bytes()));
    // A file of the model without a head, with a copy of a tied tensor and an unknown tensor.
    let file: &[(&str, &[u64])] =
        &[("words", &[5, 3]), ("older", &[4]), ("head", &[5, 3]), ("q", &[2, 3]), ("k.2", &[6])];
    assert_eq!(table.unread(&header(file)), [("bytes", 4), ("k.2", 6)]);
    assert_eq!(table.unread(&header(&[("other_head", &[5, 3])])), [("bytes", 4)], "a copy by its other name");
}

#[test]
fn counts_may_exceed_32_bits() {
    let mut table = WeightTable::default();
    for _ in 0..3 {
        table.matrix("words", 1 << 18, 1 << 14);
    }
    assert_eq!((table.parameters(), table.bytes()), (3 << 32, 3 << 34));
}

#[test]
fn missing_and_wrong_tensors_are_named() {
    let header = header(&[("q", &[2, 3]), ("roformer.k", &[2, 3]), ("angles", &[2, 7])]);
    let check = |declare: &dyn Fn(&mut WeightTable)| {
        let mut table = WeightTable::new(Aliases { prefix: "roformer.", gamma_beta: false });
        declare(&mut table);
        table.check(&header)
    };
    let weight = |rows, columns, parts: &[WeightPart]| {
        check(&|table| {
            table.weight(rows, columns, parts.to_vec());
        })
    };
    let host = |name: &str| {
        check(&|table| {
            table.host(name, &[7, 2]);
        })
    };
    let both = ["roformer.q", "roformer.k"].map(|name| WeightPart::new(name, &[2, 3]));
    assert_eq!(weight(4, 3, &WeightPart::stacked(both)), Ok(()));
    let missing = |name: &str| Err(Error::MissingTensor { name: name.into() });
    assert_eq!(weight(2, 3, &[WeightPart::new("v", &[2, 3])]), missing("v"));
    assert_eq!(weight(1, 2, &[WeightPart::either(["v".to_string(), "w".into()], &[2])]), missing("v or w"));
    let wrong = |name: &str, expected: &[u64], found: &[u64]| {
        Err(Error::WrongShape { name: name.into(), expected: expected.into(), found: found.into() })
    };
    assert_eq!(weight(3, 2, &[WeightPart::new("q", &[3, 2])]), wrong("q", &[3, 2], &[2, 3]));
    assert_eq!(host("angles"), wrong("angles", &[7, 2], &[2, 7]));
    assert_eq!(host("other"), Ok(()));
    let bytes = Error::UnsupportedDtype { name: "bytes".into(), dtype: "U8".into() };
    assert_eq!(weight(1, 4, &[WeightPart::new("bytes", &[4])]), Err(bytes));
}

#[test]
fn optional_weights_may_be_missing_but_not_wrong() {
    let header = header(&[("bias", &[3])]);
    let mut table = WeightTable::default();
    let missing = table.vector("other", 3);
    table.optional(missing);
    assert_eq!(table.check(&header), Ok(()));
    let wrong = table.vector("bias", 4);
    table.optional(wrong);
    assert_eq!(table.check(&header).unwrap_err().code(), "wrong-shape");
    assert!(table.finds("bias", &header) && !table.finds("other", &header));
}

#[test]
fn parts_that_do_not_make_up_their_weight_are_a_mistake() {
    let header = header(&[("a", &[2, 3]), ("b", &[3, 2])]);
    for (rows, columns, parts) in [
        (3, 3, vec![WeightPart::new("a", &[2, 3])]),
        (2, 6, vec![WeightPart::new("a", &[2, 3]), WeightPart::new("b", &[3, 2])]),
        (4, 3, WeightPart::stacked([WeightPart::new("a", &[2, 3]), WeightPart::new("b", &[3, 2])])),
        (2, 3, vec![]),
    ] {
        let mut table = WeightTable::default();
        table.weight(rows, columns, parts);
        assert_eq!(table.check(&header).unwrap_err().code(), "shape-mismatch", "({rows}, {columns})");
    }
    // The parts of a weight of one row may have any width.
    let mut table = WeightTable::default();
    table.weight(1, 6, vec![WeightPart::new("a", &[2, 3])]);
    assert_eq!(table.check(&header), Ok(()));
}
