//! Functions of JavaScript's Math as what the module imports, in place of wasm-bindgen's that call them: an engine knows them, and calls
//! them in half the time.

use std::fs;
use std::path::Path;

use anyhow::{Context, ensure};

/// What wasm-bindgen writes around such a call, of one number or two.
const AROUND: [(&str, &str); 2] = [
    ("function(arg0) {\n            const ret = Math.", "(arg0);\n            return ret;\n        }"),
    ("function(arg0, arg1) {\n            const ret = Math.", "(arg0, arg1);\n            return ret;\n        }"),
];

/// # Errors
/// When the bindings call such a function in another way.
pub fn give(bindings: &Path) -> anyhow::Result<()> {
    let text = fs::read_to_string(bindings)?;
    fs::write(bindings, direct(&text).with_context(|| format!("in {}", bindings.display()))?)?;
    Ok(())
}

fn direct(bindings: &str) -> anyhow::Result<String> {
    let mut text = bindings.to_string();
    for (before, behind) in AROUND {
        while let Some((head, rest)) = text.split_once(before) {
            let (name, tail) = rest.split_once(behind).context("a call of Math that does not end")?;
            ensure!(name.chars().all(|letter| letter.is_ascii_alphanumeric()), "{name} is no function of Math");
            text = format!("{head}Math.{name}{tail}");
        }
    }
    ensure!(!text.contains("ret = Math."), "another call of Math");
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::direct;

    fn called(parameters: &str, name: &str) -> String {
        let call = format!("const ret = Math.{name}({parameters});");
        format!("f: function({parameters}) {{\n            {call}\n            return ret;\n        }},")
    }

    #[test]
    fn functions_of_numbers_are_given_themselves() {
        let bindings =
            format!("{}\n{}\n{}", called("arg0", "sin"), called("arg0, arg1", "pow"), called("arg0", "log1p"));
        assert_eq!(direct(&bindings).unwrap(), "f: Math.sin,\nf: Math.pow,\nf: Math.log1p,");
        assert_eq!(direct("g: function(arg0) { arg0(); }").unwrap(), "g: function(arg0) { arg0(); }");
    }

    #[test]
    fn other_calls_are_refused() {
        assert!(direct(&called("arg0", "sin").replace("return ret", "return ret >>> 0")).is_err());
        assert!(direct(&called("arg1", "sin")).is_err());
    }
}
