//! What was measured, as Markdown while it is being measured, and as one JSON file.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Context;
use ropescope::backend::gpu::Gpu;
use serde_json::{Map, Value, json};

/// A number with its digits behind the point, a word, several whole numbers, or nothing.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    Number(f64, usize),
    Text(String),
    Ids(Vec<u32>),
    Empty,
}

/// Rows under named columns.
#[derive(Debug, Clone)]
pub struct Table {
    /// Its name in the JSON file.
    pub name: &'static str,
    pub title: String,
    pub columns: &'static [&'static str],
    pub rows: Vec<Vec<Cell>>,
    /// What was left out and why, and what a reader has to know.
    pub notes: Vec<String>,
}

/// All tables so far, and where they are kept.
pub struct Report {
    file: PathBuf,
    head: Map<String, Value>,
    tables: Map<String, Value>,
}

impl Cell {
    pub fn count(count: usize) -> Self {
        Cell::Number(count as f64, 0)
    }

    /// part / total in per cent.
    pub fn share(part: f64, total: f64) -> Self {
        if total > 0.0 { Cell::Number(100.0 * part / total, 1) } else { Cell::Empty }
    }

    pub fn markdown(&self) -> String {
        match self {
            Cell::Number(number, digits) => format!("{number:.digits$}"),
            Cell::Text(text) => text.clone(),
            Cell::Ids(ids) => ids.iter().map(u32::to_string).collect::<Vec<_>>().join(" "),
            Cell::Empty => String::new(),
        }
    }

    fn json(&self) -> Value {
        match self {
            Cell::Number(number, _) => json!(number),
            Cell::Text(text) => json!(text),
            Cell::Ids(ids) => json!(ids),
            Cell::Empty => Value::Null,
        }
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Cell::Text(text.into())
    }
}

impl Table {
    pub fn new(name: &'static str, title: impl Into<String>, columns: &'static [&'static str]) -> Self {
        Self { name, title: title.into(), columns, rows: Vec::new(), notes: Vec::new() }
    }

    /// As Markdown. Ids are for the JSON file: their columns are left out.
    fn markdown(&self) -> String {
        let has_no_ids = |column: &usize| !self.rows.iter().any(|row| matches!(row.get(*column), Some(Cell::Ids(_))));
        let columns: Vec<usize> = (0..self.columns.len()).filter(has_no_ids).collect();
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let mut text = format!("\n### {}\n\n", self.title);
        text += &line(columns.iter().map(|column| self.columns[*column].to_owned()).collect());
        text += &format!("|{}\n", "---|".repeat(columns.len()));
        for row in &self.rows {
            text +=
                &line(columns.iter().map(|column| row.get(*column).map_or(String::new(), Cell::markdown)).collect());
        }
        for note in &self.notes {
            text += &format!("\n{note}\n");
        }
        text
    }

    fn json(&self) -> Value {
        let row = |row: &Vec<Cell>| -> Map<String, Value> {
            self.columns.iter().zip(row).map(|(name, cell)| ((*name).to_owned(), cell.json())).collect()
        };
        json!({ "title": self.title, "rows": self.rows.iter().map(row).collect::<Vec<_>>(), "notes": self.notes })
    }
}

impl Report {
    /// Of this machine and adapter; the file is written anew with every table.
    pub fn new(gpu: &Gpu, file: &Path) -> anyhow::Result<Self> {
        let seconds = SystemTime::now().duration_since(UNIX_EPOCH).context("the clock is before 1970")?.as_secs();
        let adapter = gpu.information();
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let head = json!({
            "date": date(seconds / 86_400),
            "machine": {
                "system": std::env::consts::OS, "architecture": std::env::consts::ARCH, "threads": threads,
                "processor": processor(),
            },
            "adapter": {
                "name": adapter.name, "interface": adapter.backend.to_string(), "driver": adapter.driver,
                "driver version": adapter.driver_info, "kind": format!("{:?}", adapter.device_type),
            },
        });
        let Value::Object(head) = head else { anyhow::bail!("a head is an object") };
        Ok(Self { file: file.to_owned(), head, tables: Map::new() })
    }

    /// Who is measured, where and when.
    pub fn headline(&self) -> String {
        let [date, machine, adapter] = ["date", "machine", "adapter"].map(|name| &self.head[name]);
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let of = |value: &Value, names: &[&str]| {
            let words: Vec<String> =
                names.iter().map(|name| text(&value[*name])).filter(|word| !word.is_empty()).collect();
            words.join(", ")
        };
        let adapter = of(adapter, &["name", "interface", "driver", "driver version", "kind"]);
        let machine =
            format!("{}, {} threads", of(machine, &["processor", "architecture", "system"]), machine["threads"]);
        format!("## {}, the GPU backend on {adapter}; {machine}", text(date))
    }

    /// Prints a table and keeps it.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn add(&mut self, table: &Table) -> anyhow::Result<()> {
        print!("{}", table.markdown());
        self.tables.insert(table.name.into(), table.json());
        let mut document = self.head.clone();
        document.insert("tables".into(), Value::Object(self.tables.clone()));
        if let Some(folder) = self.file.parent() {
            fs::create_dir_all(folder)?;
        }
        let text = serde_json::to_string_pretty(&document)? + "\n";
        fs::write(&self.file, text).with_context(|| format!("cannot write {}", self.file.display()))
    }
}

/// The processor's name, where Linux tells it.
fn processor() -> String {
    let cpuinfo = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = cpuinfo.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    name.map(|(_, name)| name.trim().to_owned()).unwrap_or_default()
}

/// The day that is so many days after 1970-01-01, as 2026-11-23: Howard Hinnant's `civil_from_days`.
fn date(days: u64) -> String {
    let days = days + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    format!("{}-{month:02}-{day:02}", era * 400 + year + u64::from(month <= 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_become_dates() {
        for (days, expected) in
            [(0, "1970-01-01"), (11_016, "2000-02-29"), (20_780, "2026-11-23"), (20_819, "2027-01-01")]
        {
            assert_eq!(date(days), expected);
        }
    }

    #[test]
    fn a_table_is_told_twice() {
        let mut table = Table::new("some", "Some times", &["what", "ms", "tokens named"]);
        table.rows.push(vec!["one".into(), Cell::Number(1.25, 1), Cell::Ids(vec![7, 8])]);
        table.rows.push(vec!["two".into(), Cell::Empty, Cell::Ids(vec![9])]);
        table.notes.push("Left out: three.".into());
        let expected = "\n### Some times\n\n| what | ms |\n|---|---|\n| one | 1.2 |\n| two |  |\n\nLeft out: three.\n";
        assert_eq!(table.markdown(), expected);
        let json = table.json();
        assert_eq!(json["rows"][0], json!({ "what": "one", "ms": 1.25, "tokens named": [7, 8] }));
        assert_eq!(json["rows"][1]["ms"], Value::Null);
        assert_eq!(json["notes"], json!(["Left out: three."]));
    }
}
