//! A safetensors file with inputs and expected outputs, which knows what of it was used.

use safetensors::{SafeTensors, tensor::Dtype};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// A tensor's shape and numbers.
struct Numbers<T> {
    shape: Vec<usize>,
    data: Vec<T>,
}

/// The tensors of a file, i64 as u32.
pub struct Expected {
    floats: BTreeMap<String, Numbers<f32>>,
    integers: BTreeMap<String, Numbers<u32>>,
    read: RefCell<BTreeSet<String>>,
}

impl Expected {
    /// Reads `path`, relative to the repository.
    pub fn open(path: &str) -> Self {
        let bytes = std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap();
        let (mut floats, mut integers) = (BTreeMap::new(), BTreeMap::new());
        for (name, view) in SafeTensors::deserialize(&bytes).unwrap().iter() {
            let (name, shape) = (name.to_string(), view.shape().to_vec());
            match view.dtype() {
                Dtype::F32 => {
                    let data = view.data().chunks_exact(4).map(|x| f32::from_le_bytes(x.try_into().unwrap()));
                    floats.insert(name, Numbers { shape, data: data.collect() });
                }
                Dtype::I64 => {
                    let data = view.data().chunks_exact(8).map(|x| i64::from_le_bytes(x.try_into().unwrap()));
                    let data = data.map(|x| u32::try_from(x).unwrap()).collect();
                    integers.insert(name, Numbers { shape, data });
                }
                other => panic!("{path}: {name} is {other:?}"),
            }
        }
        Self { floats, integers, read: RefCell::default() }
    }

    /// All names.
    pub fn names(&self) -> impl Iterator<Item = &String> {
        self.floats.keys().chain(self.integers.keys())
    }

    /// Names that nothing has read.
    pub fn unread(&self) -> Vec<&String> {
        let read = self.read.borrow();
        self.names().filter(|name| !read.contains(*name)).collect()
    }

    pub fn floats(&self, name: &str) -> &[f32] {
        self.read.borrow_mut().insert(name.into());
        &self.floats.get(name).unwrap_or_else(|| panic!("no {name}")).data
    }

    pub fn integers(&self, name: &str) -> &[u32] {
        self.read.borrow_mut().insert(name.into());
        &self.integers.get(name).unwrap_or_else(|| panic!("no {name}")).data
    }

    pub fn shape(&self, name: &str) -> &[usize] {
        let floats = self.floats.get(name).map(|tensor| &tensor.shape);
        floats.or_else(|| self.integers.get(name).map(|tensor| &tensor.shape)).unwrap_or_else(|| panic!("no {name}"))
    }
}
