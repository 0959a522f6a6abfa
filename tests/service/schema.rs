//! Values against the schemas of the description: as much of JSON Schema as it uses, and nothing that
//! it might use unseen.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "test code: a schema that says what is not known here fails the test"
)]

use serde_json::Value;

/// What says nothing about a value.
const REMARKS: [&str; 4] = ["description", "example", "title", "x-ndjson-line"];

/// Everything in a value that a schema forbids, with where it stands.
pub fn faults(document: &Value, schema: &Value, value: &Value) -> Vec<String> {
    let mut check = Check {
        document,
        found: Vec::new(),
    };
    check.value(schema, value, "");
    check.found
}

struct Check<'a> {
    document: &'a Value,
    found: Vec<String>,
}

impl Check<'_> {
    fn ill(&mut self, place: &str, what: impl std::fmt::Display) {
        self.found.push(format!("{place}: {what}"));
    }

    fn value(&mut self, schema: &Value, value: &Value, place: &str) {
        if let Value::Bool(anything) = schema {
            if !anything {
                self.ill(place, "nothing may stand here");
            }
            return;
        }
        let members = schema.as_object().unwrap();
        for (word, told) in members {
            match word.as_str() {
                "$ref" => self.value(named(self.document, told), value, place),
                "type" => self.kind(told, value, place),
                "format" => self.format(told, value, place),
                "enum" if !told.as_array().unwrap().contains(value) => {
                    self.ill(place, format_args!("{value} is none of {told}"));
                }
                "minimum" if value.as_f64() < told.as_f64() && value.is_number() => {
                    self.ill(place, format_args!("{value} is less than {told}"));
                }
                "maximum" if value.as_f64() > told.as_f64() => {
                    self.ill(place, format_args!("{value} is more than {told}"));
                }
                // Kept, or looked at with each member.
                "enum"
                | "minimum"
                | "maximum"
                | "properties"
                | "additionalProperties"
                | "propertyNames" => {}
                "allOf" => {
                    for schema in told.as_array().unwrap() {
                        self.value(schema, value, place);
                    }
                }
                "oneOf" => self.one_of(told, value, place),
                "items" => {
                    for (i, item) in value.as_array().into_iter().flatten().enumerate() {
                        self.value(told, item, &format!("{place}/{i}"));
                    }
                }
                "required" => {
                    for name in told.as_array().unwrap() {
                        if value.is_object() && value.get(name.as_str().unwrap()).is_none() {
                            self.ill(place, format_args!("{name} is missing"));
                        }
                    }
                }
                other => assert!(REMARKS.contains(&other), "`{other}` is not checked"),
            }
        }
        self.members(schema, value, place);
    }

    fn members(&mut self, schema: &Value, value: &Value, place: &str) {
        for (name, member) in value.as_object().into_iter().flatten() {
            let place = format!("{place}/{name}");
            if let Some(names) = schema.get("propertyNames") {
                self.value(names, &Value::from(name.as_str()), &place);
            }
            let own = schema.get("properties").and_then(|own| own.get(name));
            if let Some(told) = own.or_else(|| schema.get("additionalProperties")) {
                self.value(told, member, &place);
            }
        }
    }

    fn kind(&mut self, told: &Value, value: &Value, place: &str) {
        let is = |kind: &Value| match kind.as_str().unwrap() {
            "null" => value.is_null(),
            "boolean" => value.is_boolean(),
            "integer" => value.is_i64() || value.is_u64(),
            "number" => value.is_number(),
            "string" => value.is_string(),
            "array" => value.is_array(),
            "object" => value.is_object(),
            other => panic!("there is no type `{other}`"),
        };
        let fits = told
            .as_array()
            .map_or_else(|| is(told), |kinds| kinds.iter().any(is));
        if !fits {
            self.ill(place, format_args!("{value} is no {told}"));
        }
    }

    fn format(&mut self, told: &Value, value: &Value, place: &str) {
        let fits = match told.as_str().unwrap() {
            "int32" => value.as_i64().is_none_or(|n| i32::try_from(n).is_ok()),
            "date-time" => value
                .as_str()
                .is_none_or(|text| qili::store::Moment::parse(text).is_some()),
            "int64" => !value.is_number() || value.is_i64(),
            "binary" => true,
            other => panic!("there is no format `{other}`"),
        };
        if !fits {
            self.ill(place, format_args!("{value} is no {told}"));
        }
    }

    fn one_of(&mut self, told: &Value, value: &Value, place: &str) {
        let tried: Vec<Vec<String>> = told
            .as_array()
            .unwrap()
            .iter()
            .map(|schema| {
                let mut check = Check {
                    document: self.document,
                    found: Vec::new(),
                };
                check.value(schema, value, place);
                check.found
            })
            .collect();
        let fitting = tried.iter().filter(|faults| faults.is_empty()).count();
        if fitting != 1 {
            let why = tried.concat().join("; ");
            self.ill(
                place,
                format_args!("fits {fitting} of the {} it may be: {why}", tried.len()),
            );
        }
    }
}

fn named<'a>(document: &'a Value, reference: &Value) -> &'a Value {
    let pointer = reference.as_str().unwrap().strip_prefix('#').unwrap();
    document.pointer(pointer).unwrap()
}

#[test]
fn what_a_schema_forbids_is_found() {
    let document = serde_json::json!({"components": {"schemas": {"Side": {"type": "string", "enum": ["red", "black"]}}}});
    let schema = serde_json::json!({
        "type": "object", "required": ["side"], "additionalProperties": false,
        "properties": {
            "side": {"$ref": "#/components/schemas/Side", "description": "Whose."},
            "count": {"type": ["integer", "null"], "format": "int32", "minimum": 1, "maximum": 9},
            "at": {"type": "string", "format": "date-time"},
            "list": {"type": "array", "items": {"oneOf": [{"type": "null"}, {"allOf": [{"type": "boolean"}]}]}},
            "names": {"type": "object", "propertyNames": {"enum": ["a"]}, "additionalProperties": {"type": "integer", "format": "int64"}},
        },
    });
    let found = |value: Value| faults(&document, &schema, &value);
    let good = serde_json::json!({"side": "red", "count": 9, "at": "2026-11-21T09:30:00Z", "list": [null, true], "names": {"a": 1}});
    assert_eq!(found(good), [""; 0]);
    assert_eq!(
        found(serde_json::json!({"side": "black", "count": null})),
        [""; 0]
    );
    for (value, told) in [
        (serde_json::json!([]), ": [] is no \"object\""),
        (serde_json::json!({}), ": \"side\" is missing"),
        (
            serde_json::json!({"side": "white"}),
            "/side: \"white\" is none of [\"red\",\"black\"]",
        ),
        (
            serde_json::json!({"side": "red", "more": 1}),
            "/more: nothing may stand here",
        ),
        (
            serde_json::json!({"side": "red", "count": 0}),
            "/count: 0 is less than 1",
        ),
        (
            serde_json::json!({"side": "red", "count": 10}),
            "/count: 10 is more than 9",
        ),
        (
            serde_json::json!({"side": "red", "count": 1.5}),
            "/count: 1.5 is no [\"integer\",\"null\"]",
        ),
        (
            serde_json::json!({"side": "red", "at": "yesterday"}),
            "/at: \"yesterday\" is no \"date-time\"",
        ),
        (
            serde_json::json!({"side": "red", "list": [1]}),
            "/list/0: fits 0 of the 2 it may be",
        ),
        (
            serde_json::json!({"side": "red", "names": {"b": 1}}),
            "/names/b: \"b\" is none of [\"a\"]",
        ),
        (
            serde_json::json!({"side": "red", "names": {"a": "1"}}),
            "/names/a: \"1\" is no \"integer\"",
        ),
    ] {
        let found = found(value.clone());
        assert!(
            found.iter().any(|fault| fault.starts_with(told)),
            "{value}: {found:?}"
        );
    }
}
