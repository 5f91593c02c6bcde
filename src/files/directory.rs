//! What a file of weights holds, known from its header: names, types, shapes, and where the bytes lie.

use std::ops::Range;

use super::safetensors;
use crate::error::Error;

/// How numbers are stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Dtype {
    F32,
    F16,
    BF16,
    /// A type that is not read here, as the file names it.
    Other(Box<str>),
}

impl Dtype {
    /// The type that safetensors calls `name`.
    pub fn named(name: &str) -> Self {
        match name {
            "F32" => Dtype::F32,
            "F16" => Dtype::F16,
            "BF16" => Dtype::BF16,
            other => Dtype::Other(other.into()),
        }
    }

    /// As the file names it, e.g. "BF16".
    pub fn name(&self) -> &str {
        match self {
            Dtype::F32 => "F32",
            Dtype::F16 => "F16",
            Dtype::BF16 => "BF16",
            Dtype::Other(name) => name,
        }
    }

    /// Bytes of one number, for the types of whole bytes that safetensors knows.
    pub fn bytes(&self) -> Option<u64> {
        match self.name() {
            "BOOL" | "U8" | "I8" | "F8_E5M2" | "F8_E4M3" | "F8_E8M0" | "F8_E4M3FNUZ" | "F8_E5M2FNUZ" => Some(1),
            "U16" | "I16" | "F16" | "BF16" => Some(2),
            "U32" | "I32" | "F32" => Some(4),
            "U64" | "I64" | "F64" | "C64" => Some(8),
            _ => None,
        }
    }
}

/// What the directory says of one tensor. Counted in u64: usize is 32 bits in the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    pub dtype: Dtype,
    pub shape: Vec<u64>,
    /// The file that holds it, counted from 0.
    pub file: usize,
    /// Where its bytes lie in that file's data, which begins behind the header.
    pub range: Range<u64>,
}

impl Stored {
    /// How many numbers the shape holds, if that can be counted.
    pub fn elements(&self) -> Option<u64> {
        self.shape.iter().try_fold(1_u64, |product, size| product.checked_mul(*size))
    }
}

/// Other names under which a family's tensors may be found. A name is asked for in the long form that Hugging Face's class
/// with a head gives it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Names {
    /// What a file of the bare model leaves out in front, e.g. "roformer." or "model."; empty where names never differ.
    pub prefix: &'static str,
    /// Whether a LayerNorm's weight and bias may be called gamma and beta.
    pub gamma_beta: bool,
}

impl Names {
    /// The names that a tensor may have, the likeliest first.
    fn of<'a>(&self, name: &'a str) -> impl Iterator<Item = std::borrow::Cow<'a, str>> {
        let bare = name.strip_prefix(self.prefix).filter(|_| !self.prefix.is_empty());
        let gamma_beta = self.gamma_beta;
        [Some(name), bare].into_iter().flatten().flat_map(move |name| {
            let older = if gamma_beta { older_name(name) } else { None };
            [Some(name.into()), older.map(Into::into)].into_iter().flatten()
        })
    }
}

/// LayerNorm's weight and bias were gamma and beta once.
fn older_name(name: &str) -> Option<String> {
    let renamed = |parameter: &str, older: &str| {
        let layer = name.strip_suffix(parameter).filter(|layer| layer.ends_with("LayerNorm"));
        layer.map(|layer| format!("{layer}{older}"))
    };
    renamed(".weight", ".gamma").or_else(|| renamed(".bias", ".beta"))
}

/// The tensors of a file of weights, by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Directory {
    /// Sorted by their names.
    pub(super) tensors: Vec<(String, Stored)>,
    /// Bytes in front of the data.
    pub(super) header: u64,
    /// Bytes of all tensors, which follow one another without gaps.
    pub(super) data: u64,
}

impl Directory {
    /// Bytes that have to be read for [`Directory::parse`], from a file's first eight.
    ///
    /// # Errors
    /// A PyTorch pickle; fewer than eight bytes; a header longer than the format allows.
    pub fn header_bytes(start: &[u8]) -> Result<u64, Error> {
        safetensors::header_bytes(start)
    }

    /// Reads a header: at least the bytes that [`Directory::header_bytes`] asks for; what follows them is left alone.
    /// `file_length`, where it is known, lets a file that is cut short be refused at once.
    ///
    /// # Errors
    /// A PyTorch pickle; a file that ends early or goes on behind its last tensor; a header that is no JSON of that form, or
    /// holds a name twice; tensors that overlap, leave gaps, or do not have the size of their shape.
    pub fn parse(header: &[u8], file_length: Option<u64>) -> Result<Directory, Error> {
        safetensors::read(header, file_length)
    }

    /// A tensor by the name that the file gives it.
    pub fn get(&self, name: &str) -> Option<&Stored> {
        let at = self.tensors.binary_search_by(|(held, _)| held.as_str().cmp(name)).ok()?;
        self.tensors.get(at).map(|(_, stored)| stored)
    }

    /// A tensor by any of the names that a family knows it by.
    pub fn find(&self, name: &str, names: &Names) -> Option<&Stored> {
        names.of(name).find_map(|name| self.get(&name))
    }

    /// Whether a tensor is there by any of the names that a family knows it by.
    pub fn contains(&self, name: &str, names: &Names) -> bool {
        self.find(name, names).is_some()
    }

    /// The names of all tensors, as the file has them, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.tensors.iter().map(|(name, _)| name.as_str())
    }

    /// Where the data begins in the file.
    pub fn header_length(&self) -> u64 {
        self.header
    }

    /// Bytes of data behind the header.
    pub fn data_length(&self) -> u64 {
        self.data
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn directory(names: &[&str]) -> Directory {
        let entry = |name: &&str| format!("{name:?}:{{\"dtype\":\"F32\",\"shape\":[0],\"data_offsets\":[0,0]}}");
        let header = format!("{{{}}}", names.iter().map(entry).collect::<Vec<_>>().join(","));
        let bytes = [&(header.len() as u64).to_le_bytes(), header.as_bytes()].concat();
        Directory::parse(&bytes, Some(bytes.len() as u64)).unwrap()
    }

    #[test]
    fn older_names_are_found_where_a_family_knows_them() {
        let directory = directory(&["embeddings.LayerNorm.gamma", "roformer.encoder.LayerNorm.beta", "encoder.table"]);
        let names = Names { prefix: "roformer.", gamma_beta: true };
        assert!(directory.contains("roformer.embeddings.LayerNorm.weight", &names));
        assert!(directory.contains("roformer.encoder.LayerNorm.bias", &names));
        assert!(directory.contains("roformer.encoder.table", &names));
        assert!(!directory.contains("roformer.encoder.LayerNorm.weight", &names));
        assert!(!directory.contains("roformer.roformer.encoder.table", &names));
        let none = Names::default();
        assert!(!directory.contains("roformer.encoder.table", &none));
        assert!(!directory.contains("roformer.encoder.LayerNorm.bias", &none));
        assert!(directory.contains("encoder.table", &none));
        assert!(!directory.contains("roformer.encoder.LayerNorm.bias", &Names { gamma_beta: false, ..names }));
    }

    #[test]
    fn a_name_of_today_comes_before_an_older_one() {
        let names = Names { prefix: "a.", gamma_beta: true };
        let order: Vec<_> = names.of("a.LayerNorm.weight").collect();
        assert_eq!(order, ["a.LayerNorm.weight", "a.LayerNorm.gamma", "LayerNorm.weight", "LayerNorm.gamma"]);
    }

    #[test]
    fn types_keep_their_names() {
        for (name, bytes) in [("F32", Some(4)), ("F16", Some(2)), ("BF16", Some(2)), ("I64", Some(8)), ("F4", None)] {
            let dtype = Dtype::named(name);
            assert_eq!((dtype.name(), dtype.bytes()), (name, bytes));
        }
    }
}
