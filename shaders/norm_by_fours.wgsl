// A norm goes through rows of whole fours four numbers at a time.
alias Numbers = vec4f;
const AT_ONCE: u32 = 4u;

fn sum_of(numbers: Numbers) -> f32 { return dot(numbers, vec4f(1.0)); }
