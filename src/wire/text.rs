//! From bytes to text, and to the value whose JSON it is.

use super::error::RequestError;
use serde::de::DeserializeOwned;

/// Bytes as text.
///
/// # Errors
/// They are not UTF-8.
pub fn text(bytes: &[u8]) -> Result<&str, RequestError> {
    std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        let en = format!("not UTF-8 from byte {at} on");
        RequestError::at("not_utf8", None, en, format!("从第{at}字节起不是UTF-8"))
    })
}

/// Bytes as the JSON of a value.
///
/// # Errors
/// They are not.
pub fn json<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, RequestError> {
    let json = &mut serde_json::Deserializer::from_str(text(bytes)?);
    let value = serde_path_to_error::deserialize(&mut *json);
    let value = value.map_err(|error| RequestError::of_json(&error))?;
    json.end()
        .map_err(|error| RequestError::of_syntax(&error))?;
    Ok(value)
}
