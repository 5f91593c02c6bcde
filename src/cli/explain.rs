//! `ropescope explain`: how one number of a forward pass follows from others.

use std::fmt::Write;

use clap::Args;

use super::input::Input;
use super::model_arguments::ModelArguments;
use super::rows::TokenRows;
use super::run::decoder_text;
use super::stdout::{indented_json, print};
use super::tokenizer::Tokenizer;
use crate::backend::NeverCancelled;
use crate::error::Error;
use crate::model::Facts;
use crate::plan::Site;
use crate::runtime::{Explainer, Explanation, Request, SourceText};

#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    model: ModelArguments,
    #[command(flatten)]
    input: Input,
    /// 1 for a token and 0 for padding, in the form of the ids; without it there is no padding.
    #[arg(long, value_name = "ROW")]
    attention_mask: Option<String>,
    /// The ids of the text after an encoder–decoder's source, its start token first [default: the start token alone]
    #[arg(long, value_name = "ROW")]
    decoder_ids: Option<String>,
    /// The type of each token, in the form of the ids [default: all 0]
    #[arg(long, value_name = "ROW")]
    token_type_ids: Option<String>,
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
        let folder = self.model.open()?;
        let request = self.request(&folder.architecture()?.facts)?;
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

    fn request(&self, facts: &Facts) -> Result<Request, Error> {
        let input = self.input.rows(|text| {
            let tokenizer = Tokenizer::open(&self.model.folder)?;
            tokenizer.check_length(text, facts.encoder.as_deref().unwrap_or(facts).limit(false))?;
            tokenizer.encode(text)
        })?;
        let mask = self.attention_mask.as_deref();
        let mask = mask.map(|mask| TokenRows::parse_mask("--attention-mask", mask, &input)).transpose()?;
        let (ids, mask, source) = match facts.encoder.is_some() {
            true => {
                let ids = decoder_text(&self.model.folder, self.decoder_ids.as_deref(), facts, input.batch)?;
                (ids, None, Some(SourceText { ids: input.values, length: input.length, attention_mask: mask }))
            }
            false => (input, mask, None),
        };
        let types = self.token_type_ids.as_deref();
        Ok(Request {
            attention_mask: mask,
            source,
            token_type_ids: types.map(|types| TokenRows::parse_like("--token-type-ids", types, &ids)).transpose()?,
            ..Request::new(ids.values, ids.batch, ids.length)
        })
    }
}

/// Writes a number, its formula, and its operands below it, indented.
fn describe(explained: &Explanation, indent: usize, to: &mut String) {
    let Explanation { name, at, value, recomputed, formula, operands, rest } = explained;
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
