//! What is drawn over a position: arrows from square to square, marks on squares.

use crate::board::{Move, Square};
use crate::language::{Text, both, in_both};
use crate::named::named;
use std::fmt;
use std::str::FromStr;

named! {
    /// What an arrow says.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum ArrowKind {
        /// A piece attacks another.
        Attack "attack",
        /// A piece guards another.
        Guard "guard",
        /// A move of a line of play; these are numbered in the order given.
        Line "line",
    }
}

named! {
    /// What a mark on a square says.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum MarkKind {
        /// A target: a ring.
        Target "mark",
        /// Crossed out, as a false root is.
        Cross "cross",
    }
}

/// An arrow or a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Annotation {
    /// An arrow between two squares.
    Arrow(ArrowKind, Move),
    /// A mark on a square.
    Mark(MarkKind, Square),
}

impl fmt::Display for Annotation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Arrow(kind, mv) => write!(f, "{}:{mv}", kind.id()),
            Self::Mark(kind, square) => write!(f, "{}:{square}", kind.id()),
        }
    }
}

/// A list of annotations as a query spells it: `attack:h2h9,guard:e0e1,mark:c3,cross:d5`.
///
/// ```
/// use qili::diagram::Annotations;
/// let list: Annotations = "attack:h2h9, cross:d5".parse()?;
/// assert_eq!(list.to_string(), "attack:h2h9,cross:d5");
/// let error = "attack:h2".parse::<Annotations>().unwrap_err();
/// assert_eq!(error.code(), "annotation_move");
/// # Ok::<_, qili::diagram::AnnotationError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Annotations(pub Vec<Annotation>);

impl Annotations {
    /// How many a text may hold.
    pub const MOST: usize = 64;
}

impl IntoIterator for Annotations {
    type Item = Annotation;
    type IntoIter = std::vec::IntoIter<Annotation>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl FromIterator<Annotation> for Annotations {
    fn from_iter<I: IntoIterator<Item = Annotation>>(annotations: I) -> Self {
        Self(annotations.into_iter().collect())
    }
}

impl fmt::Display for Annotations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, annotation) in self.0.iter().enumerate() {
            if i > 0 {
                f.write_str(",")?;
            }
            write!(f, "{annotation}")?;
        }
        Ok(())
    }
}

/// The text is no list of annotations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnnotationError {
    /// Which one, from 0.
    pub index: usize,
    /// As written.
    pub text: String,
    /// What is wrong with it.
    pub fault: AnnotationFault,
}

/// What can be wrong with an annotation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum AnnotationFault {
    /// No colon.
    Shape,
    /// A kind that there is not.
    Kind,
    /// An arrow without its two squares.
    Move,
    /// An arrow from a square to itself.
    SameSquare,
    /// A mark without its square.
    Square,
    /// More than a diagram can show.
    TooMany,
}

impl AnnotationError {
    /// A stable name.
    pub const fn code(&self) -> &'static str {
        match self.fault {
            AnnotationFault::Shape => "annotation_shape",
            AnnotationFault::Kind => "annotation_kind",
            AnnotationFault::Move => "annotation_move",
            AnnotationFault::SameSquare => "annotation_same_square",
            AnnotationFault::Square => "annotation_square",
            AnnotationFault::TooMany => "annotation_too_many",
        }
    }

    /// The error in both languages.
    pub fn text(&self) -> Text {
        let most = Annotations::MOST;
        let fault = match self.fault {
            AnnotationFault::Shape => both!(
                "expected a kind, `:` and squares, as in `attack:h2h9` or `mark:c3`",
                "应为种类、冒号和格点，如 attack:h2h9 或 mark:c3",
            ),
            AnnotationFault::Kind => both!(
                "unknown kind, expected `attack`, `guard`, `line`, `mark` or `cross`",
                "种类不认识，应为 attack、guard、line、mark 或 cross",
            ),
            AnnotationFault::Move => both!(
                "expected two squares, as in `attack:h2h9` (files `a`-`i`, ranks `0`-`9`)",
                "应为两个格点，如 attack:h2h9（a–i 线，0–9 行）",
            ),
            AnnotationFault::SameSquare => both!(
                "an arrow needs two different squares, as in `attack:h2h9`",
                "箭头的两个格点不能相同，如 attack:h2h9",
            ),
            AnnotationFault::Square => both!(
                "expected one square, as in `mark:c3` (files `a`-`i`, ranks `0`-`9`)",
                "应为一个格点，如 mark:c3（a–i 线，0–9 行）",
            ),
            AnnotationFault::TooMany => {
                both!(
                    "too many, expected at most {most}",
                    "标注太多，最多{most}个"
                )
            }
        };
        let (number, text) = (self.index + 1, &self.text);
        both!(
            fault;
            "annotation {number} (`{text}`): {fault}",
            "第{number}个标注（{text}）：{fault}",
        )
    }
}

in_both!(error AnnotationError);

impl FromStr for Annotations {
    type Err = AnnotationError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.trim().is_empty() {
            return Ok(Self::default());
        }
        let read = |(index, item): (usize, &str)| {
            let item = item.trim();
            let annotation = if index < Self::MOST {
                annotation(item)
            } else {
                Err(AnnotationFault::TooMany)
            };
            annotation.map_err(|fault| AnnotationError {
                index,
                text: shortened(item),
                fault,
            })
        };
        text.split(',').enumerate().map(read).collect()
    }
}

/// An error repeats what was written, but not a page of it.
fn shortened(item: &str) -> String {
    const MOST: usize = 40;
    match item.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", item.get(..end).unwrap_or_default()),
        None => item.to_owned(),
    }
}

fn annotation(item: &str) -> Result<Annotation, AnnotationFault> {
    let (kind, squares) = item.split_once(':').ok_or(AnnotationFault::Shape)?;
    if let Some(kind) = ArrowKind::ALL.into_iter().find(|k| k.id() == kind) {
        let mv: Move = squares.parse().map_err(|_| AnnotationFault::Move)?;
        if mv.from == mv.to {
            return Err(AnnotationFault::SameSquare);
        }
        return Ok(Annotation::Arrow(kind, mv));
    }
    let kind = MarkKind::ALL.into_iter().find(|k| k.id() == kind);
    let kind = kind.ok_or(AnnotationFault::Kind)?;
    let square = squares.parse().map_err(|_| AnnotationFault::Square)?;
    Ok(Annotation::Mark(kind, square))
}
