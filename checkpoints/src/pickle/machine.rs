//! The machine: a stack, marks in it, and a memo. Each opcode makes at most one value, and their number is bounded.

use std::collections::HashMap;

use super::class::{Class, class};
use super::rebuild::{self, Made};
use super::{Fault, Id, Pickle, Value};
use crate::cursor::Cursor;
use crate::refusal::quoted;

/// The most values, and the most places on the stack.
const MOST: usize = 1 << 20;

/// The most marks at once: so deep is plain data never nested.
const DEEPEST: usize = 1000;

/// The newest protocol.
const NEWEST: u8 = 5;

type Done<T = ()> = Result<T, Fault>;

pub struct Machine<'a> {
    cursor: Cursor<'a>,
    values: Vec<Value<'a>>,
    stack: Vec<Id>,
    /// How high the stack was at each mark.
    marks: Vec<usize>,
    memo: HashMap<u32, Id>,
}

impl<'a> Machine<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        let (values, stack, marks) = (Vec::new(), Vec::new(), Vec::new());
        Self { cursor: Cursor::new(bytes), values, stack, marks, memo: HashMap::new() }
    }

    pub fn run(mut self) -> Done<Pickle<'a>> {
        loop {
            let at = self.cursor.at();
            let opcode = self.read(Cursor::u8)?;
            if opcode == b'.' {
                let root = self.pop()?;
                if !self.stack.is_empty() || !self.marks.is_empty() {
                    return Err(malformed("its pickle ends in the middle"));
                }
                return Ok(Pickle { values: self.values, root, end: self.cursor.at() });
            }
            self.obey(opcode, at)?;
        }
    }

    fn obey(&mut self, opcode: u8, at: usize) -> Done {
        match opcode {
            // PROTO, FRAME
            0x80 => match self.read(Cursor::u8)? {
                0..=NEWEST => Ok(()),
                other => Err(Fault::Unsupported(format!("a pickle of protocol {other}"))),
            },
            0x95 => self.read(Cursor::u64).map(drop),
            // MARK, POP, POP_MARK, DUP
            b'(' => self.mark(),
            b'0' if self.marks.last() == Some(&self.stack.len()) => self.marks.pop().map(drop).ok_or_else(empty),
            b'0' => self.pop().map(drop),
            b'1' => self.pop_mark().map(drop),
            b'2' => self.top().and_then(|top| self.put(top)),
            // NONE, NEWTRUE, NEWFALSE
            b'N' => self.push(Value::None),
            0x88 => self.push(Value::Bool(true)),
            0x89 => self.push(Value::Bool(false)),
            // BININT, BININT1, BININT2, LONG1, LONG4, BINFLOAT
            b'J' => self.read(Cursor::i32).and_then(|number| self.push(Value::Int(number.into()))),
            b'K' => self.read(Cursor::u8).and_then(|number| self.push(Value::Int(number.into()))),
            b'M' => self.read(Cursor::u16).and_then(|number| self.push(Value::Int(number.into()))),
            0x8a => self.read(Cursor::u8).and_then(|length| self.long(length.into())),
            0x8b => self.read(Cursor::u32).and_then(|length| self.long(length.into())),
            b'G' => self.take(8).and_then(|_| self.push(Value::Other)),
            // BINUNICODE, SHORT_BINUNICODE, BINUNICODE8, BINSTRING, SHORT_BINSTRING
            b'X' | b'T' => self.read(Cursor::u32).and_then(|length| self.text(length.into())),
            0x8c | b'U' => self.read(Cursor::u8).and_then(|length| self.text(length.into())),
            0x8d => self.read(Cursor::u64).and_then(|length| self.text(length)),
            // BINBYTES, SHORT_BINBYTES, BINBYTES8, BYTEARRAY8
            b'B' => self.read(Cursor::u32).and_then(|length| self.opaque(length.into())),
            b'C' => self.read(Cursor::u8).and_then(|length| self.opaque(length.into())),
            0x8e | 0x96 => self.read(Cursor::u64).and_then(|length| self.opaque(length)),
            // EMPTY_TUPLE, TUPLE1 to TUPLE3, TUPLE
            b')' => self.push(Value::Tuple(Vec::new())),
            0x85..=0x87 => self.last(usize::from(opcode - 0x84)).and_then(|items| self.push(Value::Tuple(items))),
            b't' => self.pop_mark().and_then(|items| self.push(Value::Tuple(items))),
            // EMPTY_LIST, LIST, APPEND, APPENDS
            b']' => self.push(Value::List(Vec::new())),
            b'l' => self.pop_mark().and_then(|items| self.push(Value::List(items))),
            b'a' => self.last(1).and_then(|items| self.append(items)),
            b'e' => self.pop_mark().and_then(|items| self.append(items)),
            // EMPTY_SET, FROZENSET, ADDITEMS
            0x8f => self.push(Value::Set),
            0x91 => self.pop_mark().and_then(|_| self.push(Value::Set)),
            0x90 => self.pop_mark().and_then(|_| match self.top_value()? {
                Value::Set => Ok(()),
                _ => Err(malformed("it adds to a set that is none")),
            }),
            // EMPTY_DICT, DICT, SETITEM, SETITEMS
            b'}' => self.push(dict(Vec::new())),
            b'd' => self.pop_mark().and_then(pairs).and_then(|entries| self.push(dict(entries))),
            b's' => self.last(2).and_then(pairs).and_then(|entries| self.set(entries)),
            b'u' => self.pop_mark().and_then(pairs).and_then(|entries| self.set(entries)),
            // BINPUT, LONG_BINPUT, MEMOIZE, BINGET, LONG_BINGET
            b'q' => self.read(Cursor::u8).and_then(|place| self.remember(place.into())),
            b'r' => self.read(Cursor::u32).and_then(|place| self.remember(place)),
            0x94 => self.remember(u32::try_from(self.memo.len()).unwrap_or(u32::MAX)),
            b'h' => self.read(Cursor::u8).and_then(|place| self.recall(place.into())),
            b'j' => self.read(Cursor::u32).and_then(|place| self.recall(place)),
            // GLOBAL, STACK_GLOBAL, BINPERSID, REDUCE, BUILD, INST, OBJ, NEWOBJ, NEWOBJ_EX
            b'c' => self.global(),
            0x93 => self.stack_global(),
            b'Q' => self.persistent(),
            b'R' => self.reduce(),
            b'b' => self.build(),
            b'i' => self.instance(),
            b'o' | 0x81 | 0x92 => {
                Err(self.call(format!("make an object of a class of its own (opcode {opcode:#04x})")))
            }
            // EXT1, EXT2, EXT4
            0x82..=0x84 => Err(self.call("use a class by its number in a registry".into())),
            other => Err(Fault::Unsupported(format!("a pickle with the opcode {other:#04x} (at byte {at})"))),
        }
    }

    fn read<T>(&mut self, read: impl Fn(&mut Cursor<'a>) -> Option<T>) -> Done<T> {
        read(&mut self.cursor).ok_or(Fault::Ended)
    }

    fn take(&mut self, length: u64) -> Done<&'a [u8]> {
        let length = usize::try_from(length).map_err(|_| Fault::Ended)?;
        self.cursor.take(length).ok_or(Fault::Ended)
    }

    fn text(&mut self, length: u64) -> Done {
        let text = std::str::from_utf8(self.take(length)?).map_err(|_| malformed("a text in it is not UTF-8"))?;
        self.push(Value::Text(text))
    }

    fn opaque(&mut self, length: u64) -> Done {
        self.take(length)?;
        self.push(Value::Other)
    }

    /// A number of any length, little-endian; what has more than 16 bytes is no size.
    fn long(&mut self, length: u64) -> Done {
        let bytes = self.take(length)?;
        let negative = bytes.last().is_some_and(|last| *last >= 0x80);
        let mut whole = [if negative { 0xff } else { 0 }; 16];
        match whole.get_mut(..bytes.len()) {
            Some(low) => low.copy_from_slice(bytes),
            None => return self.push(Value::Other),
        }
        self.push(Value::Int(i128::from_le_bytes(whole)))
    }

    fn push(&mut self, value: Value<'a>) -> Done {
        if self.values.len() >= MOST {
            return Err(malformed("it holds more values than any list of tensors"));
        }
        self.values.push(value);
        self.put(self.values.len() - 1)
    }

    fn put(&mut self, id: Id) -> Done {
        if self.stack.len() >= MOST {
            return Err(malformed("it holds more values than any list of tensors"));
        }
        self.stack.push(id);
        Ok(())
    }

    fn mark(&mut self) -> Done {
        if self.marks.len() >= DEEPEST {
            return Err(malformed("it is nested more deeply than any list of tensors"));
        }
        self.marks.push(self.stack.len());
        Ok(())
    }

    /// The newest value above the last mark.
    fn top(&self) -> Done<Id> {
        let floor = self.marks.last().copied().unwrap_or(0);
        self.stack.last().copied().filter(|_| self.stack.len() > floor).ok_or_else(empty)
    }

    fn pop(&mut self) -> Done<Id> {
        let top = self.top()?;
        self.stack.pop();
        Ok(top)
    }

    /// The newest `count` values above the last mark.
    fn last(&mut self, count: usize) -> Done<Vec<Id>> {
        let floor = self.marks.last().copied().unwrap_or(0);
        let from = self.stack.len().checked_sub(count).filter(|from| *from >= floor).ok_or_else(empty)?;
        Ok(self.stack.split_off(from))
    }

    fn pop_mark(&mut self) -> Done<Vec<Id>> {
        let mark = self.marks.pop().ok_or_else(empty)?;
        Ok(self.stack.split_off(mark.min(self.stack.len())))
    }

    fn top_value(&mut self) -> Done<&mut Value<'a>> {
        let top = self.top()?;
        self.values.get_mut(top).ok_or_else(empty)
    }

    fn append(&mut self, items: Vec<Id>) -> Done {
        match self.top_value()? {
            Value::List(list) => list.extend(items),
            _ => return Err(malformed("it adds to a list that is none")),
        }
        Ok(())
    }

    fn set(&mut self, new: Vec<(Id, Id)>) -> Done {
        match self.top_value()? {
            Value::Dict { entries, .. } => entries.extend(new),
            _ => return Err(malformed("it adds to a dict that is none")),
        }
        Ok(())
    }

    fn remember(&mut self, place: u32) -> Done {
        let top = self.top()?;
        self.memo.insert(place, top);
        Ok(())
    }

    fn recall(&mut self, place: u32) -> Done {
        let id = *self.memo.get(&place).ok_or_else(|| malformed("it recalls what it never remembered"))?;
        self.put(id)
    }

    fn line(&mut self) -> Done<&'a str> {
        let line = self.cursor.line().ok_or(Fault::Ended)?;
        std::str::from_utf8(line).map_err(|_| malformed("a name in it is not UTF-8"))
    }

    fn global(&mut self) -> Done {
        let (module, name) = (self.line()?, self.line()?);
        self.class(module, name)
    }

    fn stack_global(&mut self) -> Done {
        let names = self.last(2)?;
        let text = |id: &Id| if let Some(Value::Text(text)) = self.values.get(*id) { Some(*text) } else { None };
        let names: Option<Vec<&'a str>> = names.iter().map(text).collect();
        match names.as_deref() {
            Some([module, name]) => self.class(module, name),
            _ => Err(malformed("it names a class by what is no text")),
        }
    }

    fn class(&mut self, module: &str, name: &str) -> Done {
        let found = class(module, name).map_err(|what| self.call(what))?;
        self.push(Value::Class(found))
    }

    /// INST names a class and makes an object of it: on the list or not, it is refused.
    fn instance(&mut self) -> Done {
        let (module, name) = (self.line()?, self.line()?);
        let what = class(module, name).err();
        Err(self.call(what.unwrap_or_else(|| format!("make an object of {module}.{name}"))))
    }

    fn persistent(&mut self) -> Done {
        let id = self.pop()?;
        let storage = rebuild::storage(&self.values, id)?;
        self.push(Value::Storage(Box::new(storage)))
    }

    fn reduce(&mut self) -> Done {
        let arguments = self.pop()?;
        let callable = self.pop()?;
        let (Some(callable), Some(Value::Tuple(arguments))) = (self.values.get(callable), self.values.get(arguments))
        else {
            return Err(malformed("it calls something without arguments"));
        };
        let made = match callable {
            Value::Class(Class::Storage(dtype) | Class::Dtype(dtype)) => {
                return Err(self.call(format!("call a type of numbers ({})", dtype.name)));
            }
            Value::Class(class) => rebuild::made(&self.values, *class, arguments)?,
            _ => return Err(self.call("call what is no class".into())),
        };
        match made {
            Made::New(value) => self.push(value),
            Made::Same(id) => self.put(id),
        }
    }

    /// Attributes: only an OrderedDict has them (a state dict's metadata), and nothing is done with them.
    fn build(&mut self) -> Done {
        let state = self.pop()?;
        let plain = matches!(self.values.get(state), Some(Value::Dict { .. }));
        match self.top_value()? {
            Value::Dict { ordered: true, .. } if plain => Ok(()),
            _ => Err(self.call("set the state of an object (BUILD)".into())),
        }
    }

    /// What a pickle wants to do, and the name that was read last: the key under which it lies.
    fn call(&self, what: String) -> Fault {
        let text = |id: &Id| if let Some(Value::Text(text)) = self.values.get(*id) { Some(quoted(text)) } else { None };
        Fault::Call { what, under: self.stack.iter().rev().find_map(text) }
    }
}

fn dict<'a>(entries: Vec<(Id, Id)>) -> Value<'a> {
    Value::Dict { entries, ordered: false }
}

fn pairs(items: Vec<Id>) -> Done<Vec<(Id, Id)>> {
    if !items.len().is_multiple_of(2) {
        return Err(malformed("a key in it has no value"));
    }
    let pair = |pair: &[Id]| if let [key, value] = pair { Some((*key, *value)) } else { None };
    Ok(items.chunks_exact(2).filter_map(pair).collect())
}

fn malformed(reason: impl Into<String>) -> Fault {
    Fault::Malformed(reason.into())
}

fn empty() -> Fault {
    malformed("its pickle takes from an empty stack")
}
