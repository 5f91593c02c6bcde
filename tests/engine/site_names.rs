//! `web/engine/protocol/siteNames.ts` holds the engine's list of sites for the page and the npm package. WRITE_SITES=1 writes it.

use ropescope::plan::NumberTensors;
use ropescope::runtime::{TensorName, named_taps};
use std::fmt::Write;

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/web/engine/protocol/siteNames.ts");

/// As Prettier formats it.
fn module() -> String {
    let mut text = String::from(
        "// Sites of a forward pass, from src/plan/site.rs: WRITE_SITES=1 cargo test --test engine site_names.\n\n\
         /** The axes of each tensor. In its name N stands for the layer, K for one of the layer's norms. */\n\
         export const tensors = {\n",
    );
    let mut templates: Vec<&str> = Vec::new();
    for tensor in TensorName::all() {
        let template = tensor.template();
        if !templates.contains(&template) {
            templates.push(template);
            let axes: Vec<String> = tensor.axes().iter().map(|axis| format!("'{}'", axis.name())).collect();
            writeln!(text, "  {}: [{}],", key(template), axes.join(", ")).unwrap();
        }
    }
    text += "} as const\n\n/** Tensors that a run keeps, by the command line's names. */\nexport const taps = {\n";
    for tensor in named_taps() {
        writeln!(text, "  {}: '{}',", key(&tensor.tap_name()), tensor.template()).unwrap();
    }
    text += "} as const satisfies Readonly<Record<string, keyof typeof tensors>>\n\n\
             /** The others. A tap names them by their sites. */\nexport const tapsBySite = [\n";
    let named: Vec<&str> = named_taps().map(TensorName::template).collect();
    let mut others: Vec<&str> =
        TensorName::all().map(TensorName::template).filter(|name| !named.contains(name)).collect();
    others.dedup();
    for template in others {
        writeln!(text, "  '{template}',").unwrap();
    }
    text += "] as const satisfies readonly (keyof typeof tensors)[]\n\n\
             /** Those that an intervention puts numbers in. */\nexport const numberTensors = [\n";
    for tensor in NumberTensors::all() {
        writeln!(text, "  '{}',", tensor.template()).unwrap();
    }
    text + "] as const satisfies readonly (keyof typeof tensors)[]\n"
}

/// A key of an object, quoted where it is no identifier.
fn key(name: &str) -> String {
    if name.contains('.') { format!("'{name}'") } else { name.into() }
}

#[test]
fn page_and_package_have_the_engines_sites() {
    let module = module();
    if std::env::var_os("WRITE_SITES").is_some() {
        std::fs::write(PATH, &module).unwrap();
    }
    let committed = std::fs::read_to_string(PATH).unwrap();
    assert_eq!(committed, module, "run it with WRITE_SITES=1");
}

#[test]
fn a_taps_name_is_no_other_tensors() {
    for tap in named_taps() {
        let same = TensorName::all().filter(|tensor| tensor.tap_name() == tap.tap_name());
        assert_eq!(same.collect::<Vec<_>>(), [tap]);
    }
}
