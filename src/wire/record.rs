//! What a request says about its ruling being kept.

use serde::de::{Error, MapAccess, Unexpected, Visitor, value::MapAccessDeserializer};
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;

/// Characters a detail may have.
const LONGEST: usize = 200;

/// Whether the ruling is to be kept, and what it belongs to: `true`, or the details.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Record {
    /// Kept, or not, without any details.
    Plain(bool),
    /// Kept, with these.
    With(Box<Details>),
}

/// What a ruling that is kept belongs to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = RecordDetails))]
#[serde(deny_unknown_fields)]
pub struct Details {
    /// The event.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub event: Option<Word>,
    /// The round.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(schema_with = word_schema))]
    pub round: Option<Word>,
    /// The table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(schema_with = word_schema))]
    pub board: Option<Word>,
    /// The players.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub players: Option<Players>,
    /// The number of the ruling this one takes the place of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub supersedes: Option<Word>,
}

/// The players of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Players {
    /// Who has red.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub red: Option<Word>,
    /// Who has black.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub black: Option<Word>,
}

/// A short text without control characters; a whole number is taken for its digits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Word(String);

impl Word {
    /// A text, if it is short and without control characters.
    pub fn new(text: &str) -> Option<Self> {
        let fits = text.chars().count() <= LONGEST && !text.chars().any(char::is_control);
        fits.then(|| Self(text.to_owned()))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A text or a whole number.
#[cfg(feature = "openapi")]
fn word_schema() -> utoipa::openapi::Schema {
    use utoipa::openapi::schema::{ObjectBuilder, SchemaType, Type};
    let types = [Type::String, Type::Integer];
    ObjectBuilder::new()
        .schema_type(SchemaType::from_iter(types))
        .into()
}

#[cfg(feature = "openapi")]
impl utoipa::PartialSchema for Record {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
        use utoipa::openapi::Ref;
        use utoipa::openapi::schema::{ObjectBuilder, OneOfBuilder, Type};
        OneOfBuilder::new()
            .item(ObjectBuilder::new().schema_type(Type::Boolean))
            .item(Ref::from_schema_name("RecordDetails"))
            .description(Some(
                "Whether the ruling is to be kept under a number, perhaps with what it belongs to.",
            ))
            .into()
    }
}

#[cfg(feature = "openapi")]
impl utoipa::ToSchema for Record {
    fn schemas(
        schemas: &mut Vec<(
            String,
            utoipa::openapi::RefOr<utoipa::openapi::schema::Schema>,
        )>,
    ) {
        use utoipa::PartialSchema as _;
        schemas.push((Details::name().into_owned(), Details::schema()));
        Details::schemas(schemas);
    }
}

impl Record {
    /// The details, if the ruling is to be kept.
    pub fn into_details(self) -> Option<Details> {
        match self {
            Self::Plain(false) => None,
            Self::Plain(true) => Some(Details::default()),
            Self::With(details) => Some(*details),
        }
    }
}

impl<'de> Deserialize<'de> for Record {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = Record;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(
                    "true, false, or an object with event, round, board, players, supersedes",
                )
            }
            fn visit_bool<E>(self, plain: bool) -> Result<Record, E> {
                Ok(Record::Plain(plain))
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Record, A::Error> {
                let details = Details::deserialize(MapAccessDeserializer::new(map))?;
                Ok(Record::With(Box::new(details)))
            }
        }
        from.deserialize_any(Either)
    }
}

impl<'de> Deserialize<'de> for Word {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Short;
        impl Visitor<'_> for Short {
            type Value = Word;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(
                    f,
                    "a text of at most {LONGEST} characters without control characters"
                )
            }
            fn visit_str<E: Error>(self, text: &str) -> Result<Word, E> {
                Word::new(text)
                    .ok_or_else(|| E::invalid_value(Unexpected::Other("another text"), &self))
            }
            fn visit_u64<E: Error>(self, number: u64) -> Result<Word, E> {
                Ok(Word(number.to_string()))
            }
        }
        from.deserialize_any(Short)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn details_are_read_in_either_form() {
        let read = |text: &str| serde_json::from_str::<Record>(text).map(Record::into_details);
        assert_eq!(read("false").unwrap(), None);
        assert_eq!(read("true").unwrap(), Some(Details::default()));
        let with = read(r#"{"event": "全国赛", "round": 3, "players": {"red": "甲"}}"#).unwrap();
        let with = with.unwrap();
        assert_eq!(with.round, Word::new("3"));
        let text = serde_json::to_string(&with).unwrap();
        assert_eq!(
            text,
            r#"{"event":"全国赛","round":"3","players":{"red":"甲"}}"#
        );
        for bad in [
            "1",
            r#"{"evnt": "x"}"#,
            r#"{"event": "a\nb"}"#,
            r#"{"round": -1}"#,
        ] {
            assert!(read(bad).is_err(), "{bad}");
        }
        assert_eq!(Word::new(&"将".repeat(201)), None);
    }
}
