//! Pickles that would call something are refused with the name of the call, wherever it is.

use ropescope_weights::Error;

use crate::allocation::peak;
use crate::files::{assert_error, open, refusal};
use crate::pickles::{Pickle, archive, stream, torch, with_entry};

/// The error for a pickle, which must be the same in both forms.
fn refused(pickle: &[u8]) -> Error {
    let old = refusal("old.pt", &stream(pickle, &[("0", 2)]));
    let new = refusal("new.pt", &archive(&torch(pickle)));
    assert_eq!(old.to_string().replace("old.pt", "new.pt"), new.to_string());
    new
}

fn assert_call(pickle: &[u8], words: &[&str]) {
    assert_error(&refused(pickle), "pickle-call", words);
}

/// A file that would exist if a pickle had been run.
fn trace() -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("a-pickle-was-run")
}

#[test]
fn calls_are_named_and_never_executed() {
    let command = format!("touch {}", trace().display());
    let names = [
        ("os", "system"),
        ("posix", "system"),
        ("builtins", "eval"),
        ("__builtin__", "eval"),
        ("subprocess", "Popen"),
        ("torch", "load"),
        ("torch.hub", "load"),
        ("torch._utils", "_rebuild_tensor_v2.__globals__"),
        ("collections", "OrderedDict.fromkeys"),
        ("numpy.core.multiarray", "_reconstruct"),
        ("argparse", "Namespace"),
    ];
    for (module, name) in names {
        let pickle = with_entry("optimizer", |pickle| pickle.call(module, name).text(&command).called());
        assert_call(&pickle, &[&format!("{module}.{name}"), "under \"optimizer\"", "none of it was run"]);
        let stacked =
            with_entry("x", |pickle| pickle.text(module).text(name).raw(b"\x93").raw(b"(").text(&command).called());
        assert_call(&stacked, &[&format!("{module}.{name}")]);
    }
    assert!(!trace().exists());
}

#[test]
fn calls_in_ignored_values_are_refused() {
    let call = |pickle: Pickle| pickle.call("os", "system").text("id").called();
    let deep = |pickle: Pickle| call(pickle.raw(b"}").text("a").raw(b"](")).raw(b"es");
    assert_call(&with_entry("epoch", deep), &["os.system", "under \"a\""]);
    // As a key, in the state of a dict, and as a value that is popped.
    assert_call(&with_entry("x", |pickle| call(pickle).text("value")), &["os.system"]);
    let state = |pickle: Pickle| {
        call(pickle.call("collections", "OrderedDict").called().raw(b"}").text("_metadata")).raw(b"sb")
    };
    assert_call(&with_entry("x", state), &["os.system", "_metadata"]);
    assert_call(&with_entry("x", |pickle| call(pickle).raw(b"0N")), &["os.system"]);
    // In a training program's file next to the state dict.
    let wrapped = Pickle::new().raw(b"}(").text("state_dict").raw(b"}").text("w").tensor("0", 2, 0, &[2], &[1]);
    let wrapped = call(wrapped.raw(b"s").text("hyper")).raw(b"u").end();
    assert_call(&wrapped, &["os.system", "under \"hyper\""]);
}

#[test]
fn calls_in_the_other_pickles_of_the_older_form_are_refused() {
    let good = with_entry("x", |pickle| pickle.raw(b"N"));
    let call = Pickle::new().call("os", "system").text("id").called().end();
    let mut bytes = stream(&good, &[("0", 2)]);
    // At the beginning, as the protocol, and as the storages' keys.
    let magic = 15;
    for at in [0, magic] {
        let modified = [&bytes[..at], &call, &bytes[at..]].concat();
        assert!(refusal("old.pt", &[b"\x80", &modified[1..]].concat()).to_string().contains("os.system"));
    }
    let keys = bytes.windows(4).rposition(|window| window == b"\x80\x02](").unwrap();
    bytes.truncate(keys);
    bytes.extend(&call);
    assert!(refusal("old.pt", &bytes).to_string().contains("os.system"));
}

#[test]
fn objects_and_their_states_are_refused() {
    // INST, OBJ, NEWOBJ, NEWOBJ_EX and the registry of extensions.
    assert_call(&with_entry("x", |pickle| pickle.raw(b"(ios\nsystem\n")), &["os.system"]);
    assert_call(&with_entry("x", |pickle| pickle.raw(b"(icollections\nOrderedDict\n")), &["collections.OrderedDict"]);
    for opcode in [&b"("[..], b")\x81", b")}\x92"] {
        let pickle = with_entry("x", |pickle| {
            let pickle = if opcode == b"(" { pickle.raw(b"(") } else { pickle };
            let pickle = pickle.global("collections", "OrderedDict");
            pickle.raw(if opcode == b"(" { b"o" } else { opcode })
        });
        assert_call(&pickle, &["an object of a class"]);
    }
    for opcode in [&b"\x82\x01"[..], b"\x83\x01\0", b"\x84\x01\0\0\0"] {
        assert_call(&with_entry("x", |pickle| pickle.raw(opcode)), &["registry"]);
    }
    // BUILD would call __setstate__ or set attributes: of a class, a dict or a tensor, or from a tuple.
    let build = |object: fn(Pickle) -> Pickle| {
        with_entry("x", |pickle| object(pickle).raw(b"}").text("__setstate__").raw(b"Nsb"))
    };
    assert_call(&build(|pickle| pickle.global("collections", "OrderedDict")), &["BUILD", "under"]);
    assert_call(&build(|pickle| pickle.raw(b"}")), &["BUILD"]);
    assert_call(&build(|pickle| pickle.tensor("0", 2, 0, &[2], &[1])), &["BUILD"]);
    let by_tuple = |pickle: Pickle| pickle.call("collections", "OrderedDict").called().raw(b"}}\x86b");
    assert_call(&with_entry("x", by_tuple), &["BUILD"]);
}

#[test]
fn allowed_classes_accept_only_pytorchs_arguments() {
    for (module, name) in [("torch", "FloatStorage"), ("torch", "float32"), ("torch.storage", "UntypedStorage")] {
        assert_call(&with_entry("x", |pickle| pickle.call(module, name).int(9).called()), &["call a type of numbers"]);
    }
    for (module, name) in [
        ("torch._utils", "_rebuild_tensor_v2"),
        ("torch._utils", "_rebuild_parameter"),
        ("torch", "Size"),
        ("collections", "OrderedDict"),
    ] {
        let refusal = refused(&with_entry("x", |pickle| pickle.call(module, name).int(9).called()));
        assert_eq!(refusal.code(), "malformed-checkpoint", "{refusal}");
    }
    // Values are no functions: a text, and the result of a call.
    assert_call(&with_entry("x", |pickle| pickle.text("os.system").raw(b"q\x05)R")), &["what is no class"]);
    let again = |pickle: Pickle| pickle.call("collections", "OrderedDict").called().raw(b"q\x0500h\x05h\x05)R");
    assert!(!refused(&with_entry("x", again)).to_string().is_empty());
}

#[test]
fn calls_from_the_memo_are_refused() {
    // The two parts of a class's name are in the memo.
    let halves = |pickle: Pickle| {
        pickle.text("os").raw(b"q\x010").text("system").raw(b"q\x020h\x01h\x02\x93(").text("id").called()
    };
    assert_call(&with_entry("x", halves), &["os.system"]);
    // An allowed class in the memo is replaced.
    let replaced = |pickle: Pickle| {
        let pickle = pickle.global("collections", "OrderedDict").raw(b"q\x010").global("os", "system");
        pickle.raw(b"q\x010h\x01(").text("id").called()
    };
    assert_call(&with_entry("x", replaced), &["os.system"]);
    let never = refused(&with_entry("x", |pickle| pickle.raw(b"h\x63")));
    assert!(never.to_string().contains("not as PyTorch writes it"), "{never}");
}

#[test]
fn unsupported_tensors_are_refused_with_their_names() {
    let check = |name: &str, entry: &dyn Fn(Pickle) -> Pickle, words: &[&str]| {
        let refusal = refused(&with_entry(name, entry));
        assert_error(&refusal, refusal.code(), &[words, &[name]].concat());
    };
    let make = |function: &'static str| move |pickle: Pickle| pickle.call("torch._utils", function).called();
    check("sparse", &make("_rebuild_sparse_tensor"), &["a sparse tensor"]);
    check("quantised", &make("_rebuild_qtensor"), &["a quantised tensor"]);
    check("storage", &|pickle| pickle.storage("QInt8Storage", "1", 4), &["a quantised tensor"]);
    check("strided", &|pickle| pickle.tensor("0", 2, 0, &[1, 2], &[1, 2]), &["strides [1, 2]", "contiguous()"]);
    check("expanded", &|pickle| pickle.tensor("0", 2, 0, &[2, 2], &[0, 1]), &["strides [0, 1]"]);
    check("outside", &|pickle| pickle.tensor("0", 2, 1, &[2], &[1]), &["reaches out of its storage"]);
    check("huge", &|pickle| pickle.tensor("0", 2, 0, &[i32::MAX, i32::MAX, i32::MAX], &[0, 0, 1]), &["huge"]);
    check("weight", &|pickle| pickle.tensor("0", 2, 0, &[2], &[1]), &["is there twice"]);
    let metadata = |pickle: Pickle| {
        let pickle = pickle.call("torch._utils", "_rebuild_tensor_v2").storage("FloatStorage", "0", 2);
        pickle.int(0).ints(&[2]).ints(&[1]).raw(b"\x89N}").text("conj").raw(b"\x88s").called()
    };
    assert!(refused(&with_entry("x", metadata)).to_string().contains("conjugated"));
    let big = Pickle::new().raw(b"}").text("little_endian").raw(b"\x89s").end();
    let bytes = stream(&with_entry("x", |pickle| pickle.raw(b"N")), &[("0", 2)]);
    let small = Pickle::new().raw(b"}").text("little_endian").raw(b"\x88s").end();
    let at = bytes.windows(small.len()).position(|window| window == small).unwrap();
    let modified = [&bytes[..at], &big, &bytes[at + small.len()..]].concat();
    assert!(refusal("old.pt", &modified).to_string().contains("big-endian"));
}

#[test]
fn other_pickles_are_refused() {
    let no_tensors = refused(&Pickle::new().raw(b"}").text("epoch").int(3).raw(b"s").end());
    assert!(no_tensors.to_string().contains("it holds \"epoch\""), "{no_tensors}");
    assert_eq!(refused(&Pickle::new().int(3).end()).code(), "no-tensors");
    assert!(refused(b"\x80\x63N.").to_string().contains("protocol 99"));
    assert!(refused(b"\x80\x02I12\n.").to_string().contains("opcode 0x49"));
    for broken in [&b"\x80\x02."[..], b"\x80\x02(.", b"\x80\x02NN.", b"\x80\x02Na.", b"\x80\x02N}s.", b"\x80\x02}(Nu."]
    {
        assert_eq!(refused(broken).code(), "malformed-checkpoint", "{broken:?}");
    }
    let deep = refused(&Pickle::new().raw(&[b'('; 2000]).end());
    assert!(deep.to_string().contains("more than a file of weights holds"), "{deep}");
    let full = Pickle::new().raw(b"(").raw(&vec![b']'; (1 << 20) + 1]).raw(b"t").end();
    let (many, peak_bytes) = peak(|| refused(&full));
    assert!(many.to_string().contains("more than a file of weights holds"), "{many}");
    assert!(peak_bytes < 100_000_000, "{peak_bytes} bytes at once");
    let copies = refused(&Pickle::new().raw(b"N").raw(&vec![b'2'; (1 << 20) + 1]).end());
    assert!(copies.to_string().contains("more than a file of weights holds"), "{copies}");
}

#[test]
fn recursive_values_are_harmless() {
    // Nested tuples, each with the previous one twice; a list in itself; a dict in itself.
    let doubled = (0..200).fold(Pickle::new().raw(b"N"), |pickle, _| pickle.raw(b"2\x86")).end();
    assert_eq!(refused(&doubled).code(), "no-tensors");
    assert_eq!(refused(&Pickle::new().raw(b"]q\x01h\x01a").end()).code(), "no-tensors");
    let own =
        Pickle::new().raw(b"}q\x01(").text("weight").tensor("0", 2, 0, &[2], &[1]).text("state_dict").raw(b"h\x01u");
    let files = vec![("new.pt".to_string(), archive(&torch(&own.end())))];
    assert_eq!(open("new.pt", &files).result.unwrap().pieces.len(), 1);
}

#[test]
fn names_in_messages_are_escaped_and_truncated() {
    let odd = with_entry(&format!("a\n\u{1b}[31m{}", "x".repeat(5000)), |pickle| pickle.call("os\u{7}", "x").called());
    let message = refused(&odd).to_string();
    assert!(!message.contains(char::is_control) && message.len() < 600, "{message}");
}
