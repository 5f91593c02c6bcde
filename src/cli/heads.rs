//! `ropescope heads`: statistics of each head over a text, the contents of heads.json. They are means of entropy, distance and weight by
//! kind of key over all query tokens but special ones, and how well the mean query and key predict the scores.

use std::path::PathBuf;

use clap::Args;
use serde::{Serialize, Serializer};

use super::file::{LONGEST_TEXT, read_utf8};
use super::model_arguments::ModelArguments;
use super::stdout::{indented_json, print};
use super::tokenizer::Tokenizer;
use crate::backend::NeverCancelled;
use crate::cli::argument_error::invalid;
use crate::error::Error;
use crate::ops::HeadStatistics;
use crate::plan::Part;
use crate::rope::{PredictionInput, predict_scores};
use crate::runtime::{ContextOptions, HeadId, Model, Request, Run};

#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    model: ModelArguments,
    /// A plain text of at least a few thousand words.
    #[arg(long, value_name = "FILE")]
    text_file: PathBuf,
    /// The number of excerpts, at equal distances in the text.
    #[arg(long, value_name = "N", default_value_t = 200)]
    rows: usize,
    /// The tokens of an excerpt, including those of the template.
    #[arg(long, value_name = "N", default_value_t = 128)]
    length: usize,
    /// Print JSON in the form of the page's heads.json.
    #[arg(long)]
    json: bool,
}

/// The numbers of a head, means over queries or excerpts: their names in heads.json, as training/describe_heads.py writes them, and in the
/// table.
const NUMBERS: [(&str, &str); 12] = [
    // In nats.
    ("entropy", "entropy"),
    // To the keys, in tokens.
    ("distance", "distance"),
    ("previous", "previous"),
    ("next", "next"),
    ("same", "same"),
    ("first", "first"),
    // The same token elsewhere.
    ("repeated", "repeated"),
    ("special", "special"),
    // Tokens that follow an earlier occurrence of the query's.
    ("induction", "induction"),
    // A row's largest weight.
    ("largest", "largest"),
    // See [`crate::rope::ScorePrediction::concentration`]: over the excerpts.
    ("concentration", "R"),
    // See [`crate::rope::ScorePrediction`]: over the excerpts that have one.
    ("correlation", "r̄"),
];

#[derive(Serialize)]
struct Head {
    layer: usize,
    head: usize,
    #[serde(flatten, serialize_with = "by_name")]
    numbers: [f64; NUMBERS.len()],
}

fn by_name<S: Serializer>(numbers: &[f64; NUMBERS.len()], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(NUMBERS.iter().zip(numbers).map(|((name, _), number)| (name, number)))
}

#[derive(Serialize)]
struct Protocol {
    book: String,
    rows: usize,
    length: usize,
    queries: u64,
}

#[derive(Serialize)]
struct HeadsReport {
    protocol: Protocol,
    heads: Vec<Head>,
}

impl Arguments {
    pub fn execute(self) -> Result<(), Error> {
        let tokenizer = Tokenizer::open(&self.model.folder)?;
        let path = self.text_file.display().to_string();
        let text = read_utf8(&self.text_file, LONGEST_TEXT)?;
        let texts = self.excerpts(&tokenizer, &text)?;
        let folder = self.model.open()?;
        let (heads, queries) = pollster::block_on(async {
            let model = folder.load(self.model.backend).await?;
            describe(&model, &tokenizer, &texts).await
        })?;
        let book = self.text_file.file_stem().map_or(path, |name| name.to_string_lossy().into_owned());
        let (rows, length) = (texts.len(), self.length);
        let report = HeadsReport { protocol: Protocol { book, rows, length, queries }, heads };
        print(&if self.json { indented_json(&report)? } else { table(&report) })
    }

    /// Excerpts of ids, evenly over the text, each inside the template.
    fn excerpts(&self, tokenizer: &Tokenizer, text: &str) -> Result<Vec<Vec<u32>>, Error> {
        let around = tokenizer.encode("")?;
        let (before, after) = around.split_at(tokenizer.template().before.min(around.len()));
        let tokens = tokenizer.encode(text)?;
        let book = tokens.get(before.len()..tokens.len().saturating_sub(after.len())).unwrap_or_default();
        let stretch = self.length.saturating_sub(around.len());
        if self.rows == 0 {
            return invalid("--rows 0 reads nothing: ask for one stretch of the text at least");
        }
        if stretch == 0 {
            let (length, around) = (self.length, around.len());
            return invalid(format!(
                "--length {length} leaves no room beside the {around} tokens that the template puts around a stretch"
            ));
        }
        let count = book.len().checked_div(stretch).unwrap_or(0).min(self.rows);
        if count == 0 {
            return invalid(format!("the text has {} tokens, too few for a stretch of {}", book.len(), self.length));
        }
        let start = |row: usize| (book.len() - stretch) * row / (count - 1).max(1);
        Ok((0..count).map(|row| [before, &book[start(row)..][..stretch], after].concat()).collect())
    }
}

/// Means of every head, layer by layer, and the number of query tokens.
async fn describe(model: &Model, tokenizer: &Tokenizer, texts: &[Vec<u32>]) -> Result<(Vec<Head>, u64), Error> {
    let context = model.context(ContextOptions { keep_heads: true, ..ContextOptions::default() });
    let (layers, heads) = (model.facts().layers, model.facts().heads);
    let mask = tokenizer.mask().ok();
    let mut sums = vec![Sums::default(); layers * heads];
    let mut queries = 0;
    for ids in texts {
        // A mask token is special, but counts as a word.
        let special = |id: u32| tokenizer.is_special(id) && Some(id) != mask;
        let tokens: Vec<f32> = ids.iter().map(|id| if special(*id) { -1.0 } else { *id as f32 }).collect();
        let is_counted: Vec<u8> = tokens.iter().map(|token| u8::from(*token >= 0.0)).collect();
        let (_, run) = context.run(&Request::new(ids.clone(), 1, ids.len()), &NeverCancelled).await?;
        let count = is_counted.iter().map(|is_counted| u64::from(*is_counted)).sum::<u64>();
        queries += count;
        let means = run.statistics(Part::Decoder, 0..layers, &tokens, &NeverCancelled).await?.data;
        for (index, (sum, means)) in sums.iter_mut().zip(means.chunks_exact(HeadStatistics::EACH)).enumerate() {
            sum.add_means(means, count as f64);
            sum.add_prediction(model, &run, HeadId::new(index / heads, index % heads), &is_counted).await?;
        }
    }
    let mean = |(index, sums): (usize, Sums)| Head {
        layer: index / heads,
        head: index % heads,
        numbers: sums.means(queries.max(1) as f64),
    };
    Ok((sums.into_iter().enumerate().map(mean).collect(), queries))
}

#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    /// In the order of [`HeadStatistics`], over queries.
    numbers: [f64; HeadStatistics::EACH],
    /// Over excerpts: a sum, and the number of its terms.
    concentration: (f64, f64),
    correlation: (f64, f64),
}

impl Sums {
    fn add_means(&mut self, means: &[f32], queries: f64) {
        self.numbers.iter_mut().zip(means).for_each(|(sum, mean)| *sum += f64::from(*mean) * queries);
    }

    /// Adds the prediction from the run's mean query and key.
    async fn add_prediction(&mut self, model: &Model, run: &Run, head: HeadId, is_counted: &[u8]) -> Result<(), Error> {
        let maps = run.head(head, &NeverCancelled).await?;
        let facts = model.facts();
        let rows = PredictionInput {
            query: &maps.query,
            key: &maps.key,
            head_size: facts.head_size,
            first_position: 0,
            is_counted,
            scale: facts.scale,
            causal: facts.causal,
        };
        let Some(frequencies) = run.frequencies(head.layer)? else {
            return invalid("this model has no rotary embedding");
        };
        let found = predict_scores(&rows, &frequencies);
        let adds = |(sum, count): &mut (f64, f64), number: f64| {
            if !number.is_nan() {
                (*sum, *count) = (*sum + number, *count + 1.0);
            }
        };
        adds(&mut self.concentration, found.concentration());
        adds(&mut self.correlation, found.correlation);
        Ok(())
    }

    /// [`NUMBERS`], rounded to four decimals.
    fn means(&self, queries: f64) -> [f64; NUMBERS.len()] {
        let round = |mean: f64| (mean * 1e4).round() / 1e4;
        let [entropy, distance, previous, same, next, first, largest, repeated, special, induction] =
            self.numbers.map(|sum| round(sum / queries));
        let of_excerpts = |(sum, count): (f64, f64)| round(sum / count.max(1.0));
        let [concentration, correlation] = [self.concentration, self.correlation].map(of_excerpts);
        [
            entropy,
            distance,
            previous,
            next,
            same,
            first,
            repeated,
            special,
            induction,
            largest,
            concentration,
            correlation,
        ]
    }
}

fn table(report: &HeadsReport) -> String {
    let header = NUMBERS.iter().fold(format!("{:<6}", "head"), |line, (_, name)| line + &format!("{name:>10}"));
    let line = |Head { layer, head, numbers }: &Head| {
        let head = format!("{layer}.{head}");
        numbers.iter().fold(format!("{head:<6}"), |line, number| line + &format!("{number:>10.4}"))
    };
    report.heads.iter().map(line).fold(header, |text, line| text + "\n" + &line) + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_means_over_queries_and_excerpts() {
        let mut sums = Sums::default();
        // Two excerpts of one and three queries; only one of them has a correlation.
        sums.add_means(&[2.0; HeadStatistics::EACH], 1.0);
        sums.add_means(&[4.0; HeadStatistics::EACH], 3.0);
        sums.concentration = (1.5, 2.0);
        sums.correlation = (-0.25, 1.0);
        let means = sums.means(4.0);
        assert_eq!(means[..HeadStatistics::EACH], [3.5; HeadStatistics::EACH]);
        assert_eq!(means[HeadStatistics::EACH..], [0.75, -0.25]);
        assert_eq!(Sums::default().means(1.0), [0.0; 12]);
    }
}
