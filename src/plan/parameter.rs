//! Parameters of dispatches: structs with the members of a shader's `struct Parameters`. A test compares their names, offsets and types.

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

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Member {
    pub name: &'static str,
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

/// A number that a parameter of type `P` is made from.
pub trait IntoParameter<P> {
    fn into_parameter(self) -> P;
}

impl<P: Parameter> IntoParameter<P> for P {
    fn into_parameter(self) -> P {
        self
    }
}

impl IntoParameter<u32> for usize {
    fn into_parameter(self) -> u32 {
        self as u32
    }
}

impl IntoParameter<u32> for bool {
    fn into_parameter(self) -> u32 {
        u32::from(self)
    }
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

/// The parameters of a dispatch, `member: type = value, …`, or the declaration of a struct of parameters. Members have the layout that WGSL
/// gives them.
macro_rules! parameters {
    ($($member:ident: $type:ty = $value:expr),* $(,)?) => {{
        $crate::plan::parameters! { struct Params { $($member: $type),* } }
        Params { $($member: $crate::plan::IntoParameter::<$type>::into_parameter($value)),* }
    }};
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
