//! Products are tuned to the adapter while the engine has nothing else to do.

use super::engine::Engine;
use super::failure::failure;
use super::pace::BetweenMessages;
use super::running::now;
use super::shared::SharedSession;
use super::told::number;
use crate::error::Error;
use crate::json::Value;
use crate::plan::Forms;
use crate::session::{Device, Gain, Tuning};
use js_sys::Function;
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

    /// Begins to try forms of this model's products.
    pub fn tuning(&self) -> Result<Tuner, JsValue> {
        let tuning = self.session.with(|session| session.tuning()).map_err(|error| failure(&error))?;
        Ok(Tuner { tuning, session: self.session.clone() })
    }
}

/// See [`Tuning`].
#[wasm_bindgen]
pub struct Tuner {
    tuning: Tuning,
    session: SharedSession,
}

#[wasm_bindgen]
impl Tuner {
    /// Tries one form. JSON {left, texts, forms, gains: [{tokens, before, after, changed}]}: trials of the text at hand and texts behind it
    /// that are left, forms for [`Engine::use_forms`] and what they are worth. `pause` as for a run.
    pub async fn next(&mut self, pause: Function) -> Result<String, JsValue> {
        self.try_next(pause).await.map_err(|error| failure(&error))
    }
}

impl Tuner {
    async fn try_next(&mut self, pause: Function) -> Result<String, Error> {
        let mut session = self.session.take()?;
        let tried = session.tune(&mut self.tuning, &now, &BetweenMessages::new(pause)).await;
        self.session.put(session);
        tried?;
        let (left, texts) = self.tuning.left();
        let gain = |&Gain { tokens, before, after, changed }: &Gain| {
            let [before, after] = [before, after].map(number);
            Value::from([("tokens", tokens.into()), ("before", before), ("after", after), ("changed", changed.into())])
        };
        let gains = Value::List(self.tuning.gains().iter().map(gain).collect());
        let forms = Value::Text(self.tuning.forms().to_string());
        Ok(Value::from([("left", left.into()), ("texts", texts.into()), ("forms", forms), ("gains", gains)])
            .to_string())
    }
}
