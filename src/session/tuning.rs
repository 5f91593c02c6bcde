//! Which form of each product, and of attention by few queries, is quickest on an adapter: tried with the model at hand, one form after
//! the other, in runs beside the last one. What computes other numbers than the usual forms do, or fails, is dropped.

use super::device::GpuDevice;
use super::loaded::Session;
use super::self_check::agree;
use super::{Request, Rows, SourceText};
use crate::backend::Pace;
use crate::error::Error;
use crate::model::Attention;
use crate::plan::{Form, FormClass, Forms};
use std::rc::Rc;

/// A text whose forms are tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TriedText {
    /// That a run computes.
    pub tokens: usize,
    /// That came before them, whose keys and values are kept.
    pub past: usize,
}

/// Texts that are tried. A plan has room for so many tokens, a product's rows, or for one more of a text that goes on, whose keys are as
/// many as all of its tokens. Such a text begins with the one before it, of which nothing is run again.
const TEXTS: [TriedText; 10] = [
    whole(1),
    whole(32),
    whole(64),
    whole(128),
    whole(256),
    TriedText { tokens: 1, past: 255 },
    whole(512),
    TriedText { tokens: 1, past: 511 },
    TriedText { tokens: 1, past: 1023 },
    TriedText { tokens: 1, past: 2047 },
];

const fn whole(tokens: usize) -> TriedText {
    TriedText { tokens, past: 0 }
}

/// A form is taken that saves so much of a whole run's time: less is noise.
const SAVES: f64 = 0.03;

/// A form is tried for so many milliseconds, and so many runs at least; the least time of them counts.
const TRIED: f64 = 40.0;
const LEAST_RUNS: usize = 3;

/// A run of the usual forms that takes longer than so many milliseconds is tried no further: trials would be in the way.
const SLOW: f64 = 400.0;

/// What is known so far, and what is still to be tried.
pub struct Tuning {
    /// Of the model that it was begun with.
    parameters: u64,
    texts: Vec<TriedText>,
    trying: Option<Trying>,
    forms: Forms,
    /// While one is under way.
    trial: Option<Trial>,
    gains: Vec<Gain>,
}

/// A trial's forms are in use on its device until this is dropped.
struct Trial {
    device: Rc<GpuDevice>,
    /// What was in use before.
    before: Rc<Forms>,
}

impl Drop for Trial {
    fn drop(&mut self) {
        self.device.use_forms(Rc::clone(&self.before));
    }
}

/// What is known of the text that is tried now.
struct Trying {
    text: TriedText,
    stage: Stage,
    /// What the usual forms compute.
    expected: Vec<f32>,
    /// The quickest so far, and the least milliseconds of a run with them.
    forms: Forms,
    least: f64,
    candidates: Vec<(FormClass, Form)>,
    /// Classes that no text before it has, with the forms that they took before.
    classes: Vec<(FormClass, Form)>,
}

/// What the next run is of.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Stage {
    /// The forms known so far: which classes there are, and what they compute.
    Usual,
    /// The last of the candidates.
    Candidate,
    /// Once more those known before: what was quicker by chance is not. Then those that were found, against those milliseconds.
    Before,
    After(f64),
}

/// What the forms that were found are worth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gain {
    pub text: TriedText,
    /// Milliseconds of a run with the usual forms, and with those that were found.
    pub before: f64,
    pub after: f64,
    /// Classes that take another form than the usual one.
    pub changed: usize,
}

impl Tuning {
    /// Forms found so far.
    pub fn forms(&self) -> &Forms {
        &self.forms
    }

    /// Of each text that was tried, in their order.
    pub fn gains(&self) -> &[Gain] {
        &self.gains
    }

    /// Trials that are left for the text at hand, and texts that come behind it.
    pub fn left(&self) -> (usize, usize) {
        (self.trying.as_ref().map_or(0, |trying| trying.candidates.len() + 1), self.texts.len())
    }

    /// Tokens that came before those of the text at hand.
    pub fn past(&self) -> usize {
        self.trying.as_ref().map_or(0, |trying| trying.text.past)
    }
}

impl Session {
    /// Begins to try forms of this model's work, but for those classes whose forms are known. Nothing is tried on the CPU.
    pub fn tuning(&self) -> Tuning {
        let facts = &self.model.facts;
        let longest = facts.longest.and_then(|longest| usize::try_from(longest).ok()).unwrap_or(usize::MAX);
        // Others have nothing that is made of keys that are kept, or make all of a text anew.
        let goes_on = facts.causal && facts.predicts_tokens() && facts.attention == Attention::Softmax;
        let device = self.backend.device();
        let fits = |text: &&TriedText| text.length() <= longest && (text.past == 0 || goes_on) && device.is_some();
        let texts = TEXTS.iter().rev().filter(fits).copied().collect();
        let forms = device.map(|device| Forms::clone(&device.forms())).unwrap_or_default();
        Tuning { parameters: self.parameters(), texts, trying: None, forms, trial: None, gains: Vec::new() }
    }

    /// Tries one form. Returns whether something is left; when nothing is, the forms that were found are taken from then on.
    /// now: milliseconds of a clock.
    ///
    /// # Errors
    /// [`Error::Overtaken`]: the form is tried again later; a lost device; [`Session::begin_trial`].
    pub async fn tune(&mut self, tuning: &mut Tuning, now: &dyn Fn() -> f64, pace: &dyn Pace) -> Result<bool, Error> {
        let Some(text) = self.begin_trial(tuning)? else { return Ok(false) };
        // Dropped with this future, too: no other run takes the forms of a trial.
        let trial = tuning.trial.take();
        let timed = self.timed(&self.made_up_text(text), now, pace).await;
        drop(trial);
        if let Err(error @ (Error::Overtaken | Error::DeviceLost { .. })) = timed {
            return Err(error);
        }
        Ok(self.learn(tuning, timed.ok()))
    }

    /// Lets runs beside the last one take the forms of the next trial, until [`Session::learn`]. Returns the
    /// [text](Session::made_up_text) that is to be timed; none where nothing is left.
    ///
    /// # Errors
    /// Trials that were begun with another model.
    pub fn begin_trial(&mut self, tuning: &mut Tuning) -> Result<Option<TriedText>, Error> {
        if tuning.parameters != self.parameters() {
            return Err(Error::InvalidInput { reason: "these trials were begun with another model".into() });
        }
        let Some(device) = self.backend.device() else { return Ok(None) };
        tuning.trial = None;
        if tuning.trying.is_none() {
            tuning.trying = tuning.texts.pop().map(|text| Trying::new(text, &tuning.forms));
        }
        Ok(tuning.trying.as_ref().map(|trying| {
            tuning.trial = Some(Trial { before: device.forms(), device: Rc::clone(&device) });
            device.use_forms(Rc::new(trying.tried(&tuning.forms)));
            trying.text
        }))
    }

    /// Takes in what the text of a trial computes and the milliseconds that it takes at least; none where it failed. Returns whether
    /// something is left, as [`Session::tune`].
    pub fn learn(&mut self, tuning: &mut Tuning, timed: Option<(Vec<f32>, f64)>) -> bool {
        tuning.trial = None;
        if let Some(trying) = &mut tuning.trying
            && trying.learn(timed, &self.aside.forms(&self.backend))
        {
            if trying.least > SLOW {
                tuning.texts.clear();
            }
            tuning.gains.extend(trying.gain(&mut tuning.forms));
            tuning.trying = None;
        }
        let goes_on = tuning.trying.is_some() || !tuning.texts.is_empty();
        if !goes_on && let Some(device) = self.backend.device() {
            device.use_forms(Rc::new(tuning.forms.clone()));
            self.clear_aside();
        }
        goes_on
    }

    /// A text that looks like nothing, whose last row is read. One with tokens before it goes on from what ran beside the last run.
    pub fn made_up_text(&self, text: TriedText) -> Request {
        let length = text.length();
        let facts = &self.model.facts;
        let ids = |size: usize| -> Vec<u32> { (0..length).map(|at| ((at * 7919 + 13) % size.max(1)) as u32).collect() };
        let last = Rows::At(vec![length as u32 - 1]);
        Request {
            rows: if facts.predicts_tokens() { last } else { Rows::All },
            source: facts.encoder.as_ref().map(|encoder| SourceText::one(ids(encoder.vocab_size))),
            exact: length == 1,
            continues: text.past > 0,
            ..Request::new(ids(facts.vocab_size), 1, length)
        }
    }

    /// What a run beside the last one computes, and the least milliseconds of several.
    async fn timed(
        &mut self,
        request: &Request,
        now: &dyn Fn() -> f64,
        pace: &dyn Pace,
    ) -> Result<(Vec<f32>, f64), Error> {
        let (mut numbers, mut start, mut least, mut runs) = (Vec::new(), 0.0, f64::INFINITY, 0);
        // The first lays out and compiles, or comes to the last token of a text that goes on.
        while runs <= LEAST_RUNS || now() - start < TRIED {
            let began = now();
            let mut output = self.run_aside(None, request, pace).await?;
            match runs {
                0 => start = now(),
                _ => least = least.min(now() - began),
            }
            let tensor = output.tensors.remove(self.model.facts.result_name());
            numbers = tensor.map(|tensor| tensor.data).unwrap_or_default();
            runs += 1;
        }
        Ok((numbers, least))
    }
}

impl TriedText {
    /// Tokens of all of it.
    fn length(self) -> usize {
        self.tokens + self.past
    }
}

impl Trying {
    fn new(text: TriedText, forms: &Forms) -> Self {
        let (expected, candidates, classes) = Default::default();
        Self { text, stage: Stage::Usual, expected, forms: forms.clone(), least: 0.0, candidates, classes }
    }

    /// Forms of the next run. known: of texts before it.
    fn tried(&self, known: &Forms) -> Forms {
        match (self.stage, self.candidates.last()) {
            (Stage::Candidate, Some((class, form))) => {
                let mut forms = self.forms.clone();
                forms.set(*class, *form);
                forms
            }
            (Stage::Usual | Stage::Before, _) => known.clone(),
            _ => self.forms.clone(),
        }
    }

    /// Takes in what a run with those forms came to; none: it failed. classes: of its plan. Returns whether the text is done.
    fn learn(&mut self, timed: Option<(Vec<f32>, f64)>, classes: &[(FormClass, Form)]) -> bool {
        let candidate = self.candidates.last().copied().filter(|_| self.stage == Stage::Candidate);
        match (candidate, timed) {
            (Some((class, form)), timed) => {
                // It is dropped where it is slower, computes something else, or cannot be had on this adapter.
                let sound = timed.filter(|(found, _)| agree(found, &self.expected));
                if let Some((_, least)) = sound.filter(|(_, least)| *least < (1.0 - SAVES) * self.least) {
                    self.forms.set(class, form);
                    self.least = least;
                }
                self.candidates.pop();
            }
            (None, None) => return true,
            (None, Some((found, least))) => match self.stage {
                Stage::Before => {
                    self.stage = Stage::After(least);
                    return false;
                }
                Stage::After(_) => {
                    self.least = least;
                    return true;
                }
                _ => {
                    (self.expected, self.least) = (found, least);
                    let new = classes.iter().filter(|(class, _)| self.forms.get(*class).is_none());
                    self.classes = new.copied().collect();
                    for &(class, usual) in self.classes.iter().rev() {
                        self.candidates.extend(class.others(usual).into_iter().rev().map(|form| (class, form)));
                    }
                    if self.classes.is_empty() || least > SLOW {
                        return true;
                    }
                }
            },
        }
        self.stage = if self.candidates.is_empty() { Stage::Before } else { Stage::Candidate };
        false
    }

    /// What the forms of a text that is done are worth; they are known from then on. None where nothing was tried.
    fn gain(&self, known: &mut Forms) -> Option<Gain> {
        let Stage::After(before) = self.stage else { return None };
        let gains = self.least < (1.0 - SAVES) * before;
        let mut changed = 0;
        for (class, usual) in &self.classes {
            let found = self.forms.get(*class).filter(|_| gains).unwrap_or(*usual);
            changed += usize::from(found != *usual);
            known.set(*class, found);
        }
        let after = if changed > 0 { self.least } else { before };
        Some(Gain { text: self.text, before, after, changed })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::Unhurried;
    use crate::kernels::Format;
    use crate::model::Model;
    use crate::plan::Work;
    use crate::session::trial::{made_up, session_of};
    use crate::session::{BackendChoice, Device};
    use std::cell::Cell;
    use std::future::Future;
    use std::pin::pin;
    use std::task::{Context, Waker};

    const CONFIG: &str = r#"{"model_type": "roformer", "architectures": ["RoFormerForMaskedLM"], "vocab_size": 40, "hidden_size": 64,
        "embedding_size": 64, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 256, "type_vocab_size": 2,
        "max_position_embeddings": 32}"#;

    /// As many tokens as keys are cut at, and no text longer.
    const CAUSAL: &str = r#"{"model_type": "roformer", "architectures": ["RoFormerForCausalLM"], "is_decoder": true, "vocab_size": 40,
        "hidden_size": 32, "embedding_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32,
        "type_vocab_size": 2, "max_position_embeddings": 256}"#;

    fn session(choice: BackendChoice) -> Session {
        session_by(CONFIG, choice)
    }

    fn session_by(config: &str, choice: BackendChoice) -> Session {
        let device = pollster::block_on(Device::open(choice)).expect("a Vulkan adapter");
        let model = Model::read(config, None).unwrap();
        let numbers = model.table.iter().map(|(weight, ..)| made_up(weight)).collect();
        pollster::block_on(session_of(&device, model, numbers)).unwrap()
    }

    fn tune(session: &mut Session, tuning: &mut Tuning, now: &dyn Fn() -> f64) -> usize {
        let mut trials = 1;
        while pollster::block_on(session.tune(tuning, now, &Unhurried)).unwrap() {
            trials += 1;
        }
        trials
    }

    /// To the feed-forward layer, over 32 tokens.
    fn wide() -> FormClass {
        FormClass::of([32, 64, 256], Work::Product(Format::F32))
    }

    const SMALL: Form = Form { tile: Some(16), slices: 1 };
    const USUAL: Form = Form { tile: Some(32), slices: 1 };

    /// A clock by which runs take half the time with that form of that class.
    fn clock(session: &Session, class: FormClass, form: Form) -> impl Fn() -> f64 + use<> {
        let (device, time) = (session.device().unwrap(), Cell::new(0.0));
        move || {
            time.set(time.get() + if device.forms().get(class) == Some(form) { 50.0 } else { 100.0 });
            time.get()
        }
    }

    #[test]
    fn the_quickest_form_of_a_class_is_found_and_used() {
        let mut session = session(BackendChoice::Gpu);
        let request = session.made_up_text(whole(32));
        let before = pollster::block_on(session.run(&request)).unwrap();
        let now = clock(&session, wide(), SMALL);
        let mut tuning = session.tuning();
        let trials = tune(&mut session, &mut tuning, &now);
        assert!(trials > 6, "{trials}");
        assert_eq!(tuning.left(), (0, 0));
        let [row, text] = tuning.gains() else { panic!("{:?}", tuning.gains()) };
        assert_eq!((row.text, row.changed, text.text, text.changed), (whole(1), 0, whole(32), 1));
        assert_eq!((text.before, text.after), (100.0, 50.0));
        let forms = session.device().unwrap().forms();
        assert_eq!(forms.get(wide()), Some(SMALL));
        let back = FormClass::of([32, 256, 64], Work::Product(Format::F32));
        assert_eq!(forms.get(back), Some(USUAL));
        // What was run last is still there, and from its second run on nothing is created with the forms that were found.
        let [first, second] = [(); 2].map(|()| pollster::block_on(session.run(&request)).unwrap());
        assert!(first.report.created > 0);
        assert_eq!(second.report.created, 0);
        assert!(agree(&second.tensors["logits"].data, &before.tensors["logits"].data));
        // All classes are known now.
        let mut again = session.tuning();
        assert_eq!(tune(&mut session, &mut again, &now), 2);
        assert_eq!(again.forms(), tuning.forms());
        assert_eq!(again.gains(), []);
    }

    #[test]
    fn keys_of_a_text_that_goes_on_are_cut_as_is_quickest() {
        let mut session = session_by(CAUSAL, BackendChoice::Gpu);
        let token = TriedText { tokens: 1, past: 255 };
        let mut tuning = session.tuning();
        assert_eq!(tuning.texts, [token, whole(256), whole(128), whole(64), whole(32), whole(1)]);
        let (keys, quarters) = (FormClass::of([2, 256, 16], Work::Attention), Form { tile: None, slices: 4 });
        // A text of the session's own, whose cache stays as it is.
        let mut text = session.made_up_text(token);
        text.ids.rotate_left(1);
        let [_, before] = [(); 2].map(|()| pollster::block_on(session.run(&text)).unwrap());
        let now = clock(&session, keys, quarters);
        tuning.texts = vec![token];
        assert!(tune(&mut session, &mut tuning, &now) > 3);
        assert_eq!(tuning.gains(), [Gain { text: token, before: 100.0, after: 50.0, changed: 1 }]);
        let forms = session.device().unwrap().forms();
        assert_eq!(forms.get(keys), Some(quarters));
        assert_eq!(session.bytes_held(), before.report.bytes_held);
        // The next token is made with the form that was found: a dispatch more.
        let [first, second] = [(); 2].map(|()| pollster::block_on(session.run(&text)).unwrap());
        let steps = [&before, &first, &second].map(|output| (output.report.computed, output.report.dispatches));
        assert_eq!(steps, [(1, steps[0].1), (1, steps[0].1 + 1), (1, steps[0].1 + 1)]);
        assert!(first.report.created > 0);
        assert_eq!(second.report.created, 0);
        assert!(agree(&second.tensors["logits"].data, &before.tensors["logits"].data));
    }

    #[test]
    fn a_form_that_computes_something_else_is_dropped() {
        let mut session = session(BackendChoice::Gpu);
        let now = clock(&session, wide(), SMALL);
        let mut tuning = session.tuning();
        tuning.texts = vec![whole(32)];
        assert!(pollster::block_on(session.tune(&mut tuning, &now, &Unhurried)).unwrap());
        tuning.trying.as_mut().unwrap().expected[0] += 1.0;
        tune(&mut session, &mut tuning, &now);
        assert_eq!(session.device().unwrap().forms().get(wide()), Some(USUAL));
        assert_eq!(tuning.gains()[0].changed, 0);
    }

    #[test]
    fn forms_of_a_trial_that_is_dropped_are_in_use_no_longer() {
        let mut session = session(BackendChoice::Gpu);
        let now = clock(&session, wide(), SMALL);
        let mut tuning = session.tuning();
        tuning.texts = vec![whole(32)];
        assert!(pollster::block_on(session.tune(&mut tuning, &now, &Unhurried)).unwrap());
        let (device, before) = (session.device().unwrap(), session.device().unwrap().forms());
        {
            let mut trial = pin!(session.tune(&mut tuning, &now, &Unhurried));
            assert!(trial.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
            assert_ne!(device.forms(), before, "nothing is tried");
        }
        assert_eq!(device.forms(), before);
        tune(&mut session, &mut tuning, &now);
        assert_eq!(device.forms().get(wide()), Some(SMALL));
    }

    #[test]
    fn nothing_is_tried_on_the_cpu() {
        let mut session = session(BackendChoice::Cpu);
        let mut tuning = session.tuning();
        assert_eq!(tune(&mut session, &mut tuning, &|| 0.0), 1);
        assert!(tuning.forms().is_empty());
    }
}
