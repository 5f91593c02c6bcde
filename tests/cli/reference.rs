//! docs/reference/commands.md has the help of every command. WRITE_DOCS=1 writes it.

use crate::program::stdout;
use crate::reference_page::assert_page;

const PAGE: &str = "docs/reference/commands.md";

/// Longer descriptions go on in the next line, below their beginning.
const WIDTH: usize = 96;

fn page() -> String {
    let help = stdout(&["--help"]);
    let mut page = String::from(
        "# Commands\n\nThis is the program's own help, `ropescope --help`, and that of each of its commands. Programs read the JSON and CSV \
         that it prints.\nMessages for people go to standard error.\n\n",
    );
    page += &section("ropescope", &help);
    for command in commands(&help) {
        page += &section(&format!("ropescope {command}"), &stdout(&[command, "--help"]));
    }
    page
}

fn section(title: &str, help: &str) -> String {
    let lines: Vec<String> = help.trim_end().lines().map(wrapped).collect();
    format!("## {title}\n\n```text\n{}\n```\n\n", lines.join("\n"))
}

/// The names below "Commands:", up to the next empty line.
fn commands(help: &str) -> Vec<&str> {
    let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    lines.map_while(|line| line.split_whitespace().next()).collect()
}

/// A line of the help, with line breaks in its description.
fn wrapped(line: &str) -> String {
    let Some(column) = description_column(line) else { return line.into() };
    let (mut wrapped, description) = (line[..column].to_string(), &line[column..]);
    let mut length = column;
    for word in description.split(' ') {
        let word_length = word.chars().count();
        if length == column {
            length += word_length;
        } else if length + 1 + word_length <= WIDTH {
            wrapped.push(' ');
            length += 1 + word_length;
        } else {
            wrapped += &format!("\n{}", " ".repeat(column));
            length = column + word_length;
        }
        wrapped += word;
    }
    wrapped
}

/// Where the description of an option or a command begins; `None` for a line that has none.
fn description_column(line: &str) -> Option<usize> {
    let indent = line.len() - line.trim_start().len();
    let gap = indent + line[indent..].find("  ")?;
    Some(line.len() - line[gap..].trim_start().len())
}

#[test]
fn the_page_of_commands_has_the_programs_help() {
    assert_page(PAGE, &format!("{}\n", page().trim_end()), "cli page_of_commands");
}
