//! The description of the API, as it was written from the code. A test sees that it is what the code
//! says; the program has no need of what made it.

/// The description as YAML.
pub const YAML: &str = include_str!("../../../openapi/openapi.yaml");
/// The description as JSON.
pub const JSON: &str = include_str!("../../../openapi/openapi.json");
