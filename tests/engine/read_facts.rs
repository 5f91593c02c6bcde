//! The numbers in the texts of Read: `web/i18n/facts.json` holds what is computed here. WRITE_FACTS=1 writes it.

use ropescope::positions::{PositionEncoding, random_cosines};
use ropescope::rope::{
    BASE, ContextExtension, Frequencies, PHI_3_LONG_FACTORS, decay_bound, first_negative_distance, score_parts,
    smallest_base,
};
use serde_json::{Value, json};
use std::f64::consts::{FRAC_PI_6, TAU};

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/web/i18n/facts.json");

/// Ten digits that count: texts show fewer.
fn rounded(value: f64) -> f64 {
    format!("{value:.9e}").parse().unwrap()
}

fn facts() -> Value {
    // A head of RoFormer as its authors published it, within 512 tokens.
    let (head_size, context) = (64, 512.0);
    let theta = Frequencies::from_base(head_size, BASE).theta;
    let wavelength = |pair: usize| TAU / theta[pair];
    let last = theta.len() - 1;
    let closing = theta.iter().filter(|theta| TAU / **theta <= context).count();

    // Figure 2 of the paper, by its author's code.
    let (far, farther) = (1000, 2000);
    let bound = decay_bound(&Frequencies::from_base(128, BASE), farther);
    let lowest = (0..=256).min_by(|a, b| bound[*a].total_cmp(&bound[*b])).unwrap();
    let crossing = |head_size, base| first_negative_distance(&Frequencies::from_base(head_size, base), 40_000);

    let frequencies = Frequencies::from_theta(vec![FRAC_PI_6]);
    let sweep = score_parts(&[1.0, 0.0], &[0.7, 0.7], 0, 0, &frequencies, 1.0, 2).sweep;

    let theta_ratios = |method: ContextExtension, base, context, factor: f64| -> Vec<f64> {
        let before = Frequencies::from_base(128, base).theta;
        let after = method.frequencies(128, base, context, factor).unwrap().theta;
        after.iter().zip(&before).map(|(after, before)| after / before).collect()
    };
    let llama = theta_ratios(ContextExtension::Llama3, 5e5, 8192, 8.0);
    let unchanged = llama.iter().filter(|ratio| **ratio > 1.0 - 1e-12).count();
    let divided = llama.iter().filter(|ratio| **ratio < 0.125 + 1e-12).count();
    let (paper, code) = (
        theta_ratios(ContextExtension::YarnPaper, 1e4, 4096, 16.0),
        theta_ratios(ContextExtension::YarnCode, 1e4, 4096, 16.0),
    );
    let ratios: Vec<f64> = code.iter().zip(&paper).map(|(code, paper)| code / paper).collect();
    let farthest = (0..64).max_by(|a, b| ratios[*a].total_cmp(&ratios[*b])).unwrap();

    let smallest = |context| smallest_base(128, context).unwrap().round();

    // BERT's base size.
    let (heads, positions) = (12, 512);
    let parameters = |encoding: PositionEncoding| {
        let (layer, shared) = encoding.parameters(heads, 64, positions);
        layer + shared
    };
    let memory = |encoding: PositionEncoding| {
        let (layer, shared) = encoding.memory(heads, 64, positions);
        layer + shared
    };
    let cosines = random_cosines(head_size, 4000, 1);
    let spread = (cosines.iter().map(|cosine| cosine * cosine).sum::<f64>() / cosines.len() as f64).sqrt();
    let place: f64 = theta.iter().map(|theta| (9.0 * theta).sin().powi(2) + (9.0 * theta).cos().powi(2)).sum();

    json!({
        "headSize": head_size,
        "pairs": theta.len(),
        "context": context,
        "first": rounded(wavelength(0)),
        "slower": rounded(wavelength(1) / wavelength(0)),
        "last": rounded(wavelength(last)),
        "closing": closing,
        "bound": {
            "at0": rounded(bound[0]), "far": far, "atFar": rounded(bound[far]), "farther": farther,
            "atFarther": rounded(bound[farther]),
            "lowest": rounded(bound[lowest]), "lowestAt": lowest, "at256": rounded(bound[256]),
        },
        "crossing": {
            "d64": crossing(64, 1e4), "d128": crossing(128, 1e4), "d64Base500k": crossing(64, 5e5),
            "d128Base500k": crossing(128, 5e5), "d128Base1M": crossing(128, 1e6), "base": BASE, "larger": 5e5,
        },
        "smallest": { "short": 1024, "ofShort": smallest(1024), "long": 8192, "ofLong": smallest(8192), "headSize": 128 },
        "phi3": { "headSize": 2 * PHI_3_LONG_FACTORS.len(), "least": PHI_3_LONG_FACTORS[0], "most": PHI_3_LONG_FACTORS[47] },
        "score": { "ahead": rounded(sweep[0]), "behind": rounded(sweep[4]) },
        "llama": { "headSize": 128, "base": 5e5, "kept": unchanged, "blended": 64 - unchanged - divided, "divided": divided },
        "yarn": { "headSize": 128, "context": 4096, "factor": 16, "pair": farthest, "ratio": rounded(ratios[farthest]) },
        "ntkBase": rounded(1e4 * 16_f64.powf(128.0 / 126.0)),
        "learnt": {
            "heads": heads, "headSize": 64, "positions": positions,
            "learned": parameters(PositionEncoding::Learned), "shaw": parameters(PositionEncoding::Shaw), "transformerXl": parameters(PositionEncoding::TransformerXl),
            "t5": parameters(PositionEncoding::T5), "rope": parameters(PositionEncoding::Rope),
        },
        "held": { "rope": memory(PositionEncoding::Rope), "t5": memory(PositionEncoding::T5), "shaw": memory(PositionEncoding::Shaw) },
        "spread": rounded(spread),
        "placeNorm": rounded(place.sqrt()),
        "cost": { "matrix": head_size * head_size, "pairwise": 2 * head_size, "table": 512 * head_size, "matrices": 512 * head_size * head_size },
    })
}

#[test]
fn the_texts_hold_what_is_computed() {
    let facts = serde_json::to_string_pretty(&facts()).unwrap() + "\n";
    if std::env::var_os("WRITE_FACTS").is_some() {
        std::fs::write(PATH, &facts).unwrap();
    }
    let committed = std::fs::read_to_string(PATH).unwrap();
    assert_eq!(committed, facts, "run it with WRITE_FACTS=1, and read the texts again");
}
