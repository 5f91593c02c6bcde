// What an invocation of the GEMV reads of a column at a time: four numbers.
const UNIT: u32 = 1u;   // in fours

fn lanes_of_column() -> u32 { return WORKGROUP; }

// Dot products of the unit of a row from `step` on with four columns.
fn unit_dots(row: u32, columns: vec4u, step: u32) -> vec4f {
    let x = next_four_of_x(row, step);
    return vec4f(
        dot(x, four_of_w(columns.x, step)), dot(x, four_of_w(columns.y, step)),
        dot(x, four_of_w(columns.z, step)), dot(x, four_of_w(columns.w, step)),
    );
}
