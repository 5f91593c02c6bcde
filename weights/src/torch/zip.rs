//! The central directory of a zip archive without compression, as PyTorch writes it. Sizes are not trusted: entries must lie one after
//! the other within the file.

use std::collections::BTreeMap;

use super::cursor::Cursor;
use crate::error::{Error, FileDefect, FileForm, quoted};
use crate::source_files::{Attempt, SourceFiles, Span};

/// An entry of the archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ZipEntry {
    /// The first byte of its local header.
    header: u64,
    /// Bytes of its data.
    size: u64,
    /// The first byte of the next entry or of the directory.
    limit: u64,
}

/// Entries by their names.
pub type Entries = BTreeMap<String, ZipEntry>;

/// Bytes of the record at the end of an archive without its comment, and of the longest comment.
const END: u64 = 22;
const COMMENT: u64 = 0xffff;
/// Bytes of the locator of the 64-bit record, which precedes the record above, and of the 64-bit record.
const LOCATOR: u64 = 20;
const END_64: u64 = 56;
/// Bytes of a local header and of a directory entry, without names.
const LOCAL: u64 = 30;
const CENTRAL: u64 = 46;

/// The longest directory that is read: some hundred thousand entries.
const MAX_DIRECTORY_BYTES: u64 = 16_000_000;

/// Reads the central directory of an archive.
pub fn entries(files: &SourceFiles, file: usize) -> Attempt<Entries> {
    let directory = central_directory(files, file)?;
    let bytes = files.bytes(Span { file, start: directory.start, end: directory.end })?;
    let mut cursor = Cursor::new(bytes);
    let mut found = BTreeMap::new();
    while !cursor.is_empty() {
        let (name, entry) = entry(files, file, &mut cursor)?;
        if found.insert(name.clone(), entry).is_some() {
            return Err(files.malformed(file, FileDefect::Twice { name: quoted(&name) }).into());
        }
    }
    if found.len() as u64 != directory.count {
        return Err(files.malformed(file, FileDefect::ZipDirectory).into());
    }
    set_limits(&mut found, directory.start)
        .map_err(|name| files.malformed(file, FileDefect::ZipEntry { entry: quoted(name) }))?;
    Ok(found)
}

/// The span of the central directory, and the number of its entries.
struct CentralDirectory {
    start: u64,
    end: u64,
    count: u64,
}

fn central_directory(files: &SourceFiles, file: usize) -> Attempt<CentralDirectory> {
    let length = files.length(file);
    let start = length.saturating_sub(END + COMMENT);
    let tail = files.bytes(Span { file, start, end: length })?;
    let broken = || files.malformed(file, FileDefect::ZipDirectory);
    let (at, place) = last_record(tail).ok_or_else(broken)?;
    let at = start + at as u64;
    let place = match locator(files, file, at)? {
        Some(record) => record_64(files, file, record, &place)?,
        None => place,
    };
    let fits =
        place.start <= place.end && place.end <= at && place.count.saturating_mul(CENTRAL) <= place.end - place.start;
    if !fits || place.end - place.start > MAX_DIRECTORY_BYTES {
        return Err(broken().into());
    }
    Ok(place)
}

/// The last end record whose comment reaches to the end of the file: its first byte and its content.
fn last_record(tail: &[u8]) -> Option<(usize, CentralDirectory)> {
    (0..tail.len()).rev().find_map(|at| {
        let mut cursor = Cursor::new(tail.get(at..)?);
        let record = cursor.take(4)? == b"PK\x05\x06" && cursor.u16()? == 0 && cursor.u16()? == 0;
        let (_here, count) = if record { (cursor.u16()?, cursor.u16()?) } else { return None };
        let (size, start, comment) = (cursor.u32()?, cursor.u32()?, cursor.u16()?);
        let ends = at + cursor.at() + usize::from(comment) == tail.len();
        let start = u64::from(start);
        ends.then(|| (at, CentralDirectory { start, end: start + u64::from(size), count: u64::from(count) }))
    })
}

/// The first byte of the 64-bit record, if there is one.
fn locator(files: &SourceFiles, file: usize, end: u64) -> Attempt<Option<u64>> {
    let Some(start) = end.checked_sub(LOCATOR) else { return Ok(None) };
    let mut cursor = Cursor::new(files.bytes(Span { file, start, end })?);
    if cursor.take(4) != Some(b"PK\x06\x07") {
        return Ok(None);
    }
    let place = cursor.u32().and_then(|_| cursor.u64()).filter(|at| at.saturating_add(END_64) <= start);
    place.map(Some).ok_or_else(|| files.malformed(file, FileDefect::ZipDirectory).into())
}

/// The content of the 64-bit record. Fields of `other`, the 32-bit one, must agree unless they are at their largest value.
fn record_64(files: &SourceFiles, file: usize, start: u64, other: &CentralDirectory) -> Attempt<CentralDirectory> {
    let mut cursor = Cursor::new(files.bytes(Span { file, start, end: start + END_64 })?);
    let read = |cursor: &mut Cursor<'_>| {
        cursor.take(4).filter(|signature| *signature == b"PK\x06\x06")?;
        cursor.take(28)?;
        let (count, size, start) = (cursor.u64()?, cursor.u64()?, cursor.u64()?);
        Some(CentralDirectory { start, end: start.checked_add(size)?, count })
    };
    let same = |found: u64, short: u64, most: u64| short == most || found == short;
    read(&mut cursor)
        .filter(|place| {
            same(place.count, other.count, 0xffff)
                && same(place.start, other.start, 0xffff_ffff)
                && same(place.end - place.start, other.end - other.start, 0xffff_ffff)
        })
        .ok_or_else(|| files.malformed(file, FileDefect::ZipDirectory).into())
}

/// Reads the next entry of the directory.
fn entry(files: &SourceFiles, file: usize, cursor: &mut Cursor<'_>) -> Result<(String, ZipEntry), Error> {
    let broken = || files.malformed(file, FileDefect::ZipDirectory);
    let fixed = cursor.take(CENTRAL as usize).filter(|fixed| fixed.starts_with(b"PK\x01\x02"));
    let mut fixed = Cursor::new(fixed.ok_or_else(broken)?);
    let numbers = (|| {
        fixed.take(8)?;
        let (flags, method) = (fixed.u16()?, fixed.u16()?);
        fixed.take(8)?;
        let sizes = (fixed.u32()?, fixed.u32()?);
        let lengths = [fixed.u16()?, fixed.u16()?, fixed.u16()?];
        fixed.take(8)?;
        let header = fixed.u32()?;
        let name = cursor.take(lengths[0].into())?;
        let extra = cursor.take(lengths[1].into())?;
        cursor.take(lengths[2].into())?;
        Some((flags, method, sizes, header, name, extra))
    })();
    let (flags, method, (packed, size), header, name, extra) = numbers.ok_or_else(broken)?;
    let name = std::str::from_utf8(name).map_err(|_| broken())?;
    if method != 0 {
        return Err(Error::CompressedWeights { file: files.name(file), entry: quoted(name) });
    }
    if flags & 1 != 0 {
        let what = FileForm::EncryptedEntry { entry: quoted(name) };
        return Err(Error::OtherWeights { file: files.name(file), what });
    }
    let mut wide = Cursor::new(zip64_field(extra));
    let mut full = |short: u32| if short == u32::MAX { wide.u64() } else { Some(short.into()) };
    let place = full(size).and_then(|size| Some((size, full(packed)?, full(header)?)));
    let (size, _, header) = place
        .filter(|(size, packed, _)| size == packed)
        .ok_or_else(|| files.malformed(file, FileDefect::ZipEntry { entry: quoted(name) }))?;
    Ok((name.into(), ZipEntry { header, size, limit: 0 }))
}

/// The field with 64-bit sizes among an entry's extra fields.
fn zip64_field(extra: &[u8]) -> &[u8] {
    let mut cursor = Cursor::new(extra);
    while let (Some(id), Some(length)) = (cursor.u16(), cursor.u16()) {
        let field = cursor.take(length.into());
        if id == 1 {
            return field.unwrap_or_default();
        }
    }
    &[]
}

/// Sets the limit of each entry. Fails with the name of an entry that reaches beyond its own.
fn set_limits(entries: &mut Entries, directory: u64) -> Result<(), &String> {
    let mut in_order: Vec<(&String, &mut ZipEntry)> = entries.iter_mut().collect();
    in_order.sort_by_key(|(_, entry)| std::cmp::Reverse(entry.header));
    let mut limit = directory;
    for (name, entry) in in_order {
        entry.limit = limit;
        limit = entry.header;
        let least = entry.size.checked_add(LOCAL + name.len() as u64).and_then(|size| size.checked_add(entry.header));
        if least.is_none_or(|end| end > entry.limit) {
            return Err(name);
        }
    }
    Ok(())
}

/// The spans of entries' data, from their local headers, which are requested together.
pub fn spans(files: &SourceFiles, file: usize, entries: &[(&str, &ZipEntry)]) -> Attempt<Vec<Span>> {
    let spans: Vec<Span> = entries
        .iter()
        .map(|(_, entry)| Span { file, start: entry.header, end: entry.header.saturating_add(LOCAL) })
        .collect();
    let headers = files.all(&spans)?;
    let mut found = Vec::with_capacity(entries.len());
    for ((name, entry), header) in entries.iter().zip(headers) {
        let start = local_header_length(header, name).and_then(|length| entry.header.checked_add(length));
        let end = start.and_then(|start| start.checked_add(entry.size)).filter(|end| *end <= entry.limit);
        let Some((start, end)) = start.zip(end) else {
            return Err(files.malformed(file, FileDefect::ZipEntry { entry: quoted(name) }).into());
        };
        found.push(Span { file, start, end });
    }
    Ok(found)
}

/// Bytes of a local header with its name and extra fields.
fn local_header_length(header: &[u8], name: &str) -> Option<u64> {
    let mut cursor = Cursor::new(header);
    cursor.take(4).filter(|signature| *signature == b"PK\x03\x04")?;
    cursor.take(4)?;
    cursor.u16().filter(|method| *method == 0)?;
    cursor.take(16)?;
    let (named, extra) = (cursor.u16()?, cursor.u16()?);
    if usize::from(named) != name.len() {
        return None;
    }
    Some(LOCAL + u64::from(named) + u64::from(extra))
}
