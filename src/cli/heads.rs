//! `ropescope heads`: what each head does over a text, as heads.json has it: means over every query token that is not special of
//! entropy, distance, and the weight on the token before, after, itself, the same token elsewhere, and special tokens.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use super::model_folder::{ModelFolder, read};
use super::tokenizer::Tokenizer;
use super::{ModelArguments, print};
use crate::error::Error;
use crate::plan::Tap;
use crate::session::{Request, Session};

#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    model: ModelArguments,
    /// A plain text, of a few thousand words at least.
    #[arg(long, value_name = "FILE")]
    text_file: PathBuf,
    /// Stretches of the text that are read, evenly over it.
    #[arg(long, value_name = "N", default_value_t = 200)]
    rows: usize,
    /// Tokens of a stretch, with those that the template puts around it.
    #[arg(long, value_name = "N", default_value_t = 128)]
    length: usize,
    /// Print heads.json as the page reads it beside a model.
    #[arg(long)]
    json: bool,
}

/// Means over the queries; the names are those of training/describe_heads.py.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
struct Habits {
    /// In nats.
    entropy: f64,
    /// To the keys, in tokens.
    distance: f64,
    previous: f64,
    next: f64,
    same: f64,
    repeated: f64,
    special: f64,
}

#[derive(Serialize)]
struct Head {
    layer: usize,
    head: usize,
    #[serde(flatten)]
    habits: Habits,
}

#[derive(Serialize)]
struct Protocol {
    book: String,
    rows: usize,
    length: usize,
    queries: u64,
}

#[derive(Serialize)]
struct Described {
    protocol: Protocol,
    heads: Vec<Head>,
}

impl Arguments {
    /// Prints a table, or JSON.
    pub fn execute(self) -> Result<(), Error> {
        let tokenizer = Tokenizer::open(&self.model.model)?;
        let path = self.text_file.display().to_string();
        let text = String::from_utf8(read(&self.text_file)?)
            .map_err(|_| Error::Io { path: path.clone(), reason: "is not UTF-8 text".into() })?;
        let texts = self.stretches(&tokenizer, &text)?;
        let folder = ModelFolder::open(&self.model.model)?;
        let described = pollster::block_on(async {
            let mut session = folder.load(self.model.backend.into()).await?;
            describe(&mut session, &tokenizer, &texts).await
        })?;
        let book = self.text_file.file_stem().map_or(path, |name| name.to_string_lossy().into_owned());
        let (rows, length) = (texts.len(), self.length);
        let (heads, queries) = described;
        let described = Described { protocol: Protocol { book, rows, length, queries }, heads };
        print(&if self.json { json(&described)? } else { table(&described) })
    }

    /// Rows of ids, evenly over the text, each with what the template puts around it.
    fn stretches(&self, tokenizer: &Tokenizer, text: &str) -> Result<Vec<Vec<u32>>, Error> {
        let around = tokenizer.encode("")?;
        let (before, after) = around.split_at(tokenizer.template().before.min(around.len()));
        let tokens = tokenizer.encode(text)?;
        let book = tokens.get(before.len()..tokens.len().saturating_sub(after.len())).unwrap_or_default();
        let room = self.length.saturating_sub(around.len());
        let count = book.len().checked_div(room).unwrap_or(0).min(self.rows);
        if count == 0 {
            let reason = format!("the text has {} tokens, too few for a stretch of {}", book.len(), self.length);
            return Err(Error::InvalidInput { reason });
        }
        let start = |row: usize| (book.len() - room) * row / (count - 1).max(1);
        Ok((0..count).map(|row| [before, &book[start(row)..][..room], after].concat()).collect())
    }
}

/// Means of every head, layer by layer, and the queries that were counted.
async fn describe(session: &mut Session, tokenizer: &Tokenizer, texts: &[Vec<u32>]) -> Result<(Vec<Head>, u64), Error> {
    let (layers, heads) = (session.facts().layers, session.facts().heads);
    let mut sums = vec![Habits::default(); layers * heads];
    let mut queries = 0;
    for ids in texts {
        let special: Vec<bool> = ids.iter().map(|id| tokenizer.is_special(*id)).collect();
        let taps = (0..layers).map(Tap::Attentions).collect();
        let output = session.run(&Request { taps, ..Request::new(ids.clone(), 1, ids.len()) }).await?;
        let maps = (0..layers).filter_map(|layer| output.tensors.get(&Tap::Attentions(layer).to_string()));
        for (sums, maps) in sums.chunks_exact_mut(heads).zip(maps) {
            for (sum, map) in sums.iter_mut().zip(maps.data.chunks_exact(ids.len() * ids.len())) {
                sum.count(map, ids, &special);
            }
        }
        queries += special.iter().filter(|special| !**special).count() as u64;
    }
    let mean = |(index, habits): (usize, Habits)| Head {
        layer: index / heads,
        head: index % heads,
        habits: habits.divided(queries.max(1) as f64),
    };
    Ok((sums.into_iter().enumerate().map(mean).collect(), queries))
}

impl Habits {
    /// Adds every query that is not special. map: (length, length), queries down.
    fn count(&mut self, map: &[f32], ids: &[u32], special: &[bool]) {
        for (query, weights) in map.chunks_exact(ids.len()).enumerate().filter(|(query, _)| !special[*query]) {
            for (key, weight) in weights.iter().map(|weight| f64::from(*weight)).enumerate() {
                if weight > 0.0 {
                    self.entropy -= weight * weight.ln();
                }
                self.distance += weight * key.abs_diff(query) as f64;
                self.previous += if key + 1 == query { weight } else { 0.0 };
                self.next += if key == query + 1 { weight } else { 0.0 };
                self.same += if key == query { weight } else { 0.0 };
                self.repeated += if key != query && !special[key] && ids[key] == ids[query] { weight } else { 0.0 };
                self.special += if special[key] { weight } else { 0.0 };
            }
        }
    }

    /// Means of sums, to four digits behind the point.
    fn divided(self, by: f64) -> Self {
        let mean = |sum: f64| (sum / by * 1e4).round() / 1e4;
        Self {
            entropy: mean(self.entropy),
            distance: mean(self.distance),
            previous: mean(self.previous),
            next: mean(self.next),
            same: mean(self.same),
            repeated: mean(self.repeated),
            special: mean(self.special),
        }
    }
}

fn json(described: &Described) -> Result<String, Error> {
    let failed = |error: serde_json::Error| Error::Io { path: "standard output".into(), reason: error.to_string() };
    serde_json::to_string_pretty(described).map(|text| text + "\n").map_err(failed)
}

fn table(described: &Described) -> String {
    let header = "head   entropy  distance  previous      next      same  repeated   special\n";
    let line = |Head { layer, head, habits }: &Head| {
        let Habits { entropy, distance, previous, next, same, repeated, special } = habits;
        format!(
            "{:<6} {entropy:>7.4} {distance:>9.4} {previous:>9.4} {next:>9.4} {same:>9.4} {repeated:>9.4} {special:>9.4}\n",
            format!("{layer}.{head}")
        )
    };
    described.heads.iter().fold(header.into(), |text: String, head| text + &line(head))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn habits_are_means_over_ordinary_queries() {
        // Query 0 is special; query 1 looks at itself and at the special token, query 2 at its like and at itself.
        let map = [1.0, 0.0, 0.0, 0.5, 0.5, 0.0, 0.0, 0.75, 0.25];
        let mut habits = Habits::default();
        habits.count(&map, &[1, 7, 7], &[true, false, false]);
        let habits = habits.divided(2.0);
        assert_eq!((habits.previous, habits.next, habits.same), (0.625, 0.0, 0.375));
        assert_eq!((habits.special, habits.repeated, habits.distance), (0.25, 0.375, 0.625));
        let entropy = (2.0 * 0.5 * 2f64.ln() - 0.75 * 0.75f64.ln() - 0.25 * 0.25f64.ln()) / 2.0;
        assert!((habits.entropy - entropy).abs() < 1e-4);
    }
}
