//! JSON as `serde_json` writes it, to the byte, written straight into memory: names of fields are
//! not looked through for what must be escaped, and texts at once and not byte by byte.

use serde::Serialize;
use serde::ser::{self, Error as _};
use serde_json::Error;

type Done = Result<(), Error>;

/// Adds a value. What holds JSON as text already is not for it.
///
/// # Errors
/// It cannot be told as JSON; what was added is then to be dropped.
pub fn write(out: &mut Vec<u8>, value: &(impl Serialize + ?Sized)) -> Done {
    value.serialize(To(out))
}

/// The name of a field or a variant: one of the program's own, in which nothing is to be escaped.
fn named(out: &mut Vec<u8>, name: &str) {
    debug_assert!(is_plain(name), "{name}");
    out.push(b'"');
    out.extend_from_slice(name.as_bytes());
    out.push(b'"');
}

/// Adds a text.
pub(super) fn text(out: &mut Vec<u8>, text: &str) -> Done {
    if !is_plain(text) {
        return To(out).rare(text);
    }
    out.push(b'"');
    out.extend_from_slice(text.as_bytes());
    out.push(b'"');
    Ok(())
}

/// Whether a text is written as it is. All of it is looked at, which takes less than to stop.
fn is_plain(text: &str) -> bool {
    let odd = |byte: u8| byte < 0x20 || byte == b'"' || byte == b'\\';
    !text.bytes().fold(false, |found, byte| found | odd(byte))
}

/// Adds a number.
pub(super) fn number(out: &mut Vec<u8>, mut number: u64) {
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

/// Where a value goes.
struct To<'a>(&'a mut Vec<u8>);

impl<'a> To<'a> {
    /// What is rare, as `serde_json` does it.
    fn rare(self, value: &(impl Serialize + ?Sized)) -> Done {
        serde_json::to_writer(self.0, value)
    }

    fn opens(self, open: u8, close: &'static [u8]) -> Parts<'a> {
        self.0.push(open);
        Parts {
            out: self.0,
            more: false,
            close,
        }
    }

    /// A variant with what is in it.
    fn of_variant(self, variant: &str) -> Self {
        self.0.push(b'{');
        named(self.0, variant);
        self.0.push(b':');
        self
    }
}

/// An array or an object of which more is to come.
struct Parts<'a> {
    out: &'a mut Vec<u8>,
    /// Something is in it already.
    more: bool,
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
            _ => return Err(Error::custom("a key that is no text")),
        }
        Ok(())
    }
}

impl<'a> ser::Serializer for To<'a> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Parts<'a>;
    type SerializeTuple = Parts<'a>;
    type SerializeTupleStruct = Parts<'a>;
    type SerializeTupleVariant = Parts<'a>;
    type SerializeMap = Parts<'a>;
    type SerializeStruct = Parts<'a>;
    type SerializeStructVariant = Parts<'a>;

    fn serialize_bool(self, v: bool) -> Done {
        self.0.extend_from_slice(if v { b"true" } else { b"false" });
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
            self.0.push(b'-');
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
        number(self.0, v);
        Ok(())
    }

    fn serialize_f32(self, v: f32) -> Done {
        self.rare(&v)
    }

    fn serialize_f64(self, v: f64) -> Done {
        self.rare(&v)
    }

    fn serialize_char(self, v: char) -> Done {
        self.rare(&v)
    }

    fn serialize_str(self, v: &str) -> Done {
        text(self.0, v)
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
        self.0.extend_from_slice(b"null");
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Done {
        self.serialize_unit()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Done {
        named(self.0, variant);
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
        write(to.0, value)?;
        to.0.push(b'}');
        Ok(())
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Parts<'a>, Error> {
        Ok(self.opens(b'[', b"]"))
    }

    fn serialize_tuple(self, _: usize) -> Result<Parts<'a>, Error> {
        Ok(self.opens(b'[', b"]"))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Parts<'a>, Error> {
        Ok(self.opens(b'[', b"]"))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Parts<'a>, Error> {
        Ok(self.of_variant(variant).opens(b'[', b"]}"))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Parts<'a>, Error> {
        Ok(self.opens(b'{', b"}"))
    }

    fn serialize_struct(self, name: &'static str, _: usize) -> Result<Parts<'a>, Error> {
        // How `serde_json` passes on what is JSON already.
        if name.starts_with('$') {
            return Err(Error::custom("JSON as text within a value"));
        }
        Ok(self.opens(b'{', b"}"))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Parts<'a>, Error> {
        Ok(self.of_variant(variant).opens(b'{', b"}}"))
    }
}

/// What takes its parts one by one, by the name its parts are taken under.
macro_rules! parts {
    ($($part:ident: $($of:ident)+;)+) => {
        $($(impl ser::$of for Parts<'_> {
            type Ok = ();
            type Error = Error;

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
    use super::*;
    use serde_json::{Value, json};
    use std::collections::BTreeMap;

    #[derive(Serialize)]
    enum Kind {
        Unit,
        One(u8),
        Two(i64, &'static str),
        Named { a: Option<bool>, b: () },
    }

    #[derive(Serialize)]
    struct Pair(i8, char);

    #[derive(Serialize)]
    struct Whole<'a> {
        text: &'a str,
        kinds: [Kind; 4],
        pair: Pair,
        numbers: (u64, i64, i16, f64, f32, u32, u16),
        none: Option<u8>,
        #[serde(flatten)]
        value: Value,
        by_number: BTreeMap<i32, [u8; 0]>,
        by_letter: BTreeMap<char, Vec<u8>>,
        by_truth: BTreeMap<bool, Box<str>>,
    }

    #[test]
    fn everything_is_written_as_by_serde_json() {
        for text in [
            "",
            "炮二平五",
            "\"",
            "a\\b",
            "\u{1f}\n",
            "\u{7f}é\u{2028}",
            "🀄",
        ] {
            let whole = Whole {
                text,
                kinds: [
                    Kind::Unit,
                    Kind::One(255),
                    Kind::Two(i64::MIN, "x"),
                    Kind::Named {
                        a: Some(true),
                        b: (),
                    },
                ],
                pair: Pair(-128, '"'),
                numbers: (u64::MAX, 0, -1, -2.5e300, 0.1, 10, 99),
                none: None,
                value: json!({"x": [1, -2, 3.5, null, {}], "\"": "\t", "y": {"z": [[]]}}),
                by_number: [(-7, []), (70, [])].into(),
                by_letter: [('"', vec![1, 2]), ('炮', vec![])].into(),
                by_truth: [(true, "x".into())].into(),
            };
            let mut out = b"before".to_vec();
            write(&mut out, &whole).unwrap();
            let told = [b"before".to_vec(), serde_json::to_vec(&whole).unwrap()].concat();
            assert_eq!(String::from_utf8(out), String::from_utf8(told));
        }
    }

    #[test]
    fn what_cannot_be_written_is_refused() {
        let raw = serde_json::value::RawValue::from_string("{}".to_owned()).unwrap();
        assert!(write(&mut Vec::new(), &raw).is_err());
        let by_list = BTreeMap::from([([1], 1)]);
        assert!(write(&mut Vec::new(), &by_list).is_err());
    }
}
