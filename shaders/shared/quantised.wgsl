// Reads rows of a weight in its storage format (kernels/src/quant/format.rs): f32, f16, bf16, or blocks of 32 int8 or int4 numbers, whose f16
// scales follow the row's blocks.
// `word_fours`: rows have a multiple of 4 words, which are read four at a time.
// Requires a binding `weight: array<u32>`, with `word_fours` `weight: array<vec4u>`.
override format: u32 = 0u;     // 0 f32, 1 f16, 2 bf16, 3 int8, 4 int4
const BLOCK_SIZE: u32 = 32u;   // numbers that share a scale

#if word_fours
fn word_at(at: u32) -> u32 { return weight[at / 4u][at % 4u]; }

// at: a multiple of 4.
fn four_words(at: u32) -> vec4u { return weight[at / 4u]; }
#else
fn word_at(at: u32) -> u32 { return weight[at]; }

fn four_words(at: u32) -> vec4u { return vec4u(weight[at], weight[at + 1u], weight[at + 2u], weight[at + 3u]); }
#endif

// Words of a row with this many columns.
fn row_words(columns: u32) -> u32 {
    let blocks = (columns + BLOCK_SIZE - 1u) / BLOCK_SIZE;
    switch format {
        case 0u: { return columns; }
        case 3u: { return blocks * 8u + (blocks + 1u) / 2u; }
        case 4u: { return blocks * 4u + (blocks + 1u) / 2u; }
        default: { return (columns + 3u) / 4u * 2u; }
    }
}

// Converts f16 bits exactly: unpack2x16float may flush subnormals to 0.
fn f16_to_f32(bits: u32) -> f32 {
    let magnitude = bits & 0x7fffu;
    let normal = bitcast<f32>((magnitude << 13u) + (112u << 23u));
    let number = select(normal, f32(magnitude) * 0x1p-24f, magnitude < 1024u);
    return bitcast<f32>(bitcast<u32>(number) | ((bits & 0x8000u) << 16u));
}

fn half_word(row: u32, at: u32) -> u32 {
    return (word_at(row + at / 2u) >> (16u * (at % 2u))) & 0xffffu;
}

// The scale of column `at`. block_words: words of a block without its scale.
fn scale_of(row: u32, at: u32, columns: u32, block_words: u32) -> f32 {
    let blocks = (columns + BLOCK_SIZE - 1u) / BLOCK_SIZE;
    return f16_to_f32(half_word(row + blocks * block_words, at / BLOCK_SIZE));
}

// Column `at` of the row that starts at word `row`.
fn weight_at(row: u32, at: u32, columns: u32) -> f32 {
    switch format {
        case 0u: { return bitcast<f32>(word_at(row + at)); }
        case 1u: { return f16_to_f32(half_word(row, at)); }
        case 2u: { return bitcast<f32>(half_word(row, at) << 16u); }
        case 3u: { return f32(extractBits(i32(word_at(row + at / 4u)), at % 4u * 8u, 8u)) * scale_of(row, at, columns, 8u); }
        default: { return f32(extractBits(i32(word_at(row + at / 8u)), at % 8u * 4u, 4u)) * scale_of(row, at, columns, 4u); }
    }
}

// The four numbers of two words of f16.
fn four_f16(words: vec2u) -> vec4f {
    let bits = vec4u(words.x & 0xffffu, words.x >> 16u, words.y & 0xffffu, words.y >> 16u);
    return vec4f(f16_to_f32(bits.x), f16_to_f32(bits.y), f16_to_f32(bits.z), f16_to_f32(bits.w));
}

// The four numbers of two words of bf16.
fn four_bf16(words: vec2u) -> vec4f {
    return bitcast<vec4f>(vec4u(words.x << 16u, words.x & 0xffff0000u, words.y << 16u, words.y & 0xffff0000u));
}

// The four integers of a word of int8.
fn four_int8(word: u32) -> vec4f { return vec4f((vec4i(i32(word)) << vec4u(24u, 16u, 8u, 0u)) >> vec4u(24u)); }

// The four integers of the lower half of a word of int4.
fn four_int4(word: u32) -> vec4f { return vec4f((vec4i(i32(word)) << vec4u(28u, 24u, 20u, 16u)) >> vec4u(28u)); }

// Columns 4 · step .. of the row that starts at word `row`. Not for f32. Rows are padded with zeros.
fn four_weights(row: u32, step: u32, columns: u32) -> vec4f {
    switch format {
        case 1u: { return four_f16(vec2u(word_at(row + 2u * step), word_at(row + 2u * step + 1u))); }
        case 2u: { return four_bf16(vec2u(word_at(row + 2u * step), word_at(row + 2u * step + 1u))); }
        case 3u: { return four_int8(word_at(row + step)) * scale_of(row, 4u * step, columns, 8u); }
        default: {
            return four_int4(word_at(row + step / 2u) >> (16u * (step % 2u))) * scale_of(row, 4u * step, columns, 4u);
        }
    }
}
