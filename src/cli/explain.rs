//! `ropescope explain`: how one number of a forward pass follows from others.

use std::fmt::Write;

use clap::Args;

use super::intervention::Interventions;
use super::model_arguments::ModelArguments;
use super::stdout::{indented_json, print};
use super::text_arguments::TextArguments;
use crate::backend::NeverCancelled;
use crate::error::Error;
use crate::plan::Site;
use crate::runtime::{Explainer, Explanation, Request};

#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    model: ModelArguments,
    #[command(flatten)]
    text: TextArguments,
    #[command(flatten)]
    interventions: Interventions,
    /// The number, by its site with an index for each axis, as attentions.2[6,9,8] or logits[4,17].
    #[arg(long, value_name = "SITE")]
    at: Site,
    /// How many numbers one after the other are explained: 1 for that number alone, 2 for its operands, too.
    #[arg(long, value_name = "N", default_value_t = 1)]
    depth: usize,
    /// Print a tree of numbers as JSON.
    #[arg(long)]
    json: bool,
}

impl Arguments {
    pub fn execute(self) -> Result<(), Error> {
        let folder = self.interventions.change(self.model.open()?)?;
        let request = self.text.request(&self.model.folder, &folder.architecture()?.facts)?;
        let request = Request { interventions: self.interventions.read()?, ..request };
        let explanation = pollster::block_on(async {
            let model = folder.load(self.model.backend).await?;
            Explainer::new(&model, &request)?.explain(self.at, self.depth, &NeverCancelled).await
        })?;
        if self.json {
            return print(&indented_json(&explanation)?);
        }
        let mut text = String::new();
        describe(&explanation, 0, &mut text);
        print(&text)
    }
}

/// Writes a number, its formula, and its operands below it, indented.
fn describe(explained: &Explanation, indent: usize, to: &mut String) {
    let Explanation { name, at, value, recomputed, formula, operands, rest, .. } = explained;
    let names: Vec<&str> =
        [name.as_str(), at.as_deref().unwrap_or_default()].into_iter().filter(|n| !n.is_empty()).collect();
    let number = value.map_or_else(|| recomputed.map(|number| number.to_string()), |value| Some(value.to_string()));
    // A String takes every write.
    let _ = write!(to, "{:indent$}{} = {}", "", names.join("  "), number.unwrap_or_default());
    if let (Some(value), Some(recomputed)) = (value, recomputed) {
        let _ = write!(to, "  (f64 {recomputed}, differs by {:.1e})", f64::from(*value) - recomputed);
    }
    let _ = writeln!(to, "{}", formula.as_ref().map_or_else(String::new, |formula| format!("  = {formula}")));
    operands.iter().for_each(|operand| describe(operand, indent + 2, to));
    if let Some(rest) = rest {
        let _ = writeln!(to, "{:1$}{2} further terms: {3}", "", indent + 2, rest.terms, rest.value);
    }
}
