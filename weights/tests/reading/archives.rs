//! Zip archives that are compressed, lie about their sizes, or end early.

use crate::files::{files, golden, open, refusal, whole};
use crate::pickles::{Entry, Pickle, archive, beside, stream, torch};

fn good() -> Vec<Entry> {
    torch(&beside("epoch", |pickle| pickle.int(3)))
}

fn says(entries: &[Entry], code: &str, words: &[&str]) {
    let refusal = refusal("model.pt", &archive(entries));
    assert_eq!(refusal.code(), code, "{refusal}");
    for word in words {
        assert!(refusal.to_string().contains(word), "{word:?} is not in: {refusal}");
    }
}

#[test]
fn an_archive_written_by_hand_is_opened() {
    let files = vec![("model.pt".to_string(), archive(&good()))];
    let checkpoint = open("model.pt", &files).result.unwrap();
    let bytes = whole(&checkpoint, &files);
    assert!(bytes.ends_with(&[7; 8]));
    let header = std::str::from_utf8(&checkpoint.header[8..]).unwrap();
    assert_eq!(header.trim_end(), r#"{"weight":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}"#);
}

#[test]
fn sizes_and_places_may_have_64_bits() {
    let plain = open("model.pt", &vec![("model.pt".to_string(), archive(&good()))]).result.unwrap();
    let mut entries = good();
    entries.iter_mut().for_each(|entry| entry.wide = true);
    let wide = open("model.pt", &vec![("model.pt".to_string(), archive(&entries))]).result.unwrap();
    assert_eq!(wide, plain);
    entries[2].size = Some(u32::MAX - 9);
    says(&entries, "malformed-checkpoint", &["m/data/0"]);
}

#[test]
fn compressed_and_encrypted_entries_are_refused_by_name() {
    for index in 0..good().len() {
        let mut entries = good();
        entries[index].method = 8;
        let name = entries[index].name.clone();
        says(&entries, "compressed-weights", &[&name, "compressed"]);
    }
    let mut entries = good();
    entries[2].flags = 1;
    says(&entries, "other-weights", &["m/data/0", "encrypted"]);
}

/// A state dict of so many names for one storage of f32.
fn names_of_one_storage(names: usize, count: usize) -> Vec<u8> {
    let tensor = |pickle: Pickle, name: usize| {
        let size = count as i32;
        pickle.text(&format!("weight.{name}")).tensor("0", size, 0, &[size], &[1])
    };
    (0..names).fold(Pickle::new().raw(b"}("), tensor).raw(b"u").end()
}

#[test]
fn a_small_file_cannot_hold_many_times_its_bytes_and_tied_weights_are_no_such_file() {
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
                assert_eq!(refusal.code(), "malformed-checkpoint", "{refusal}");
                assert!(refusal.to_string().contains("share their numbers"), "{refusal}");
            } else {
                let checkpoint = result.unwrap();
                assert_eq!(checkpoint.length() - checkpoint.header.len() as u64, (4 * COUNT * names) as u64);
            }
        }
    }
}

#[test]
fn bombs_are_refused() {
    // Many entries of the same bytes.
    let mut entries = good();
    entries.extend((1..50).map(|key| Entry { place: Some(0), ..Entry::new(&format!("m/data/{key}"), &[]) }));
    says(&entries, "malformed-checkpoint", &["overlaps"]);
    // An entry that claims more than the file has.
    let mut entries = good();
    entries[2].size = Some(u32::MAX - 1);
    says(&entries, "malformed-checkpoint", &["m/data/0", "overlaps"]);
    // One whose pickle asks for a storage larger than it is.
    let pickle = Pickle::new().raw(b"}").text("w").tensor("0", i32::MAX, 0, &[i32::MAX], &[1]).raw(b"s").end();
    says(&torch(&pickle), "malformed-checkpoint", &["\"w\"", "not as long as it says"]);
    // A directory that claims to have a hundred million entries, or to be as large as memory.
    let bytes = archive(&good());
    for (from_end, value) in [(12, 0xffff_fff0_u32), (6, 0xffff_fff0)] {
        let mut spoiled = bytes.clone();
        let at = bytes.len() - from_end + if from_end == 12 { 2 } else { 0 };
        spoiled[at - 4..at].copy_from_slice(&value.to_le_bytes());
        assert_eq!(refusal("model.pt", &spoiled).code(), "malformed-checkpoint");
    }
    let mut entries = good();
    entries.push(entries[2].clone());
    says(&entries, "malformed-checkpoint", &["m/data/0", "there twice"]);
}

#[test]
fn archives_of_others_are_refused_in_words() {
    says(&[Entry::new("word/document.xml", b"<x/>")], "other-weights", &["data.pkl"]);
    let mut script = good();
    script.push(Entry::new("m/constants.pkl", b"\x80\x02)."));
    says(&script, "other-weights", &["TorchScript"]);
    let mut two = good();
    two.push(Entry::new("n/data.pkl", b"\x80\x02)."));
    says(&two, "other-weights", &["one data.pkl"]);
    let mut big = good();
    big[1].bytes = b"big".into();
    says(&big, "other-weights", &["big-endian"]);
    let mut without = good();
    without.remove(2);
    says(&without, "malformed-checkpoint", &["storage \"0\" is not there"]);
    assert_eq!(refusal("model.bin", b"<!doctype html>").code(), "other-weights");
    assert_eq!(refusal("model.bin", b"").code(), "cut-short");
    assert_eq!(refusal("model.bin", b"PK\x03\x04 and nothing else").code(), "malformed-checkpoint");
}

#[test]
fn files_that_end_early_anywhere_are_refused() {
    let object = beside("epoch", |pickle| pickle.int(3));
    let golden = files(&golden("checkpoints/archive")).remove(0).1;
    for whole in [archive(&good()), stream(&object, &[("0", 2)]), golden] {
        // Of the large one every 13th byte and its end.
        let step = if whole.len() > 4000 { 13 } else { 1 };
        for end in (0..whole.len()).filter(|end| end % step == 0 || whole.len() - end < 400) {
            let refusal = refusal("model.pt", &whole[..end]);
            assert!(
                ["cut-short", "malformed-checkpoint", "other-weights"].contains(&refusal.code()),
                "{end}: {refusal}"
            );
        }
    }
}
