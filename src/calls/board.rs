//! A board that is asked for.

use crate::board::{Move, Position};
use crate::diagram::{AnnotationError, Annotations, Coordinates, Diagram, Theme};
use crate::language::{Language, both};
use crate::notation::fen;
use crate::wire::RequestError;
use serde::Deserialize;

/// A board to be drawn.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
pub struct BoardAsked {
    /// The position; underscores may stand for spaces.
    #[cfg_attr(
        feature = "openapi",
        param(example = "2b6/4k4/9/9/9/9/9/9/2p6/3K1RBc1_w")
    )]
    pub fen: String,
    /// The move that led to it, as ICCS.
    #[serde(rename = "move")]
    #[cfg_attr(feature = "openapi", param(example = "e0f0"))]
    pub mv: Option<String>,
    /// Arrows and marks: `attack:h2h9,guard:e0e1,line:a0a1,mark:c3,cross:d5`.
    pub arrows: Option<String>,
    /// The language; by `Accept-Language` where missing.
    #[cfg_attr(feature = "openapi", param(inline))]
    pub lang: Option<Language>,
    /// The colours.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", param(inline))]
    pub theme: Theme,
    /// What stands along the edges.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", param(inline))]
    pub coordinates: Coordinates,
    /// Seen from Black's side.
    #[serde(default)]
    pub flipped: bool,
    /// A line of text under the board.
    pub caption: Option<String>,
}

/// A position as a query writes it: underscores may stand for spaces.
pub fn position(fen: &str) -> Result<Position, RequestError> {
    fen::parse(&fen.replace('_', " ")).map_err(|error| RequestError::of_fen(&error))
}

/// What a caption may be long, in characters.
const LONGEST_CAPTION: usize = 200;

impl BoardAsked {
    /// The board, in a language where none is asked for.
    ///
    /// # Errors
    /// What is wrong with the position, the move or the arrows.
    pub fn diagram(&self, otherwise: Language) -> Result<Diagram, RequestError> {
        let position = position(&self.fen)?;
        let last = self.mv.as_deref().map(str::parse::<Move>).transpose();
        let last = last.map_err(|error| {
            RequestError::at(
                "move_syntax",
                "/move".to_owned(),
                both!("{error}", "着法不符：{error}"),
            )
        })?;
        let arrows = self.arrows.as_deref().unwrap_or_default().parse();
        let arrows: Annotations = arrows.map_err(|error: AnnotationError| {
            let at = "/arrows".to_owned();
            let mut fault = RequestError::at(error.code(), at, error.text());
            fault.index = Some(error.index);
            fault
        })?;
        let diagram = Diagram::new(&position)
            .last_move(last)
            .annotate(arrows)
            .language(self.lang.unwrap_or(otherwise))
            .theme(self.theme)
            .coordinates(self.coordinates)
            .flipped(self.flipped);
        Ok(match &self.caption {
            Some(caption) => {
                diagram.caption(caption.chars().take(LONGEST_CAPTION).collect::<String>())
            }
            None => diagram,
        })
    }
}
