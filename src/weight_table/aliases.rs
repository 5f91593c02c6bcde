//! The names of one tensor in different files of a family.

use std::borrow::Cow;

use crate::weights::{Header, TensorInfo};

/// Other names of a family's tensors. Tensors are looked up by the name that Hugging Face's class with a head gives them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Aliases {
    /// A prefix that files of models without a head do not have, e.g. "roformer."; empty if all files have the same names.
    pub prefix: &'static str,
    /// Whether older files call LayerNorm's weight and bias gamma and beta.
    pub gamma_beta: bool,
}

impl Aliases {
    /// A tensor by any of its names.
    pub fn find<'a>(&self, header: &'a Header, name: &str) -> Option<&'a TensorInfo> {
        self.names(name).find_map(|name| header.get(&name))
    }

    /// The one of a tensor's names that a file has.
    pub fn name_in(&self, header: &Header, name: &str) -> Option<String> {
        self.names(name).find(|name| header.get(name).is_some()).map(Cow::into_owned)
    }

    /// The names of a tensor, the most likely first.
    fn names<'a>(&self, name: &'a str) -> impl Iterator<Item = Cow<'a, str>> {
        let bare = name.strip_prefix(self.prefix).filter(|_| !self.prefix.is_empty());
        let gamma_beta = self.gamma_beta;
        [Some(name), bare].into_iter().flatten().flat_map(move |name| {
            let older = if gamma_beta { older_name(name) } else { None };
            [Some(name.into()), older.map(Into::into)].into_iter().flatten()
        })
    }
}

fn older_name(name: &str) -> Option<String> {
    let renamed = |parameter: &str, older: &str| {
        let layer = name.strip_suffix(parameter).filter(|layer| layer.ends_with("LayerNorm"));
        layer.map(|layer| format!("{layer}{older}"))
    };
    renamed(".weight", ".gamma").or_else(|| renamed(".bias", ".beta"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(names: &[&str]) -> Header {
        let entry = |name: &&str| format!("{name:?}:{{\"dtype\":\"F32\",\"shape\":[0],\"data_offsets\":[0,0]}}");
        let json = format!("{{{}}}", names.iter().map(entry).collect::<Vec<_>>().join(","));
        let bytes = [&(json.len() as u64).to_le_bytes(), json.as_bytes()].concat();
        Header::parse(&bytes, Some(bytes.len() as u64)).unwrap()
    }

    #[test]
    fn older_names_are_found_if_a_family_has_them() {
        let header = header(&["embeddings.LayerNorm.gamma", "roformer.encoder.LayerNorm.beta", "encoder.table"]);
        let finds = |aliases: &Aliases, name: &str| aliases.find(&header, name).is_some();
        let aliases = Aliases { prefix: "roformer.", gamma_beta: true };
        assert!(finds(&aliases, "roformer.embeddings.LayerNorm.weight"));
        assert!(finds(&aliases, "roformer.encoder.LayerNorm.bias"));
        assert!(finds(&aliases, "roformer.encoder.table"));
        assert!(!finds(&aliases, "roformer.encoder.LayerNorm.weight"));
        assert!(!finds(&aliases, "roformer.roformer.encoder.table"));
        let none = Aliases::default();
        assert!(!finds(&none, "roformer.encoder.table"));
        assert!(!finds(&none, "roformer.encoder.LayerNorm.bias"));
        assert!(finds(&none, "encoder.table"));
        assert!(!finds(&Aliases { gamma_beta: false, ..aliases }, "roformer.encoder.LayerNorm.bias"));
    }

    #[test]
    fn newer_names_come_first() {
        let aliases = Aliases { prefix: "a.", gamma_beta: true };
        let order: Vec<_> = aliases.names("a.LayerNorm.weight").collect();
        assert_eq!(order, ["a.LayerNorm.weight", "a.LayerNorm.gamma", "LayerNorm.weight", "LayerNorm.gamma"]);
    }
}
