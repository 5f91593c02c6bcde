//! Parameters of errors that a message puts in words. Programs read their kinds: the names in kebab-case.

use serde::Serialize;
use strum::Display;

/// A form of weights that is not read.
#[derive(Debug, Clone, PartialEq, Eq, Display, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[allow(missing_docs)] // the words say what each is
pub enum FileForm {
    #[strum(to_string = "neither PyTorch's archive nor its older stream of pickles")]
    Unknown,
    #[strum(to_string = "one of PyTorch's files under a name of safetensors")]
    MisnamedPickle,
    #[strum(to_string = "a zip archive without the one data.pkl that PyTorch writes")]
    ZipWithoutPickle,
    #[strum(to_string = "a TorchScript archive, a program with its weights")]
    TorchScript,
    #[strum(to_string = "written by a big-endian machine")]
    BigEndian,
    #[strum(to_string = "a state dict whose storages are parts of each other")]
    OverlappingStorages,
    #[strum(to_string = "a state dict with a tensor that is conjugated or negated")]
    ConjugatedTensor,
    #[strum(to_string = "a pickle of protocol {protocol}")]
    PickleProtocol { protocol: u8 },
    #[strum(to_string = "a pickle with the opcode {opcode:#04x} (at byte {at})")]
    PickleOpcode { opcode: u8, at: usize },
    #[strum(to_string = "an archive whose entry {entry} is encrypted")]
    EncryptedEntry { entry: String },
}

/// An action that a pickle asks for, besides building tensors. The reader refuses it.
#[derive(Debug, Clone, PartialEq, Eq, Display, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum PickleAction {
    #[strum(to_string = "use {name}")]
    UseName { name: String },
    #[strum(to_string = "make a sparse tensor ({name})")]
    MakeSparseTensor { name: String },
    #[strum(to_string = "make a quantised tensor ({name})")]
    MakeQuantisedTensor { name: String },
    #[strum(to_string = "make an object of {name}")]
    MakeObject { name: String },
    #[strum(to_string = "make an object of a class of its own (opcode {opcode:#04x})")]
    MakeObjectByOpcode { opcode: u8 },
    #[strum(to_string = "use a class by its number in a registry")]
    UseExtension,
    #[strum(to_string = "call a type of numbers ({dtype})")]
    CallDtype { dtype: String },
    #[strum(to_string = "call what is no class")]
    CallNonClass,
    #[strum(to_string = "set the state of an object (BUILD)")]
    SetState,
}

/// The reason for which a tensor is not read, with a remedy.
#[derive(Debug, Clone, PartialEq, Eq, Display, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum TensorDefect {
    #[strum(to_string = "is there twice; save the model again")]
    SameNameTwice,
    #[strum(to_string = "reaches out of its storage; download the file again")]
    OutsideStorage,
    #[strum(
        to_string = "has its numbers in another order than its shape {shape} (strides {strides}); save it again with \
                         tensor.contiguous(), or the model with save_pretrained()"
    )]
    OtherOrder { shape: String, strides: String },
}

/// The fault of a JSON text, and the place where the reader stopped. Lines and columns count from 1.
#[derive(Debug, Clone, PartialEq, Eq, Display, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum JsonDefect {
    #[strum(to_string = "its syntax is wrong at line {line}, column {column}")]
    Syntax { line: usize, column: usize },
    #[strum(to_string = "it ends too early, at line {line}, column {column}")]
    EndOfText { line: usize, column: usize },
    #[strum(to_string = "a value is missing or wrong, at line {line}, column {column}")]
    WrongValue { line: usize, column: usize },
    #[strum(to_string = "the key {key} occurs twice, the second time at line {line}, column {column}")]
    DuplicateKey { key: String, line: usize, column: usize },
    #[strum(to_string = "it is too large")]
    TooLarge,
}

/// The fault of a file that is no file of weights.
#[derive(Debug, Clone, PartialEq, Eq, Display, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum FileDefect {
    #[strum(to_string = "it does not begin with a header of safetensors")]
    NoHeader,
    #[strum(to_string = "its header is no JSON of tensors: {defect}")]
    HeaderNotJson { defect: JsonDefect },
    #[strum(to_string = "the dtype of {tensor} names no type")]
    TensorType { tensor: String },
    #[strum(to_string = "the bytes of {tensor} overlap others, leave a gap or end before they start")]
    TensorPlace { tensor: String },
    #[strum(to_string = "{tensor} has {bytes} B, which is not what shape {shape:?} in {dtype} takes")]
    TensorSize { tensor: String, bytes: u64, shape: Vec<u64>, dtype: String },
    #[strum(to_string = "a tensor is called __metadata__, a name that safetensors reserves")]
    ReservedName,
    #[strum(to_string = "at least {bytes} B at its end are of no tensor")]
    TrailingBytes { bytes: u64 },
    #[strum(to_string = "it describes more than a file of weights holds")]
    TooLarge,
    #[strum(to_string = "its tensors share their numbers and come to over {most} times the file")]
    SharedNumbers { most: u64 },
    #[strum(to_string = "its pickle is cut short, or is not as PyTorch writes it")]
    BrokenPickle,
    #[strum(to_string = "the directory of its archive is missing or broken")]
    ZipDirectory,
    #[strum(to_string = "its entry {entry} overlaps others or is not as long as the directory says")]
    ZipEntry { entry: String },
    #[strum(to_string = "{name} is there twice")]
    Twice { name: String },
    #[strum(to_string = "its storage {storage} is not there")]
    MissingStorage { storage: String },
    #[strum(to_string = "its storage {storage} is not as long as it says")]
    StorageLength { storage: String },
    #[strum(to_string = "its storage {storage} belongs to no tensor")]
    StorageWithoutTensor { storage: String },
}

/// The fault of an index of weights.
#[derive(Debug, Clone, PartialEq, Eq, Display, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum IndexDefect {
    #[strum(to_string = "it is no JSON: {defect}")]
    NotJson { defect: JsonDefect },
    #[strum(to_string = "it lists more tensors than any model has")]
    TooLarge,
    #[strum(to_string = "it lists no tensors in weight_map")]
    NoWeightMap,
    #[strum(to_string = "{name} is not the name of a file of weights beside it")]
    OtherName { name: String },
}

/// The longest name that a message repeats.
const MAX_NAME_LENGTH: usize = 120;

/// A name from a file for a message: quoted, without control characters, and not longer than a line.
pub fn quoted(name: &str) -> String {
    let start: String = name.chars().take(MAX_NAME_LENGTH).flat_map(char::escape_debug).collect();
    let rest = if name.chars().nth(MAX_NAME_LENGTH).is_some() { "…" } else { "" };
    format!("\"{start}{rest}\"")
}
