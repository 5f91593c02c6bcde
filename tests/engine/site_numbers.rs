//! The numbers of a text at sites, against the tensors of a run that keeps them, on both backends.

use crate::support::{context, golden, gpu, output};
use ropescope::error::Error;
use ropescope::plan::Site;
use ropescope::runtime::{Device, Request, SourceText, Tensor, layers_of, tap_sites};

/// The first text of a folder with its source.
fn first_text(folder: &crate::support::Folder) -> Request {
    let request = folder.request_with_source();
    let source = request.source.as_ref().map(|source| SourceText {
        ids: source.ids[..source.length].to_vec(),
        length: source.length,
        attention_mask: None,
    });
    Request { source, ..Request::new(request.ids[..request.length].to_vec(), 1, request.length) }
}

/// The entries of a tensor (1, …) by hand: `None` covers an axis.
fn entries(tensor: &Tensor, index: &[Option<usize>]) -> Vec<f32> {
    let shape = &tensor.shape[1..];
    let is_covered = |at: usize| {
        let mut rest = at;
        shape.iter().zip(index).rev().all(|(size, index)| {
            let entry = rest % size;
            rest /= size;
            index.is_none_or(|index| index == entry)
        })
    };
    (0..tensor.data.len()).filter(|at| is_covered(*at)).map(|at| tensor.data[at]).collect()
}

#[test]
fn numbers_at_sites_are_those_of_the_tensors() {
    for name in ["masked_lm", "decoders/llama", "pairs/marian"] {
        let folder = golden(name);
        for device in [Device::Cpu, gpu()] {
            let context = context(&folder.load(device));
            let facts = context.model().facts().clone();
            let text = first_text(&folder);
            for (site, index) in [
                ("layer.1.query[1,*,*]", vec![Some(1), None, None]),
                ("layer.0.query[1,3,*]", vec![Some(1), Some(3), None]),
                ("layer.0.query[*,*,2]", vec![None, None, Some(2)]),
                ("ffn.*[2,*]", vec![Some(2), None]),
                ("ffn.1.inner[*,5]", vec![None, Some(5)]),
                ("hidden_states.*", vec![None, None]),
                ("attentions.0[1,2,*]", vec![Some(1), Some(2), None]),
                ("embeddings[1,2]", vec![Some(1), Some(2)]),
            ] {
                let site: Site = site.parse().unwrap();
                let tensors: Vec<Site> = tap_sites(site.tensor, &facts)
                    .filter(|tensor| tensor.part == site.part)
                    .filter(|tensor| site.layer.is_none_or(|layer| tensor.layer == Some(layer)))
                    .collect();
                let taps = tensors.iter().copied().collect();
                let tensors_of_run = output(&context, &Request { taps, ..text.clone() }).taps;
                let expected: Vec<f32> =
                    tensors.iter().flat_map(|tensor| entries(&tensors_of_run[tensor], &index)).collect();
                let found = output(&context, &text.clone().at_sites(&[site], &facts).unwrap());
                assert!(!expected.is_empty());
                assert_eq!(found.numbers_at(site, &facts).unwrap(), expected, "{name} {site}");
                let width =
                    if index.last() == Some(&None) { *tensors_of_run[&tensors[0]].shape.last().unwrap() } else { 1 };
                let norms: Vec<f32> =
                    expected.chunks(width).map(|row| row.iter().map(|x| x * x).sum::<f32>().sqrt()).collect();
                assert_eq!(found.norms_at(site, &facts).unwrap(), norms, "{name} {site}");
            }
        }
    }
}

#[test]
fn sites_are_read_in_groups_that_a_run_keeps() {
    let folder = golden("masked_lm");
    let context = context(&folder.load(Device::Cpu));
    let facts = context.model().facts().clone();
    let text = first_text(&folder);
    let sites: Vec<Site> =
        ["embeddings", "ffn.*[*,*]", "layer.0.query[1,*,*]"].map(|site| site.parse().unwrap()).into();
    let one = text.site_groups(&sites, &facts, u64::MAX);
    let layers: Vec<Site> = sites.iter().flat_map(|site| layers_of(*site, &facts)).collect();
    assert_eq!(one, std::slice::from_ref(&layers));
    assert_eq!(layers.len(), 2 + facts.part(sites[1].part).layers);
    // Each tensor is larger than the limit: it is a group of its own.
    assert_eq!(text.site_groups(&sites, &facts, 1), layers.iter().map(|site| vec![*site]).collect::<Vec<_>>());
    // The embeddings and the neurons of two layers, in f32.
    let limit = (4 * text.length * (facts.hidden_size + 2 * facts.intermediate_size)) as u64;
    let groups = text.site_groups(&sites, &facts, limit);
    assert!(groups.len() > 1 && groups[0].len() == 3, "{groups:?}");
    assert_eq!(groups.concat(), layers);
    let output_of_all = output(&context, &text.clone().at_sites(&layers, &facts).unwrap());
    for group in groups {
        let of_group = output(&context, &text.clone().at_sites(&group, &facts).unwrap());
        for site in group {
            assert_eq!(
                of_group.norms_at(site, &facts).unwrap(),
                output_of_all.norms_at(site, &facts).unwrap(),
                "{site}"
            );
        }
    }
}

#[test]
fn indices_that_do_not_exist_and_too_many_numbers_are_refused() {
    let folder = golden("masked_lm");
    let context = context(&folder.load(Device::Cpu));
    let facts = context.model().facts().clone();
    let text = first_text(&folder);
    let refused = |site: &str| {
        let site: Site = site.parse().unwrap();
        let output = output(&context, &text.clone().at_sites(&[site], &facts).unwrap());
        output.numbers_at(site, &facts).unwrap_err()
    };
    assert!(matches!(refused("ffn.0[99,*]"), Error::SiteIndexOutOfRange { axis: "row", .. }));
    assert!(matches!(refused("layer.0.query[9,*,*]"), Error::SiteIndexOutOfRange { axis: "head", .. }));
    assert!(matches!(refused("layer.0.query.rotated[0,*,p0]"), Error::InvalidSiteIndex { .. }));
    let long = Request::new(vec![1; 1 << 15], 1, 1 << 15);
    let sites = ["attentions.0".parse::<Site>().unwrap()];
    let error = long.at_sites(&sites, &facts).unwrap_err();
    assert!(matches!(error, Error::SitesTooLarge { .. }), "{error}");
}
