//! Types of stored numbers.

/// The type of a tensor's numbers in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Dtype {
    /// 32-bit float.
    F32,
    /// IEEE 754 half precision.
    F16,
    /// bfloat16.
    BF16,
    /// A type that the engine does not read, by safetensors' name for it.
    Other(Box<str>),
}

impl Dtype {
    /// The type that safetensors calls `name`, e.g. "BF16".
    pub fn named(name: &str) -> Self {
        match name {
            "F32" => Dtype::F32,
            "F16" => Dtype::F16,
            "BF16" => Dtype::BF16,
            other => Dtype::Other(other.into()),
        }
    }

    /// Safetensors' name.
    pub fn name(&self) -> &str {
        match self {
            Dtype::F32 => "F32",
            Dtype::F16 => "F16",
            Dtype::BF16 => "BF16",
            Dtype::Other(name) => name,
        }
    }

    /// Bytes of one number; none for types of less than a byte and unknown ones.
    pub fn bytes(&self) -> Option<u64> {
        match self.name() {
            "BOOL" | "U8" | "I8" | "F8_E5M2" | "F8_E4M3" | "F8_E8M0" | "F8_E4M3FNUZ" | "F8_E5M2FNUZ" => Some(1),
            "U16" | "I16" | "F16" | "BF16" => Some(2),
            "U32" | "I32" | "F32" => Some(4),
            "U64" | "I64" | "F64" | "C64" => Some(8),
            "C128" => Some(16),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_keep_their_names() {
        for (name, bytes) in [("F32", Some(4)), ("F16", Some(2)), ("BF16", Some(2)), ("I64", Some(8)), ("F4", None)] {
            let dtype = Dtype::named(name);
            assert_eq!((dtype.name(), dtype.bytes()), (name, bytes));
        }
    }
}
