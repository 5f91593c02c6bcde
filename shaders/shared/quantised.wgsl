// Rows of a weight as they are kept (kernels/src/packed.rs): f32, 16 bits, or blocks of 32 whole numbers with an f16 scale each behind
// the row's blocks. Requires a binding `packed: array<u32>`, the weight.
override format: u32 = 0u;          // 0 f32, 1 f16, 2 bf16, 3 int8, 4 int4
const PER_SCALE: u32 = 32u;

// Words of a row of so many numbers.
fn row_words(columns: u32) -> u32 {
    let blocks = (columns + PER_SCALE - 1u) / PER_SCALE;
    switch format {
        case 0u: { return columns; }
        case 3u: { return blocks * 8u + (blocks + 1u) / 2u; }
        case 4u: { return blocks * 4u + (blocks + 1u) / 2u; }
        default: { return (columns + 3u) / 4u * 2u; }
    }
}

// An f16 from its bits, exactly: unpack2x16float may flush small ones.
fn half(bits: u32) -> f32 {
    let exponent = (bits >> 10u) & 31u;
    let fraction = bits & 1023u;
    let normal = bitcast<f32>(((exponent + 112u) << 23u) | (fraction << 13u));
    let magnitude = select(normal, f32(fraction) * 5.9604644775390625e-8, exponent == 0u);
    return select(magnitude, -magnitude, (bits & 0x8000u) != 0u);
}

fn sixteen(row: u32, at: u32) -> u32 {
    return (packed[row + at / 2u] >> (16u * (at % 2u))) & 0xffffu;
}

// Of the block that number `at` of a row lies in; words: of a block.
fn scale_of(row: u32, at: u32, columns: u32, words: u32) -> f32 {
    let blocks = (columns + PER_SCALE - 1u) / PER_SCALE;
    return half(sixteen(row + blocks * words, at / PER_SCALE));
}

// Number `at` of the row that begins at word `row`.
fn number(row: u32, at: u32, columns: u32) -> f32 {
    switch format {
        case 0u: { return bitcast<f32>(packed[row + at]); }
        case 1u: { return half(sixteen(row, at)); }
        case 2u: { return bitcast<f32>(sixteen(row, at) << 16u); }
        case 3u: { return f32(extractBits(i32(packed[row + at / 4u]), at % 4u * 8u, 8u)) * scale_of(row, at, columns, 8u); }
        default: { return f32(extractBits(i32(packed[row + at / 8u]), at % 8u * 4u, 4u)) * scale_of(row, at, columns, 4u); }
    }
}

// Numbers 4 · step … of the row that begins at word `row`; 0 behind its end, as they are packed.
fn four(row: u32, step: u32, columns: u32) -> vec4f {
    switch format {
        case 1u, 2u: {
            let words = vec2u(packed[row + 2u * step], packed[row + 2u * step + 1u]);
            let bits = vec4u(words.x & 0xffffu, words.x >> 16u, words.y & 0xffffu, words.y >> 16u);
            if format == 2u { return bitcast<vec4f>(bits << vec4u(16u)); }
            return vec4f(half(bits.x), half(bits.y), half(bits.z), half(bits.w));
        }
        case 3u: {
            let word = vec4i(i32(packed[row + step]));
            return vec4f((word << vec4u(24u, 16u, 8u, 0u)) >> vec4u(24u)) * scale_of(row, 4u * step, columns, 8u);
        }
        default: {
            let word = vec4i(i32(packed[row + step / 2u] >> (16u * (step % 2u))));
            return vec4f((word << vec4u(28u, 24u, 20u, 16u)) >> vec4u(28u)) * scale_of(row, 4u * step, columns, 4u);
        }
    }
}
