//! The file of a folder that describes its weights.

use crate::error::Error;

/// Prefixes of other files of training programs.
const OTHER_FILES: [&str; 5] = ["training_args", "optimizer", "scheduler", "rng_state", "scaler"];

/// The file among `names` that describes all weights: `model.safetensors`, an index of safetensors, `pytorch_model.bin`, its index,
/// or the only other file of PyTorch's. `None` if there is no such file.
///
/// # Errors
/// Several indices, or several files of PyTorch's of which none is called `pytorch_model.bin`.
pub fn find_weights<'a>(names: &[&'a str]) -> Result<Option<&'a str>, Error> {
    let named = |file: &str| names.iter().copied().find(|name| *name == file);
    let indices = |ending: &str| one(names.iter().copied().filter(|name| name.ends_with(ending)).collect());
    let known = named("model.safetensors").or_else(|| named("model.safetensors.index.json"));
    if known.is_some() {
        return Ok(known);
    }
    if let Some(index) = indices(".safetensors.index.json")? {
        return Ok(Some(index));
    }
    let known = named("pytorch_model.bin").or_else(|| named("pytorch_model.bin.index.json"));
    if known.is_some() {
        return Ok(known);
    }
    if let Some(index) = indices(".bin.index.json")? {
        return Ok(Some(index));
    }
    one(names.iter().copied().filter(|name| is_torch(name)).collect())
}

fn is_torch(name: &str) -> bool {
    let ending = name.rsplit_once('.').is_some_and(|(_, ending)| matches!(ending, "bin" | "pt" | "pth" | "ckpt"));
    ending && !OTHER_FILES.iter().any(|start| name.starts_with(start))
}

fn one(mut names: Vec<&str>) -> Result<Option<&str>, Error> {
    names.sort_unstable();
    match names.as_slice() {
        [] => Ok(None),
        [name] => Ok(Some(name)),
        _ => Err(Error::SeveralWeights { names: names.join(", ") }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn safetensors_come_before_pickles_and_one_file_before_several() {
        let of = |names: &[&'static str]| find_weights(names).unwrap();
        assert_eq!(of(&["pytorch_model.bin", "model.safetensors"]), Some("model.safetensors"));
        assert_eq!(of(&["a.bin", "model.safetensors.index.json"]), Some("model.safetensors.index.json"));
        assert_eq!(of(&["x.safetensors.index.json", "pytorch_model.bin"]), Some("x.safetensors.index.json"));
        assert_eq!(of(&["pytorch_model.bin", "pytorch_model.bin.index.json"]), Some("pytorch_model.bin"));
        assert_eq!(
            of(&["pytorch_model-00001-of-00002.bin", "pytorch_model.bin.index.json"]),
            Some("pytorch_model.bin.index.json")
        );
        assert_eq!(of(&["training_args.bin", "optimizer.pt", "rng_state_0.pth", "best.pt"]), Some("best.pt"));
        assert_eq!(of(&["config.json", "training_args.bin", "bin"]), None);
        let several = find_weights(&["b.pt", "a.pt"]).unwrap_err();
        assert_eq!(several.code(), "several-weights");
        assert!(several.to_string().contains("a.pt, b.pt"), "{several}");
    }
}
