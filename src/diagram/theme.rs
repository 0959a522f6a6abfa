//! The colours of a diagram.

use crate::named::named;

named! { read
    /// How a diagram is coloured. No theme says anything by colour alone.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(rename_all = "snake_case"))]
    pub enum Theme {
        /// Black on white, for print.
        Plain "plain",
        /// A wooden board.
        #[default]
        Wood "wood",
        /// Light lines on a dark ground.
        Dark "dark",
    }
}

/// What is painted in which colour.
#[derive(Debug)]
pub(super) struct Palette {
    /// Behind everything.
    pub ground: &'static str,
    /// Grid and frame.
    pub grid: &'static str,
    /// Numerals, river and captions.
    pub text: &'static str,
    /// The disc of a red piece.
    pub red_face: &'static str,
    /// What is drawn on it.
    pub red_ink: &'static str,
    /// The disc of a black piece.
    pub black_face: &'static str,
    /// What is drawn on it.
    pub black_ink: &'static str,
    /// Its edge.
    pub black_edge: &'static str,
    /// The shadow under a piece, and how strong.
    pub shadow: Option<(&'static str, &'static str)>,
    /// Marks of the last move.
    pub last: &'static str,
    /// Arrows of attack.
    pub attack: &'static str,
    /// Arrows of guard.
    pub guard: &'static str,
    /// Arrows of a line of play.
    pub line: &'static str,
    /// Rings round targets.
    pub target: &'static str,
    /// Crosses.
    pub cross: &'static str,
    /// Around arrows and marks, to part them from what they pass over.
    pub halo: &'static str,
}

static PLAIN: Palette = Palette {
    ground: "#fff",
    grid: "#000",
    text: "#000",
    red_face: "#fff",
    red_ink: "#000",
    black_face: "#000",
    black_ink: "#fff",
    black_edge: "#000",
    shadow: None,
    last: "#000",
    attack: "#000",
    guard: "#000",
    line: "#000",
    target: "#000",
    cross: "#000",
    halo: "#fff",
};

static WOOD: Palette = Palette {
    ground: "#f2d8a4",
    grid: "#6b4420",
    text: "#54331a",
    red_face: "#fff6e0",
    red_ink: "#b01217",
    black_face: "#2b2421",
    black_ink: "#fbeed3",
    black_edge: "#15100e",
    shadow: Some(("#54331a", ".35")),
    last: "#0b5fa5",
    attack: "#c2181e",
    guard: "#0d6b3c",
    line: "#1d4f91",
    target: "#c2181e",
    cross: "#8a0f5c",
    halo: "#fff6e0",
};

static DARK: Palette = Palette {
    ground: "#1f2328",
    grid: "#8b949e",
    text: "#c9d1d9",
    red_face: "#f3e4cf",
    red_ink: "#a40e14",
    black_face: "#0d1014",
    black_ink: "#e9edf1",
    black_edge: "#aeb7c0",
    shadow: None,
    last: "#58a6ff",
    attack: "#ff6b61",
    guard: "#4ccb75",
    line: "#79b8ff",
    target: "#ff8f3d",
    cross: "#ff7bd0",
    halo: "#1f2328",
};

impl Theme {
    pub(super) fn palette(self) -> &'static Palette {
        match self {
            Self::Plain => &PLAIN,
            Self::Wood => &WOOD,
            Self::Dark => &DARK,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Relative luminance as the accessibility guidelines define it.
    fn luminance(colour: &str) -> f64 {
        let digits: Vec<u32> = colour.chars().filter_map(|c| c.to_digit(16)).collect();
        let channels: Vec<u32> = match digits.len() {
            3 => digits.iter().map(|d| d * 17).collect(),
            _ => digits
                .chunks(2)
                .map(|pair| pair[0] * 16 + pair[1])
                .collect(),
        };
        let weights = [0.2126, 0.7152, 0.0722];
        let linear = channels.iter().map(|&channel| {
            let part = f64::from(channel) / 255.0;
            if part <= 0.04045 {
                part / 12.92
            } else {
                ((part + 0.055) / 1.055).powf(2.4)
            }
        });
        linear
            .zip(weights)
            .map(|(part, weight)| part * weight)
            .sum()
    }

    fn contrast(a: &str, b: &str) -> f64 {
        let (a, b) = (luminance(a) + 0.05, luminance(b) + 0.05);
        (a / b).max(b / a)
    }

    #[test]
    fn everything_stands_out() {
        for theme in Theme::ALL {
            let p = theme.palette();
            for (a, b, least) in [
                (p.text, p.ground, 7.0),
                (p.grid, p.ground, 4.5),
                (p.red_ink, p.red_face, 4.5),
                (p.black_ink, p.black_face, 7.0),
                (p.black_edge, p.ground, 3.0),
                (p.attack, p.ground, 3.0),
                (p.guard, p.ground, 3.0),
                (p.line, p.ground, 3.0),
                (p.line, p.halo, 4.5),
                (p.target, p.ground, 3.0),
                (p.cross, p.ground, 3.0),
                (p.last, p.ground, 3.0),
                // The sides apart without colour.
                (p.red_face, p.black_face, 7.0),
            ] {
                let found = contrast(a, b);
                assert!(found >= least, "{theme:?}: {a} on {b}: {found:.2}");
            }
        }
    }
}
