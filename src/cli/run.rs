//! `ropescope run`: a model's outputs as a safetensors file, named as Hugging Face returns them.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::generation_config::GenerationConfig;
use super::input::Input;
use super::intervention::Interventions;
use super::output_file::OutputFile;
use super::rows::Rows;
use super::tokenizer::Tokenizer;
use super::{ModelArguments, print};
use crate::error::Error;
use crate::model::Facts;
use crate::plan::{self, Taps};
use crate::session::{Output, Request, SourceText};

#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    model: ModelArguments,
    #[command(flatten)]
    input: Input,
    /// 1 where a token is seen and 0 where it is padding, in the form of the ids; without it all are seen.
    #[arg(long, value_name = "ROWS")]
    attention_mask: Option<String>,
    /// The text after the source that an encoder–decoder reads, as ids, its start token first; without it that token alone.
    #[arg(long, value_name = "ROWS")]
    decoder_ids: Option<String>,
    /// 1 where a token of that text is seen and 0 where it is padding, in the form of its ids.
    #[arg(long, value_name = "ROWS", requires = "decoder_ids")]
    decoder_attention_mask: Option<String>,
    /// The type of each token, in the form of the ids; without it all are 0.
    #[arg(long, value_name = "ROWS")]
    token_type_ids: Option<String>,
    /// Added to every position.
    #[arg(long, value_name = "N", default_value_t = 0)]
    position_offset: u64,
    /// Run a text that is longer than the model is made for, where its rope can be stretched.
    #[arg(long)]
    beyond_length: bool,
    #[command(flatten)]
    interventions: Interventions,
    /// What to write besides the result: hidden_states and attentions under Hugging Face's names, and of each layer N
    /// layer.N.query, layer.N.key and layer.N.value before rotation, layer.N.query.rotated and layer.N.key.rotated after it,
    /// and layer.N.written, the norm of what each head writes into the residual stream. contacts: of ESM-2, which residues touch,
    /// without the tokens around them. Of an encoder–decoder each name has its part in front: encoder_attentions, decoder_attentions,
    /// cross_attentions, encoder.layer.N.query.
    #[arg(long, value_enum, value_delimiter = ',', value_name = "TAPS")]
    taps: Vec<Tap>,
    /// The file to write.
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
#[value(rename_all = "snake_case")]
enum Tap {
    HiddenStates,
    Attentions,
    Query,
    Key,
    Value,
    QueryRotated,
    KeyRotated,
    Written,
    Contacts,
}

impl Tap {
    /// The taps of a model of so many layers.
    fn of(self, layers: usize) -> impl Iterator<Item = plan::Tap> {
        let (of_layer, count): (fn(usize) -> plan::Tap, usize) = match self {
            Tap::HiddenStates => (plan::Tap::HiddenStates, layers + 1),
            Tap::Attentions => (plan::Tap::Attentions, layers),
            Tap::Query => (plan::Tap::Query, layers),
            Tap::Key => (plan::Tap::Key, layers),
            Tap::Value => (plan::Tap::Value, layers),
            Tap::QueryRotated => (plan::Tap::QueryRotated, layers),
            Tap::KeyRotated => (plan::Tap::KeyRotated, layers),
            Tap::Written => (plan::Tap::Written, layers),
            Tap::Contacts => (|_| plan::Tap::Contacts, 1),
        };
        (0..count).map(of_layer)
    }
}

impl Arguments {
    /// Runs the model and writes the file; says on stdout what is in it.
    pub fn execute(self) -> Result<(), Error> {
        let file = OutputFile::new(&self.output)?;
        let folder = self.interventions.change(self.model.open()?)?;
        let mut inputs = folder.files();
        inputs.extend(self.input.stdin_file());
        file.is_none_of(&inputs)?;
        let request = self.request(&folder.model()?.facts)?;
        let (output, backend) = pollster::block_on(async {
            let mut session = folder.load(self.model.backend.into()).await?;
            Ok::<_, Error>((session.run(&request).await?, session.backend_name()))
        })?;
        file.write(|file| output.write_to(file))?;
        print(&summary(&output, &backend, &self.output))
    }

    fn request(&self, facts: &Facts) -> Result<Request, Error> {
        let given = self.input.rows(|text| {
            let tokenizer = Tokenizer::open(&self.model.model)?;
            let reads = facts.encoder.as_deref().unwrap_or(facts);
            tokenizer.check_length(text, reads.limit(self.beyond_length))?;
            tokenizer.encode(text)
        })?;
        let mask = self.attention_mask.as_deref();
        let mask = mask.map(|mask| Rows::parse_mask("--attention-mask", mask, &given)).transpose()?;
        let (ids, mask, source) = match facts.encoder.is_some() {
            true => {
                let (ids, own) = self.text(facts, given.batch)?;
                (ids, own, Some(SourceText { ids: given.values, length: given.length, attention_mask: mask }))
            }
            false if self.decoder_ids.is_some() => {
                let reason = format!("--decoder-ids: {} reads no source; give --ids alone", facts.architecture);
                return Err(Error::InvalidInput { reason });
            }
            false => (given, mask, None),
        };
        let types = self.token_type_ids.as_deref();
        Ok(Request {
            attention_mask: mask,
            source,
            token_type_ids: types.map(|types| Rows::parse_like("--token-type-ids", types, &ids)).transpose()?,
            position_offset: self.position_offset,
            taps: self.taps.iter().flat_map(|tap| tap.of(facts.most_layers())).collect::<Taps>(),
            beyond_length: self.beyond_length,
            intervention: self.interventions.read()?,
            exact: true,
            ..Request::new(ids.values, ids.batch, ids.length)
        })
    }
}

impl Arguments {
    /// The text that goes after `batch` sources, and its mask.
    fn text(&self, facts: &Facts, batch: usize) -> Result<(Rows, Option<Vec<u32>>), Error> {
        let Some(ids) = &self.decoder_ids else {
            let start = GenerationConfig::open(&self.model.model, facts)?.start(facts);
            return Ok((Rows { batch, length: 1, values: vec![start; batch] }, None));
        };
        let ids = Rows::parse("--decoder-ids", ids)?;
        let mask = self.decoder_attention_mask.as_deref();
        let mask = mask.map(|mask| Rows::parse_mask("--decoder-attention-mask", mask, &ids)).transpose()?;
        Ok((ids, mask))
    }
}

fn summary(output: &Output, backend: &str, path: &Path) -> String {
    let mut text = String::new();
    for (name, tensor) in &output.tensors {
        let _ = writeln!(text, "{name} {:?}", tensor.shape); // a String takes every write
    }
    let _ = writeln!(text, "computed on {backend}, written to {}", path.display());
    text
}
