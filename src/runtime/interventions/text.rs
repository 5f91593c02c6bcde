//! Interventions as text: a site, `=` and a replacement.

use super::{Intervention, Replacement};
use crate::error::Error;
use crate::number::format_number;
use std::fmt;
use std::str::FromStr;

impl FromStr for Intervention {
    type Err = Error;

    /// Reads a site, `=` and a replacement: `zero`, `mean`, `frozen`, `rotated`, `log-n:512`, `clamp:256`, or a number, as `-0.5`
    /// or `1e-3`.
    fn from_str(text: &str) -> Result<Self, Error> {
        let (site, replacement) = text.split_once('=').unwrap_or((text, ""));
        let (name, number) = replacement.trim().split_once(':').unwrap_or((replacement.trim(), ""));
        let replacement = match (name, number) {
            ("zero", "") => Some(Replacement::Zero),
            ("mean", "") => Some(Replacement::Mean),
            ("frozen", "") => Some(Replacement::FrozenAngle),
            ("rotated", "") => Some(Replacement::Rotated),
            ("log-n", n) => n.parse().ok().map(Replacement::LogN),
            ("clamp", most) => most.parse().ok().map(Replacement::ClampedDistance),
            (number, "") if !replacement.contains(':') => finite(number).map(Replacement::Number),
            _ => None,
        };
        let replacement = replacement.ok_or_else(|| Error::InvalidIntervention { text: text.into() })?;
        Ok(Self { site: site.parse()?, replacement })
    }
}

/// A number that an f32 has.
fn finite(text: &str) -> Option<f32> {
    // The engine reads numbers of f64 already, which saves the browser another reader.
    let number = text.parse::<f64>().ok()? as f32;
    number.is_finite().then_some(number)
}

impl fmt::Display for Replacement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Replacement::Zero => f.write_str("zero"),
            Replacement::Mean => f.write_str("mean"),
            Replacement::FrozenAngle => f.write_str("frozen"),
            Replacement::Rotated => f.write_str("rotated"),
            Replacement::LogN(n) => write!(f, "log-n:{}", format_number(n)),
            Replacement::ClampedDistance(most) => write!(f, "clamp:{most}"),
            Replacement::Number(number) if number == 0.0 || (1e-6..1e21).contains(&number.abs()) => {
                write!(f, "{number}")
            }
            Replacement::Number(number) => write!(f, "{number:e}"),
        }
    }
}

impl fmt::Display for Intervention {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.site, self.replacement)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::{Index, TensorName};

    fn number_site(tensor: TensorName) -> crate::plan::Site {
        tensor.at(2).with_index([Index::At(4), Index::At(17)])
    }

    #[test]
    fn interventions_are_read_by_their_sites() {
        for (text, expected) in [
            ("layer.2.query.rotated[6,*,p0-3]=frozen", Intervention::freeze(2, 6, 0..=3)),
            ("layer.2.query.rotated[6,*,p5]=zero", Intervention::ablate_pairs(2, 6, 5..=5)),
            ("layer.1.head[0,*,*]=mean", Intervention::ablate_head(1, 0, Replacement::Mean)),
            ("layer.1.head[0,3,*]=mean", Intervention::ablate_head(1, 0, Replacement::Mean).at_row(3)),
            ("layer.*.value=rotated", Intervention::rotate_values()),
            ("layer.*.query.rotated=log-n:512", Intervention::log_n(512.0)),
            ("layer.*.score=clamp:256", Intervention::clamp_distances(256)),
            ("ffn.2[*,17]=zero", Intervention::switch_off(2, Some(17))),
            ("ffn.2[*,*]=zero", Intervention::switch_off(2, None)),
            ("ffn.2[4,17]=-2.5e-3", Intervention::put(number_site(TensorName::FeedForward), -0.0025)),
            ("layer.2.residual[4, 17]=+0.5", Intervention::put(number_site(TensorName::LayerResidual), 0.5)),
            ("hidden_states.2[4,17]= 1e30", Intervention::put(number_site(TensorName::HiddenStates), 1e30)),
        ] {
            assert_eq!(text.parse(), Ok(expected), "{text}");
            assert!(expected.kind().is_some(), "{text}");
            assert_eq!(expected.to_string().parse(), Ok(expected), "{expected}");
        }
        for text in [
            "",
            "layer.1.head[0,*,*]",
            "layer.1.head[0,*,*]=one",
            "attention=zero",
            "layer.*.score=clamp:x",
            "ffn.0[0,0]=nan",
            "ffn.0[0,0]=inf",
            "ffn.0[0,0]=1e39",
            "ffn.0[0,0]=1:",
            "ffn.0[0,0]=0x1",
        ] {
            assert!(text.parse::<Intervention>().is_err(), "{text}");
        }
    }
}
