//! How products, and attention by few queries, are shared out among a GPU's workgroups, by the classes of their sizes: what was found to
//! be quickest on an adapter.

use crate::kernels::Format;
use std::fmt;

/// How such work is shared out among workgroups.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Form {
    /// Rows and columns of a tile, `TILE` of `shaders/product.wgsl`; none: row by row, `shaders/row_product.wgsl` and
    /// `shaders/row_attention.wgsl`.
    pub tile: Option<usize>,
    /// That the inner axis, or the keys, are cut into; 1: a dispatch makes it all.
    pub slices: usize,
}

/// Work for which the same form is quickest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FormClass {
    /// Of a product rows, inner axis and columns; of attention query rows of all heads, keys and head size. Each rounded up to a power
    /// of two.
    sizes: [usize; 3],
    work: Work,
}

/// What is shared out among workgroups.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// By a weight that is kept so.
    Product(Format),
    /// By few queries, row by row.
    Attention,
}

/// Forms of classes that were tried. As text: `rows.inner.columns.format:tile.slices`, one after the other with commas between; tile 0: row
/// by row. Attention is `rows.keys.head_size.attention:0.slices`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Forms(Vec<(FormClass, Form)>);

impl Form {
    /// Those of `shaders/product.wgsl`.
    pub const TILES: [usize; 3] = [16, 32, 64];

    /// Most slices of a product, whose sums are written and read again, and of keys, whose contexts are.
    pub const SLICES: usize = 8;
    pub const KEY_SLICES: usize = 16;
}

impl Work {
    fn most_slices(self) -> usize {
        if self == Self::Attention { Form::KEY_SLICES } else { Form::SLICES }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Product(format) => format.name(),
            Self::Attention => "attention",
        }
    }

    fn named(name: &str) -> Option<Self> {
        if name == "attention" { Some(Self::Attention) } else { Format::named(name).map(Self::Product) }
    }
}

impl FormClass {
    /// sizes: of a product rows, inner axis, columns; of attention query rows, keys, head size.
    pub fn of(sizes: [usize; 3], work: Work) -> Self {
        // Nothing has more: a power of two beyond it would be none.
        Self { sizes: sizes.map(|size| size.clamp(1, 1 << 30).next_power_of_two()), work }
    }

    /// Other forms that may be quicker for it than `usual`: other tiles first, then more slices and fewer.
    pub fn others(self, usual: Form) -> Vec<Form> {
        let [rows, inner, columns] = self.sizes;
        // Each of a workgroup's 64 invocations has a key at least; a slice of a product is longer than another dispatch.
        let (most_by_row, tiles, least_slice) = match self.work {
            Work::Product(_) => (8, &Form::TILES[..], 256),
            Work::Attention => (usize::MAX, &[][..], 64),
        };
        let by_row = (rows <= most_by_row).then_some(None);
        // A tile that is mostly empty, or so small that thousands of them read everything again, is not worth a compilation.
        let of = |tile: &usize| *tile < 4 * rows && *tile < 2 * columns && rows <= 16 * tile;
        let tiles = by_row.into_iter().chain(tiles.iter().copied().filter(of).map(Some));
        // Made in this order: a sort would be two kilobytes more for the browser.
        let counts = [1, 2, 4, Form::SLICES, Form::KEY_SLICES];
        let same = counts.into_iter().filter(|slices| *slices == usual.slices);
        let slices = same.chain(counts.into_iter().filter(|slices| *slices != usual.slices));
        let most = self.work.most_slices();
        let slices = slices.filter(|slices| *slices == 1 || *slices <= most && inner / slices >= least_slice);
        let all = slices.flat_map(|slices| tiles.clone().map(move |tile| Form { tile, slices }));
        all.filter(|form| *form != usual).collect()
    }
}

impl Forms {
    /// What was found for a class.
    pub fn get(&self, class: FormClass) -> Option<Form> {
        self.0.iter().find(|(known, _)| *known == class).map(|(_, form)| *form)
    }

    /// In place of what was known of that class.
    pub fn set(&mut self, class: FormClass, form: Form) {
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

fn entry(text: &str) -> Option<(FormClass, Form)> {
    let (class, form) = text.split_once(':')?;
    let mut class = class.split('.');
    let mut size = || class.next()?.parse().ok();
    let sizes = [size()?, size()?, size()?];
    let work = Work::named(class.next()?)?;
    let class = FormClass::of(sizes, work);
    let (tile, slices) = form.split_once('.')?;
    let (tile, slices): (usize, usize) = (tile.parse().ok()?, slices.parse().ok()?);
    let tiled = work != Work::Attention && Form::TILES.contains(&tile);
    let fits = (tile == 0 || tiled) && (1..=work.most_slices()).contains(&slices);
    fits.then_some((class, Form { tile: (tile > 0).then_some(tile), slices }))
}

impl fmt::Display for Forms {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, (FormClass { sizes: [rows, inner, columns], work }, form)) in self.0.iter().enumerate() {
            let between = if at > 0 { "," } else { "" };
            let (work, tile, slices) = (work.name(), form.tile.unwrap_or(0), form.slices);
            write!(to, "{between}{rows}.{inner}.{columns}.{work}:{tile}.{slices}")?;
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

    fn product(sizes: [usize; 3], format: Format) -> FormClass {
        FormClass::of(sizes, Work::Product(format))
    }

    #[test]
    fn text_gives_the_same_forms_again() {
        let mut forms = Forms::default();
        forms.set(product([128, 384, 1536], Format::F32), form(Some(64), 1));
        forms.set(product([1, 576, 49_152], Format::Int4), form(None, 2));
        // Sizes of one class: the later one stands.
        forms.set(product([65, 400, 1100], Format::F32), form(Some(16), 8));
        forms.set(FormClass::of([9, 300, 64], Work::Attention), form(None, 16));
        assert_eq!(forms.to_string(), "1.1024.65536.int4:0.2,128.512.2048.f32:16.8,16.512.64.attention:0.16");
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
            "16.512.64.attention:32.2",
            "16.512.64.attention:0.17",
            "16.512.64.attention:0.0",
            "16.512.attention:0.2",
            "NaN",
        ] {
            assert!(Forms::parse(text).is_empty(), "{text}");
        }
        let huge = format!("{}.1.1.f32:16.1", usize::MAX);
        assert_eq!(Forms::parse(&format!("nonsense,{huge},:")).len(), 1);
    }

    #[test]
    fn others_fit_their_class() {
        let class = product([128, 512, 2048], Format::F32);
        let others = class.others(form(Some(32), 1));
        let expected = [(16, 1), (64, 1), (16, 2), (32, 2), (64, 2)].map(|(tile, slices)| form(Some(tile), slices));
        assert_eq!(others, expected);
        // A row is made row by row, or in the smallest tile; short sums are not cut.
        let row = product([4, 256, 8192], Format::F32);
        assert_eq!(row.others(form(None, 1)), []);
        assert_eq!(product([8, 256, 8192], Format::F32).others(form(None, 1)), [form(Some(16), 1)]);
        let long = product([512, 8192, 256], Format::F32);
        assert!(long.others(form(Some(32), 4)).iter().all(|form| form.tile != Some(16) && form.slices <= 8));
        assert_eq!(long.others(form(Some(32), 4))[0], form(Some(64), 4));
    }

    #[test]
    fn keys_are_cut_where_slices_have_work() {
        let cut = |keys: usize, usual: usize| {
            let forms = FormClass::of([9, keys, 64], Work::Attention).others(form(None, usual));
            assert!(forms.iter().all(|form| form.tile.is_none()));
            forms.iter().map(|form| form.slices).collect::<Vec<_>>()
        };
        assert!(cut(64, 1).is_empty());
        assert_eq!(cut(128, 1), [2]);
        assert_eq!(cut(512, 2), [1, 4, 8]);
        assert_eq!(cut(4096, 16), [1, 2, 4, 8]);
    }
}
