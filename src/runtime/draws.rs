//! Draws of the next token that a run makes on its device.

use crate::kernels::Warpers;

/// Draws of one token for each prediction row.
#[derive(Debug, Clone, PartialEq)]
pub struct Draws {
    /// The temperature and the cut-offs of all rows.
    pub warpers: Warpers,
    /// Random bits of each row: the same bits draw the same token.
    pub random: Vec<u64>,
}

impl Draws {
    /// The words of [`Input::Draws`](crate::plan::Input::Draws).
    #[doc(hidden)] // For the tests of the kernel.
    pub fn words(&self) -> Vec<u32> {
        let Warpers { inverse_temperature, top_k, tail, log_min_p } = self.warpers;
        let number = |number: f64| (number as f32).to_bits();
        let top_k = top_k.try_into().unwrap_or(u32::MAX);
        let of_row = |random: &u64| {
            let [low, high] = [*random as u32, (random >> 32) as u32];
            [number(inverse_temperature), top_k, number(tail), number(log_min_p), low, high]
        };
        self.random.iter().flat_map(of_row).collect()
    }
}
