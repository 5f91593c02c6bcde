//! Parameters of errors that a message puts in words. Programs read their kinds: the names in kebab-case.

use std::fmt;

use serde::Serialize;

/// A form of weights that is not read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[allow(missing_docs)] // the words say what each is
pub enum FileForm {
    ZipWithoutPickle,
    TorchScript,
    BigEndian,
    OverlappingStorages,
    ConjugatedTensor,
    PickleProtocol { protocol: u8 },
    PickleOpcode { opcode: u8, at: usize },
    EncryptedEntry { entry: String },
}

/// What a pickle would do besides holding data.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum PickleAction {
    UseName { name: String },
    MakeSparseTensor { name: String },
    MakeQuantisedTensor { name: String },
    MakeObject { name: String },
    MakeObjectByOpcode { opcode: u8 },
    UseExtension,
    CallDtype { dtype: String },
    CallNonClass,
    SetState,
}

/// Why a tensor is not read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum TensorDefect {
    SameNameTwice,
    OutsideStorage,
    OtherOrder { shape: String, strides: String },
}

impl fmt::Display for FileForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ZipWithoutPickle => f.write_str("a zip archive without the one data.pkl that PyTorch writes"),
            Self::TorchScript => f.write_str("a TorchScript archive, a program with its weights"),
            Self::BigEndian => f.write_str("written by a big-endian machine"),
            Self::OverlappingStorages => f.write_str("a state dict whose storages are parts of each other"),
            Self::ConjugatedTensor => f.write_str("a state dict with a tensor that is conjugated or negated"),
            Self::PickleProtocol { protocol } => write!(f, "a pickle of protocol {protocol}"),
            Self::PickleOpcode { opcode, at } => write!(f, "a pickle with the opcode {opcode:#04x} (at byte {at})"),
            Self::EncryptedEntry { entry } => write!(f, "an archive whose entry {entry} is encrypted"),
        }
    }
}

impl fmt::Display for PickleAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UseName { name } => write!(f, "use {name}"),
            Self::MakeSparseTensor { name } => write!(f, "make a sparse tensor ({name})"),
            Self::MakeQuantisedTensor { name } => write!(f, "make a quantised tensor ({name})"),
            Self::MakeObject { name } => write!(f, "make an object of {name}"),
            Self::MakeObjectByOpcode { opcode } => {
                write!(f, "make an object of a class of its own (opcode {opcode:#04x})")
            }
            Self::UseExtension => f.write_str("use a class by its number in a registry"),
            Self::CallDtype { dtype } => write!(f, "call a type of numbers ({dtype})"),
            Self::CallNonClass => f.write_str("call what is no class"),
            Self::SetState => f.write_str("set the state of an object (BUILD)"),
        }
    }
}

/// With what to do about it.
impl fmt::Display for TensorDefect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SameNameTwice => f.write_str("is there twice; save the model again"),
            Self::OutsideStorage => f.write_str("reaches out of its storage; download the file again"),
            Self::OtherOrder { shape, strides } => write!(
                f,
                "has its numbers in another order than its shape {shape} (strides {strides}); save it again with \
                 tensor.contiguous(), or the model with save_pretrained()"
            ),
        }
    }
}
