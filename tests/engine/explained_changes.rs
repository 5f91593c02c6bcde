//! Explanations of runs whose interventions put numbers: what is put there, and how all else follows from it.

use crate::explain::{FOLDERS, explain, one_text, recombine};
use crate::support::{golden, gpu};
use pollster::block_on;
use ropescope::backend::NeverCancelled;
use ropescope::error::Error;
use ropescope::plan::{Index, NumberTensors, TensorName};
use ropescope::runtime::{Attribution, Device, Explainer, Intervention, Interventions, Request};

/// A number in every tensor that takes one, in each layer, and a network without its neurons.
fn changed(request: Request) -> Request {
    let at = Index::At;
    let put = |tensor: TensorName| {
        let site = tensor.in_every_layer();
        let site = if tensor.axes().len() == 3 {
            site.with_index([at(0), at(1), at(1)])
        } else {
            site.with_index([at(1), at(3)])
        };
        Intervention::put(site, 0.25)
    };
    let numbers = NumberTensors::all().map(put).chain([Intervention::switch_off(0, None)]);
    Request { interventions: numbers.into(), ..request }
}

#[test]
fn numbers_of_changed_runs_recombine_on_the_cpu() {
    for folder in FOLDERS.map(golden) {
        recombine(&folder.name, &folder.load(Device::Cpu), &changed(one_text(&folder)), 1e-5);
    }
}

#[test]
fn numbers_of_changed_runs_recombine_on_the_gpu() {
    let device = gpu();
    for folder in ["masked_lm", "decoders/llama", "pairs/marian"].map(golden) {
        recombine(&folder.name, &folder.load(device.clone()), &changed(one_text(&folder)), 1e-4);
    }
}

#[test]
fn a_number_that_is_put_is_its_own_explanation() {
    for folder in ["masked_lm", "decoders/llama", "pairs/marian"].map(golden) {
        let mut explainer = Explainer::new(&folder.load(Device::Cpu), &changed(one_text(&folder))).unwrap();
        for (site, value) in [
            ("ffn.0[1,3]", 0.0),
            ("ffn.0[2,5]", 0.0),
            ("ffn.1[1,3]", 0.25),
            ("hidden_states.1[1,3]", 0.25),
            ("layer.1.value[0,1,1]", 0.25),
        ] {
            let what = format!("{}: {site}", folder.name);
            let found = explain(&mut explainer, site.parse().unwrap(), 2).unwrap();
            assert_eq!((found.value, found.recomputed), (Some(value), Some(f64::from(value))), "{what}");
            assert_eq!(found.formula.as_deref(), Some("intervention"), "{what}");
            let [operand] = &found.operands[..] else { panic!("{what}: {found:?}") };
            assert_eq!((operand.name.as_str(), operand.value), ("intervention", Some(value)), "{what}");
        }
        // Beside it nothing is put, and the formula is that of the op.
        let neighbour = explain(&mut explainer, "ffn.1[1,4]".parse().unwrap(), 1).unwrap();
        assert!(!neighbour.formula.unwrap().contains("intervention"), "{}", folder.name);
    }
}

/// The terms add up to the logit of the changed run, as long as the residual stream itself is not changed.
#[test]
fn a_logit_of_a_changed_run_adds_up() {
    for folder in ["masked_lm", "decoders/llama", "decoders/gemma3", "readers/modernbert", "pairs/marian"].map(golden) {
        let model = folder.load(Device::Cpu);
        let explainer = |changes: &[&str]| {
            let interventions = Interventions::from(changes.iter().map(|text| text.parse::<Intervention>().unwrap()));
            Explainer::new(&model, &Request { interventions, ..one_text(&folder) }).unwrap()
        };
        let attribute = |explainer: &mut Explainer| block_on(explainer.attribute(2, 5, &NeverCancelled));
        let before = attribute(&mut explainer(&[])).unwrap();
        let changes = ["ffn.0[*,*]=zero", "ffn.1[2,3]=0.5", "layer.0.head[1,2,0]=0.25", "layer.1.value[0,1,0]=1"];
        let Attribution { logit, terms } = attribute(&mut explainer(&changes)).unwrap();
        assert_ne!(logit, before.logit, "{}", folder.name);
        let sum: f64 = terms.iter().map(|term| term.value).sum();
        let largest = terms.iter().fold(1.0_f64, |largest, term| largest.max(term.value.abs()));
        assert!((sum - f64::from(logit)).abs() <= 1e-4 * largest, "{}: {sum} of {logit}", folder.name);
        for stream in ["embeddings[0,0]=1", "hidden_states.1[0,0]=1", "layer.0.residual[0,0]=1"] {
            let refused = attribute(&mut explainer(&[stream])).unwrap_err();
            assert_eq!(refused, Error::ExplainsNoInterventions, "{stream}");
        }
    }
}
