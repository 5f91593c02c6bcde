use super::{Draft, fill, ramp};
use crate::kernels::Format;
use crate::weight_table::row_order::place;
use crate::weight_table::sink::MAX_NUMBERS;
use crate::weight_table::{HostSink, RowOrder, Sink, WeightPart, WeightStream, WeightTable};
use crate::weights::Header;
use half::{bf16, f16};
use proptest::prelude::*;

const HEAD: usize = 4;

/// Tensors of two heads of size 4, for every kind of weight.
fn draft() -> Draft {
    Draft::default()
        .add("unwanted", "U8", &[3], &ramp(3, 0.0))
        .add("q", "F32", &[8, 3], &ramp(24, 0.0))
        .add("k", "F16", &[8, 3], &ramp(24, 100.0))
        .add("v", "BF16", &[8, 3], &ramp(24, 10.0))
        .add("q.bias", "F16", &[8], &ramp(8, 50.0))
        .add("gate", "F32", &[5, 3], &ramp(15, 200.0))
        .add("none", "F32", &[0, 3], &[])
        .add("fused", "BF16", &[24, 2], &ramp(48, 1.0))
        .add("up", "F16", &[5, 3], &ramp(15, 300.0))
        .add("angles", "F16", &[2, 2], &ramp(4, 70.0))
        .add("unwanted too", "F32", &[2], &ramp(2, 0.0))
}

fn halves(heads: usize) -> RowOrder {
    RowOrder::HalvesToPairs { heads, head_size: HEAD, rotated: HEAD }
}

fn table() -> WeightTable {
    let mut table = WeightTable::default();
    let [q, k, v] = ["q", "k", "v"].map(|name| WeightPart::new(name, &[8, 3]));
    table.weight(24, 3, WeightPart::stacked([q.ordered(halves(2)), k.ordered(halves(2)), v]));
    table.weight(1, 8, vec![WeightPart::new("q.bias", &[8]).ordered(halves(2))]);
    let interleaved = |name, with| WeightPart::new(name, &[5, 3]).ordered(RowOrder::Interleaved { with, of: 2 });
    table.weight(10, 3, vec![interleaved("gate", 0), interleaved("up", 1)]);
    let fused = RowOrder::FusedHeads { heads: 2, head_size: HEAD };
    table.weight(24, 2, vec![WeightPart::new("fused", &[24, 2]).ordered(fused).ordered(halves(4))]);
    // q is read twice: here in the stored order.
    table.matrix("q", 8, 3);
    let missing = table.vector("missing", 2);
    table.optional(missing);
    table.host("angles", &[2, 2]);
    table.host("missing", &[2, 2]);
    table
}

/// Rows of `width` increasing numbers from `first`, in this order.
fn rows(order: &[usize], width: usize, first: f32) -> Vec<f32> {
    order.iter().flat_map(|row| ramp(width, first + (row * width) as f32)).collect()
}

fn expected() -> Vec<Vec<f32>> {
    let pairs = [0, 2, 1, 3, 4, 6, 5, 7];
    let gates = (0..5).flat_map(|row| [ramp(3, 200.0 + 3.0 * row as f32), ramp(3, 300.0 + 3.0 * row as f32)].concat());
    vec![
        [rows(&pairs, 3, 0.0), rows(&pairs, 3, 100.0), ramp(24, 10.0)].concat(),
        rows(&pairs, 1, 50.0),
        gates.collect(),
        rows(&[0, 2, 1, 3, 12, 14, 13, 15, 4, 6, 5, 7, 16, 18, 17, 19, 8, 9, 10, 11, 20, 21, 22, 23], 2, 1.0),
        ramp(24, 0.0),
        vec![0.0; 2],
    ]
}

#[test]
fn weights_are_read_as_declared() {
    let (writes, host) = fill(&table(), &draft().bytes(), &[]).unwrap();
    assert_eq!(writes.plain(), expected());
    let mut table = WeightTable::default();
    let (angles, missing) = (table.host("angles", &[2, 2]), table.host("missing", &[2, 2]));
    assert_eq!(host.get(angles), Some(&ramp(4, 70.0)[..]));
    assert_eq!(host.get(missing), None);
    // Permuted rows need one write if they are contiguous in the weight, and one write each if they alternate with other rows.
    let count = |weight| writes.calls.iter().filter(|(called, ..)| *called == weight).count();
    assert_eq!([0, 1, 2, 3, 4, 5].map(count), [3, 1, 10, 1, 1, 0]);
}

#[test]
fn single_bytes_give_the_same_writes() {
    let bytes = draft().bytes();
    let (file, _) = fill(&table(), &bytes, &[]).unwrap();
    let (pieces, _) = fill(&table(), &bytes, &vec![1; bytes.len()]).unwrap();
    assert_eq!(pieces.plain(), expected());
    assert_eq!(pieces.calls, file.calls);
}

proptest! {
    #[test]
    fn any_pieces_give_the_same_weights(pieces in prop::collection::vec(0_usize..40, 0..40)) {
        let (writes, _) = fill(&table(), &draft().bytes(), &pieces).unwrap();
        prop_assert_eq!(writes.plain(), expected());
    }

    #[test]
    fn every_bit_pattern_is_read_exactly(bits in prop::collection::vec(any::<u32>(), 1..50), split in 0_usize..200) {
        for dtype in ["F32", "F16", "BF16"] {
            let width = if dtype == "F32" { 4 } else { 2 };
            let mut draft = Draft::default().add("a", dtype, &[bits.len() as u64], &vec![0.0; bits.len()]);
            draft.data = bits.iter().flat_map(|bits| bits.to_le_bytes()[..width].to_vec()).collect();
            let mut table = WeightTable::default();
            table.vector("a", bits.len());
            let (writes, _) = fill(&table, &draft.bytes(), &[split]).unwrap();
            let read = |bits: &u32| match dtype {
                "F32" => f32::from_bits(*bits),
                "F16" => f16::from_bits(*bits as u16).to_f32(),
                _ => bf16::from_bits(*bits as u16).to_f32(),
            };
            let found: Vec<u32> = writes.plain()[0].iter().map(|number| number.to_bits()).collect();
            prop_assert_eq!(found, bits.iter().map(|bits| read(bits).to_bits()).collect::<Vec<_>>());
        }
    }
}

/// Reads a tensor (rows, columns) in pieces, checks its rows, and returns the number of writes.
fn count_writes(rows: usize, columns: usize, orders: &[RowOrder]) -> usize {
    let bytes = Draft::default().add("a", "F32", &[rows as u64, columns as u64], &ramp(rows * columns, 0.0)).bytes();
    let mut table = WeightTable::default();
    let part = orders.iter().fold(WeightPart::new("a", &[rows, columns]), |part, order| part.ordered(*order));
    table.weight(rows, columns, vec![part]);
    let (writes, _) = fill(&table, &bytes, &[70_001, 3, 500_000, 1_000_003]).unwrap();
    let found = &writes.plain()[0];
    for row in 0..rows {
        let place = place(orders, row as u64) as usize;
        assert_eq!(found[place * columns..][..columns], ramp(columns, (row * columns) as f32), "row {row}");
    }
    let largest = writes.calls.iter().map(|(_, _, count)| *count).max().unwrap_or_default();
    assert!(largest as u64 <= MAX_NUMBERS, "{largest} numbers at once");
    writes.calls.len()
}

#[test]
fn large_tensors_need_few_writes() {
    // Exact as f32: below 2²⁴ numbers.
    assert_eq!(count_writes(1000, 700, &[]), 700_000_usize.div_ceil(MAX_NUMBERS as usize));
    // A head is (64, 700): two of them fit at once.
    assert_eq!(count_writes(15 * 64, 700, &[RowOrder::HalvesToPairs { heads: 15, head_size: 64, rotated: 64 }]), 8);
    // A fused head is (96, 700): its query, key and value are written separately.
    assert_eq!(count_writes(5 * 96, 700, &[RowOrder::FusedHeads { heads: 5, head_size: 32 }]), 15);
    // A head that does not fit is written in contiguous ranges.
    assert!(count_writes(512, 700, &[RowOrder::HalvesToPairs { heads: 1, head_size: 512, rotated: 512 }]) <= 512);
    // A row that does not fit is written in pieces: 200,000 numbers in two.
    assert_eq!(count_writes(4, 200_000, &[RowOrder::HalvesToPairs { heads: 1, head_size: 4, rotated: 4 }]), 8);
    // Single numbers of a long vector are written together.
    assert_eq!(count_writes(100 * 64, 1, &[RowOrder::HalvesToPairs { heads: 100, head_size: 64, rotated: 32 }]), 2);
}

#[test]
fn missing_and_surplus_bytes_are_refused() {
    let bytes = draft().bytes();
    let header = Header::parse(&bytes, None).unwrap();
    let data = &bytes[header.length() as usize..];
    for length in 0..data.len() {
        let mut sink = HostSink::new(&table()).unwrap();
        let mut stream = WeightStream::new(&table(), &header).unwrap();
        stream.push(&data[..length], &mut sink).unwrap();
        let expected = bytes.len() as u64;
        let found = expected - (data.len() - length) as u64;
        assert_eq!(stream.finish().unwrap_err(), crate::Error::Truncated { expected, found });
    }
    let error = fill(&table(), &[&bytes[..], b"!"].concat(), &[7]).map(|_| ()).unwrap_err();
    assert_eq!(error.code(), "malformed-checkpoint");
}

#[test]
fn rows_outside_their_weight_are_refused() {
    let bytes = Draft::default().add("a", "F32", &[4, 2], &ramp(8, 0.0)).bytes();
    let part = || WeightPart::new("a", &[4, 2]);
    for part in [part().ordered(RowOrder::Interleaved { with: 0, of: 2 }), WeightPart { first_row: 1, ..part() }] {
        let mut table = WeightTable::default();
        table.weight(4, 2, vec![part]);
        assert_eq!(fill(&table, &bytes, &[]).map(|_| ()).unwrap_err().code(), "shape-mismatch");
    }
}

#[test]
fn an_error_of_the_sink_ends_the_stream() {
    struct Full;
    impl Sink for Full {
        fn write(&mut self, _: usize, _: u64, _: &[u32]) -> Result<(), crate::Error> {
            Err(crate::Error::MemoryRefused { what: crate::error::Allocation::Weights, needed: 1 })
        }
    }
    let bytes = draft().bytes();
    let header = Header::parse(&bytes, None).unwrap();
    let mut stream = WeightStream::new(&table(), &header).unwrap();
    let data = &bytes[header.length() as usize..];
    assert_eq!(stream.push(data, &mut Full).unwrap_err().code(), "memory-refused");
}

#[test]
fn weights_beyond_the_memory_are_refused() {
    let mut table = WeightTable::default();
    table.matrix("a", 1 << 40, 1 << 20);
    let refused = HostSink::new(&table).unwrap_err();
    assert_eq!(refused, crate::Error::MemoryRefused { what: crate::error::Allocation::WeightsCopy, needed: 1 << 62 });
}

/// Three tensors, one of them permuted, quantised in pieces of any size.
#[test]
fn rows_are_quantised_in_their_places() {
    let columns = 37;
    let numbers = |first: f32| ramp(4 * columns, first);
    let bytes = Draft::default()
        .add("a", "F32", &[4, columns as u64], &numbers(-3.0))
        .add("b", "F16", &[4, columns as u64], &numbers(2.0))
        .add("c", "F32", &[columns as u64], &ramp(columns, 0.0))
        .bytes();
    let header = Header::parse(&bytes, None).unwrap();
    let declared = |format| {
        let mut table = WeightTable::default();
        let part = |name: &str| WeightPart::new(name, &[4, columns]);
        let order = RowOrder::HalvesToPairs { heads: 1, head_size: 4, rotated: 4 };
        table.weight(8, columns, WeightPart::stacked([part("a").ordered(order), part("b")]));
        table.vector("c", columns);
        table.matrix("b", 4, columns);
        table.set_formats(format, &header);
        table
    };
    let plain = fill(&declared(Some(Format::F32)), &bytes, &[]).unwrap().0.plain();
    for format in Format::ALL {
        for pieces in [vec![], vec![1; bytes.len()], vec![100; 20]] {
            let (writes, _) = fill(&declared(Some(format)), &bytes, &pieces).unwrap();
            let weights = writes.memory.into_weights(&declared(Some(format)));
            assert_eq!(weights[1].plain(), plain[1], "vectors stay f32");
            for weight in [0, 2] {
                for (at, row) in plain[weight].chunks_exact(columns).enumerate() {
                    let (mut words, mut expected) = (vec![0; format.row_words(columns)], vec![0.0; columns]);
                    assert!(format.quantise(row, &mut words));
                    format.dequantise(&words, &mut expected);
                    let mut found = vec![0.0; columns];
                    weights[weight].view().row(at, &mut found);
                    assert_eq!(found, expected, "{format:?}, weight {weight}, row {at}");
                }
            }
        }
    }
    // The stacked weight has tensors of two types.
    assert_eq!(declared(None).formats()[..], [Format::F32, Format::F32, Format::F16]);
    assert_eq!(declared(Some(Format::Int8)).formats()[..], [Format::Int8, Format::F32, Format::Int8]);
    assert_eq!(declared(Some(Format::Int8)).bytes(), (8 + 4) * (16 + 1) * 4 + 4 * 37);
}

#[test]
fn numbers_beyond_a_format_are_refused_with_the_tensors_name() {
    for (number, format) in [(70_000.0, Format::F16), (f32::MAX, Format::Int8), (f32::MAX, Format::BF16)] {
        let bytes = Draft::default().add("big", "F32", &[2, 2], &[0.0, 1.0, number, 0.0]).bytes();
        let mut table = WeightTable::default();
        table.matrix("big", 2, 2);
        table.set_formats(Some(format), &Header::parse(&bytes, None).unwrap());
        let error = fill(&table, &bytes, &[]).map(|_| ()).unwrap_err();
        assert!(error.code() == "beyond-format" && error.to_string().contains("big"), "{error}");
    }
}
