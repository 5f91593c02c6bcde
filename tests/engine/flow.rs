//! How a text's tokens mix through the layers, and means over heads' maps, as NumPy makes them of Hugging Face's maps and hidden states;
//! on both backends.

use crate::support::{Expected, Folder, assert_close, context, context_with_heads, golden, gpu, output, run};
use ropescope::backend::NeverCancelled;
use ropescope::error::Error;
use ropescope::plan::{Part, TensorName};
use ropescope::runtime::{
    Context, Device, HeadId, Intervention, Interventions, LONGEST_ROLLOUT, Replacement, Request, ResidualNorms, Run,
    SourceText, Weighing,
};
use std::ops::Range;

/// Rollout and norms of one run.
fn flow(context: &Context, request: &Request) -> Result<(Vec<f32>, ResidualNorms), Error> {
    let facts = context.model().facts();
    let request = Request { taps: ResidualNorms::taps(facts, Part::Decoder), ..request.clone() };
    pollster::block_on(async {
        let (output, run) = context.run(&request, &NeverCancelled).await?;
        let rollout = run.rollout(Part::Decoder, &NeverCancelled).await?;
        Ok((rollout.data, ResidualNorms::of(&output, facts, Part::Decoder)?))
    })
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
            let (rollout, norms) = flow(&context(&folder.load(device)), &first_text(&folder)).unwrap();
            for (name, found) in [
                ("rollout", &rollout),
                ("residual", &norms.residual),
                ("change", &norms.change),
                ("outputs", &norms.outputs),
            ] {
                let name = format!("{}/{name}", folder.name);
                assert_close(&name, found, expected.floats(&name), tolerance);
            }
        }
    }
}

/// Every head's map by itself, means of a layer, of all, and of some heads, by each weighing.
#[test]
fn mean_maps_are_numpys() {
    let expected = Expected::open("tests/golden/flow.safetensors");
    for folder in folders() {
        let facts = folder.facts();
        let places = |layers: Range<usize>| {
            let heads = move |layer| (0..facts.heads).map(move |head| HeadId::new(layer, head));
            layers.flat_map(heads).collect::<Vec<_>>()
        };
        let all = places(0..facts.layers);
        let mut some_heads: Vec<Vec<HeadId>> = all.iter().map(|place| vec![*place]).collect();
        some_heads.extend([
            places(1..2),
            all.clone(),
            vec![all[all.len() - 1], all[0], all[2]],
            vec![all[1], all[1], all[2]],
        ]);
        for (device, tolerance) in [(Device::Cpu, 1e-5), (gpu(), 1e-4)] {
            let context = context_with_heads(&folder.load(device));
            let request = first_text(&folder);
            let (_, run) = run(&context, &request);
            for weighing in [Weighing::Weight, Weighing::Value, Weighing::Output] {
                for some_heads in &some_heads {
                    let found = pollster::block_on(run.mean_map(some_heads, weighing, &NeverCancelled)).unwrap();
                    assert_eq!(found.shape, [request.length; 2]);
                    let expected = mean_by_hand(&expected, &folder, some_heads, weighing);
                    let what = format!("{}: {weighing:?} of {some_heads:?}", folder.name);
                    assert_close(&what, &found.data, &expected, tolerance);
                }
            }
        }
    }
}

/// The mean of NumPy's maps; weights are Hugging Face's.
fn mean_by_hand(expected: &Expected, folder: &Folder, some_heads: &[HeadId], weighing: Weighing) -> Vec<f32> {
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
    let each: Vec<usize> = some_heads.iter().map(|place| place.layer * heads + place.head).collect();
    let mean = |cell: usize| each.iter().map(|at| f64::from(maps[at * cells + cell])).sum::<f64>() / each.len() as f64;
    (0..cells).map(|cell| mean(cell) as f32).collect()
}

/// One map is read, whatever is summed; a text in two parts has the same; what heads turn back has no norm of its own.
#[test]
fn means_are_of_the_whole_text_and_are_refused_where_there_is_none() {
    let folder = golden("decoders/llama");
    let heads: Vec<HeadId> = (0..folder.facts().heads).map(|head| HeadId::new(1, head)).collect();
    for (device, tolerance) in [(Device::Cpu, 1e-5), (gpu(), 1e-4)] {
        let model = folder.load(device);
        let mean = |run: &Run, weighing| pollster::block_on(run.mean_map(&heads, weighing, &NeverCancelled));
        let text = folder.text(1, 11);
        let without_heads = context(&model);
        let (_, headless) = run(&without_heads, &text);
        assert_eq!(mean(&headless, Weighing::Weight).unwrap_err().code(), "no-heads", "no heads were kept");
        let context = context_with_heads(&model);
        let at_once = mean(&run(&context, &text).1, Weighing::Output).unwrap();
        let part = Request { ids: text.ids[..6].to_vec(), length: 6, continues: true, ..text.clone() };
        run(&context, &part);
        let (_, continued) = run(&context, &Request { continues: true, ..text.clone() });
        assert_close("in two parts", &mean(&continued, Weighing::Output).unwrap().data, &at_once.data, tolerance);
        for (wrong, code) in [
            (&[][..], "mean-of-no-head"),
            (&[HeadId::new(2, 0)], "head-out-of-range"),
            (&[HeadId::new(0, 4)], "head-out-of-range"),
        ] {
            let refused = pollster::block_on(continued.mean_map(wrong, Weighing::Weight, &NeverCancelled)).unwrap_err();
            assert_eq!(refused.code(), code, "{wrong:?}");
        }
        let rotated = Interventions::from([Intervention::rotate_values()]);
        let (_, rotated) = run(&context, &Request { interventions: rotated, ..text });
        assert_eq!(mean(&rotated, Weighing::Value).unwrap().data.len(), 121);
        let refused = mean(&rotated, Weighing::Output).unwrap_err();
        assert!(refused.to_string().contains("rotates each head's output back"), "{refused}");
    }
}

/// Every name of the file is compared above.
#[test]
fn every_array_of_numpys_is_compared() {
    let expected = Expected::open("tests/golden/flow.safetensors");
    let compared = ["rollout", "residual", "change", "outputs", "value_maps", "output_maps", "written"];
    for folder in folders() {
        compared.iter().for_each(|name| _ = expected.floats(&format!("{}/{name}", folder.name)));
        let name = format!("{}/written", folder.name);
        let facts = folder.facts();
        for (device, tolerance) in [(Device::Cpu, 1e-5), (gpu(), 1e-4)] {
            let taps = (0..facts.layers).map(|layer| TensorName::Written.at(layer)).collect();
            let output = output(&context(&folder.load(device)), &Request { taps, ..first_text(&folder) });
            let found: Vec<f32> = output.taps.into_values().flat_map(|tensor| tensor.data).collect();
            assert_close(&name, &found, expected.floats(&name), tolerance);
        }
    }
    assert_eq!(expected.unread(), Vec::<&String>::new());
}

/// The rollout needs heads alone: a text that goes on has the same as at once, and no taps are read.
#[test]
fn a_rollout_follows_any_run_with_heads() {
    let folder = golden("decoders/llama");
    let model = folder.load(Device::Cpu);
    let context = context_with_heads(&model);
    let text = folder.text(1, 11);
    let rollout = |run: &Run, part| pollster::block_on(run.rollout(part, &NeverCancelled));
    let at_once = rollout(&run(&context, &text).1, Part::Decoder).unwrap();
    assert_eq!(at_once.shape, [11; 2]);
    run(&context, &Request { ids: text.ids[..6].to_vec(), length: 6, continues: true, ..text.clone() });
    let (_, continued) = run(&context, &Request { continues: true, ..text.clone() });
    assert_close("in two parts", &rollout(&continued, Part::Decoder).unwrap().data, &at_once.data, 1e-5);
    let (_, headless) = run(&self::context(&model), &text);
    for refused in [rollout(&headless, Part::Decoder), rollout(&continued, Part::Cross)] {
        assert!(refused.is_err());
    }
    let pair = golden("pairs/marian");
    let context = context_with_heads(&pair.load(Device::Cpu));
    let source = Some(SourceText::one(vec![5, 3, 8, 1]));
    let (_, run) = run(&context, &Request { source, ..pair.text(1, 5) });
    assert_eq!(rollout(&run, Part::Encoder).unwrap().shape, [4; 2]);
    assert!(rollout(&run, Part::Cross).unwrap_err().to_string().contains("not cross-attention"));
}

/// A head that is off writes nothing, and changes what later layers make of the text; where values turn, it writes what they are
/// turned to.
#[test]
fn changes_flow_on() {
    let folder = golden("tiny_masked_lm");
    let context = context(&folder.load(Device::Cpu));
    let text = folder.text(1, 6);
    let replaced = [Intervention::ablate_head(0, 1, Replacement::Zero)];
    let off = Request { interventions: Interventions::from(replaced), ..text.clone() };
    let (plain_rollout, plain) = flow(&context, &text).unwrap();
    let (rollout, without) = flow(&context, &off).unwrap();
    let heads = folder.facts().heads;
    let mut first = plain.outputs[..heads].to_vec();
    first[1] = 0.0;
    assert_eq!(first, without.outputs[..heads], "the other heads of the first layer write the same");
    assert_ne!(plain.outputs[heads..], without.outputs[heads..]);
    assert_ne!(plain_rollout, rollout);
    assert_eq!(plain.residual[..6], without.residual[..6], "the embeddings are the same");
    let rotary_value = golden("masked_lm_rotary_value");
    let (rollout, norms) = flow(&self::context(&rotary_value.load(Device::Cpu)), &rotary_value.text(1, 6)).unwrap();
    let facts = rotary_value.facts();
    assert_eq!((rollout.len(), norms.outputs.len()), (36, facts.layers * facts.heads));
    assert!(norms.outputs.iter().all(|norm| *norm > 0.0));
}

#[test]
fn a_flow_in_another_context_leaves_a_run_as_it_is() {
    let folder = golden("tiny_masked_lm");
    let model = folder.load(Device::Cpu);
    let watched = context_with_heads(&model);
    let (_, run) = run(&watched, &folder.text(1, 9));
    let head = || pollster::block_on(run.head(HeadId::new(1, 2), &NeverCancelled)).unwrap();
    let before = head();
    flow(&context(&model), &folder.text(1, 5)).unwrap();
    assert_eq!(head(), before);
}

#[test]
fn several_texts_and_long_ones_are_refused() {
    let folder = golden("decoders/llama");
    let context = context(&folder.load(Device::Cpu));
    for (batch, length) in [(2, 4), (1, LONGEST_ROLLOUT + 1)] {
        let text = Request { beyond_length: true, ..folder.text(batch, length) };
        let before = Run::check_rollout(&text, Part::Decoder).unwrap_err();
        let refused = flow(&context, &text).unwrap_err();
        assert_eq!(before.to_string(), refused.to_string());
        assert!(refused.to_string().contains("at most 512 tokens"), "{refused}");
    }
    let facts = folder.facts();
    let taps = ResidualNorms::taps(&facts, Part::Decoder);
    let (output, _) = run(&context, &Request { taps, ..folder.text(2, 4) });
    assert!(
        ResidualNorms::of(&output, &facts, Part::Decoder).unwrap_err().to_string().contains("norms are of one text")
    );
}
