//! Token ids, masks and types of the command line: numbers separated by commas, rows by semicolons.

use crate::cli::argument_error::invalid;
use crate::error::Error;

#[derive(Debug, Clone, PartialEq)]
pub struct TokenRows {
    pub batch: usize,
    pub length: usize,
    /// (batch, length), row-major.
    pub values: Vec<u32>,
}

impl TokenRows {
    /// Reads "2,5,11;2,31,7". `flag` names the argument in messages.
    pub fn parse(flag: &str, text: &str) -> Result<TokenRows, Error> {
        let mut rows = TokenRows { batch: 0, length: 0, values: Vec::new() };
        for (row, numbers) in text.split(';').enumerate() {
            let before = rows.values.len();
            for (position, number) in numbers.split(',').enumerate() {
                let number = number.trim();
                let Ok(value) = number.parse() else {
                    return invalid(format!(
                        "{flag}: {number:?} (row {row}, position {position}) is not a whole number from 0 to {}",
                        u32::MAX
                    ));
                };
                rows.values.push(value);
            }
            let length = rows.values.len() - before;
            if row == 0 {
                rows.length = length;
            } else if length != rows.length {
                return invalid(format!(
                    "{flag}: row {row} has {length} numbers, but row 0 has {}; pad the shorter one and mask its padding \
                     with --attention-mask",
                    rows.length
                ));
            }
            rows.batch += 1;
        }
        Ok(rows)
    }

    /// Reads an argument with one number for each id. Returns its values.
    pub fn parse_like(flag: &str, text: &str, ids: &TokenRows) -> Result<Vec<u32>, Error> {
        let rows = TokenRows::parse(flag, text)?;
        if (rows.batch, rows.length) != (ids.batch, ids.length) {
            return invalid(format!(
                "{flag}: {} rows of {} numbers do not fit the ids, {} rows of {}",
                rows.batch, rows.length, ids.batch, ids.length
            ));
        }
        Ok(rows.values)
    }

    /// Reads an attention mask: 1 for a token, 0 for padding.
    pub fn parse_mask(flag: &str, text: &str, ids: &TokenRows) -> Result<Vec<u32>, Error> {
        let mask = TokenRows::parse_like(flag, text, ids)?;
        match mask.iter().find(|value| **value > 1) {
            Some(value) => invalid(format!("{flag}: {value} is neither 1 (seen) nor 0 (padding)")),
            None => Ok(mask),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message<T: std::fmt::Debug>(result: Result<T, Error>) -> String {
        result.expect_err("must fail").to_string()
    }

    #[test]
    fn rows_are_read() {
        let rows = TokenRows::parse("--ids", "2, 5,11;4294967295,31,7").unwrap();
        assert_eq!(rows, TokenRows { batch: 2, length: 3, values: vec![2, 5, 11, u32::MAX, 31, 7] });
        assert_eq!(TokenRows::parse_mask("--attention-mask", "1,1,0;1,0,0", &rows).unwrap(), [1, 1, 0, 1, 0, 0]);
    }

    #[test]
    fn mistakes_are_named() {
        let unequal = message(TokenRows::parse("--ids", "1,2;3"));
        assert!(unequal.starts_with("--ids: row 1 has 1 numbers, but row 0 has 2"), "{unequal}");
        for text in ["", "1,,2", "1,2;", "-1", "1.5", "4294967296", "x"] {
            assert!(message(TokenRows::parse("--ids", text)).contains("is not a whole number"), "{text:?}");
        }
        let ids = TokenRows::parse("--ids", "1,2").unwrap();
        let shape = message(TokenRows::parse_like("--token-type-ids", "0,0,0", &ids));
        assert_eq!(shape, "--token-type-ids: 1 rows of 3 numbers do not fit the ids, 1 rows of 2");
        assert!(message(TokenRows::parse_mask("--attention-mask", "1,2", &ids)).contains("2 is neither 1"));
    }
}
