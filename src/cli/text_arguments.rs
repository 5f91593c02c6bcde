//! Arguments of commands that run a text once: its tokens, masks, types and positions, and the text after an encoder–decoder's source.

use std::path::Path;

use clap::Args;

use super::generation_config::GenerationConfig;
use super::input::Input;
use super::rows::TokenRows;
use super::tokenizer::Tokenizer;
use crate::cli::argument_error::invalid;
use crate::error::Error;
use crate::model::Facts;
use crate::runtime::{Request, SourceText};

/// The text of a run.
#[derive(Args)]
pub struct TextArguments {
    #[command(flatten)]
    pub input: Input,
    /// 1 for a token and 0 for padding, in the form of the ids; without it there is no padding.
    #[arg(long, value_name = "ROWS")]
    attention_mask: Option<String>,
    /// The ids of the text after an encoder–decoder's source, its start token first [default: the start token alone]
    #[arg(long, value_name = "ROWS")]
    decoder_ids: Option<String>,
    /// 1 for a token of that text and 0 for padding, in the form of its ids.
    #[arg(long, value_name = "ROWS", requires = "decoder_ids")]
    decoder_attention_mask: Option<String>,
    /// The type of each token, in the form of the ids [default: all 0]
    #[arg(long, value_name = "ROWS")]
    token_type_ids: Option<String>,
    /// Added to every position.
    #[arg(long, value_name = "N", default_value_t = 0)]
    position_offset: u64,
    /// Run a text that is longer than the model is made for, if its rope can be stretched.
    #[arg(long)]
    beyond_length: bool,
}

impl TextArguments {
    /// The request of the text, without taps and interventions. folder: of the model.
    pub fn request(&self, folder: &Path, facts: &Facts) -> Result<Request, Error> {
        let input = self.input.rows(|text| {
            let tokenizer = Tokenizer::open(folder)?;
            let reads = facts.encoder.as_deref().unwrap_or(facts);
            tokenizer.check_length(text, reads.limit(self.beyond_length))?;
            tokenizer.encode(text)
        })?;
        let mask = self.attention_mask.as_deref();
        let mask = mask.map(|mask| TokenRows::parse_mask("--attention-mask", mask, &input)).transpose()?;
        let (ids, mask, source) = match facts.encoder.is_some() {
            true => {
                let (ids, own) = self.decoder_text(folder, facts, input.batch)?;
                (ids, own, Some(SourceText { ids: input.values, length: input.length, attention_mask: mask }))
            }
            false if self.decoder_ids.is_some() => {
                return invalid(format!("--decoder-ids: {} reads no source; give --ids alone", facts.architecture));
            }
            false => (input, mask, None),
        };
        let types = self.token_type_ids.as_deref();
        Ok(Request {
            attention_mask: mask,
            source,
            token_type_ids: types.map(|types| TokenRows::parse_like("--token-type-ids", types, &ids)).transpose()?,
            position_offset: self.position_offset,
            beyond_length: self.beyond_length,
            ..Request::new(ids.values, ids.batch, ids.length)
        })
    }

    /// The decoder's ids for `batch` sources, and their mask.
    fn decoder_text(&self, folder: &Path, facts: &Facts, batch: usize) -> Result<(TokenRows, Option<Vec<u32>>), Error> {
        let Some(ids) = &self.decoder_ids else {
            let start = GenerationConfig::open(folder, facts)?.start(facts);
            return Ok((TokenRows { batch, length: 1, values: vec![start; batch] }, None));
        };
        let ids = TokenRows::parse("--decoder-ids", ids)?;
        let mask = self.decoder_attention_mask.as_deref();
        let mask = mask.map(|mask| TokenRows::parse_mask("--decoder-attention-mask", mask, &ids)).transpose()?;
        Ok((ids, mask))
    }
}
