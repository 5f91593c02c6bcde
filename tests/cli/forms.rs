//! Weights in other forms than one safetensors file have the same outputs, bit for bit. Messages name a form that is refused.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::program::{empty_folder, failure, golden, stdout, text};

pub const MASKED: &str = "masked_lm_head_size_2";
const FORMS: [(&str, &str); 6] = [
    ("archive", MASKED),
    ("stream", MASKED),
    ("shards", MASKED),
    ("archive_shards", MASKED),
    ("training", "decoders/llama_bfloat16"),
    ("training_stream", "decoders/llama_float16"),
];

/// A model's folder with its weights in another form.
pub fn folder(form: &str, case: &str) -> PathBuf {
    // Tests run at the same time, so that each needs its own folder.
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let folder = empty_folder(&format!("form-{form}-{}", COUNT.fetch_add(1, Ordering::Relaxed)));
    fs::copy(golden(case).join("config.json"), folder.join("config.json")).unwrap();
    for entry in fs::read_dir(golden("checkpoints").join(form)).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, folder.join(path.file_name().unwrap())).unwrap();
    }
    folder
}

/// The file that a model's run writes.
fn outputs(model: &Path) -> Vec<u8> {
    let output = empty_folder("form-output").join("out.safetensors");
    let run = ["run", "--model", text(model), "--ids", "2,5,11,4,3", "--backend", "cpu", "--taps", "hidden_states"];
    stdout(&[&run[..], &["--output", text(&output)]].concat());
    fs::read(output).unwrap()
}

#[test]
fn every_form_gives_the_same_outputs() {
    for (form, case) in FORMS {
        assert_eq!(outputs(&folder(form, case)), outputs(&golden(case)), "{form}");
    }
}

#[test]
fn a_buffer_that_no_model_reads_is_listed_and_does_not_stop_it() {
    let said = stdout(&["inspect", "--model", text(&folder("archive", MASKED))]);
    assert!(said.contains("position_ids"), "{said}");
}

#[test]
fn what_is_wrong_with_them_is_said() {
    let says = |folder: &Path, words: &[&str]| {
        let line = failure(&["inspect", "--model", text(folder)]);
        for word in words {
            assert!(line.contains(word), "{word:?} is not in: {line}");
        }
    };
    let shards = folder("shards", MASKED);
    fs::remove_file(shards.join("model-00002-of-00003.safetensors")).unwrap();
    says(&shards, &["model-00002-of-00003.safetensors", "is not there", "index.json"]);

    let spoiled = folder("stream", MASKED);
    let path = spoiled.join("pytorch_model.bin");
    let trace = spoiled.join("trace");
    let complete = fs::read(&path).unwrap();
    // In place of the state dict's own class.
    let (class, other) = (b"ccollections\nOrderedDict\n", b"cos\nsystem\n");
    let at = complete.windows(class.len()).position(|window| window == class).unwrap();
    let command = format!("touch {}", trace.display());
    let call = [&b"X"[..], &(command.len() as u32).to_le_bytes(), command.as_bytes(), b"\x85R"].concat();
    fs::write(&path, [&complete[..at], other, &call, &complete[at + class.len()..]].concat()).unwrap();
    says(&spoiled, &["os.system", "none of it was run"]);
    assert!(!trace.exists());

    fs::write(&path, &complete[..complete.len() - 7]).unwrap();
    says(&spoiled, &["pytorch_model.bin", "cut short"]);
    fs::write(&path, &complete).unwrap();
    fs::rename(&path, spoiled.join("a.pt")).unwrap();
    fs::write(spoiled.join("b.pth"), &complete).unwrap();
    says(&spoiled, &["a.pt, b.pth", "one of them"]);
    fs::remove_file(spoiled.join("b.pth")).unwrap();
    fs::write(spoiled.join("training_args.bin"), "not weights").unwrap();
    stdout(&["inspect", "--model", text(&spoiled)]);
}
