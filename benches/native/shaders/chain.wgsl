// As little as a dispatch can do and still have to wait for the one before it: one number grows by one.
@group(0) @binding(0) var<storage, read>       x: array<u32>;   // (1)
@group(0) @binding(1) var<storage, read_write> y: array<u32>;   // (1)

@compute @workgroup_size(1)
fn main() {
    y[0] += x[0];
}
