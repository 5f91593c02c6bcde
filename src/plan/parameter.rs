//! Parameters of dispatches. Each op has a `Params` with the members of its shader's `struct Parameters`; a test compares their names,
//! offsets and types.

/// The WGSL type of a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParameterType {
    U32,
    F32,
    /// size: in bytes.
    Struct {
        members: &'static [Member],
        size: usize,
    },
}

/// A member of a struct of parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Member {
    pub name: &'static str,
    /// In bytes.
    pub offset: usize,
    pub parameter_type: ParameterType,
}

/// Plain data with the same layout in Rust and in WGSL.
pub trait Parameter: bytemuck::Pod {
    const TYPE: ParameterType;
}

impl Parameter for u32 {
    const TYPE: ParameterType = ParameterType::U32;
}

impl Parameter for f32 {
    const TYPE: ParameterType = ParameterType::F32;
}

impl ParameterType {
    /// Byte offset of the member with this name, in this struct or in a nested one.
    pub fn offset_of(&self, name: &str) -> Option<usize> {
        let Self::Struct { members, .. } = self else { return None };
        members.iter().find_map(|member| match member.name == name {
            true => Some(member.offset),
            false => member.parameter_type.offset_of(name).map(|offset| member.offset + offset),
        })
    }
}

/// Declares a struct of parameters with the layout that WGSL gives to its members.
macro_rules! parameters {
    ($(#[$doc:meta])* $visible:vis struct $name:ident { $($(#[$of:meta])* $member:ident: $type:ty),* $(,)? }) => {
        $(#[$doc])*
        #[repr(C)]
        #[derive(Debug, Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
        $visible struct $name { $($(#[$of])* pub $member: $type),* }

        impl $crate::plan::Parameter for $name {
            const TYPE: $crate::plan::ParameterType = $crate::plan::ParameterType::Struct {
                members: &[$($crate::plan::Member {
                    name: stringify!($member),
                    offset: std::mem::offset_of!($name, $member),
                    parameter_type: <$type as $crate::plan::Parameter>::TYPE,
                }),*],
                size: size_of::<$name>(),
            };
        }
    };
}

pub(crate) use parameters;
