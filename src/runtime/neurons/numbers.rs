//! The numbers of neurons in a run.

use super::order::first;
use crate::error::Error;
use crate::plan::{Index, Part, Site, Taps, TensorName};
use crate::runtime::model::Model;
use crate::runtime::result::{Output, Tensor};
use crate::runtime::taps::check_tap;
use serde::Serialize;

/// The numbers of one neuron at one token.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct NeuronNumbers {
    /// Counted from 0.
    pub neuron: usize,
    /// What the output projection reads, `ffn.N`: the activation's result, times the up projection where there is a gate.
    pub value: f32,
    /// The first projection, `ffn.N.inner`; with a gate the up projection.
    pub inner: f32,
    /// The gate before its activation, `ffn.N.gate`.
    pub gate: Option<f32>,
    /// The activation's result, `ffn.N.activated`: of the gate, where there is one.
    pub activated: f32,
}

/// The neurons of one layer in a run of one text.
#[derive(Debug, Clone, Copy)]
pub struct Neurons<'a> {
    output: &'a Output,
    part: Part,
    layer: usize,
}

impl Model {
    /// The taps of a run that [`Neurons`] are read from.
    ///
    /// # Errors
    /// A part or a layer that the model does not have.
    pub fn neuron_taps(&self, part: Part, layer: usize) -> Result<Taps, Error> {
        let network = TensorName::FeedForward.at(layer).in_part(part);
        check_tap(network, self.facts())?;
        let is_gated = self.neuron_weights(part, layer)?.is_gated;
        let of_network = [
            Some(TensorName::FeedForward),
            Some(TensorName::FeedForwardInner),
            Some(TensorName::FeedForwardActivated),
            is_gated.then_some(TensorName::FeedForwardGate),
        ];
        Ok(of_network.into_iter().flatten().map(|tensor| Site { tensor, ..network }).collect())
    }
}

impl<'a> Neurons<'a> {
    /// Of a layer; the run had the taps of [`Model::neuron_taps`].
    pub fn of(output: &'a Output, part: Part, layer: usize) -> Self {
        Self { output, part, layer }
    }

    /// The `count` neurons with the largest magnitudes of [`NeuronNumbers::value`] at a token, the largest first.
    ///
    /// # Errors
    /// A row that the text does not have; a run without the taps.
    pub fn strongest(&self, row: usize, count: usize) -> Result<Vec<NeuronNumbers>, Error> {
        let values = self.row(TensorName::FeedForward, row)?;
        first(values, count, f32::abs).into_iter().map(|neuron| self.numbers(row, neuron)).collect()
    }

    /// The numbers of a neuron at a token.
    ///
    /// # Errors
    /// A row or a neuron that is not there; a run without the taps.
    pub fn numbers(&self, row: usize, neuron: usize) -> Result<NeuronNumbers, Error> {
        let number = |tensor| {
            let row = self.row(tensor, row)?;
            let site = self.site(tensor).with_index([Index::All, Index::At(neuron)]);
            let outside = || Error::SiteIndexOutOfRange { site: site.to_string(), axis: "neuron", size: row.len() };
            row.get(neuron).copied().ok_or_else(outside)
        };
        let has_gate = self.output.taps.contains_key(&self.site(TensorName::FeedForwardGate));
        Ok(NeuronNumbers {
            neuron,
            value: number(TensorName::FeedForward)?,
            inner: number(TensorName::FeedForwardInner)?,
            gate: has_gate.then(|| number(TensorName::FeedForwardGate)).transpose()?,
            activated: number(TensorName::FeedForwardActivated)?,
        })
    }

    /// [`NeuronNumbers::value`] of a neuron at every token: (length).
    ///
    /// # Errors
    /// A neuron that is not there; a run without the taps.
    pub fn values(&self, neuron: usize) -> Result<Vec<f32>, Error> {
        let length = self.tensor(TensorName::FeedForward)?.shape.get(1).copied().unwrap_or(0);
        (0..length).map(|row| self.numbers(row, neuron).map(|numbers| numbers.value)).collect()
    }

    fn site(&self, tensor: TensorName) -> Site {
        tensor.at(self.layer).in_part(self.part)
    }

    fn tensor(&self, tensor: TensorName) -> Result<&Tensor, Error> {
        let site = self.site(tensor);
        let missing = || Error::NoSuchTensor { site: site.to_string() };
        self.output.taps.get(&site).ok_or_else(missing)
    }

    fn row(&self, tensor: TensorName, row: usize) -> Result<&[f32], Error> {
        let numbers = self.tensor(tensor)?;
        let [length, width] = [1, 2].map(|axis| numbers.shape.get(axis).copied().unwrap_or(0));
        let site = self.site(tensor).with_index([Index::At(row)]);
        let outside = || Error::SiteRowOutOfRange { site: site.to_string(), length };
        numbers
            .data
            .get(row.saturating_mul(width)..)
            .and_then(|data| data.get(..width))
            .filter(|_| row < length)
            .ok_or_else(outside)
    }
}
