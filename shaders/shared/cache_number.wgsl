// Numbers of keys and values. `f16_cache`: they are f16, in a KV cache, else f32.
#if f16_cache
enable f16;

alias CacheNumber = f16;
alias CacheFour = vec4<f16>;

const LARGEST_F16: f32 = 65504.0;

// Numbers beyond f16 become its largest: an infinite key would make scores that are not numbers.
fn cache_number(number: f32) -> f16 { return f16(clamp(number, -LARGEST_F16, LARGEST_F16)); }

fn cache_four(four: vec4f) -> vec4<f16> { return vec4<f16>(clamp(four, vec4f(-LARGEST_F16), vec4f(LARGEST_F16))); }
#else
alias CacheNumber = f32;
alias CacheFour = vec4f;

fn cache_number(number: f32) -> f32 { return number; }

fn cache_four(four: vec4f) -> vec4f { return four; }
#endif
