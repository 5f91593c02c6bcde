//! The engine's enums by name: JavaScript passes a string, and TypeScript sees a union of all names, so that it refuses any other.

use crate::error::Error;
use crate::kernels::Format;
use crate::model::Attention;
use crate::ops::MapKind;
use crate::plan::Part;
use crate::positions::PositionEncoding;
use crate::rope::ContextExtension;
use crate::runtime::{BackendChoice, Weighing};
use crate::trial::TrialKind;
use wasm_bindgen::prelude::wasm_bindgen;

/// Declares the names of each enum's values.
macro_rules! names {
    ($($(#[$documentation:meta])* $names:ident of $values:ty { $($name:ident = $text:tt => $value:expr,)+ })+) => {$(
        $(#[$documentation])*
        #[wasm_bindgen]
        #[derive(Clone, Copy, PartialEq)]
        pub enum $names {
            $($name = $text,)+
        }

        impl $names {
            pub fn value(self) -> Result<$values, Error> {
                match self {
                    $(Self::$name => Ok($value),)+
                    _ => Err(Error::UnknownName { enumeration: stringify!($names), names: [$($text),+].join(", ") }),
                }
            }
        }
    )+};
}

names! {
    /// Where the engine computes.
    BackendName of BackendChoice {
        Gpu = "gpu" => BackendChoice::Gpu,
        Cpu = "cpu" => BackendChoice::Cpu,
    }
    /// See [`Format`]; `stored`: as the file has them.
    FormatName of Option<Format> {
        Stored = "stored" => None,
        F32 = "f32" => Some(Format::F32),
        F16 = "f16" => Some(Format::F16),
        Bf16 = "bf16" => Some(Format::BF16),
        Int8 = "int8" => Some(Format::Int8),
        Int4 = "int4" => Some(Format::Int4),
    }
    /// See [`Attention`].
    AttentionName of Attention {
        Softmax = "softmax" => Attention::Softmax,
        Linear = "linear" => Attention::Linear,
        LinearRotateFirst = "linear_rotate_first" => Attention::LinearRotateFirst,
    }
    /// See [`Part`].
    PartName of Part {
        Encoder = "encoder" => Part::Encoder,
        Decoder = "decoder" => Part::Decoder,
        Cross = "cross" => Part::Cross,
    }
    /// See [`MapKind`]; `content`: the score without rotation; `rotation`: what rotation adds to the score.
    MapName of MapKind {
        Weight = "weight" => MapKind::Weight,
        Score = "score" => MapKind::Score,
        Content = "content" => MapKind::Unrotated,
        Rotation = "rotation" => MapKind::RotationEffect,
        Mask = "mask" => MapKind::Mask,
    }
    /// See [`Weighing`].
    WeighingName of Weighing {
        Weight = "weight" => Weighing::Weight,
        Value = "value" => Weighing::Value,
        Output = "output" => Weighing::Output,
    }
    /// See [`TrialKind`].
    TrialName of TrialKind {
        Blocks = "blocks" => TrialKind::Blocks,
        Elementwise = "elementwise" => TrialKind::Elementwise,
        Fused = "fused" => TrialKind::Fused,
        Softmax = "softmax" => TrialKind::Softmax,
        Map = "map" => TrialKind::Map,
        Linear = "linear" => TrialKind::Linear,
    }
    /// See [`PositionEncoding`].
    PositionEncodingName of PositionEncoding {
        None = "none" => PositionEncoding::None,
        Sinusoidal = "sinusoidal" => PositionEncoding::Sinusoidal,
        Learned = "learned" => PositionEncoding::Learned,
        Shaw = "shaw" => PositionEncoding::Shaw,
        TransformerXl = "xl" => PositionEncoding::TransformerXl,
        T5 = "t5" => PositionEncoding::T5,
        Tupe = "tupe" => PositionEncoding::Tupe,
        Deberta = "deberta" => PositionEncoding::Deberta,
        Alibi = "alibi" => PositionEncoding::Alibi,
        Rope = "rope" => PositionEncoding::Rope,
    }
    /// See [`ContextExtension`].
    ContextExtensionName of ContextExtension {
        None = "trained" => ContextExtension::None,
        Interpolation = "interpolation" => ContextExtension::Interpolation,
        NtkAware = "ntk" => ContextExtension::NtkAware,
        Dynamic = "dynamic" => ContextExtension::Dynamic,
        YarnPaper = "yarn" => ContextExtension::YarnPaper,
        YarnCode = "yarnCode" => ContextExtension::YarnCode,
        Llama3 = "llama" => ContextExtension::Llama3,
        Partial = "partial" => ContextExtension::Partial,
        Proportional = "proportional" => ContextExtension::Proportional,
        LongRope = "longrope" => ContextExtension::LongRope,
        ReRope = "clamp" => ContextExtension::ReRope,
        LogN = "logn" => ContextExtension::LogN,
    }
}
