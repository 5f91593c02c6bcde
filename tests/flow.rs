//! What flows through the layers of a text, as NumPy makes it of Hugging Face's maps and hidden states; on both backends.

mod support;

use ropescope::backend::Unhurried;
use ropescope::error::Error;
use ropescope::plan::HeadFate;
use ropescope::session::{Device, Flow, Intervention, LONGEST_FLOW, Replaced, Request, Selection, Session};
use support::{Expected, Folder, assert_close, golden, gpu, run};

fn flow(session: &mut Session, request: &Request) -> Result<Flow, Error> {
    let facts = session.facts().clone();
    let asked = Flow::asked(request.clone(), &facts)?;
    let output = pollster::block_on(session.run_aside(None, &asked, &Unhurried))?;
    Flow::of(&output, &facts, facts.rotary_value)
}

/// The folder's first text by itself.
fn first_text(folder: &Folder) -> Request {
    let request = folder.request();
    let first = |numbers: Option<Vec<u32>>| numbers.map(|numbers| numbers[..request.length].to_vec());
    Request {
        ids: request.ids[..request.length].to_vec(),
        batch: 1,
        token_type_ids: first(request.token_type_ids.clone()),
        attention_mask: None,
        ..request
    }
}

#[test]
fn rollout_norms_and_outputs_are_numpys() {
    let expected = Expected::open("tests/golden/flow.safetensors");
    for folder in [golden("tiny_masked_lm"), golden("decoders/llama")] {
        for (device, tolerance) in [(Device::Cpu, 1e-5), (gpu(), 1e-4)] {
            let found = flow(&mut folder.load(device), &first_text(&folder)).unwrap();
            for (name, found) in [("rollout", &found.rollout), ("residual", &found.residual), ("change", &found.change)]
            {
                let name = format!("{}/{name}", folder.name);
                assert_close(&name, found, expected.floats(&name), tolerance);
            }
            let facts = folder.facts();
            assert_eq!(found.outputs.len(), facts.layers * facts.heads, "{}", folder.name);
            assert!(found.outputs.iter().all(|norm| *norm > 0.0), "{}: {:?}", folder.name, found.outputs);
            if folder.name == "tiny_masked_lm" {
                let name = format!("{}/outputs", folder.name);
                assert_close(&name, &found.outputs, expected.floats(&name), tolerance);
            }
        }
    }
    assert_eq!(expected.unread(), Vec::<&String>::new());
}

/// A head that is off changes what later layers make of the text; where values turn, outputs are not told.
#[test]
fn changes_flow_on_and_turned_values_tell_no_outputs() {
    let folder = golden("tiny_masked_lm");
    let mut session = folder.load(Device::Cpu);
    let text = folder.text(1, 6);
    let replaced = vec![Replaced { layer: 0, head: 1, by: HeadFate::Zero }];
    let off = Request { intervention: Intervention { replaced, ..Intervention::default() }, ..text.clone() };
    let (whole, without) = (flow(&mut session, &text).unwrap(), flow(&mut session, &off).unwrap());
    let heads = folder.facts().heads;
    assert_eq!(whole.outputs[..heads], without.outputs[..heads], "what heads of the first layer give is the same");
    assert_ne!(whole.outputs[heads..], without.outputs[heads..]);
    assert_ne!(whole.rollout, without.rollout);
    assert_eq!(whole.residual[..6], without.residual[..6], "the embeddings are the same");
    let turned = golden("masked_lm_rotary_value");
    let found = flow(&mut turned.load(Device::Cpu), &turned.text(1, 6)).unwrap();
    assert_eq!((found.rollout.len(), found.outputs.len()), (36, 0));
}

#[test]
fn the_last_run_can_still_be_asked_about() {
    let folder = golden("tiny_masked_lm");
    let mut session = folder.load(Device::Cpu);
    run(&mut session, &Request { keeps_heads: true, ..folder.text(1, 9) });
    let head = |session: &mut Session| pollster::block_on(session.head(Selection { layer: 1, head: 2 })).unwrap();
    let before = head(&mut session);
    flow(&mut session, &folder.text(1, 5)).unwrap();
    assert_eq!(head(&mut session), before);
}

#[test]
fn several_texts_and_long_ones_are_refused() {
    let folder = golden("tiny_masked_lm");
    let mut session = folder.load(Device::Cpu);
    for (batch, length) in [(2, 4), (1, LONGEST_FLOW + 1)] {
        let refused = flow(&mut session, &folder.text(batch, length)).unwrap_err();
        assert!(refused.to_string().contains("at most 512 tokens"), "{refused}");
    }
}
