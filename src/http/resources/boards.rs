//! Positions drawn: as a board, and as a graph.

use crate::calls::{BoardAsked, position};
use crate::exchange::{ContactGraph, Drawing};
#[cfg(feature = "openapi")]
use crate::http::edge::failures::{Failures, QueryFailures};
use crate::http::edge::language::Language;
use crate::http::edge::problem::Answer;
use crate::http::intake::body;
use crate::notation::fen;
use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse};
use serde::{Deserialize, Serialize};

/// Draw a board
///
/// SVG that stands alone: no font, no script, nothing from elsewhere.
#[cfg_attr(feature = "openapi", utoipa::path(get, path = "/v1/boards.svg", tag = "positions", params(BoardAsked), responses(
    (status = 200, description = "The board.", body = String, content_type = "image/svg+xml"), QueryFailures, Failures)))]
pub async fn board(request: HttpRequest) -> Answer {
    let query: BoardAsked = body::query(&request)?;
    let diagram = query.diagram(Language::asked_for(request.headers()))?;
    Ok(HttpResponse::Ok()
        .content_type("image/svg+xml")
        .insert_header((header::VARY, "Accept-Language"))
        .insert_header((header::CACHE_CONTROL, "public, max-age=86400"))
        .insert_header((
            header::CONTENT_SECURITY_POLICY,
            "default-src 'none'; style-src 'unsafe-inline'; sandbox",
        ))
        .body(diagram.to_svg()))
}

/// A graph to be drawn.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
pub struct GraphQuery {
    /// The position; underscores may stand for spaces.
    #[cfg_attr(
        feature = "openapi",
        param(example = "2b6/4k4/9/9/9/9/9/9/2p6/3K1RBc1_w")
    )]
    fen: String,
    /// The language of the DOT text; by `Accept-Language` where missing.
    #[cfg_attr(feature = "openapi", param(inline))]
    lang: Option<Language>,
}

/// Who bears on whom in a position.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct GraphJson {
    /// The position.
    fen: String,
    /// Pieces and what they have to do with each other.
    #[serde(flatten)]
    drawing: Drawing,
    /// The same in the DOT language, for `neato -n`.
    dot: String,
}

/// The attack-and-guard graph of a position
///
/// Attacks, guards, hidden ones, pins, screens and blocks, as data and as DOT.
#[cfg_attr(feature = "openapi", utoipa::path(get, path = "/v1/graphs", tag = "positions", params(GraphQuery), responses(
    (status = 200, description = "The graph.", body = GraphJson), QueryFailures, Failures)))]
pub async fn graph(request: HttpRequest) -> Answer {
    let query: GraphQuery = body::query(&request)?;
    let position = position(&query.fen)?;
    let graph = ContactGraph::of(&position);
    let otherwise = || Language::asked_for(request.headers());
    let language = query.lang.unwrap_or_else(otherwise);
    let (drawing, dot) = (graph.drawing(), graph.to_dot(language));
    Ok(HttpResponse::Ok().json(GraphJson {
        fen: fen::write(&position),
        drawing,
        dot,
    }))
}
