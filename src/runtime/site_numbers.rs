//! The numbers of a text at sites, read from a run that keeps their tensors.

use super::taps::tap_sites;
use super::{Output, Request};
use crate::error::Error;
use crate::model::Facts;
use crate::plan::{Index, Site, SiteAxis, Taps};

/// The most bytes of tensors that a run keeps for the numbers at sites.
pub const MOST_BYTES: u64 = 128 << 20;

impl Request {
    /// The same request with the tensors of these sites as its only taps. A site without a layer is of every layer.
    ///
    /// # Errors
    /// [`Error::SitesTooLarge`] where they take more than [`MOST_BYTES`].
    pub fn at_sites(self, sites: &[Site], facts: &Facts) -> Result<Self, Error> {
        let taps: Taps = sites.iter().flat_map(|site| tensors_of(*site, facts)).collect();
        let needed = taps.iter().map(|tensor| self.bytes_of(tensor, facts)).fold(0, u64::saturating_add);
        if needed > MOST_BYTES {
            return Err(Error::SitesTooLarge { needed, limit: MOST_BYTES });
        }
        Ok(Self { taps, ..self })
    }

    /// The same sites, one of each layer where a site has none, in groups whose tensors take at most `limit` bytes, or one tensor each. A run
    /// for each group reads all of them.
    pub fn site_groups(&self, sites: &[Site], facts: &Facts, limit: u64) -> Vec<Vec<Site>> {
        let mut groups: Vec<Vec<Site>> = Vec::new();
        let mut free = 0;
        for site in sites.iter().flat_map(|site| layers_of(*site, facts)) {
            let needed = self.bytes_of(site, facts);
            match groups.last_mut().filter(|_| needed <= free) {
                Some(group) => group.push(site),
                None => {
                    groups.push(vec![site]);
                    free = limit;
                }
            }
            free = free.saturating_sub(needed);
        }
        groups
    }

    /// Bytes of a tensor of this request, at most.
    fn bytes_of(&self, tensor: Site, facts: &Facts) -> u64 {
        let source = self.source.as_ref().map_or(0, |source| source.length);
        let of_part = facts.part(tensor.part);
        let axes = tensor.tensor.axes();
        let size = |axis: &SiteAxis| match axis {
            SiteAxis::Head => of_part.heads,
            SiteAxis::Row | SiteAxis::Query | SiteAxis::Key => self.length.max(source),
            SiteAxis::Column if axes.contains(&SiteAxis::Head) => of_part.head_size,
            SiteAxis::Column => of_part.hidden_size,
            SiteAxis::Neuron => of_part.intermediate_size,
            SiteAxis::Id => of_part.vocab_size,
        };
        axes.iter().map(|axis| size(axis) as u64).fold(4 * self.batch as u64, u64::saturating_mul)
    }
}

impl Output {
    /// The numbers of the first text at a site, of an output of [`Request::at_sites`]: row-major, layer by layer where the site is of every
    /// layer, with all entries of an axis that has no index.
    ///
    /// # Errors
    /// An index that the tensor does not have, and pairs of columns.
    pub fn numbers_at(&self, site: Site, facts: &Facts) -> Result<Vec<f32>, Error> {
        let mut numbers = Vec::new();
        for tensor in tensors_of(site, facts) {
            numbers.extend(self.entries(site, tensor)?);
        }
        Ok(numbers)
    }

    /// The Euclidean norm of each row of [`Output::numbers_at`]: of the entries of the last axis.
    ///
    /// # Errors
    /// Those of [`Output::numbers_at`].
    pub fn norms_at(&self, site: Site, facts: &Facts) -> Result<Vec<f32>, Error> {
        let mut norms = Vec::new();
        for tensor in tensors_of(site, facts) {
            let columns = self.taps.get(&tensor).and_then(|tapped| tapped.shape.last()).copied();
            let last = site.tensor.axes().len().saturating_sub(1);
            let width = if site.index[last] == Index::All { columns.unwrap_or(1).max(1) } else { 1 };
            norms.extend(self.entries(site, tensor)?.chunks(width).map(norm));
        }
        Ok(norms)
    }

    fn entries(&self, site: Site, tensor: Site) -> Result<Vec<f32>, Error> {
        let missing = || Error::NoSuchTensor { site: tensor.to_string() };
        let tapped = self.taps.get(&tensor).ok_or_else(missing)?;
        let (_, axes) = tapped.shape.split_first().ok_or_else(missing)?;
        // Ranges of numbers, narrowed axis by axis.
        let mut starts = vec![0];
        let mut length = axes.iter().product::<usize>();
        for ((axis, size), index) in site.tensor.axes().iter().zip(axes).zip(site.index) {
            length /= (*size).max(1);
            let entries = match index {
                Index::All => 0..*size,
                Index::At(at) if at < *size => at..at + 1,
                Index::At(_) => {
                    return Err(Error::SiteIndexOutOfRange { site: site.to_string(), axis: axis.name(), size: *size });
                }
                Index::Pairs { .. } => {
                    return Err(Error::InvalidSiteIndex { text: site.to_string(), axes: axes.len() });
                }
            };
            starts = starts.iter().flat_map(|start| entries.clone().map(move |at| start + at * length)).collect();
        }
        Ok(starts.iter().flat_map(|start| tapped.data.get(*start..start + length)).flatten().copied().collect())
    }
}

/// A site of every layer as one site of each layer; another site alone.
pub fn layers_of(site: Site, facts: &Facts) -> Vec<Site> {
    if site.layer.is_some() || !site.tensor.is_per_layer() {
        return vec![site];
    }
    let of_part = tap_sites(site.tensor, facts).filter(|tensor| tensor.part == site.part);
    of_part.map(|tensor| tensor.with_index(site.index)).collect()
}

/// The tensors that a site is in: one, or one of each layer.
fn tensors_of(site: Site, facts: &Facts) -> Vec<Site> {
    layers_of(site.with_index([Index::All; 3]), facts)
}

/// The Euclidean norm.
pub(super) fn norm(row: &[f32]) -> f32 {
    row.iter().map(|x| x * x).sum::<f32>().sqrt()
}
