//! Builders of pickles and archives.

/// A pickle under construction, opcode by opcode.
#[derive(Clone)]
pub struct Pickle(pub Vec<u8>);

impl Pickle {
    pub fn new() -> Self {
        Self(vec![0x80, 2])
    }

    pub fn raw(mut self, bytes: &[u8]) -> Self {
        self.0.extend(bytes);
        self
    }

    pub fn text(self, text: &str) -> Self {
        self.raw(b"X").raw(&(text.len() as u32).to_le_bytes()).raw(text.as_bytes())
    }

    pub fn int(self, number: i32) -> Self {
        self.raw(b"J").raw(&number.to_le_bytes())
    }

    pub fn global(self, module: &str, name: &str) -> Self {
        self.raw(format!("c{module}\n{name}\n").as_bytes())
    }

    pub fn ints(self, numbers: &[i32]) -> Self {
        numbers.iter().fold(self.raw(b"("), |pickle, number| pickle.int(*number)).raw(b"t")
    }

    /// Begins a call, whose arguments end at the matching [`Pickle::called`].
    pub fn call(self, module: &str, name: &str) -> Self {
        self.global(module, name).raw(b"(")
    }

    pub fn called(self) -> Self {
        self.raw(b"tR")
    }

    /// A storage of `count` elements.
    pub fn storage(self, class: &str, key: &str, count: i32) -> Self {
        self.raw(b"(").text("storage").global("torch", class).text(key).text("cpu").int(count).raw(b"tQ")
    }

    /// A tensor of a storage.
    pub fn tensor(self, key: &str, count: i32, offset: i32, shape: &[i32], strides: &[i32]) -> Self {
        let pickle = self.call("torch._utils", "_rebuild_tensor_v2").storage("FloatStorage", key, count);
        pickle.int(offset).ints(shape).ints(strides).raw(b"\x89").call("collections", "OrderedDict").called().called()
    }

    /// The bytes, with the end of the pickle.
    pub fn end(self) -> Vec<u8> {
        self.raw(b".").0
    }
}

/// A state dict with a valid tensor "weight", two numbers in storage "0", and another entry.
pub fn with_entry(name: &str, entry: impl FnOnce(Pickle) -> Pickle) -> Vec<u8> {
    let pickle = Pickle::new().raw(b"}(").text("weight").tensor("0", 2, 0, &[2], &[1]).text(name);
    entry(pickle).raw(b"u").end()
}

/// The older form: a stream of the state dict's pickle and others, and storages of f32.
pub fn stream(object: &[u8], storages: &[(&str, usize)]) -> Vec<u8> {
    let magic = Pickle::new().raw(b"\x8a\x0al\xfc\x9cF\xf9 j\xa8P\x19").end();
    let protocol = Pickle::new().raw(b"M\xe9\x03").end();
    let machine = Pickle::new().raw(b"}").text("little_endian").raw(b"\x88s").end();
    let keys = storages.iter().fold(Pickle::new().raw(b"]("), |pickle, (key, _)| pickle.text(key)).raw(b"e").end();
    let mut bytes = [&magic[..], &protocol, &machine, object, &keys].concat();
    for (_, count) in storages {
        bytes.extend((*count as u64).to_le_bytes());
        bytes.extend(vec![7; 4 * count]);
    }
    bytes
}

/// An entry of an archive, consistent or not.
#[derive(Clone)]
pub struct Entry {
    pub name: String,
    pub bytes: Vec<u8>,
    pub method: u16,
    pub flags: u16,
    /// A false size for the directory.
    pub size: Option<u32>,
    /// A false offset for the directory.
    pub place: Option<u32>,
    /// Whether the directory has 64-bit sizes and offsets.
    pub wide: bool,
}

impl Entry {
    pub fn new(name: &str, bytes: &[u8]) -> Self {
        Self { name: name.into(), bytes: bytes.into(), method: 0, flags: 0, size: None, place: None, wide: false }
    }
}

/// A zip archive.
pub fn archive(entries: &[Entry]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut directory = Vec::new();
    for Entry { name, bytes: content, method, flags, size, place, wide } in entries {
        let (at, length) = (bytes.len() as u32, size.unwrap_or(content.len() as u32));
        let sizes = [0, length, length].map(u32::to_le_bytes).concat();
        let lengths = [(name.len() as u16).to_le_bytes(), [0, 0]].concat();
        let common = [&[0, 0][..], &flags.to_le_bytes(), &method.to_le_bytes(), &[0; 4], &sizes, &lengths].concat();
        bytes.extend([b"PK\x03\x04", &common[..], name.as_bytes(), content].concat());
        let start = place.unwrap_or(at);
        if *wide {
            // An unknown extra field, then the field of the sizes and the offset.
            let numbers = [length.into(), length.into(), u64::from(start)].map(u64::to_le_bytes).concat();
            let extra = [&[0xfe, 0xca, 2, 0, 9, 9, 1, 0, 24, 0][..], &numbers].concat();
            let lengths = [(name.len() as u16).to_le_bytes(), (extra.len() as u16).to_le_bytes()].concat();
            let common = [&[0, 0][..], &flags.to_le_bytes(), &method.to_le_bytes(), &[0; 8], &[0xff; 8], &lengths];
            let tail = [&[0; 10][..], &[0xff; 4], name.as_bytes(), &extra].concat();
            directory.extend([b"PK\x01\x02\0\0", &common.concat()[..], &tail].concat());
        } else {
            let tail = [&[0; 10][..], &start.to_le_bytes(), name.as_bytes()].concat();
            directory.extend([b"PK\x01\x02\0\0", &common[..], &tail].concat());
        }
    }
    let (at, count) = (bytes.len() as u32, entries.len() as u16);
    bytes.extend(&directory);
    bytes.extend(b"PK\x05\x06\0\0\0\0");
    bytes.extend([count.to_le_bytes(), count.to_le_bytes()].concat());
    bytes.extend([(directory.len() as u32).to_le_bytes(), at.to_le_bytes()].concat());
    bytes.extend([0, 0]);
    bytes
}

/// PyTorch's archive of a pickle, with storage "0" of two numbers.
pub fn torch(pickle: &[u8]) -> Vec<Entry> {
    vec![
        Entry::new("m/data.pkl", pickle),
        Entry::new("m/byteorder", b"little"),
        Entry::new("m/data/0", &[7; 8]),
        Entry::new("m/version", b"3\n"),
    ]
}
