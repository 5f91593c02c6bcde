//! Slots: a few buffers for all values, none read and written in one step, none taken from a value that is still
//! needed.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use ropescope::model::Architecture;
use ropescope::plan::{
    Access, Capacity, Inputs, Kernel, Launch, Op, Plan, PlanBuilder, PlanOptions, Shape, Sizes, Taps, TensorName, Use,
    Value,
};
use serde_json::json;
use std::ops::Range;

/// An op that reads, changes and writes, and computes nothing.
struct Link(Vec<Use>);

impl Op for Link {
    fn uses(&self) -> Vec<Use> {
        self.0.clone()
    }

    fn kernel(&self) -> Kernel {
        Kernel::new("link")
    }

    fn launch(&self, _rows: Range<usize>, _sizes: Sizes) -> Launch {
        Launch::new(0, 0_u32)
    }

    fn run(&self, _chunks: Range<usize>, _inputs: &dyn Inputs, _outputs: &mut [&mut [f32]], _sizes: Sizes) {}
}

/// A step to come: which earlier values it reads, which of them the last one is changed instead, the widths of what
/// it writes, and which of those are outputs.
type Draft = (Vec<Index>, bool, Vec<(usize, bool)>);

fn drafts() -> impl Strategy<Value = Vec<Draft>> {
    let written = vec((1..9usize, any::<bool>()), 0..3);
    vec((vec(any::<Index>(), 0..4), any::<bool>(), written), 1..40)
}

/// A plan of such steps, and its outputs.
fn record(drafts: &[Draft], capacity: Capacity) -> (Plan, Vec<Value>) {
    let mut plan = PlanBuilder::new(PlanOptions::new(capacity));
    let (mut values, mut outputs): (Vec<Value>, Vec<Value>) = (Vec::new(), Vec::new());
    for (reads, changes, writes) in drafts {
        let mut read: Vec<Value> =
            reads.iter().filter(|_| !values.is_empty()).map(|index| *index.get(&values)).collect();
        read.sort_unstable();
        read.dedup();
        let changed = if *changes { read.pop() } else { None };
        let mut uses: Vec<Use> = read
            .into_iter()
            .map(|value| Use::read("x", value))
            .chain(changed.map(|value| Use::change("x", value)))
            .collect();
        for (width, keep) in writes {
            let value = plan.value(Shape::tokens(*width));
            uses.push(Use::write("y", value));
            values.push(value);
            outputs.extend(keep.then_some(value));
        }
        plan.step(Link(uses));
    }
    outputs.iter().for_each(|value| plan.output(*value));
    (plan.finish().unwrap(), outputs)
}

/// Walks the steps and follows which value each slot holds.
fn check(plan: &Plan, outputs: &[Value]) -> Result<(), TestCaseError> {
    let slot = |value: &Value| plan.slots.by_value[value.index()];
    let mut holds: Vec<Option<Value>> = vec![None; plan.slots.sizes.len()];
    for op in &plan.steps {
        let uses = op.uses();
        let of =
            |matches: fn(Access) -> bool| uses.iter().filter(move |used| matches(used.access)).filter_map(Use::value);
        for value in of(|access| access != Access::Write) {
            prop_assert_eq!(holds[slot(&value)], Some(value), "a value is gone before it is read");
        }
        for value in of(|access| access == Access::Write) {
            let needed = plan.shapes[value.index()].elements(plan.capacity.into());
            prop_assert!(plan.slots.sizes[slot(&value)] >= needed, "a slot is too small");
            holds[slot(&value)] = Some(value);
        }
        let mut slots: Vec<usize> = of(|_| true).map(|value| slot(&value)).collect();
        slots.sort_unstable();
        prop_assert!(slots.windows(2).all(|pair| pair[0] != pair[1]), "one slot has two values in a step");
    }
    for value in outputs {
        prop_assert_eq!(holds[slot(value)], Some(*value), "an output is gone");
        let sharing = plan.slots.by_value.iter().filter(|other| **other == slot(value)).count();
        prop_assert_eq!(sharing, 1, "an output shares its slot");
    }
    let used = |slot: usize| plan.slots.by_value.contains(&slot);
    prop_assert!((0..plan.slots.sizes.len()).all(used), "a slot holds nothing");
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_value_is_lost(drafts in drafts(), batch in 1..3usize, length in 1..5usize) {
        let (plan, outputs) = record(&drafts, Capacity::new(batch, length, 1));
        check(&plan, &outputs)?;
    }
}

/// A chain needs two slots, however long it is.
#[test]
fn a_chain_takes_two_slots() {
    let mut plan = PlanBuilder::new(PlanOptions::new(Capacity::new(1, 7, 1)));
    let mut value = None;
    for width in [3, 5, 2, 9, 9, 1, 4] {
        let next = plan.value(Shape::tokens(width));
        plan.step(Link(value.map(|value| Use::read("x", value)).into_iter().chain([Use::write("y", next)]).collect()));
        value = Some(next);
    }
    plan.output(value.unwrap());
    let plan = plan.finish().unwrap();
    assert_eq!(plan.slots.sizes.len(), 3, "two for the chain, one for the output");
}

/// A RoFormer's plan with this number of layers.
fn roformer(num_hidden_layers: usize, taps: Taps, keeps_heads: bool) -> Plan {
    roformer_of(5000, num_hidden_layers, taps, keeps_heads)
}

fn roformer_of(vocabulary: usize, num_hidden_layers: usize, taps: Taps, keeps_heads: bool) -> Plan {
    let config = json!({
        "model_type": "roformer", "architectures": ["RoFormerForMaskedLM"], "vocab_size": vocabulary, "hidden_size": 64,
        "embedding_size": 32, "intermediate_size": 256, "num_attention_heads": 4, "num_hidden_layers": num_hidden_layers,
    });
    let architecture = Architecture::read(&config.to_string(), None).unwrap();
    let options =
        PlanOptions { taps, keeps_heads, gathers_rows: true, top_k: 5, ..PlanOptions::new(Capacity::new(1, 128, 4)) };
    architecture.record(&options).unwrap().plan
}

#[test]
fn more_layers_take_no_more_memory() {
    let (two, twelve) = (roformer(2, Taps::none(), false), roformer(12, Taps::none(), false));
    assert_eq!(two.slots.sizes, twelve.slots.sizes);
    // Hidden state and projection, context and its statistics, what is attended, the intermediate: no more than a
    // handful.
    assert!(two.slots.sizes.len() <= 6, "{:?}", two.slots.sizes);
    assert!(two.slot_elements() <= 128 * (256 + 3 * 64 + 3 * 64) + 4 * 5000, "{:?}", two.slots.sizes);
}

/// The k likeliest of more than 16,384 words are found in slices, a dispatch of its own, and nothing else is.
#[test]
fn a_large_vocabulary_takes_a_dispatch_more() {
    let names = |vocabulary: usize| -> Vec<&str> {
        roformer_of(vocabulary, 2, Taps::none(), false).steps.iter().map(|op| op.name()).collect()
    };
    let (one, slices) = (names(16_384), names(16_385));
    assert_eq!(one.len(), 7 * 2 + 7, "{one:?}");
    assert_eq!(slices, [&one[..], &["top_k"]].concat());
}

/// Kept heads take their projection and two numbers a row; a tap of the same projection adds nothing.
#[test]
fn kept_heads_and_taps_add_their_own_size() {
    for tapped in [false, true] {
        let elements = |layers: usize| {
            let taps = (0..layers).filter(|_| tapped).map(|layer| TensorName::QueryRotated.at(layer));
            roformer(layers, taps.collect(), true).slot_elements()
        };
        assert_eq!(elements(12) - elements(2), 10 * 128 * (3 * 64 + 2 * 4), "tapped: {tapped}");
    }
    // A tap of its own takes its size once more.
    let elements = |layers: usize| {
        roformer(layers, (0..layers).map(|layer| TensorName::HiddenStates.at(layer)).collect(), false).slot_elements()
    };
    assert_eq!(elements(12) - elements(2), 10 * 128 * 64);
}
