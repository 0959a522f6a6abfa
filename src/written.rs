//! Values written as JSON into memory, in the bytes in which `serde_json` writes them.
//!
//! That may fail at every member, wherever it writes to, and comes back with why; a text in memory takes everything.
//! Where a program is sent before it runs, the ways back would be half of what writes answers; and where answers are
//! many, what is written here is not looked through for what must be escaped byte by byte, and names of fields not at all.

use serde::Serialize;
use serde::ser::{self, Serializer};
use std::fmt;

/// A value says of itself that it cannot be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unwritable;

impl fmt::Display for Unwritable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value cannot be written")
    }
}

impl std::error::Error for Unwritable {}

impl ser::Error for Unwritable {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self
    }
}

impl From<Unwritable> for std::io::Error {
    fn from(unwritable: Unwritable) -> Self {
        Self::other(unwritable)
    }
}

type Done = Result<(), Unwritable>;

/// A value as JSON.
pub(crate) fn json(value: &(impl Serialize + ?Sized)) -> Result<String, Unwritable> {
    let mut out = Vec::new();
    write(&mut out, value)?;
    String::from_utf8(out).map_err(|_| Unwritable)
}

/// Adds a value.
///
/// # Errors
/// It cannot be told as JSON; what was added is then to be dropped.
pub(crate) fn write(out: &mut Vec<u8>, value: &(impl Serialize + ?Sized)) -> Done {
    let verbatim = false;
    value.serialize(To { out, verbatim })
}

/// The name of a field or a variant: one of the program's own, in which nothing is to be escaped.
fn named(out: &mut Vec<u8>, name: &str) {
    debug_assert!(is_plain(name), "{name}");
    out.push(b'"');
    out.extend_from_slice(name.as_bytes());
    out.push(b'"');
}

/// Adds a text.
pub(crate) fn text(out: &mut Vec<u8>, text: &str) {
    if is_plain(text) {
        named(out, text);
    } else {
        rare(out, text);
    }
}

/// Whether a text is written as it is. All of it is looked at, which takes less than to stop.
fn is_plain(text: &str) -> bool {
    let odd = |byte: u8| byte < 0x20 || byte == b'"' || byte == b'\\';
    !text.bytes().fold(false, |found, byte| found | odd(byte))
}

/// Adds what has no parts and is rare, as `serde_json` does it: into a vector that cannot fail.
fn rare(out: &mut Vec<u8>, value: &(impl Serialize + ?Sized)) {
    let _ = value.serialize(&mut serde_json::Serializer::new(out));
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

/// How `serde_json` names a value that is JSON already.
const VERBATIM: &str = "$serde_json::private::RawValue";

/// Where a value goes.
struct To<'a> {
    out: &'a mut Vec<u8>,
    /// It is a text, and JSON already.
    verbatim: bool,
}

impl<'a> To<'a> {
    fn opens(self, open: &[u8], close: &'static [u8]) -> Parts<'a> {
        self.out.extend_from_slice(open);
        Parts {
            out: self.out,
            more: false,
            verbatim: false,
            close,
        }
    }

    /// A variant with what is in it.
    fn of_variant(self, variant: &str) -> Self {
        self.out.push(b'{');
        named(self.out, variant);
        self.out.push(b':');
        self
    }
}

/// An array or an object of which more is to come.
struct Parts<'a> {
    out: &'a mut Vec<u8>,
    /// Something is in it already.
    more: bool,
    /// It is JSON already, and comes as one text.
    verbatim: bool,
    close: &'static [u8],
}

impl Parts<'_> {
    fn comma(&mut self) {
        if self.more {
            self.out.push(b',');
        }
        self.more = true;
    }

    fn element(&mut self, value: &(impl Serialize + ?Sized)) -> Done {
        self.comma();
        write(self.out, value)
    }

    fn field(&mut self, name: &str, value: &(impl Serialize + ?Sized)) -> Done {
        if self.verbatim {
            return value.serialize(To {
                out: self.out,
                verbatim: true,
            });
        }
        self.comma();
        named(self.out, name);
        self.out.push(b':');
        write(self.out, value)
    }

    /// The key of an entry, which is a text whatever it is made from.
    fn key(&mut self, key: &(impl Serialize + ?Sized)) -> Done {
        self.comma();
        let at = self.out.len();
        write(self.out, key)?;
        match self.out.get(at) {
            Some(b'"') => {}
            Some(b'-' | b'0'..=b'9' | b't' | b'f') => {
                self.out.insert(at, b'"');
                self.out.push(b'"');
            }
            _ => return Err(Unwritable),
        }
        Ok(())
    }
}

impl<'a> Serializer for To<'a> {
    type Ok = ();
    type Error = Unwritable;
    type SerializeSeq = Parts<'a>;
    type SerializeTuple = Parts<'a>;
    type SerializeTupleStruct = Parts<'a>;
    type SerializeTupleVariant = Parts<'a>;
    type SerializeMap = Parts<'a>;
    type SerializeStruct = Parts<'a>;
    type SerializeStructVariant = Parts<'a>;

    fn serialize_bool(self, v: bool) -> Done {
        self.out
            .extend_from_slice(if v { b"true" } else { b"false" });
        Ok(())
    }

    fn serialize_i8(self, v: i8) -> Done {
        self.serialize_i64(v.into())
    }

    fn serialize_i16(self, v: i16) -> Done {
        self.serialize_i64(v.into())
    }

    fn serialize_i32(self, v: i32) -> Done {
        self.serialize_i64(v.into())
    }

    fn serialize_i64(self, v: i64) -> Done {
        if v < 0 {
            self.out.push(b'-');
        }
        self.serialize_u64(v.unsigned_abs())
    }

    fn serialize_u8(self, v: u8) -> Done {
        self.serialize_u64(v.into())
    }

    fn serialize_u16(self, v: u16) -> Done {
        self.serialize_u64(v.into())
    }

    fn serialize_u32(self, v: u32) -> Done {
        self.serialize_u64(v.into())
    }

    fn serialize_u64(self, v: u64) -> Done {
        number(self.out, v);
        Ok(())
    }

    fn serialize_f32(self, v: f32) -> Done {
        rare(self.out, &v);
        Ok(())
    }

    fn serialize_f64(self, v: f64) -> Done {
        rare(self.out, &v);
        Ok(())
    }

    fn serialize_char(self, v: char) -> Done {
        rare(self.out, &v);
        Ok(())
    }

    fn serialize_str(self, v: &str) -> Done {
        if self.verbatim {
            self.out.extend_from_slice(v.as_bytes());
        } else {
            text(self.out, v);
        }
        Ok(())
    }

    fn serialize_bytes(self, v: &[u8]) -> Done {
        self.collect_seq(v)
    }

    fn serialize_none(self) -> Done {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Done {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Done {
        self.out.extend_from_slice(b"null");
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Done {
        self.serialize_unit()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Done {
        named(self.out, variant);
        Ok(())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Done {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Done {
        let to = self.of_variant(variant);
        write(to.out, value)?;
        to.out.push(b'}');
        Ok(())
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Parts<'a>, Unwritable> {
        Ok(self.opens(b"[", b"]"))
    }

    fn serialize_tuple(self, _: usize) -> Result<Parts<'a>, Unwritable> {
        Ok(self.opens(b"[", b"]"))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Parts<'a>, Unwritable> {
        Ok(self.opens(b"[", b"]"))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Parts<'a>, Unwritable> {
        Ok(self.of_variant(variant).opens(b"[", b"]}"))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Parts<'a>, Unwritable> {
        Ok(self.opens(b"{", b"}"))
    }

    fn serialize_struct(self, name: &'static str, _: usize) -> Result<Parts<'a>, Unwritable> {
        let verbatim = name == VERBATIM;
        let (open, close): (&[u8], &[u8]) = if verbatim { (b"", b"") } else { (b"{", b"}") };
        Ok(Parts {
            verbatim,
            ..self.opens(open, close)
        })
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Parts<'a>, Unwritable> {
        Ok(self.of_variant(variant).opens(b"{", b"}}"))
    }
}

/// What takes its parts one by one, by the name its parts are taken under.
macro_rules! parts {
    ($($part:ident: $($of:ident)+;)+) => {
        $($(impl ser::$of for Parts<'_> {
            type Ok = ();
            type Error = Unwritable;

            parts!($part);

            fn end(self) -> Done {
                self.out.extend_from_slice(self.close);
                Ok(())
            }
        })+)+
    };
    (element) => {
        fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Done {
            self.element(value)
        }
    };
    (unnamed) => {
        fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Done {
            self.element(value)
        }
    };
    (field) => {
        fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Done {
            self.field(name, value)
        }
    };
    (entry) => {
        fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Done {
            self.key(key)
        }

        fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Done {
            self.out.push(b':');
            write(self.out, value)
        }
    };
}

parts! {
    element: SerializeSeq SerializeTuple;
    unnamed: SerializeTupleStruct SerializeTupleVariant;
    field: SerializeStruct SerializeStructVariant;
    entry: SerializeMap;
}

#[cfg(test)]
mod tests {
    use super::{json, write};
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
