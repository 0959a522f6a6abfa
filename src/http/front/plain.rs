//! The description as generators of clients take it: plain objects, and bodies of lines as files.

use utoipa::Modify;
use utoipa::openapi::extensions::ExtensionsBuilder;
use utoipa::openapi::schema::KnownFormat;
use utoipa::openapi::schema::{AllOf, Components, ObjectBuilder, Schema, SchemaFormat, Type};
use utoipa::openapi::{Content, OpenApi as Document, RefOr, Required};

const LINES: &str = "application/x-ndjson";

/// What stands beside the kind of a variant stands in one object with it, not beside it: half the
/// generators make nothing of a variant that is composed.
pub struct Variants;

impl Modify for Variants {
    fn modify(&self, document: &mut Document) {
        let Some(components) = &mut document.components else {
            return;
        };
        let known = components.clone();
        for schema in components.schemas.values_mut() {
            let RefOr::T(Schema::OneOf(variants)) = schema else {
                continue;
            };
            for variant in &mut variants.items {
                if let RefOr::T(Schema::AllOf(composed)) = variant
                    && let Some(object) = one_object(composed, &known)
                {
                    *variant = object;
                }
            }
        }
    }
}

fn one_object(composed: &AllOf, known: &Components) -> Option<RefOr<Schema>> {
    let mut one = ObjectBuilder::new().description(composed.description.clone());
    for part in &composed.items {
        let part = match part {
            RefOr::Ref(named) => known.schemas.get(named.ref_location.rsplit('/').next()?)?,
            RefOr::T(_) => part,
        };
        let RefOr::T(Schema::Object(part)) = part else {
            return None;
        };
        for (name, property) in &part.properties {
            one = one.property(name, property.clone());
        }
        for name in &part.required {
            one = one.required(name);
        }
    }
    Some(one.into())
}

/// A body of lines is a file, whatever stands in its lines: what that is, `x-ndjson-line` says. A batch
/// may have no lines, and then no body.
pub struct Lines;

impl Modify for Lines {
    fn modify(&self, document: &mut Document) {
        for item in document.paths.paths.values_mut() {
            let Some(operation) = &mut item.post else {
                continue;
            };
            if let Some(RefOr::T(body)) = &mut operation.request_body
                && let Some(content) = body.content.get_mut(LINES)
            {
                as_file(content, "A request a line.");
                body.required = Some(Required::False);
            }
            for response in operation.responses.responses.values_mut() {
                if let RefOr::T(response) = response
                    && let Some(content) = response.content.get_mut(LINES)
                {
                    as_file(content, "An answer a line.");
                }
            }
        }
    }
}

fn as_file(content: &mut RefOr<Content>, told: &str) {
    let RefOr::T(content) = content else { return };
    let Some(line) = &content.schema else { return };
    let line = serde_json::to_value(line).unwrap_or_default();
    let file = ObjectBuilder::new()
        .schema_type(Type::String)
        .format(Some(SchemaFormat::KnownFormat(KnownFormat::Binary)))
        .description(Some(told))
        .extensions(Some(
            ExtensionsBuilder::new().add("x-ndjson-line", line).build(),
        ));
    content.schema = Some(file.into());
}
