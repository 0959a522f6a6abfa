//! Values written as JSON, in the bytes in which `serde_json` writes them.
//!
//! That may fail at every member, wherever it writes to, and comes back with why; a text in memory takes everything.
//! Where a program is sent before it runs, the ways back would be half of what writes answers.

use serde::ser::{
    Error, Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant,
    SerializeTuple, SerializeTupleStruct, SerializeTupleVariant, Serializer,
};
use std::fmt;

/// A value says of itself that it cannot be written.
#[derive(Debug)]
pub(crate) struct Unwritable;

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

/// A value as JSON.
pub(crate) fn json(value: &(impl Serialize + ?Sized)) -> Result<String, Unwritable> {
    let mut out = Out::default();
    value.serialize(&mut out)?;
    String::from_utf8(out.bytes).map_err(|_| Unwritable)
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

    /// What has no parts, as `serde_json` writes it: into a vector that cannot fail.
    fn plain(&mut self, value: &(impl Serialize + ?Sized)) {
        let _ = value.serialize(&mut serde_json::Serializer::new(&mut self.bytes));
    }

    fn text(&mut self, text: &str) {
        if std::mem::take(&mut self.verbatim) {
            self.push(text);
        } else {
            self.plain(text);
        }
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
        self.text(name);
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
        self.out.text(name);
        self.out.push(":");
    }

    fn close(self) {
        self.out.push(self.closing);
    }
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

    fn serialize_i8(self, value: i8) -> Result<(), Unwritable> {
        self.serialize_i64(value.into())
    }

    fn serialize_i16(self, value: i16) -> Result<(), Unwritable> {
        self.serialize_i64(value.into())
    }

    fn serialize_i32(self, value: i32) -> Result<(), Unwritable> {
        self.serialize_i64(value.into())
    }

    fn serialize_i64(self, value: i64) -> Result<(), Unwritable> {
        self.plain(&value);
        Ok(())
    }

    fn serialize_u8(self, value: u8) -> Result<(), Unwritable> {
        self.serialize_u64(value.into())
    }

    fn serialize_u16(self, value: u16) -> Result<(), Unwritable> {
        self.serialize_u64(value.into())
    }

    fn serialize_u32(self, value: u32) -> Result<(), Unwritable> {
        self.serialize_u64(value.into())
    }

    fn serialize_u64(self, value: u64) -> Result<(), Unwritable> {
        self.plain(&value);
        Ok(())
    }

    fn serialize_f32(self, value: f32) -> Result<(), Unwritable> {
        self.plain(&value);
        Ok(())
    }

    fn serialize_f64(self, value: f64) -> Result<(), Unwritable> {
        self.plain(&value);
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
        self.serialize_str(variant)
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

/// What names a member is a text, or the name of a variant.
impl SerializeMap for Parts<'_> {
    type Ok = ();
    type Error = Unwritable;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Unwritable> {
        self.item(key)?;
        self.out.push(":");
        Ok(())
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
    use super::json;
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
        by_text: BTreeMap<String, ()>,
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
            by_text: BTreeMap::from([("a\"b".to_owned(), ())]),
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
}
