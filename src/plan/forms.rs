//! How products are shared out among a GPU's workgroups, by the classes of their sizes: what was found to be quickest on an adapter.

use crate::kernels::Format;
use std::fmt;

/// How a product is shared out among workgroups.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Form {
    /// Rows and columns of a tile, `TILE` of `shaders/product.wgsl`; none: row by row, `shaders/row_product.wgsl`.
    pub tile: Option<usize>,
    /// That the inner axis is cut into; 1: a dispatch makes it all.
    pub slices: usize,
}

/// Products for which the same form is quickest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProductClass {
    /// Rows, inner axis and columns, each rounded up to a power of two.
    sizes: [usize; 3],
    /// Of the weight.
    format: Format,
}

/// Forms of classes that were tried. As text: `rows.inner.columns.format:tile.slices`, one after the other with commas between; tile 0: row
/// by row.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Forms(Vec<(ProductClass, Form)>);

impl Form {
    /// Those of `shaders/product.wgsl`.
    pub const TILES: [usize; 3] = [16, 32, 64];

    /// Most slices, whose sums are written and read again.
    pub const SLICES: usize = 8;
}

impl ProductClass {
    /// sizes: rows, inner axis, columns.
    pub fn of(sizes: [usize; 3], format: Format) -> Self {
        // No product has more: a power of two beyond it would be none.
        Self { sizes: sizes.map(|size| size.clamp(1, 1 << 30).next_power_of_two()), format }
    }

    /// Other forms that may be quicker for it than `usual`: other tiles first, then more slices and fewer.
    pub fn others(self, usual: Form) -> Vec<Form> {
        let [rows, inner, columns] = self.sizes;
        let by_row = (rows <= 8).then_some(None);
        // A tile that is mostly empty, or so small that thousands of them read everything again, is not worth a compilation.
        let of = |tile: &usize| *tile < 4 * rows && *tile < 2 * columns && rows <= 16 * tile;
        let tiles = by_row.into_iter().chain(Form::TILES.into_iter().filter(of).map(Some));
        // Made in this order: a sort would be two kilobytes more for the browser.
        let counts = [1, 2, 4, Form::SLICES];
        let same = counts.into_iter().filter(|slices| *slices == usual.slices);
        let slices = same.chain(counts.into_iter().filter(|slices| *slices != usual.slices));
        let slices = slices.filter(|slices| *slices == 1 || inner / slices >= 256);
        let all = slices.flat_map(|slices| tiles.clone().map(move |tile| Form { tile, slices }));
        all.filter(|form| *form != usual).collect()
    }
}

impl Forms {
    /// What was found for a class.
    pub fn get(&self, class: ProductClass) -> Option<Form> {
        self.0.iter().find(|(known, _)| *known == class).map(|(_, form)| *form)
    }

    /// In place of what was known of that class.
    pub fn set(&mut self, class: ProductClass, form: Form) {
        self.0.retain(|(known, _)| *known != class);
        self.0.push((class, form));
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Reads what [`Forms`] writes. What it cannot be is left out: the text may come from anywhere.
    pub fn parse(text: &str) -> Self {
        Self(text.split(',').take(MOST).filter_map(entry).collect())
    }
}

/// More classes than any table of one adapter has.
const MOST: usize = 1 << 10;

fn entry(text: &str) -> Option<(ProductClass, Form)> {
    let (class, form) = text.split_once(':')?;
    let mut class = class.split('.');
    let mut size = || class.next()?.parse().ok();
    let sizes = [size()?, size()?, size()?];
    let class = ProductClass::of(sizes, Format::named(class.next()?)?);
    let (tile, slices) = form.split_once('.')?;
    let (tile, slices): (usize, usize) = (tile.parse().ok()?, slices.parse().ok()?);
    let fits = (tile == 0 || Form::TILES.contains(&tile)) && (1..=Form::SLICES).contains(&slices);
    fits.then_some((class, Form { tile: (tile > 0).then_some(tile), slices }))
}

impl fmt::Display for Forms {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, (ProductClass { sizes: [rows, inner, columns], format }, form)) in self.0.iter().enumerate() {
            let between = if at > 0 { "," } else { "" };
            let (format, tile, slices) = (format.name(), form.tile.unwrap_or(0), form.slices);
            write!(to, "{between}{rows}.{inner}.{columns}.{format}:{tile}.{slices}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(tile: Option<usize>, slices: usize) -> Form {
        Form { tile, slices }
    }

    #[test]
    fn text_gives_the_same_forms_again() {
        let mut forms = Forms::default();
        forms.set(ProductClass::of([128, 384, 1536], Format::F32), form(Some(64), 1));
        forms.set(ProductClass::of([1, 576, 49_152], Format::Int4), form(None, 2));
        // Sizes of one class: the later one stands.
        forms.set(ProductClass::of([65, 400, 1100], Format::F32), form(Some(16), 8));
        assert_eq!(forms.to_string(), "1.1024.65536.int4:0.2,128.512.2048.f32:16.8");
        assert_eq!(Forms::parse(&forms.to_string()), forms);
        assert_eq!(Forms::parse(""), Forms::default());
    }

    #[test]
    fn what_no_form_can_be_is_left_out() {
        for text in [
            "128.512.2048.f32:48.1",
            "128.512.2048.f32:64.0",
            "128.512.2048.f32:64.9",
            "128.512.2048.f64:64.1",
            "128.512.f32:64.1",
            "-1.512.2048.f32:64.1",
            "128.512.2048.f32",
            "NaN",
        ] {
            assert!(Forms::parse(text).is_empty(), "{text}");
        }
        let huge = format!("{}.1.1.f32:16.1", usize::MAX);
        assert_eq!(Forms::parse(&format!("nonsense,{huge},:")).len(), 1);
    }

    #[test]
    fn others_fit_their_class() {
        let class = ProductClass::of([128, 512, 2048], Format::F32);
        let others = class.others(form(Some(32), 1));
        let expected = [(16, 1), (64, 1), (16, 2), (32, 2), (64, 2)].map(|(tile, slices)| form(Some(tile), slices));
        assert_eq!(others, expected);
        // A row is made row by row, or in the smallest tile; short sums are not cut.
        let row = ProductClass::of([4, 256, 8192], Format::F32);
        assert_eq!(row.others(form(None, 1)), []);
        assert_eq!(ProductClass::of([8, 256, 8192], Format::F32).others(form(None, 1)), [form(Some(16), 1)]);
        let long = ProductClass::of([512, 8192, 256], Format::F32);
        assert!(long.others(form(Some(32), 4)).iter().all(|form| form.tile != Some(16) && form.slices <= 8));
        assert_eq!(long.others(form(Some(32), 4))[0], form(Some(64), 4));
    }
}
