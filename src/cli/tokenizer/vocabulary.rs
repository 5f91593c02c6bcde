//! Tokenizers from vocab.txt: one token a line, whose number is its id.

use tokenizers::models::wordlevel::WordLevel;
use tokenizers::models::wordpiece::WordPiece;
use tokenizers::normalizers::BertNormalizer;
use tokenizers::pre_tokenizers::bert::BertPreTokenizer;
use tokenizers::pre_tokenizers::whitespace::WhitespaceSplit;
use tokenizers::processors::bert::BertProcessing;
use tokenizers::{AddedToken, Result, Tokenizer};

/// Tokens without text.
const SPECIAL: [&str; 5] = ["<cls>", "<pad>", "<eos>", "<unk>", "<mask>"];

/// BERT's WordPiece, or ESM's residues if the vocabulary has `<cls>` in place of `[CLS]`. Returns whether tokens are residues.
pub fn tokenizer(vocabulary: &[u8], lowercase: Option<bool>) -> Result<(Tokenizer, bool)> {
    let ids = WordPiece::read_bytes(vocabulary)?;
    if ids.keys().all(String::is_empty) {
        return Err("the vocabulary is empty".into());
    }
    let token = |token: &str| ids.get(token).map(|id| (token.to_string(), *id));
    let ends = |begin, end| Some(BertProcessing::new(token(end)?, token(begin)?));
    let bert = ends("[CLS]", "[SEP]");
    match ends("<cls>", "<eos>") {
        Some(ends) if bert.is_none() => {
            let mut residues: Vec<(String, u32)> =
                ids.clone().into_iter().filter(|(token, _)| !token.is_empty()).collect();
            residues.sort_by_key(|(_, id)| *id);
            let model = WordLevel::builder().vocab(ids).unk_token("<unk>".into()).build()?;
            Ok((esm(model, ends, residues.into_iter().map(|(token, _)| token))?, true))
        }
        _ => {
            let cased = ids.keys().any(|token| !is_special(token) && token.chars().any(char::is_uppercase));
            let known = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"];
            let special: Vec<String> = known.iter().filter_map(|name| token(name)).map(|(token, _)| token).collect();
            let model = WordPiece::builder().vocab(ids).unk_token("[UNK]".into()).build()?;
            Ok((word_piece(model, bert, special, lowercase.unwrap_or(!cased))?, false))
        }
    }
}

/// Whether a token has the form of special tokens: [CLS], <mask>.
fn is_special(token: &str) -> bool {
    token.starts_with(['[', '<']) && token.ends_with([']', '>'])
}

fn word_piece(
    model: WordPiece,
    ends: Option<BertProcessing>,
    special: Vec<String>,
    lowercase: bool,
) -> Result<Tokenizer> {
    let mut tokenizer = Tokenizer::new(model);
    tokenizer.with_normalizer(Some(BertNormalizer::new(true, true, None, lowercase)))?;
    tokenizer.with_pre_tokenizer(Some(BertPreTokenizer));
    tokenizer.with_post_processor(ends);
    tokenizer.with_decoder(Some(tokenizers::decoders::wordpiece::WordPiece::default()));
    tokenizer.add_special_tokens(special.into_iter().map(|token| AddedToken::from(token, true)))?;
    Ok(tokenizer)
}

/// Finds every token anywhere, as Hugging Face's EsmTokenizer does: residues need no space between them.
fn esm(model: WordLevel, ends: BertProcessing, tokens: impl Iterator<Item = String>) -> Result<Tokenizer> {
    let mut tokenizer = Tokenizer::new(model);
    tokenizer.with_pre_tokenizer(Some(WhitespaceSplit));
    tokenizer.with_post_processor(Some(ends));
    let added = tokens.map(|token| {
        let special = SPECIAL.contains(&token.as_str());
        AddedToken::from(token, special).normalized(false)
    });
    tokenizer.add_tokens(added)?;
    Ok(tokenizer)
}
