// What an invocation of the GEMV reads of a column at a time: four numbers, or eight 16-bit floats.
override UNIT: u32 = 1u;   // in fours

// A constant where it can be: compilers unroll more.
fn lanes_of_column() -> u32 {
    if UNIT == 1u { return WORKGROUP; }
    return p.lanes;
}

// Dot products of the unit of a row from `step` on with four columns.
fn unit_dots(row: u32, columns: vec4u, step: u32) -> vec4f {
    var sum: vec4f;
    for (var at = step; at < step + UNIT; at++) {
        let x = next_four_of_x(row, at);
        sum += vec4f(
            dot(x, four_of_w(columns.x, at)), dot(x, four_of_w(columns.y, at)),
            dot(x, four_of_w(columns.z, at)), dot(x, four_of_w(columns.w, at)),
        );
    }
    return sum;
}
