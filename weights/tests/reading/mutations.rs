//! Thousands of mutated files: each is opened or refused.

use crate::allocation::peak;
use crate::files::{Files, assemble, files, golden, open};
use crate::pickles::{archive, stream, torch, with_entry};

/// Seeded numbers (xorshift64*), so that a failure can be repeated.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }
}

/// Changes one thing about some bytes.
fn mutate(bytes: &mut Vec<u8>, random: &mut Random) {
    let at = random.below(bytes.len());
    let end = (at + 1 + random.below(24)).min(bytes.len());
    match random.below(7) {
        0 => bytes[at] = random.next() as u8,
        1 => bytes[at] ^= 1 << random.below(8),
        2 => drop(bytes.drain(at..end)),
        3 => {
            let copy = bytes[at..end].to_vec();
            let to = random.below(bytes.len());
            bytes.splice(to..to, copy);
        }
        4 => bytes[at..end].fill([0, 0xff, b'(', b'2', b'R'][random.below(5)]),
        5 => bytes.truncate(at),
        _ => {
            let to = random.below(bytes.len());
            bytes.swap(at, to);
        }
    }
    if bytes.is_empty() {
        bytes.push(0);
    }
}

/// Mutates one of the files. Returns whether they were opened.
fn attempt(main: &str, files: &Files, parts: &[(usize, usize)], random: &mut Random) -> bool {
    let mut files = files.clone();
    let (file, end) = parts[random.below(parts.len())];
    // The numbers of tensors are not read.
    let rest = files[file].1.split_off(end);
    for _ in 0..=random.below(3) {
        mutate(&mut files[file].1, random);
    }
    files[file].1.extend(rest);
    let most: usize = files.iter().map(|(_, bytes)| bytes.len()).sum();
    let (opened, peak_bytes) = peak(|| open(main, &files));
    assert!(peak_bytes < 100 * most + 100_000, "{peak_bytes} bytes at once for {most}");
    match opened.result {
        Ok(checkpoint) => {
            // Tensors may share bytes, but the header is bounded by the files.
            assert!(checkpoint.header.len() < 8 * most + 1000);
            let _ = assemble(&checkpoint, &files);
            true
        }
        Err(refusal) => {
            assert!(refusal.to_string().len() < 2000, "{refusal}");
            false
        }
    }
}

fn attempts(main: &str, files: &Files, parts: &[(usize, usize)], count: usize, seed: u64) {
    assert!(open(main, files).result.is_ok());
    let mut random = Random(seed);
    let opened = (0..count).filter(|_| attempt(main, files, parts, &mut random)).count();
    // Some mutations are harmless, others are not.
    assert!(opened > 0 && opened < count, "{opened} of {count} were opened");
}

fn single(bytes: Vec<u8>) -> Files {
    vec![("model.pt".into(), bytes)]
}

#[test]
fn pickles() {
    let object = with_entry("epoch", |pickle| pickle.int(3));
    let bytes = stream(&object, &[("0", 2)]);
    let end = bytes.len();
    attempts("model.pt", &single(bytes), &[(0, end)], 6000, 1);
    let files = vec![("last.pth".to_string(), files(&golden("checkpoints/training_stream")).remove(0).1)];
    attempts("last.pth", &files, &[(0, 6000)], 3000, 2);
}

#[test]
fn archives() {
    let bytes = archive(&torch(&with_entry("epoch", |pickle| pickle.int(3))));
    let end = bytes.len();
    attempts("model.pt", &single(bytes), &[(0, end)], 6000, 3);
    let files = vec![("model.bin".to_string(), files(&golden("checkpoints/archive")).remove(0).1)];
    let end = files[0].1.len();
    attempts("model.bin", &files, &[(0, 5000), (0, end)], 3000, 4);
}

#[test]
fn indices_and_their_files() {
    for (folder, main, seed) in
        [("shards", "model.safetensors.index.json", 5), ("archive_shards", "pytorch_model.bin.index.json", 6)]
    {
        let files = files(&golden("checkpoints").join(folder));
        let parts: Vec<(usize, usize)> =
            files.iter().enumerate().map(|(at, (_, bytes))| (at, bytes.len().min(3000))).collect();
        attempts(main, &files, &parts, 4000, seed);
    }
}
