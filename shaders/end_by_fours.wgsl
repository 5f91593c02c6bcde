// Four numbers at a time of what follows a product's sums, whose rows are whole fours: no gate, which leaves halves of them.
@group(0) @binding(END)      var<storage, read>       bias:     array<vec4f>;   // (stride / 4)
@group(0) @binding(END + 1u) var<storage, read>       residual: array<vec4f>;   // (rows, stride / 4)
@group(0) @binding(END + 4u) var<storage, read_write> y:        array<vec4f>;   // (rows, stride / 4)

fn four_of_bias(column: u32, used: u32) -> vec4f { return bias[column / 4u]; }

fn four_of_residual(at: u32, used: u32) -> vec4f { return residual[at / 4u]; }

fn store(at: u32, used: u32, four: vec4f) { y[at / 4u] = four; }
