//! The Python names that a pickle may use. Nothing is called: for each name the machine has code of its own.

use crate::dtype::Dtype;
use crate::error::PickleAction;

/// The meaning of an allowed name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Class {
    OrderedDict,
    /// `torch._utils._rebuild_tensor_v2`: (storage, offset, size, stride, requires_grad, hooks[, metadata]).
    Tensor,
    /// `torch._utils._rebuild_tensor_v3`: the same with a dtype after the hooks.
    TypedTensor,
    /// `torch._utils._rebuild_parameter`: (tensor, requires_grad, hooks[, state]).
    Parameter,
    Size,
    Device,
    Dtype(Dtype),
    /// A storage's class: all of its numbers have this type.
    Storage(Dtype),
}

/// The meaning of a name.
pub fn class(module: &str, name: &str) -> Result<Class, PickleAction> {
    let found = match (module, name) {
        ("collections", "OrderedDict") => Some(Class::OrderedDict),
        ("torch._utils", "_rebuild_tensor_v2") => Some(Class::Tensor),
        ("torch._utils", "_rebuild_tensor_v3") => Some(Class::TypedTensor),
        ("torch._utils", "_rebuild_parameter" | "_rebuild_parameter_with_state") => Some(Class::Parameter),
        ("torch", "Size") => Some(Class::Size),
        ("torch", "device") => Some(Class::Device),
        ("torch", name) => storage(name).map(Class::Storage).or_else(|| dtype(name).map(Class::Dtype)),
        ("torch.storage", "UntypedStorage") => Some(Class::Storage(Dtype::named("U8"))),
        _ => None,
    };
    found.ok_or_else(|| effect(module, name))
}

fn storage(name: &str) -> Option<Dtype> {
    let dtype = match name.strip_suffix("Storage")? {
        "Float" => "F32",
        "Half" => "F16",
        "BFloat16" => "BF16",
        "Double" => "F64",
        "Long" => "I64",
        "Int" => "I32",
        "Short" => "I16",
        "Char" => "I8",
        "Byte" | "Untyped" => "U8",
        "Bool" => "BOOL",
        "ComplexFloat" => "C64",
        "ComplexDouble" => "C128",
        _ => return None,
    };
    Some(Dtype::named(dtype))
}

fn dtype(name: &str) -> Option<Dtype> {
    let dtype = match name {
        "float32" | "float" => "F32",
        "float16" | "half" => "F16",
        "bfloat16" => "BF16",
        "float64" | "double" => "F64",
        "float8_e4m3fn" => "F8_E4M3",
        "float8_e5m2" => "F8_E5M2",
        "float8_e4m3fnuz" => "F8_E4M3FNUZ",
        "float8_e5m2fnuz" => "F8_E5M2FNUZ",
        "float8_e8m0fnu" => "F8_E8M0",
        "int64" | "long" => "I64",
        "int32" | "int" => "I32",
        "int16" | "short" => "I16",
        "int8" => "I8",
        "uint64" => "U64",
        "uint32" => "U32",
        "uint16" => "U16",
        "uint8" => "U8",
        "bool" => "BOOL",
        "complex64" => "C64",
        "complex128" => "C128",
        _ => return None,
    };
    Some(Dtype::named(dtype))
}

/// The effect of a forbidden name. Unsupported kinds of tensors are named.
fn effect(module: &str, name: &str) -> PickleAction {
    let path = format!("{}.{}", plain(module), plain(name));
    match (module, name) {
        ("torch._utils", "_rebuild_sparse_tensor" | "_rebuild_sparse_csr_tensor") => {
            PickleAction::MakeSparseTensor { name: path }
        }
        ("torch._utils", "_rebuild_qtensor") => PickleAction::MakeQuantisedTensor { name: path },
        ("torch", name) if name.starts_with('Q') && name.ends_with("Storage") => {
            PickleAction::MakeQuantisedTensor { name: path }
        }
        _ => PickleAction::UseName { name: path },
    }
}

/// The longest part of a name that a message repeats.
const MAX_NAME_LENGTH: usize = 60;

fn plain(name: &str) -> String {
    name.chars().take(MAX_NAME_LENGTH).flat_map(char::escape_debug).collect()
}
