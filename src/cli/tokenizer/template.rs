//! The tokens that a tokenizer adds before and after every text, by the post_processor of tokenizer.json.

use serde_json::Value;
use tokenizers::PostProcessorWrapper;

/// The numbers of tokens before and after a text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Template {
    pub before: usize,
    pub after: usize,
}

impl Template {
    pub fn new(processor: Option<&PostProcessorWrapper>) -> Template {
        // The library can write everything that it has read.
        processor.map_or_else(Template::default, |processor| of(&serde_json::to_value(processor).unwrap_or_default()))
    }
}

fn of(processor: &Value) -> Template {
    match processor["type"].as_str() {
        Some("BertProcessing" | "RobertaProcessing") => Template { before: 1, after: 1 },
        Some("TemplateProcessing") => template(processor),
        Some("Sequence") => processor["processors"].as_array().into_iter().flatten().map(of).fold(
            Template::default(),
            |inner, outer| Template { before: inner.before + outer.before, after: inner.after + outer.after },
        ),
        _ => Template::default(),
    }
}

fn template(processor: &Value) -> Template {
    let items: Vec<&Value> = processor["single"].as_array().into_iter().flatten().collect();
    let text = items.iter().position(|item| item.get("Sequence").is_some()).unwrap_or(items.len());
    let tokens = |items: &[&Value]| -> usize {
        let name = |item: &&Value| item["SpecialToken"]["id"].as_str().map(str::to_string);
        let ids = |name: String| processor["special_tokens"][name]["ids"].as_array().map_or(0, Vec::len);
        items.iter().filter_map(name).map(ids).sum()
    };
    let (before, after) = items.split_at(text);
    Template { before: tokens(before), after: tokens(after) }
}
