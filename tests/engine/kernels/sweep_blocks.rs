//! The rotation by stored matrices, split over bindings too, against the rotation by cosines and sines.

use crate::support::{Adapter, Bench, assert_close, numbers};
use ropescope::ops::Rotary;
use ropescope::plan::{Shape, Value};
use ropescope::rope::{self, BASE, Frequencies};

/// Rotated by matrices, and by the table.
fn rotated(batch: usize, length: usize, heads: usize, size: usize, positions: usize) -> (Bench, Vec<Value>) {
    let table = rope::table(&Frequencies::from_base(size, BASE), 0, positions);
    let mut bench = Bench::new(batch, length, 0);
    bench.rotary(size, &table[..length * size]);
    let width = heads * size;
    let x = bench.value(Shape::tokens(width), &numbers((length + width) as u64, batch * length * width));
    let mut matrices = vec![0.0; positions * size * size];
    for (matrix, turns) in matrices.chunks_exact_mut(size * size).zip(table.chunks_exact(size)) {
        for (pair, turn) in turns.chunks_exact(2).enumerate() {
            for (row, column, number) in [(0, 0, turn[0]), (0, 1, -turn[1]), (1, 0, turn[1]), (1, 1, turn[0])] {
                matrix[(2 * pair + row) * size + 2 * pair + column] = number;
            }
        }
    }
    let matrices = bench.weight(positions * size, size, &matrices);
    let rotary = Rotary { rope: 0, head_size: size, rotated_columns: width };
    let by_table = bench.plan.rotate(x, size, Some(rotary), None);
    let by_blocks = bench.plan.rotate_by_blocks(x, matrices);
    (bench, vec![by_blocks, by_table])
}

#[test]
fn stored_matrices_rotate_as_cosines_and_sines_do() {
    let unsplit = Adapter::open();
    let split = Adapter::with_binding_limit(2048);
    for (batch, length, heads, size, positions) in
        [(1, 1, 1, 2, 1), (2, 7, 3, 6, 7), (1, 33, 4, 10, 40), (3, 20, 1, 34, 20), (2, 65, 5, 16, 65)]
    {
        for on in [None, Some(&unsplit), Some(&split)] {
            let (bench, values) = rotated(batch, length, heads, size, positions);
            let found = bench.run(&values, on);
            assert_close(&format!("{batch}, {length}, {heads} of {size}"), &found[0], &found[1], 1e-5);
        }
    }
}
