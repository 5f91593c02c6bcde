//! The names that a pickle may speak of. Nothing is called: each stands for something that is done here.

use crate::header::Dtype;

/// What a name that is allowed stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    OrderedDict,
    /// `torch._utils._rebuild_tensor_v2`: (storage, offset, size, stride, requires_grad, hooks[, metadata]).
    Tensor,
    /// `torch._utils._rebuild_tensor_v3`: the same with a dtype behind the hooks.
    TypedTensor,
    /// `torch._utils._rebuild_parameter`: (tensor, requires_grad, hooks[, state]).
    Parameter,
    Size,
    Device,
    Dtype(Dtype),
    /// A storage's class, which numbers have one type.
    Storage(Dtype),
}

/// The class that a pickle names.
///
/// # Errors
/// What the name would do: for any that is not on the list.
pub fn class(module: &str, name: &str) -> Result<Class, String> {
    let found = match (module, name) {
        ("collections", "OrderedDict") => Some(Class::OrderedDict),
        ("torch._utils", "_rebuild_tensor_v2") => Some(Class::Tensor),
        ("torch._utils", "_rebuild_tensor_v3") => Some(Class::TypedTensor),
        ("torch._utils", "_rebuild_parameter" | "_rebuild_parameter_with_state") => Some(Class::Parameter),
        ("torch", "Size") => Some(Class::Size),
        ("torch", "device") => Some(Class::Device),
        ("torch", name) => storage(name).map(Class::Storage).or_else(|| dtype(name).map(Class::Dtype)),
        ("torch.storage", "UntypedStorage") => Some(Class::Storage(BYTE)),
        _ => None,
    };
    found.ok_or_else(|| refused(module, name))
}

/// Numbers of one byte, as an untyped storage counts them.
const BYTE: Dtype = Dtype { name: "U8", width: 1 };

fn storage(name: &str) -> Option<Dtype> {
    let (name, width) = match name.strip_suffix("Storage")? {
        "Float" => ("F32", 4),
        "Half" => ("F16", 2),
        "BFloat16" => ("BF16", 2),
        "Double" => ("F64", 8),
        "Long" => ("I64", 8),
        "Int" => ("I32", 4),
        "Short" => ("I16", 2),
        "Char" => ("I8", 1),
        "Byte" | "Untyped" => ("U8", 1),
        "Bool" => ("BOOL", 1),
        "ComplexFloat" => ("C64", 8),
        "ComplexDouble" => ("C128", 16),
        _ => return None,
    };
    Some(Dtype { name, width })
}

fn dtype(name: &str) -> Option<Dtype> {
    let (name, width) = match name {
        "float32" | "float" => ("F32", 4),
        "float16" | "half" => ("F16", 2),
        "bfloat16" => ("BF16", 2),
        "float64" | "double" => ("F64", 8),
        "float8_e4m3fn" => ("F8_E4M3", 1),
        "float8_e5m2" => ("F8_E5M2", 1),
        "float8_e4m3fnuz" => ("F8_E4M3FNUZ", 1),
        "float8_e5m2fnuz" => ("F8_E5M2FNUZ", 1),
        "float8_e8m0fnu" => ("F8_E8M0", 1),
        "int64" | "long" => ("I64", 8),
        "int32" | "int" => ("I32", 4),
        "int16" | "short" => ("I16", 2),
        "int8" => ("I8", 1),
        "uint64" => ("U64", 8),
        "uint32" => ("U32", 4),
        "uint16" => ("U16", 2),
        "uint8" => ("U8", 1),
        "bool" => ("BOOL", 1),
        "complex64" => ("C64", 8),
        "complex128" => ("C128", 16),
        _ => return None,
    };
    Some(Dtype { name, width })
}

/// What a name that is not allowed would do. Tensors of other kinds are named as such.
fn refused(module: &str, name: &str) -> String {
    let shown = format!("{}.{}", plain(module), plain(name));
    match (module, name) {
        ("torch._utils", "_rebuild_sparse_tensor" | "_rebuild_sparse_csr_tensor") => {
            format!("make a sparse tensor ({shown})")
        }
        ("torch._utils", "_rebuild_qtensor") => format!("make a quantised tensor ({shown})"),
        ("torch", name) if name.starts_with('Q') && name.ends_with("Storage") => {
            format!("make a quantised tensor ({shown})")
        }
        _ => format!("use {shown}"),
    }
}

/// The longest part of a name that is repeated to people.
const LONGEST: usize = 60;

fn plain(name: &str) -> String {
    name.chars().take(LONGEST).flat_map(char::escape_debug).collect()
}
