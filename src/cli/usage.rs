//! Messages for a command line that cannot be parsed, from the kind and the context of clap's error.

use std::error::Error as _;

use clap::Error;
use clap::error::{ContextKind, ContextValue, ErrorKind};

/// The reason without clap's usage block, which would take lines of its own.
pub fn message(error: &Error) -> String {
    if let Some(message) = removed(error) {
        return message;
    }
    let reason = reason(error);
    let suggestions = [ContextKind::SuggestedArg, ContextKind::SuggestedSubcommand, ContextKind::SuggestedValue];
    let suggestion = suggestions.into_iter().find_map(|kind| quoted(error, kind));
    let similar = suggestion.map_or(String::new(), |names| format!(", a similar name is {names}"));
    format!("{reason}{similar}; try ropescope --help")
}

fn reason(error: &Error) -> String {
    let argument = || quoted(error, ContextKind::InvalidArg).unwrap_or_else(|| "an argument".into());
    match error.kind() {
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand | ErrorKind::MissingSubcommand => "no command given".into(),
        ErrorKind::UnknownArgument => format!("unexpected argument {} found", argument()),
        ErrorKind::InvalidSubcommand => {
            let name = quoted(error, ContextKind::InvalidSubcommand).unwrap_or_default();
            format!("unrecognized subcommand {name}")
        }
        ErrorKind::MissingRequiredArgument => {
            let names = strings(error, ContextKind::InvalidArg).join(", ");
            format!("the following required arguments were not provided: {names}")
        }
        ErrorKind::ArgumentConflict => match quoted(error, ContextKind::PriorArg) {
            Some(prior) if prior != argument() => format!("the argument {} cannot be used with {prior}", argument()),
            _ => format!("the argument {} cannot be used multiple times", argument()),
        },
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => {
            let values = strings(error, ContextKind::ValidValue);
            let values =
                if values.is_empty() { String::new() } else { format!(" (possible values: {})", values.join(", ")) };
            match quoted(error, ContextKind::InvalidValue) {
                Some(value) => {
                    let source = error.source().map_or(String::new(), |source| format!(": {source}"));
                    format!("invalid value {value} for {}{source}{values}", argument())
                }
                None => format!("a value is required for {} but none was supplied{values}", argument()),
            }
        }
        kind => format!("{}: {}", argument(), kind.as_str().unwrap_or("the command line cannot be read")),
    }
}

/// The message for a command or an option of an earlier version.
fn removed(error: &Error) -> Option<String> {
    let is_named = |kind, name: &str| matches!(error.get(kind), Some(ContextValue::String(found)) if found == name);
    let reason = "nothing showed that other forms of products and attention save time on a hardware GPU";
    if is_named(ContextKind::InvalidSubcommand, "tune") {
        return Some(format!("the command tune was removed: {reason}"));
    }
    is_named(ContextKind::InvalidArg, "--forms")
        .then(|| format!("the option --forms was removed, leave it out: {reason}"))
}

/// The strings of a context that are not empty.
fn strings(error: &Error, kind: ContextKind) -> Vec<&str> {
    let strings = match error.get(kind) {
        Some(ContextValue::String(string)) => std::slice::from_ref(string),
        Some(ContextValue::Strings(strings)) => strings,
        _ => &[],
    };
    strings.iter().map(String::as_str).filter(|string| !string.is_empty()).collect()
}

/// The strings of a context in quotes; `None` without any.
fn quoted(error: &Error, kind: ContextKind) -> Option<String> {
    let strings: Vec<String> = strings(error, kind).into_iter().map(|string| format!("'{string}'")).collect();
    (!strings.is_empty()).then(|| strings.join(", "))
}
