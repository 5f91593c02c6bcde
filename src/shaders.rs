//! The WGSL of kernels. A kernel is one file of `shaders/` with the files that it imports. Its op sets the conditions.
//!
//! Each directive has a line of its own:
//! - `#import folder/file` inserts that file, once per kernel. The order does not matter: WGSL declarations may come in any order.
//! - `#if condition` … `#else` … `#endif` choose lines, and can be nested.
//! - `enable extension;` moves to the start of the kernel, where WGSL requires it.
//!
//! The native crate contains the files. A browser with WebGPU fetches them as one text.

/// Assembles a kernel's WGSL from the file `name`: `folder/file` in `shaders/`, without its extension. All conditions but `conditions` are
/// false.
pub fn resolve(name: &str, conditions: &[&str]) -> String {
    let mut resolver = Resolver { conditions, files: Vec::new(), extensions: Vec::new(), wgsl: String::new() };
    resolver.insert(name);
    resolver.extensions.iter().map(|line| format!("{line}\n")).collect::<String>() + &resolver.wgsl
}

struct Resolver<'a> {
    conditions: &'a [&'a str],
    /// The files in `wgsl`.
    files: Vec<&'a str>,
    /// The `enable` lines, each once.
    extensions: Vec<&'a str>,
    wgsl: String,
}

impl<'a> Resolver<'a> {
    fn insert(&mut self, name: &'a str) {
        if self.files.contains(&name) {
            return;
        }
        self.files.push(name);
        // For each open `#if`, whether its lines are inserted.
        let mut branches: Vec<bool> = Vec::new();
        for line in file(name).lines() {
            let (directive, argument) = line.split_once(' ').unwrap_or((line, ""));
            match directive {
                "#if" => branches.push(self.conditions.contains(&argument)),
                "#else" => {
                    if let Some(last) = branches.last_mut() {
                        *last = !*last;
                    }
                }
                "#endif" => drop(branches.pop()),
                _ if branches.contains(&false) => {}
                "#import" => self.insert(argument),
                "enable" if self.extensions.contains(&line) => {}
                "enable" => self.extensions.push(line),
                _ => self.wgsl.extend([line, "\n"]),
            }
        }
    }
}

#[cfg(not(target_arch = "wasm32"))]
macro_rules! files {
    ($($name:literal)*) => {
        &[$(($name, include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/shaders/", $name, ".wgsl")))),*]
    };
}

/// Every file in `shaders/`.
#[cfg(not(target_arch = "wasm32"))]
const FILES: &[(&str, &str)] = files! {
    "attention/attention" "attention/few_queries" "attention/operands" "attention/reduce"
    "block_rotation/block_rotation"
    "clamped_attention/clamped_attention"
    "copy_rows/copy_rows"
    "embedding/embedding"
    "f16_check/f16_check"
    "feature_map/feature_map"
    "feed/feed"
    "gather/gather"
    "gemm/epilogue" "gemm/gemm" "gemm/gemv" "gemm/operands" "gemm/reduce" "gemm/unit_of_fours" "gemm/unit_of_words"
    "head_ablation/head_ablation"
    "head_grid/head_grid"
    "head_statistics/head_statistics"
    "in_place_rotation/in_place_rotation"
    "label_loss/label_loss"
    "linear_attention/linear_attention" "linear_attention/sums"
    "maps/maps"
    "mean_map/mean_map"
    "norm/norm"
    "number_replacement/number_replacement"
    "penalty/penalty"
    "rotation/rotation"
    "row_norms/row_norms"
    "sample/sample"
    "shared/activation" "shared/bans" "shared/block_product" "shared/cache_number" "shared/group" "shared/head_score" "shared/heads" "shared/quantised"
    "shared/workgroup_sum"
    "token_scale/token_scale"
    "top_k/top_k"
};

/// The text of a file. A missing file is empty: the shader compiler then reports its missing declarations.
#[cfg(not(target_arch = "wasm32"))]
fn file(name: &str) -> &'static str {
    FILES.iter().find(|(other, _)| *other == name).map_or("", |(_, text)| text)
}

#[cfg(target_arch = "wasm32")]
use browser::file;
#[cfg(target_arch = "wasm32")]
pub use browser::set_files;

#[cfg(target_arch = "wasm32")]
mod browser {
    use std::sync::OnceLock;

    static FILES: OnceLock<String> = OnceLock::new();

    /// Sets the text of all files. In it, a line `#file folder/file` precedes each file. Only the first call counts.
    pub fn set_files(files: String) {
        let _ = FILES.set(files);
    }

    pub fn file(name: &str) -> &'static str {
        let files = FILES.get().map_or("", String::as_str);
        let mut files = files.split("#file ").filter_map(|file| file.split_once('\n'));
        files.find(|(other, _)| *other == name).map_or("", |(_, text)| text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_inserted_once_and_its_conditions_choose_lines() {
        let wgsl = resolve("maps/maps", &[]);
        assert_eq!(wgsl.matches("fn query_start").count(), 1);
        assert!(!wgsl.contains('#'), "a directive is left");
        let quantised = resolve("gemm/gemv", &["quantised"]);
        assert!(quantised.contains("fn weight_at") && quantised.contains("gain: array<f32>"));
        let by_fours = resolve("gemm/gemv", &["inner_fours"]);
        assert!(by_fours.contains("gain: array<vec4f>") && !by_fours.contains("fn weight_at"));
    }

    #[test]
    fn an_extension_is_enabled_once_and_first() {
        let wgsl = resolve("gemm/gemv", &["f16_weights", "f16_cache", "appends"]);
        assert!(wgsl.starts_with("enable f16;\n"));
        assert_eq!(wgsl.matches("enable ").count(), 1);
    }

    #[test]
    fn a_file_that_is_not_there_is_empty() {
        assert_eq!(resolve("gemm/none", &[]), "");
    }
}
