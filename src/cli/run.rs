//! `ropescope run`: outputs and taps of a run as a safetensors file, under Hugging Face's names.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::Args;

use super::intervention::Interventions;
use super::model_arguments::ModelArguments;
use super::output_file::OutputFile;
use super::stdout::print;
use super::text_arguments::TextArguments;
use crate::backend::NeverCancelled;
use crate::error::Error;
use crate::model::Facts;
use crate::plan::{Site, TensorName};
use crate::runtime::{ContextOptions, Output, Request, named_taps, tap_sites};

#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    model: ModelArguments,
    #[command(flatten)]
    text: TextArguments,
    #[command(flatten)]
    interventions: Interventions,
    #[arg(long, value_name = "TAPS", help = taps_help())]
    taps: Vec<TapList>,
    /// The file to write.
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
}

/// Taps as the command line names them: a kind of tensor in every layer and part, or one site.
#[derive(Debug, Clone, PartialEq)]
enum TapArgument {
    Everywhere(TensorName),
    At(Site),
}

impl FromStr for TapArgument {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let kind = named_taps().find(|tensor| tensor.tap_name() == text);
        let site =
            || text.parse().map(Self::At).map_err(|_| format!("take {}, or a site as layer.2.query", tap_names()));
        kind.map_or_else(site, |tensor| Ok(Self::Everywhere(tensor)))
    }
}

fn tap_names() -> String {
    named_taps().map(TensorName::tap_name).collect::<Vec<_>>().join(", ")
}

fn taps_help() -> String {
    format!(
        "The tensors to write besides the result, separated by commas: of every layer {} (of ESM-2), or a single one by its site, as \
         layer.2.query or ffn.0.inner, with * for every layer of a part: layer.*.norm.0. In an encoder–decoder a site's name begins with its part, as encoder_attentions.0 or \
         encoder.layer.2.query",
        tap_names()
    )
}

/// Taps separated by commas. A comma inside brackets belongs to a site's index.
#[derive(Debug, Clone, PartialEq)]
struct TapList(Vec<TapArgument>);

impl FromStr for TapList {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut depth = 0_usize;
        let outside = |character: char| {
            match character {
                '[' => depth += 1,
                ']' => depth = depth.saturating_sub(1),
                _ => {}
            }
            character == ',' && depth == 0
        };
        text.split(outside).map(str::parse).collect::<Result<_, _>>().map(Self)
    }
}

impl TapArgument {
    fn sites(&self, facts: &Facts) -> Vec<Site> {
        match self {
            TapArgument::At(site) if site.layer.is_none() && site.tensor.is_per_layer() => {
                let of_part = tap_sites(site.tensor, facts).filter(|of| of.part == site.part);
                let sites: Vec<Site> = of_part.map(|of| Site { index: site.index, ..of }).collect();
                // Of a part that the model lacks there is none: the run says so.
                if sites.is_empty() { vec![*site] } else { sites }
            }
            TapArgument::At(site) => vec![*site],
            TapArgument::Everywhere(tensor) => tap_sites(*tensor, facts).collect(),
        }
    }
}

impl Arguments {
    /// Runs the model, writes the file and prints its list of tensors.
    pub fn execute(self) -> Result<(), Error> {
        let file = OutputFile::new(&self.output)?;
        let folder = self.interventions.change(self.model.open()?)?;
        let mut inputs = folder.files();
        inputs.extend(self.text.input.stdin_file());
        file.is_none_of(&inputs)?;
        let facts = folder.architecture()?.facts;
        let request = self.request(&facts)?;
        let (output, backend) = pollster::block_on(async {
            let model = folder.load(self.model.backend).await?;
            let context = model.context(ContextOptions { exact: true, ..ContextOptions::default() });
            let (output, _) = context.run(&request, &NeverCancelled).await?;
            Ok::<_, Error>((output, model.backend_name()))
        })?;
        file.write(|file| output.write_to(file, &facts))?;
        print(&summary(&output, &facts, &backend, &self.output))
    }

    fn request(&self, facts: &Facts) -> Result<Request, Error> {
        Ok(Request {
            taps: self.taps.iter().flat_map(|list| &list.0).flat_map(|tap| tap.sites(facts)).collect(),
            interventions: self.interventions.read()?,
            ..self.text.request(&self.model.folder, facts)?
        })
    }
}

fn summary(output: &Output, facts: &Facts, backend: &str, path: &Path) -> String {
    let mut text = String::new();
    for (name, tensor) in output.named(facts) {
        let _ = writeln!(text, "{name} {:?}", tensor.shape); // a String takes every write
    }
    let _ = writeln!(text, "computed on {backend}, written to {}", path.display());
    text
}
