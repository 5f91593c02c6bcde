//! Products and attention are tuned to the adapter while the engine has nothing else to do.

use super::engine::Engine;
use super::failure::failure;
use super::shared::SharedSession;
use super::told::number;
use crate::json::Value;
use crate::plan::Forms;
use crate::session::{Device, Gain, Tuning};
use std::rc::Rc;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
impl Engine {
    /// Takes over forms that were found earlier on this adapter; what cannot be read of them is left out.
    #[wasm_bindgen(js_name = useForms)]
    pub fn use_forms(&self, text: &str) {
        if let Device::Gpu(device) = &self.device {
            device.use_forms(Rc::new(Forms::parse(text)));
        }
    }

    /// Begins to try forms of this model's work.
    pub fn tuning(&self) -> Result<Tuner, JsValue> {
        let tuning = self.session.with(|session| session.tuning()).map_err(|error| failure(&error))?;
        Ok(Tuner { tuning, session: self.session.clone() })
    }
}

/// See [`Tuning`]. The page times the runs, which [`Engine::aside`] makes.
#[wasm_bindgen]
pub struct Tuner {
    tuning: Tuning,
    session: SharedSession,
}

#[wasm_bindgen]
impl Tuner {
    /// Lets runs beside the last one take the next form until [`Tuner::learn`]. Returns the tokens of the text that is to be timed.
    pub fn begin(&mut self) -> Result<Option<usize>, JsValue> {
        let begun = self.session.with(|session| session.begin_trial(&mut self.tuning));
        let text = begun.and_then(|begun| begun).map_err(|error| failure(&error))?;
        Ok(text.map(|text| text.tokens))
    }

    /// How many came before them.
    pub fn past(&self) -> usize {
        self.tuning.past()
    }

    /// Takes in what that text computes and the milliseconds that it takes at least; NaN: it failed. Returns JSON {left, texts, forms,
    /// gains: [{tokens, past, before, after, changed}]}: trials of the text at hand and texts behind it that are left, forms for
    /// [`Engine::use_forms`] and what they are worth.
    pub fn learn(&mut self, numbers: &[f64], milliseconds: f64) -> Result<String, JsValue> {
        let timed =
            (!milliseconds.is_nan()).then(|| (numbers.iter().map(|number| *number as f32).collect(), milliseconds));
        let learnt = self.session.with(|session| session.learn(&mut self.tuning, timed));
        learnt.map_err(|error| failure(&error))?;
        let (left, texts) = self.tuning.left();
        let gain = |&Gain { text, before, after, changed }: &Gain| {
            let [before, after] = [before, after].map(number);
            let [tokens, past] = [text.tokens, text.past].map(Value::from);
            Value::from([
                ("tokens", tokens),
                ("past", past),
                ("before", before),
                ("after", after),
                ("changed", changed.into()),
            ])
        };
        let gains = Value::List(self.tuning.gains().iter().map(gain).collect());
        let forms = Value::Text(self.tuning.forms().to_string());
        Ok(Value::from([("left", left.into()), ("texts", texts.into()), ("forms", forms), ("gains", gains)])
            .to_string())
    }
}

/// What trials keep beside the last run is given back, however they end.
impl Drop for Tuner {
    fn drop(&mut self) {
        // Without a model there is nothing.
        let _ = self.session.with(|session| session.clear_aside());
    }
}
