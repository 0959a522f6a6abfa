//! Closed sets and their names, and values that are read as texts.
//!
//! What is derived reads each set by a program of its own; here one does for all, and tells the same of what is wrong.

use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error, Unexpected, VariantAccess, Visitor,
};
use std::fmt::{self, Display};
use std::marker::PhantomData;
use std::str::FromStr;

/// A closed set whose members have names.
pub(crate) trait Named: Copy + 'static {
    /// What the set is called.
    const SET: &'static str;
    /// All of it.
    const ALL: &'static [Self];
    /// Their names.
    const NAMES: &'static [&'static str];
}

/// A closed set, each member with its names: where they are written, and then, if more are given, in Chinese and in English.
/// `read`: it is written and read by the first of them.
macro_rules! named {
    (read $(#[$of:meta])* $see:vis enum $set:ident { $($(#[$on:meta])* $member:ident $id:literal $($word:literal)*,)+ }) => {
        $crate::named::named! {
            $(#[$of])* $see enum $set { $($(#[$on])* $member $id $($word)*,)+ }
        }

        impl $crate::named::Named for $set {
            const SET: &'static str = stringify!($set);
            const ALL: &'static [Self] = &Self::ALL;
            const NAMES: &'static [&'static str] = &[$($id),+];
        }

        impl serde::Serialize for $set {
            fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.serialize_str(self.id())
            }
        }

        impl<'de> serde::Deserialize<'de> for $set {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                $crate::named::read(from)
            }
        }
    };
    ($(#[$of:meta])* $see:vis enum $set:ident { $($(#[$on:meta])* $member:ident $id:literal $($word:literal)*,)+ }) => {
        $(#[$of])* $see enum $set { $($(#[$on])* $member,)+ }

        impl $set {
            /// All of them.
            pub const ALL: [Self; [$(Self::$member),+].len()] = [$(Self::$member),+];

            /// The name in files, requests and answers.
            pub const fn id(self) -> &'static str {
                match self { $(Self::$member => $id),+ }
            }

            /// The one of that name.
            pub fn from_id(id: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|member| member.id() == id)
            }
        }

        $crate::named::named!(words $set { $($member $($word)*,)+ });
    };
    (words $set:ident { $($member:ident $zh:literal $en:literal,)+ }) => {
        $crate::named::named!(words $set { $($member $zh,)+ });

        impl $set {
            /// What it is called in English.
            pub const fn en(self) -> &'static str {
                match self { $(Self::$member => $en),+ }
            }
        }
    };
    (words $set:ident { $($member:ident $zh:literal,)+ }) => {
        impl $set {
            /// What it is called in Chinese.
            pub const fn zh(self) -> &'static str {
                match self { $(Self::$member => $zh),+ }
            }
        }
    };
    (words $set:ident { $($member:ident,)+ }) => {};
}
pub(crate) use named;

/// Reads a member of a set.
pub(crate) fn read<'de, T: Named, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
    let of = Names {
        set: T::SET,
        names: T::NAMES,
    };
    let place = from.deserialize_enum(of.set, of.names, of)?;
    let found = T::ALL.get(place).copied();
    found.ok_or_else(|| D::Error::unknown_variant("", T::NAMES))
}

/// Reads a value that is written as a text. What is wrong with it is told while the text is read, so that its place is
/// known; where a text is read first, and then made the value, it is not.
pub(crate) fn read_text<'de, T: FromStr<Err: Display>, D: Deserializer<'de>>(
    from: D,
) -> Result<T, D::Error> {
    from.deserialize_str(Text(PhantomData))
}

struct Text<T>(PhantomData<T>);

impl<T: FromStr<Err: Display>> Visitor<'_> for Text<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(E::custom)
    }
}

/// The names of a set: one of them is looked for, and its place told.
#[derive(Clone, Copy)]
struct Names {
    set: &'static str,
    names: &'static [&'static str],
}

impl<'de> Visitor<'de> for Names {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "enum {}", self.set)
    }

    fn visit_enum<A: EnumAccess<'de>>(self, from: A) -> Result<usize, A::Error> {
        let (place, rest) = from.variant_seed(Name(self.names))?;
        rest.unit_variant()?;
        Ok(place)
    }
}

/// One of these names.
struct Name(&'static [&'static str]);

impl<'de> DeserializeSeed<'de> for Name {
    type Value = usize;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<usize, D::Error> {
        from.deserialize_identifier(self)
    }
}

impl Visitor<'_> for Name {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("variant identifier")
    }

    fn visit_u64<E: Error>(self, place: u64) -> Result<usize, E> {
        let within = usize::try_from(place)
            .ok()
            .filter(|&place| place < self.0.len());
        let expected = format!("variant index 0 <= i < {}", self.0.len());
        within.ok_or_else(|| E::invalid_value(Unexpected::Unsigned(place), &expected.as_str()))
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<usize, E> {
        let place = self.0.iter().position(|known| *known == name);
        place.ok_or_else(|| E::unknown_variant(name, self.0))
    }
}
