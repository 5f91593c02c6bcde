//! Zip archives that are compressed, truncated or inconsistent.

use crate::files::{assemble, assert_error, files, golden, open, refusal};
use crate::pickles::{Entry, Pickle, archive, stream, torch, with_entry};

fn good() -> Vec<Entry> {
    torch(&with_entry("epoch", |pickle| pickle.int(3)))
}

fn check(entries: &[Entry], code: &str, words: &[&str]) {
    assert_error(&refusal("model.pt", &archive(entries)), code, words);
}

#[test]
fn a_valid_archive_is_opened() {
    let files = vec![("model.pt".to_string(), archive(&good()))];
    let checkpoint = open("model.pt", &files).result.unwrap();
    let bytes = assemble(&checkpoint, &files);
    assert!(bytes.ends_with(&[7; 8]));
    let header = std::str::from_utf8(&checkpoint.header[8..]).unwrap();
    assert_eq!(header.trim_end(), r#"{"weight":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}"#);
}

#[test]
fn sizes_and_offsets_may_have_64_bits() {
    let plain = open("model.pt", &vec![("model.pt".to_string(), archive(&good()))]).result.unwrap();
    let mut entries = good();
    entries.iter_mut().for_each(|entry| entry.wide = true);
    let wide = open("model.pt", &vec![("model.pt".to_string(), archive(&entries))]).result.unwrap();
    assert_eq!(wide, plain);
    entries[2].size = Some(u32::MAX - 9);
    check(&entries, "malformed-checkpoint", &["m/data/0"]);
}

#[test]
fn compressed_and_encrypted_entries_are_refused_by_name() {
    for index in 0..good().len() {
        let mut entries = good();
        entries[index].method = 8;
        let name = entries[index].name.clone();
        check(&entries, "compressed-weights", &[&name, "compressed"]);
    }
    let mut entries = good();
    entries[2].flags = 1;
    check(&entries, "other-weights", &["m/data/0", "encrypted"]);
}

#[test]
fn an_archive_under_a_name_of_safetensors_is_to_be_renamed() {
    let error = refusal("model.safetensors", &archive(&good()));
    assert_error(&error, "other-weights", &["one of PyTorch's files", "rename it to pytorch_model.bin"]);
    assert!(!error.to_string().contains("save_pretrained"), "{error}");
}

/// A state dict with several names for one storage of f32.
fn names_of_one_storage(names: usize, count: usize) -> Vec<u8> {
    let tensor = |pickle: Pickle, name: usize| {
        let size = count as i32;
        pickle.text(&format!("weight.{name}")).tensor("0", size, 0, &[size], &[1])
    };
    (0..names).fold(Pickle::new().raw(b"}("), tensor).raw(b"u").end()
}

#[test]
fn tied_weights_are_allowed_but_not_many_times_the_files_bytes() {
    const COUNT: usize = 20_000;
    for (names, refused) in [(2, false), (6, false), (100, true)] {
        let pickle = names_of_one_storage(names, COUNT);
        let mut entries = torch(&pickle);
        entries[2] = Entry::new("m/data/0", &vec![7; 4 * COUNT]);
        for bytes in [archive(&entries), stream(&pickle, &[("0", COUNT)])] {
            let files = vec![("model.pt".to_string(), bytes)];
            let result = open("model.pt", &files).result;
            if refused {
                let Err(refusal) = result else { panic!("{names} names for one storage were taken") };
                assert_error(&refusal, "malformed-checkpoint", &["share their numbers", "save_pretrained"]);
                assert!(!refusal.to_string().contains("download"), "{refusal}");
            } else {
                let checkpoint = result.unwrap();
                assert_eq!(checkpoint.length() - checkpoint.header.len() as u64, (4 * COUNT * names) as u64);
            }
        }
    }
}

#[test]
fn entries_larger_than_the_file_are_refused() {
    // Many entries with the same bytes.
    let mut entries = good();
    entries.extend((1..50).map(|key| Entry { place: Some(0), ..Entry::new(&format!("m/data/{key}"), &[]) }));
    check(&entries, "malformed-checkpoint", &["overlaps"]);
    // An entry beyond the end of the file.
    let mut entries = good();
    entries[2].size = Some(u32::MAX - 1);
    check(&entries, "malformed-checkpoint", &["m/data/0", "overlaps"]);
    // A pickle with a storage larger than its entry.
    let pickle = Pickle::new().raw(b"}").text("w").tensor("0", i32::MAX, 0, &[i32::MAX], &[1]).raw(b"s").end();
    check(&torch(&pickle), "malformed-checkpoint", &["storage \"0\"", "not as long as it says"]);
    // A directory with too many entries or bytes.
    let bytes = archive(&good());
    for (from_end, value) in [(12, 0xffff_fff0_u32), (6, 0xffff_fff0)] {
        let mut modified = bytes.clone();
        let at = bytes.len() - from_end + if from_end == 12 { 2 } else { 0 };
        modified[at - 4..at].copy_from_slice(&value.to_le_bytes());
        assert_eq!(refusal("model.pt", &modified).code(), "malformed-checkpoint");
    }
    let mut entries = good();
    entries.push(entries[2].clone());
    check(&entries, "malformed-checkpoint", &["m/data/0", "there twice"]);
}

#[test]
fn other_archives_are_refused() {
    check(&[Entry::new("word/document.xml", b"<x/>")], "other-weights", &["data.pkl"]);
    let mut script = good();
    script.push(Entry::new("m/constants.pkl", b"\x80\x02)."));
    check(&script, "other-weights", &["TorchScript"]);
    let mut two = good();
    two.push(Entry::new("n/data.pkl", b"\x80\x02)."));
    check(&two, "other-weights", &["one data.pkl"]);
    let mut big = good();
    big[1].bytes = b"big".into();
    check(&big, "other-weights", &["big-endian"]);
    let mut without = good();
    without.remove(2);
    check(&without, "malformed-checkpoint", &["storage \"0\" is not there"]);
    assert_eq!(refusal("model.bin", b"<!doctype html>").code(), "other-weights");
    assert_eq!(refusal("model.bin", b"").code(), "truncated");
    assert_eq!(refusal("model.bin", b"PK\x03\x04 and nothing else").code(), "malformed-checkpoint");
}

#[test]
fn files_truncated_anywhere_are_refused() {
    let object = with_entry("epoch", |pickle| pickle.int(3));
    let golden = files(&golden("checkpoints/archive")).remove(0).1;
    for file in [archive(&good()), stream(&object, &[("0", 2)]), golden] {
        // Of the large one every 13th length, and the last ones.
        let step = if file.len() > 4000 { 13 } else { 1 };
        for end in (0..file.len()).filter(|end| end % step == 0 || file.len() - end < 400) {
            let refusal = refusal("model.pt", &file[..end]);
            assert!(
                ["truncated", "malformed-checkpoint", "other-weights"].contains(&refusal.code()),
                "{end}: {refusal}"
            );
        }
    }
}
