//! The pickle machine: a stack, marks in it, and a memo. Each opcode makes at most one value, and the number of values is bounded.

use std::collections::HashMap;

use super::class::{Class, class};
use super::rebuild::{self, CallResult};
use super::{Id, Pickle, PickleError, Value};
use crate::error::{FileForm, PickleAction, quoted};
use crate::torch::cursor::Cursor;

/// Bound of the number of values, and of the stack.
const MAX_VALUES: usize = 1 << 20;

/// Bound of the number of marks. Plain data is never nested so deeply.
const MAX_MARKS: usize = 1000;

/// The newest protocol.
const MAX_PROTOCOL: u8 = 5;

type Result<T = ()> = std::result::Result<T, PickleError>;

pub struct Machine<'a> {
    cursor: Cursor<'a>,
    values: Vec<Value<'a>>,
    stack: Vec<Id>,
    /// The height of the stack at each mark.
    marks: Vec<usize>,
    memo: HashMap<u32, Id>,
}

impl<'a> Machine<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        let (values, stack, marks) = (Vec::new(), Vec::new(), Vec::new());
        Self { cursor: Cursor::new(bytes), values, stack, marks, memo: HashMap::new() }
    }

    pub fn run(mut self) -> Result<Pickle<'a>> {
        loop {
            let at = self.cursor.at();
            let opcode = self.read(Cursor::u8)?;
            if opcode == b'.' {
                let root = self.pop()?;
                if !self.stack.is_empty() || !self.marks.is_empty() {
                    return Err(PickleError::Broken);
                }
                return Ok(Pickle { values: self.values, root, end: self.cursor.at() });
            }
            self.execute(opcode, at)?;
        }
    }

    fn execute(&mut self, opcode: u8, at: usize) -> Result {
        match opcode {
            // PROTO, FRAME
            0x80 => match self.read(Cursor::u8)? {
                0..=MAX_PROTOCOL => Ok(()),
                other => Err(PickleError::Unsupported(FileForm::PickleProtocol { protocol: other })),
            },
            0x95 => self.read(Cursor::u64).map(drop),
            // MARK, POP, POP_MARK, DUP
            b'(' => self.mark(),
            b'0' if self.marks.last() == Some(&self.stack.len()) => {
                self.marks.pop().map(drop).ok_or(PickleError::Broken)
            }
            b'0' => self.pop().map(drop),
            b'1' => self.pop_mark().map(drop),
            b'2' => self.top().and_then(|top| self.push_id(top)),
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
            0x85..=0x87 => self.pop_many(usize::from(opcode - 0x84)).and_then(|items| self.push(Value::Tuple(items))),
            b't' => self.pop_mark().and_then(|items| self.push(Value::Tuple(items))),
            // EMPTY_LIST, LIST, APPEND, APPENDS
            b']' => self.push(Value::List(Vec::new())),
            b'l' => self.pop_mark().and_then(|items| self.push(Value::List(items))),
            b'a' => self.pop_many(1).and_then(|items| self.append(items)),
            b'e' => self.pop_mark().and_then(|items| self.append(items)),
            // EMPTY_SET, FROZENSET, ADDITEMS
            0x8f => self.push(Value::Set),
            0x91 => self.pop_mark().and_then(|_| self.push(Value::Set)),
            0x90 => self.pop_mark().and_then(|_| match self.top_value()? {
                Value::Set => Ok(()),
                _ => Err(PickleError::Broken),
            }),
            // EMPTY_DICT, DICT, SETITEM, SETITEMS
            b'}' => self.push(dict(Vec::new())),
            b'd' => self.pop_mark().and_then(pairs).and_then(|entries| self.push(dict(entries))),
            b's' => self.pop_many(2).and_then(pairs).and_then(|entries| self.set(entries)),
            b'u' => self.pop_mark().and_then(pairs).and_then(|entries| self.set(entries)),
            // BINPUT, LONG_BINPUT, MEMOIZE, BINGET, LONG_BINGET
            b'q' => self.read(Cursor::u8).and_then(|place| self.memoize(place.into())),
            b'r' => self.read(Cursor::u32).and_then(|place| self.memoize(place)),
            0x94 => self.memoize(u32::try_from(self.memo.len()).unwrap_or(u32::MAX)),
            b'h' => self.read(Cursor::u8).and_then(|place| self.recall(place.into())),
            b'j' => self.read(Cursor::u32).and_then(|place| self.recall(place)),
            // GLOBAL, STACK_GLOBAL, BINPERSID, REDUCE, BUILD, INST, OBJ, NEWOBJ, NEWOBJ_EX
            b'c' => self.global(),
            0x93 => self.stack_global(),
            b'Q' => self.persistent(),
            b'R' => self.reduce(),
            b'b' => self.build(),
            b'i' => self.instance(),
            b'o' | 0x81 | 0x92 => Err(self.forbidden(PickleAction::MakeObjectByOpcode { opcode })),
            // EXT1, EXT2, EXT4
            0x82..=0x84 => Err(self.forbidden(PickleAction::UseExtension)),
            other => Err(PickleError::Unsupported(FileForm::PickleOpcode { opcode: other, at })),
        }
    }

    fn read<T>(&mut self, read: impl Fn(&mut Cursor<'a>) -> Option<T>) -> Result<T> {
        read(&mut self.cursor).ok_or(PickleError::Ended)
    }

    fn take(&mut self, length: u64) -> Result<&'a [u8]> {
        let length = usize::try_from(length).map_err(|_| PickleError::Ended)?;
        self.cursor.take(length).ok_or(PickleError::Ended)
    }

    fn text(&mut self, length: u64) -> Result {
        let text = std::str::from_utf8(self.take(length)?).map_err(|_| PickleError::Broken)?;
        self.push(Value::Text(text))
    }

    fn opaque(&mut self, length: u64) -> Result {
        self.take(length)?;
        self.push(Value::Other)
    }

    /// A little-endian number of any length. One of more than 16 bytes cannot be a size and becomes [`Value::Other`].
    fn long(&mut self, length: u64) -> Result {
        let bytes = self.take(length)?;
        let negative = bytes.last().is_some_and(|last| *last >= 0x80);
        let mut padded = [if negative { 0xff } else { 0 }; 16];
        match padded.get_mut(..bytes.len()) {
            Some(low) => low.copy_from_slice(bytes),
            None => return self.push(Value::Other),
        }
        self.push(Value::Int(i128::from_le_bytes(padded)))
    }

    fn push(&mut self, value: Value<'a>) -> Result {
        if self.values.len() >= MAX_VALUES {
            return Err(PickleError::TooLarge);
        }
        self.values.push(value);
        self.push_id(self.values.len() - 1)
    }

    fn push_id(&mut self, id: Id) -> Result {
        if self.stack.len() >= MAX_VALUES {
            return Err(PickleError::TooLarge);
        }
        self.stack.push(id);
        Ok(())
    }

    fn mark(&mut self) -> Result {
        if self.marks.len() >= MAX_MARKS {
            return Err(PickleError::TooLarge);
        }
        self.marks.push(self.stack.len());
        Ok(())
    }

    /// The top value above the last mark.
    fn top(&self) -> Result<Id> {
        let floor = self.marks.last().copied().unwrap_or(0);
        self.stack.last().copied().filter(|_| self.stack.len() > floor).ok_or(PickleError::Broken)
    }

    fn pop(&mut self) -> Result<Id> {
        let top = self.top()?;
        self.stack.pop();
        Ok(top)
    }

    /// Pops `count` values above the last mark.
    fn pop_many(&mut self, count: usize) -> Result<Vec<Id>> {
        let floor = self.marks.last().copied().unwrap_or(0);
        let from = self.stack.len().checked_sub(count).filter(|from| *from >= floor).ok_or(PickleError::Broken)?;
        Ok(self.stack.split_off(from))
    }

    fn pop_mark(&mut self) -> Result<Vec<Id>> {
        let mark = self.marks.pop().ok_or(PickleError::Broken)?;
        Ok(self.stack.split_off(mark.min(self.stack.len())))
    }

    fn top_value(&mut self) -> Result<&mut Value<'a>> {
        let top = self.top()?;
        self.values.get_mut(top).ok_or(PickleError::Broken)
    }

    fn append(&mut self, items: Vec<Id>) -> Result {
        match self.top_value()? {
            Value::List(list) => list.extend(items),
            _ => return Err(PickleError::Broken),
        }
        Ok(())
    }

    fn set(&mut self, new: Vec<(Id, Id)>) -> Result {
        match self.top_value()? {
            Value::Dict { entries, .. } => entries.extend(new),
            _ => return Err(PickleError::Broken),
        }
        Ok(())
    }

    fn memoize(&mut self, place: u32) -> Result {
        let top = self.top()?;
        self.memo.insert(place, top);
        Ok(())
    }

    fn recall(&mut self, place: u32) -> Result {
        let id = *self.memo.get(&place).ok_or(PickleError::Broken)?;
        self.push_id(id)
    }

    fn line(&mut self) -> Result<&'a str> {
        let line = self.cursor.line().ok_or(PickleError::Ended)?;
        std::str::from_utf8(line).map_err(|_| PickleError::Broken)
    }

    fn global(&mut self) -> Result {
        let (module, name) = (self.line()?, self.line()?);
        self.class(module, name)
    }

    fn stack_global(&mut self) -> Result {
        let names = self.pop_many(2)?;
        let text = |id: &Id| if let Some(Value::Text(text)) = self.values.get(*id) { Some(*text) } else { None };
        let names: Option<Vec<&'a str>> = names.iter().map(text).collect();
        match names.as_deref() {
            Some([module, name]) => self.class(module, name),
            _ => Err(PickleError::Broken),
        }
    }

    fn class(&mut self, module: &str, name: &str) -> Result {
        let found = class(module, name).map_err(|what| self.forbidden(what))?;
        self.push(Value::Class(found))
    }

    /// INST names a class and makes an object of it, which is refused even for an allowed class.
    fn instance(&mut self) -> Result {
        let (module, name) = (self.line()?, self.line()?);
        let what = class(module, name).err();
        Err(self.forbidden(what.unwrap_or_else(|| PickleAction::MakeObject { name: format!("{module}.{name}") })))
    }

    fn persistent(&mut self) -> Result {
        let id = self.pop()?;
        let storage = rebuild::storage(&self.values, id)?;
        self.push(Value::Storage(Box::new(storage)))
    }

    fn reduce(&mut self) -> Result {
        let arguments = self.pop()?;
        let callable = self.pop()?;
        let (Some(callable), Some(Value::Tuple(arguments))) = (self.values.get(callable), self.values.get(arguments))
        else {
            return Err(PickleError::Broken);
        };
        let result = match callable {
            Value::Class(Class::Storage(dtype) | Class::Dtype(dtype)) => {
                return Err(self.forbidden(PickleAction::CallDtype { dtype: dtype.name().into() }));
            }
            Value::Class(class) => rebuild::call(&self.values, class, arguments)?,
            _ => return Err(self.forbidden(PickleAction::CallNonClass)),
        };
        match result {
            CallResult::New(value) => self.push(value),
            CallResult::Argument(id) => self.push_id(id),
        }
    }

    /// Sets attributes: only an OrderedDict may have them (a state dict's metadata), and they are ignored.
    fn build(&mut self) -> Result {
        let state = self.pop()?;
        let plain = matches!(self.values.get(state), Some(Value::Dict { .. }));
        match self.top_value()? {
            Value::Dict { ordered: true, .. } if plain => Ok(()),
            _ => Err(self.forbidden(PickleAction::SetState)),
        }
    }

    /// The error for an operation that is not allowed. The last string on the stack is the key of the value that it computes.
    fn forbidden(&self, what: PickleAction) -> PickleError {
        let text = |id: &Id| if let Some(Value::Text(text)) = self.values.get(*id) { Some(quoted(text)) } else { None };
        PickleError::Call { what, under: self.stack.iter().rev().find_map(text) }
    }
}

fn dict<'a>(entries: Vec<(Id, Id)>) -> Value<'a> {
    Value::Dict { entries, ordered: false }
}

fn pairs(items: Vec<Id>) -> Result<Vec<(Id, Id)>> {
    if !items.len().is_multiple_of(2) {
        return Err(PickleError::Broken);
    }
    let pair = |pair: &[Id]| if let [key, value] = pair { Some((*key, *value)) } else { None };
    Ok(items.chunks_exact(2).filter_map(pair).collect())
}
