//! Slots: a few buffers for all values, none read and written in one step, none taken from a value that is still needed.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use ropescope::model::{Architecture, Config, Model, Purpose};
use ropescope::plan::{Capacity, Dispatch, Finished, Inputs, Launch, Op, Phase, Plan, Shape, Sizes, Tap, Taps, Value};
use serde_json::json;

/// An op that reads and writes, and computes nothing.
struct Link {
    reads: Vec<Value>,
    writes: Vec<Value>,
}

impl Op for Link {
    fn name(&self) -> &'static str {
        "link"
    }

    fn reads(&self) -> Vec<Value> {
        self.reads.clone()
    }

    fn writes(&self) -> Vec<Value> {
        self.writes.clone()
    }

    fn run(&self, _inputs: &dyn Inputs, _outputs: &mut [&mut [f32]], _sizes: Sizes) {}

    fn dispatches(&self, _binding_limit: u64) -> Vec<Dispatch> {
        Vec::new()
    }

    fn launch(&self, _part: usize, _sizes: Sizes, _binding_limit: u64) -> Launch {
        Launch { workgroups: [0; 3], parameters: Vec::new() }
    }
}

/// A step to come: which earlier values it reads, the widths of what it writes, which of those are kept, and whether a
/// selection step follows that reads one of them.
type Draft = (Vec<Index>, Vec<(usize, bool)>, Option<Index>);

fn drafts() -> impl Strategy<Value = Vec<Draft>> {
    let written = vec((1..9usize, any::<bool>()), 1..3);
    vec((vec(any::<Index>(), 0..4), written, proptest::option::of(any::<Index>())), 1..40)
}

/// A plan of such steps, and the values that it keeps.
fn record(drafts: &[Draft], capacity: Capacity) -> (Finished, Vec<Value>) {
    let mut plan = Plan::new(capacity, Taps::none());
    let rows = plan.value(Shape::Head { head_size: 4 });
    let (mut values, mut kept): (Vec<Value>, Vec<Value>) = (Vec::new(), Vec::new());
    for (layer, (reads, writes, selected)) in drafts.iter().enumerate() {
        let reads = reads.iter().filter(|_| !values.is_empty()).map(|index| *index.get(&values)).collect();
        let writes: Vec<(Value, bool)> =
            writes.iter().map(|(width, keep)| (plan.value(Shape::Tokens { width: *width }), *keep)).collect();
        plan.step(Link { reads, writes: writes.iter().map(|(value, _)| *value).collect() });
        values.extend(writes.iter().map(|(value, _)| *value));
        kept.extend(writes.iter().filter(|(_, keep)| *keep).map(|(value, _)| *value));
        if let Some(index) = selected.as_ref().filter(|_| !kept.is_empty()) {
            plan.selection_step(layer, Link { reads: vec![*index.get(&kept)], writes: vec![rows] });
        }
    }
    kept.iter().for_each(|value| plan.output(*value));
    plan.output(rows);
    kept.push(rows);
    (plan.finish().unwrap(), kept)
}

/// Walks the steps and follows which value each slot holds.
fn check(plan: &Finished, kept: &[Value]) -> Result<(), TestCaseError> {
    let slot = |value: &Value| plan.slots.of[value.index()];
    let mut holds: Vec<Option<Value>> = vec![None; plan.slots.sizes.len()];
    for step in &plan.steps {
        let (reads, writes) = (step.op.reads(), step.op.writes());
        for value in &reads {
            prop_assert_eq!(holds[slot(value)], Some(*value), "a value is gone before it is read");
            prop_assert!(writes.iter().all(|written| slot(written) != slot(value)), "one slot is read and written");
        }
        for value in &writes {
            let needed = plan.shapes[value.index()].elements(plan.capacity.into());
            prop_assert!(plan.slots.sizes[slot(value)] >= needed, "a slot is too small");
            holds[slot(value)] = Some(*value);
        }
        for value in &writes {
            prop_assert_eq!(holds[slot(value)], Some(*value), "one slot is written twice in a step");
        }
    }
    for value in kept.iter().filter(|value| holds.iter().flatten().any(|held| held == *value)) {
        let sharing = plan.slots.of.iter().filter(|other| **other == slot(value)).count();
        prop_assert_eq!(sharing, 1, "a kept value shares its slot");
    }
    // What a selection step reads is there long after the run, in whatever order heads are chosen.
    for step in plan.steps.iter().filter(|step| step.phase != Phase::Forward) {
        for value in step.op.reads() {
            prop_assert_eq!(holds[slot(&value)], Some(value), "a head's rows are gone");
        }
    }
    let used = |slot: usize| plan.slots.of.contains(&slot);
    prop_assert!((0..plan.slots.sizes.len()).all(used), "a slot holds nothing");
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_value_is_lost(drafts in drafts(), batch in 1..3usize, length in 1..5usize) {
        let (plan, kept) = record(&drafts, Capacity { batch, length, rows: 1 });
        check(&plan, &kept)?;
    }
}

/// A chain needs two slots, however long it is.
#[test]
fn a_chain_takes_two_slots() {
    let mut plan = Plan::new(Capacity { batch: 1, length: 7, rows: 1 }, Taps::none());
    let mut value = None;
    for width in [3, 5, 2, 9, 9, 1, 4] {
        let next = plan.value(Shape::Tokens { width });
        plan.step(Link { reads: value.into_iter().collect(), writes: vec![next] });
        value = Some(next);
    }
    plan.output(value.unwrap());
    let plan = plan.finish().unwrap();
    assert_eq!(plan.slots.sizes.len(), 3, "two for the chain, one for what is kept");
}

/// A RoFormer's plan with so many layers.
fn roformer(num_hidden_layers: usize, taps: Taps, selects_heads: bool) -> Finished {
    let config = json!({
        "model_type": "roformer", "architectures": ["RoFormerForMaskedLM"], "vocab_size": 5000, "hidden_size": 64,
        "embedding_size": 32, "intermediate_size": 256, "num_attention_heads": 4, "num_hidden_layers": num_hidden_layers,
    });
    let model = Model::declare(&Config::parse(&config.to_string()).unwrap(), Architecture::MaskedLM);
    let capacity = Capacity { batch: 1, length: 128, rows: 4 };
    model.record(&Purpose { capacity, taps, selects_heads, gathers: true, top_k: 5 }).unwrap().plan
}

fn numbers(plan: &Finished) -> usize {
    plan.slots.sizes.iter().sum()
}

#[test]
fn more_layers_take_no_more_memory() {
    let (two, twelve) = (roformer(2, Taps::none(), false), roformer(12, Taps::none(), false));
    assert_eq!(two.slots.sizes, twelve.slots.sizes);
    // Hidden state and projection, context, what is attended, the intermediate, and the head: no more than a handful.
    assert!(two.slots.sizes.len() <= 6, "{:?}", two.slots.sizes);
    assert!(numbers(&two) <= 128 * (256 + 3 * 64 + 3 * 64) + 4 * 5000, "{:?}", two.slots.sizes);
}

/// Kept maps and projections take what they hold, and the rows of the chosen head are there once.
#[test]
fn what_is_kept_adds_its_own_size() {
    let kept = |layers: usize| {
        let taps = (0..layers).flat_map(|layer| [Tap::Attentions(layer), Tap::QueryRotated(layer)]);
        roformer(layers, taps.collect(), true)
    };
    let (two, twelve) = (numbers(&kept(2)), numbers(&kept(12)));
    assert_eq!(twelve - two, 10 * (4 * 128 * 128 + 128 * 3 * 64));
}
