//! Values written as JSON into memory, in the bytes in which `serde_json` writes them.
//!
//! That may fail at every member, wherever it writes to, and comes back with why; a text in memory takes everything.
//! Where a program is sent before it runs, the ways back would be half of what writes answers; and where answers are
//! many, a text is looked through at once for what must be escaped, and names of fields not at all.

use serde::ser::{
    Error, Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant,
    SerializeTuple, SerializeTupleStruct, SerializeTupleVariant, Serializer,
};
use serde_json::Value;
use std::fmt::{self, Write as _};

/// A value says of itself that it cannot be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unwritable;

impl fmt::Display for Unwritable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value cannot be written")
    }
}

impl std::error::Error for Unwritable {}

impl Error for Unwritable {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self
    }
}

impl From<Unwritable> for std::io::Error {
    fn from(unwritable: Unwritable) -> Self {
        Self::other(unwritable)
    }
}

/// A value as JSON.
pub(crate) fn json(value: &(impl Serialize + ?Sized)) -> Result<String, Unwritable> {
    let mut out = Out::default();
    value.serialize(&mut out)?;
    String::from_utf8(out.bytes).map_err(|_| Unwritable)
}

/// A value as text: what is no text, as it is in JSON.
pub(crate) fn plain(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

/// A value as a tree, in which members stand in the order of their names. It is written and read again: what does that is
/// there anyhow, and need not be there for trees as well.
pub(crate) fn tree(value: &impl Serialize) -> Value {
    let text = json(value).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or_default()
}

/// Bytes as hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    let mut digits = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        let _ = write!(digits, "{byte:02x}");
    }
    digits
}

/// The byte that two hexadecimal digits stand for.
pub(crate) fn byte(digits: &[u8]) -> Option<u8> {
    let &[high, low] = digits else {
        return None;
    };
    let digit = |digit| char::from(digit).to_digit(16);
    u8::try_from(16 * digit(high)? + digit(low)?).ok()
}

/// Adds a value.
///
/// # Errors
/// It cannot be told as JSON; what was added is then to be dropped.
pub(crate) fn write(
    bytes: &mut Vec<u8>,
    value: &(impl Serialize + ?Sized),
) -> Result<(), Unwritable> {
    let mut out = Out {
        bytes: std::mem::take(bytes),
        verbatim: false,
    };
    let done = value.serialize(&mut out);
    *bytes = out.bytes;
    done
}

/// The name of a field or a variant: one of the program's own, in which nothing is to be escaped.
pub(crate) fn named(bytes: &mut Vec<u8>, name: &str) {
    debug_assert!(is_plain(name), "{name}");
    bytes.push(b'"');
    bytes.extend_from_slice(name.as_bytes());
    bytes.push(b'"');
}

/// Adds a text.
pub(crate) fn text(bytes: &mut Vec<u8>, text: &str) {
    if is_plain(text) {
        named(bytes, text);
    } else {
        rare(bytes, text);
    }
}

/// Whether a text is written as it is. All of it is looked at, which takes less than to stop.
fn is_plain(text: &str) -> bool {
    let odd = |byte: u8| byte < 0x20 || byte == b'"' || byte == b'\\';
    !text.bytes().fold(false, |found, byte| found | odd(byte))
}

/// Adds what has no parts and is rare, as `serde_json` does it: into a vector that cannot fail.
fn rare(bytes: &mut Vec<u8>, value: &(impl Serialize + ?Sized)) {
    let _ = value.serialize(&mut serde_json::Serializer::new(bytes));
}

/// Adds a number.
pub(crate) fn number(out: &mut Vec<u8>, mut number: u64) {
    let mut digits = [0; 20];
    let mut from = digits.len();
    for digit in digits.iter_mut().rev() {
        *digit = b'0' + u8::try_from(number % 10).unwrap_or_default();
        from -= 1;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    out.extend_from_slice(digits.get(from..).unwrap_or_default());
}

/// What was written so far.
#[derive(Default)]
pub(crate) struct Out {
    bytes: Vec<u8>,
    /// Whether the next text is JSON already.
    verbatim: bool,
}

/// How `serde_json` names a value that is JSON already.
const VERBATIM: &str = "$serde_json::private::RawValue";

impl Out {
    fn push(&mut self, text: &str) {
        self.bytes.extend_from_slice(text.as_bytes());
    }

    fn text(&mut self, told: &str) {
        if std::mem::take(&mut self.verbatim) {
            self.push(told);
        } else {
            text(&mut self.bytes, told);
        }
    }

    /// What names a member is a text, whatever it is made from.
    fn close_key(&mut self, at: usize) -> Result<(), Unwritable> {
        match self.bytes.get(at) {
            Some(b'"') => self.push(":"),
            Some(b'-' | b'0'..=b'9' | b't' | b'f') => {
                self.bytes.insert(at, b'"');
                self.push("\":");
            }
            _ => return Err(Unwritable),
        }
        Ok(())
    }

    fn opened(&mut self, opening: &str, closing: &'static str) -> Parts<'_> {
        self.push(opening);
        Parts {
            out: self,
            closing,
            first: true,
        }
    }

    /// The parts of a variant of an enumeration, under its name.
    fn variant(&mut self, name: &str, opening: &str, closing: &'static str) -> Parts<'_> {
        self.push("{");
        named(&mut self.bytes, name);
        self.push(":");
        self.opened(opening, closing)
    }
}

/// A list or an object that is being written.
pub(crate) struct Parts<'o> {
    out: &'o mut Out,
    closing: &'static str,
    first: bool,
}

impl Parts<'_> {
    fn next(&mut self) {
        if !std::mem::take(&mut self.first) {
            self.out.push(",");
        }
    }

    fn item(&mut self, value: &(impl Serialize + ?Sized)) -> Result<(), Unwritable> {
        self.next();
        value.serialize(&mut *self.out)
    }

    /// A member's name.
    fn name(&mut self, name: &str) {
        if self.out.verbatim {
            return;
        }
        self.next();
        named(&mut self.out.bytes, name);
        self.out.push(":");
    }

    fn close(self) {
        self.out.push(self.closing);
    }
}

/// Numbers that are written as wider ones are.
macro_rules! as_wide {
    ($wide:ident: $($narrow:ident $number:ty),+) => {
        $(fn $narrow(self, value: $number) -> Result<(), Unwritable> {
            self.$wide(value.into())
        })+
    };
}

impl<'o> Serializer for &'o mut Out {
    type Ok = ();
    type Error = Unwritable;
    type SerializeSeq = Parts<'o>;
    type SerializeTuple = Parts<'o>;
    type SerializeTupleStruct = Parts<'o>;
    type SerializeTupleVariant = Parts<'o>;
    type SerializeMap = Parts<'o>;
    type SerializeStruct = Parts<'o>;
    type SerializeStructVariant = Parts<'o>;

    fn serialize_bool(self, value: bool) -> Result<(), Unwritable> {
        self.push(if value { "true" } else { "false" });
        Ok(())
    }

    as_wide! { serialize_i64: serialize_i8 i8, serialize_i16 i16, serialize_i32 i32 }

    fn serialize_i64(self, value: i64) -> Result<(), Unwritable> {
        if value < 0 {
            self.push("-");
        }
        self.serialize_u64(value.unsigned_abs())
    }

    as_wide! { serialize_u64: serialize_u8 u8, serialize_u16 u16, serialize_u32 u32 }

    fn serialize_u64(self, value: u64) -> Result<(), Unwritable> {
        number(&mut self.bytes, value);
        Ok(())
    }

    fn serialize_f32(self, value: f32) -> Result<(), Unwritable> {
        rare(&mut self.bytes, &value);
        Ok(())
    }

    fn serialize_f64(self, value: f64) -> Result<(), Unwritable> {
        rare(&mut self.bytes, &value);
        Ok(())
    }

    fn serialize_char(self, value: char) -> Result<(), Unwritable> {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, value: &str) -> Result<(), Unwritable> {
        self.text(value);
        Ok(())
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<(), Unwritable> {
        let mut list = self.opened("[", "]");
        for byte in value {
            list.item(byte)?;
        }
        list.close();
        Ok(())
    }

    fn serialize_none(self) -> Result<(), Unwritable> {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Unwritable> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Unwritable> {
        self.push("null");
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Unwritable> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<(), Unwritable> {
        named(&mut self.bytes, variant);
        Ok(())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), Unwritable> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Unwritable> {
        let mut object = self.opened("{", "}");
        object.name(variant);
        value.serialize(&mut *object.out)?;
        object.close();
        Ok(())
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Parts<'o>, Unwritable> {
        Ok(self.opened("[", "]"))
    }

    fn serialize_tuple(self, _: usize) -> Result<Parts<'o>, Unwritable> {
        Ok(self.opened("[", "]"))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Parts<'o>, Unwritable> {
        Ok(self.opened("[", "]"))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Parts<'o>, Unwritable> {
        Ok(self.variant(variant, "[", "]}"))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Parts<'o>, Unwritable> {
        Ok(self.opened("{", "}"))
    }

    fn serialize_struct(self, name: &'static str, _: usize) -> Result<Parts<'o>, Unwritable> {
        self.verbatim = name == VERBATIM;
        let (opening, closing) = if self.verbatim { ("", "") } else { ("{", "}") };
        Ok(self.opened(opening, closing))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Parts<'o>, Unwritable> {
        Ok(self.variant(variant, "{", "}}"))
    }
}

macro_rules! items {
    ($($kind:ident $item:ident,)+) => { $(
        impl $kind for Parts<'_> {
            type Ok = ();
            type Error = Unwritable;

            fn $item<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Unwritable> {
                self.item(value)
            }

            fn end(self) -> Result<(), Unwritable> {
                self.close();
                Ok(())
            }
        }
    )+ };
}

items! {
    SerializeSeq serialize_element,
    SerializeTuple serialize_element,
    SerializeTupleStruct serialize_field,
    SerializeTupleVariant serialize_field,
}

macro_rules! members {
    ($($kind:ident,)+) => { $(
        impl $kind for Parts<'_> {
            type Ok = ();
            type Error = Unwritable;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                name: &'static str,
                value: &T,
            ) -> Result<(), Unwritable> {
                self.name(name);
                value.serialize(&mut *self.out)
            }

            fn end(self) -> Result<(), Unwritable> {
                self.close();
                Ok(())
            }
        }
    )+ };
}

members! {
    SerializeStruct,
    SerializeStructVariant,
}

impl SerializeMap for Parts<'_> {
    type Ok = ();
    type Error = Unwritable;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Unwritable> {
        let comma = usize::from(!self.first);
        let at = self.out.bytes.len() + comma;
        self.item(key)?;
        self.out.close_key(at)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Unwritable> {
        value.serialize(&mut *self.out)
    }

    fn end(self) -> Result<(), Unwritable> {
        self.close();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{byte, json, write};
    use serde::Serialize;
    use serde_json::value::RawValue;
    use std::collections::BTreeMap;

    #[derive(Serialize)]
    struct All<'a> {
        text: &'a str,
        letter: char,
        numbers: (u8, i64, u64, f64, f64),
        none: Option<u32>,
        some: Option<bool>,
        unit: (),
        lists: Vec<Vec<u32>>,
        kinds: Vec<Kind>,
        told: Vec<Told>,
        by_name: BTreeMap<Name, u32>,
        by_text: BTreeMap<String, bool>,
        ready: Box<RawValue>,
        #[serde(skip_serializing_if = "Option::is_none")]
        left_out: Option<u32>,
        #[serde(flatten)]
        rest: Rest,
    }

    #[derive(Serialize)]
    enum Kind {
        Plain,
        New(u32),
        Pair(u32, u32),
        Named { one: u32, other: Option<u32> },
    }

    #[derive(Serialize)]
    #[serde(tag = "kind", rename_all = "snake_case")]
    enum Told {
        Since { ply: u32 },
        Start,
    }

    #[derive(Serialize, PartialEq, Eq, PartialOrd, Ord)]
    #[serde(rename_all = "snake_case")]
    enum Name {
        OneName,
        AnotherName,
    }

    #[derive(Serialize)]
    struct Rest {
        behind: u32,
        ahead: Vec<()>,
    }

    #[test]
    fn a_byte_is_two_hexadecimal_digits() {
        assert_eq!(
            [b"0a", b"fF"].map(|digits| byte(digits)),
            [Some(10), Some(255)]
        );
        for bad in ["", "f", "+f", "-1", "fg", "0ff", " f"] {
            assert_eq!(byte(bad.as_bytes()), None, "{bad}");
        }
    }

    #[test]
    fn it_is_what_serde_json_writes() {
        let all = All {
            text: "兵 \"quoted\" \\ \n\u{1} / \u{7f}",
            letter: '"',
            numbers: (7, i64::MIN, u64::MAX, 1.5, f64::NAN),
            none: None,
            some: Some(false),
            unit: (),
            lists: vec![vec![], vec![1], vec![2, 3]],
            kinds: vec![
                Kind::Plain,
                Kind::New(1),
                Kind::Pair(2, 3),
                Kind::Named {
                    one: 4,
                    other: None,
                },
            ],
            told: vec![Told::Since { ply: 3 }, Told::Start],
            by_name: BTreeMap::from([(Name::OneName, 1), (Name::AnotherName, 2)]),
            by_text: BTreeMap::from([("a\"b".to_owned(), true)]),
            ready: RawValue::from_string("{\"a\": [1, 2]}".to_owned()).unwrap(),
            left_out: None,
            rest: Rest {
                behind: 1,
                ahead: vec![()],
            },
        };
        assert_eq!(json(&all).unwrap(), serde_json::to_string(&all).unwrap());
        let value: serde_json::Value = serde_json::from_str(&json(&all).unwrap()).unwrap();
        assert_eq!(json(&value).unwrap(), value.to_string());
        assert_eq!(json("").unwrap(), "\"\"");
    }

    #[test]
    fn what_must_be_escaped_is_and_keys_are_texts() {
        for text in [
            "",
            "炮二平五",
            "\"",
            "a\\b",
            "\u{1f}\n",
            "\u{7f}é\u{2028}",
            "🀄",
        ] {
            let value = serde_json::json!({
                text: [1, -2, 3.5, null, {}], "numbers": [u64::MAX, i64::MIN, -2.5e300, 0.1], "y": {"z": [[]], "t": text}
            });
            let mut out = b"before".to_vec();
            write(&mut out, &value).unwrap();
            assert_eq!(String::from_utf8(out).unwrap(), format!("before{value}"));
        }
        let by_number: BTreeMap<i32, [u8; 1]> = [(-7, [0]), (70, [9])].into();
        assert_eq!(
            json(&by_number).unwrap(),
            serde_json::to_string(&by_number).unwrap()
        );
        let by_letter: BTreeMap<char, u8> = [('"', 1), ('炮', 2)].into();
        assert_eq!(
            json(&by_letter).unwrap(),
            serde_json::to_string(&by_letter).unwrap()
        );
        let by_truth: BTreeMap<bool, u8> = [(true, 1)].into();
        assert_eq!(
            json(&by_truth).unwrap(),
            serde_json::to_string(&by_truth).unwrap()
        );
        assert!(
            json(&BTreeMap::from([([1], 1)])).is_err(),
            "a list is no key"
        );
    }
}
