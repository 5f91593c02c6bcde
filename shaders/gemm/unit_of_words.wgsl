// What an invocation of the GEMV reads of a column at a time: a block of int8 or int4 with its scale, or four words of f16 or bf16.
override UNIT: u32 = 8u;   // in fours

fn lanes_of_column() -> u32 { return p.lanes; }

// A block may end after the row, where its weights are 0.
fn four_of_block(row: u32, step: u32) -> vec4f {
    if 4u * step >= p.inner { return vec4f(0.0); }
    return next_four_of_x(row, step);
}

// Dot products of the unit of a row from `step` on with four columns.
fn unit_dots(row: u32, columns: vec4u, step: u32) -> vec4f {
    let starts = columns * row_words(p.inner);
    if format < 3u { return four_word_dots(row, starts + 2u * step, step); }
    let block = step / 8u;
    if format == 4u { return four_word_dots(row, starts + 4u * block, step) * scales(starts, block, 4u); }
    let first = four_word_dots(row, starts + 8u * block, step);
    return (first + four_word_dots(row, starts + 8u * block + 4u, step + 4u)) * scales(starts, block, 8u);
}

// The scales of a block of each column. block_words: words of a block without its scale.
fn scales(starts: vec4u, block: u32, block_words: u32) -> vec4f {
    let first = starts + (p.inner + BLOCK_SIZE - 1u) / BLOCK_SIZE * block_words;
    return vec4f(
        f16_to_f32(half_word(first.x, block)), f16_to_f32(half_word(first.y, block)),
        f16_to_f32(half_word(first.z, block)), f16_to_f32(half_word(first.w, block)),
    );
}

// Dot products with the numbers, not yet scaled, of four words of each column.
fn four_word_dots(row: u32, starts: vec4u, step: u32) -> vec4f {
    let a = four_words(starts.x);
    let b = four_words(starts.y);
    let c = four_words(starts.z);
    let d = four_words(starts.w);
    var sum: vec4f;
    if format < 3u {
        for (var i = 0u; i < 2u; i++) {
            let x = next_four_of_x(row, step + i);
            sum += vec4f(dot(x, four_halves(a, i)), dot(x, four_halves(b, i)), dot(x, four_halves(c, i)), dot(x, four_halves(d, i)));
        }
        return sum;
    }
    for (var i = 0u; i < 4u; i++) {
        if format == 3u {
            let x = four_of_block(row, step + i);
            sum += vec4f(dot(x, four_int8(a[i])), dot(x, four_int8(b[i])), dot(x, four_int8(c[i])), dot(x, four_int8(d[i])));
        } else {
            let x = four_of_block(row, step + 2u * i);
            sum += vec4f(dot(x, four_int4(a[i])), dot(x, four_int4(b[i])), dot(x, four_int4(c[i])), dot(x, four_int4(d[i])));
            let y = four_of_block(row, step + 2u * i + 1u);
            sum += vec4f(
                dot(y, four_int4(a[i] >> 16u)), dot(y, four_int4(b[i] >> 16u)), dot(y, four_int4(c[i] >> 16u)), dot(y, four_int4(d[i] >> 16u)),
            );
        }
    }
    return sum;
}

// The first or the second four numbers of four words of f16 or bf16.
fn four_halves(words: vec4u, second: u32) -> vec4f {
    let two = select(words.xy, words.zw, second != 0u);
    if format == 1u { return four_f16(two); }
    return four_bf16(two);
}
