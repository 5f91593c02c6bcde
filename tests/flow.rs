//! What flows through the layers of a text and what heads take from where, as NumPy makes it of Hugging Face's maps and hidden
//! states; on both backends.

mod support;

use ropescope::backend::Unhurried;
use ropescope::error::Error;
use ropescope::plan::{HeadAblation, Part, Tap};
use ropescope::session::{Device, Flow, Intervention, LONGEST_FLOW, Replaced, Request, Selection, Session, Weighing};
use std::ops::Range;
use support::{Expected, Folder, assert_close, golden, gpu, run};

fn flow(session: &mut Session, request: &Request) -> Result<Flow, Error> {
    let facts = session.facts().clone();
    let asked = Flow::asked(request.clone(), &facts, Part::Decoder)?;
    let output = pollster::block_on(session.run_aside(None, &asked, &Unhurried))?;
    Flow::of(&output, &facts, Part::Decoder)
}

/// A RoFormer, and decoders whose heads share keys and values, without a bias and with one.
fn folders() -> [Folder; 3] {
    ["tiny_masked_lm", "decoders/llama", "decoders/qwen2"].map(golden)
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
    for folder in folders() {
        for (device, tolerance) in [(Device::Cpu, 1e-5), (gpu(), 1e-4)] {
            let found = flow(&mut folder.load(device), &first_text(&folder)).unwrap();
            for (name, found) in [
                ("rollout", &found.rollout),
                ("residual", &found.residual),
                ("change", &found.change),
                ("outputs", &found.outputs),
            ] {
                let name = format!("{}/{name}", folder.name);
                assert_close(&name, found, expected.floats(&name), tolerance);
            }
        }
    }
}

/// Every head's map by itself, means of a layer, of all, and of some heads, by each weighing.
#[test]
fn what_heads_take_is_numpys() {
    let expected = Expected::open("tests/golden/flow.safetensors");
    for folder in folders() {
        let facts = folder.facts();
        let places = |layers: Range<usize>| {
            let heads = move |layer| (0..facts.heads).map(move |head| Selection { layer, head });
            layers.flat_map(heads).collect::<Vec<_>>()
        };
        let all = places(0..facts.layers);
        let mut chosen: Vec<Vec<Selection>> = all.iter().map(|place| vec![*place]).collect();
        chosen.extend([
            places(1..2),
            all.clone(),
            vec![all[all.len() - 1], all[0], all[2]],
            vec![all[1], all[1], all[2]],
        ]);
        for (device, tolerance) in [(Device::Cpu, 1e-5), (gpu(), 1e-4)] {
            let mut session = folder.load(device);
            let request = first_text(&folder);
            run(&mut session, &Request { keeps_heads: true, ..request.clone() });
            for weighing in [Weighing::Weight, Weighing::Value, Weighing::Output] {
                for chosen in &chosen {
                    let found = pollster::block_on(session.mean_map(chosen, weighing, &Unhurried)).unwrap();
                    assert_eq!(found.shape, [request.length; 2]);
                    let expected = mean_by_hand(&expected, &folder, chosen, weighing);
                    let what = format!("{}: {weighing:?} of {chosen:?}", folder.name);
                    assert_close(&what, &found.data, &expected, tolerance);
                }
            }
        }
    }
}

/// The mean of NumPy's maps; weights are Hugging Face's.
fn mean_by_hand(expected: &Expected, folder: &Folder, chosen: &[Selection], weighing: Weighing) -> Vec<f32> {
    let [layers, heads] = [folder.facts().layers, folder.facts().heads];
    let of_folder = Expected::open(&folder.expected());
    let maps = match weighing {
        // Of the first text.
        Weighing::Weight => (0..layers)
            .flat_map(|layer| {
                let all = of_folder.floats(&format!("attentions.{layer}"));
                let texts = of_folder.shape(&format!("attentions.{layer}"))[0];
                all[..all.len() / texts].to_vec()
            })
            .collect::<Vec<f32>>(),
        Weighing::Value => expected.floats(&format!("{}/value_maps", folder.name)).to_vec(),
        Weighing::Output => expected.floats(&format!("{}/output_maps", folder.name)).to_vec(),
    };
    let cells = maps.len() / layers / heads;
    let each: Vec<usize> = chosen.iter().map(|place| place.layer * heads + place.head).collect();
    let mean = |cell: usize| each.iter().map(|at| f64::from(maps[at * cells + cell])).sum::<f64>() / each.len() as f64;
    (0..cells).map(|cell| mean(cell) as f32).collect()
}

/// One map is read, whatever is summed; a text in two parts has the same; what heads turn back has no norm of its own.
#[test]
fn means_are_of_the_whole_text_and_are_refused_where_there_is_none() {
    let folder = golden("decoders/llama");
    let heads: Vec<Selection> = (0..folder.facts().heads).map(|head| Selection { layer: 1, head }).collect();
    for (device, tolerance) in [(Device::Cpu, 1e-5), (gpu(), 1e-4)] {
        let mut session = folder.load(device);
        let mean = |session: &mut Session, weighing| pollster::block_on(session.mean_map(&heads, weighing, &Unhurried));
        assert_eq!(mean(&mut session, Weighing::Weight).unwrap_err().code(), "invalid-input", "before a run");
        let text = Request { keeps_heads: true, ..folder.text(1, 11) };
        run(&mut session, &text);
        let whole = mean(&mut session, Weighing::Output).unwrap();
        let part = Request { ids: text.ids[..6].to_vec(), length: 6, continues: true, ..text.clone() };
        run(&mut session, &part);
        run(&mut session, &Request { continues: true, ..text.clone() });
        assert_close("in two parts", &mean(&mut session, Weighing::Output).unwrap().data, &whole.data, tolerance);
        for wrong in [&[][..], &[Selection { layer: 2, head: 0 }], &[Selection { layer: 0, head: 4 }]] {
            let refused = pollster::block_on(session.mean_map(wrong, Weighing::Weight, &Unhurried)).unwrap_err();
            assert_eq!(refused.code(), "invalid-input", "{wrong:?}");
        }
        let turned = Intervention { rotates_values: true, ..Intervention::default() };
        run(&mut session, &Request { intervention: turned, ..text });
        assert_eq!(mean(&mut session, Weighing::Value).unwrap().data.len(), 121);
        let refused = mean(&mut session, Weighing::Output).unwrap_err();
        assert!(refused.to_string().contains("turned back"), "{refused}");
    }
}

/// Every name of the file is compared above.
#[test]
fn numpy_tells_what_is_compared() {
    let expected = Expected::open("tests/golden/flow.safetensors");
    let compared = ["rollout", "residual", "change", "outputs", "value_maps", "output_maps", "written"];
    for folder in folders() {
        compared.iter().for_each(|name| _ = expected.floats(&format!("{}/{name}", folder.name)));
        let name = format!("{}/written", folder.name);
        let facts = folder.facts();
        for (device, tolerance) in [(Device::Cpu, 1e-5), (gpu(), 1e-4)] {
            let taps = (0..facts.layers).map(Tap::Written).collect();
            let output = run(&mut folder.load(device), &Request { taps, ..first_text(&folder) });
            let found: Vec<f32> = output
                .tensors
                .iter()
                .filter(|(name, _)| name.ends_with(".written"))
                .flat_map(|(_, tensor)| tensor.data.clone())
                .collect();
            assert_close(&name, &found, expected.floats(&name), tolerance);
        }
    }
    assert_eq!(expected.unread(), Vec::<&String>::new());
}

/// A head that is off writes nothing, and changes what later layers make of the text; where values turn, it writes what they are
/// turned to.
#[test]
fn changes_flow_on() {
    let folder = golden("tiny_masked_lm");
    let mut session = folder.load(Device::Cpu);
    let text = folder.text(1, 6);
    let replaced = vec![Replaced { layer: 0, head: 1, by: HeadAblation::Zero }];
    let off = Request { intervention: Intervention { replaced, ..Intervention::default() }, ..text.clone() };
    let (whole, without) = (flow(&mut session, &text).unwrap(), flow(&mut session, &off).unwrap());
    let heads = folder.facts().heads;
    let mut first = whole.outputs[..heads].to_vec();
    first[1] = 0.0;
    assert_eq!(first, without.outputs[..heads], "the other heads of the first layer write the same");
    assert_ne!(whole.outputs[heads..], without.outputs[heads..]);
    assert_ne!(whole.rollout, without.rollout);
    assert_eq!(whole.residual[..6], without.residual[..6], "the embeddings are the same");
    let turned = golden("masked_lm_rotary_value");
    let found = flow(&mut turned.load(Device::Cpu), &turned.text(1, 6)).unwrap();
    assert_eq!((found.rollout.len(), found.outputs.len()), (36, turned.facts().layers * turned.facts().heads));
    assert!(found.outputs.iter().all(|norm| *norm > 0.0));
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
