//! From bytes to text, and to the value whose JSON it is.

use super::error::RequestError;
use crate::language::both;
use serde::de::DeserializeOwned;

/// Bytes as text.
pub fn text(bytes: &[u8]) -> Result<&str, RequestError> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        RequestError::at(
            "not_utf8",
            None,
            both!("not UTF-8 from byte {at} on", "从第{at}字节起不是UTF-8"),
        )
    })?;
    // Some editors begin a file with a mark of its own encoding, which says nothing (RFC 8259, 8.1).
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
}

/// Bytes as the JSON of a value.
pub fn json<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, RequestError> {
    value_of(text(bytes)?)
}

/// A text as the JSON of a value.
pub(super) fn value_of<T: DeserializeOwned>(text: &str) -> Result<T, RequestError> {
    let json = &mut serde_json::Deserializer::from_str(text);
    let value = T::deserialize(&mut *json).map_err(|error| RequestError::of_json(text, &error))?;
    json.end()
        .map_err(|error| RequestError::of_syntax(&error))?;
    Ok(value)
}
