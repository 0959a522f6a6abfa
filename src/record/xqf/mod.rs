//! XQF, the format of 象棋演播室 (`XQStudio`): a header of 1,024 bytes, then the moves as a tree.
//!
//! From version 11 on the squares and the tree are hidden behind keys made from the header.

mod read;
mod write;

pub(super) use read::read;

/// Where the tree starts.
const TREE: usize = 1024;

/// The fields of the header that hold text: what they are called, where they start, how long they
/// are with their length byte.
const TEXTS: [(&str, usize, usize); 11] = [
    ("Title", 80, 64),
    ("Event", 208, 64),
    ("Date", 272, 16),
    ("Site", 288, 16),
    ("Red", 304, 16),
    ("Black", 320, 16),
    ("TimeControl", 336, 64),
    ("RedTime", 400, 16),
    ("BlackTime", 416, 16),
    ("Annotator", 464, 16),
    ("Author", 480, 16),
];

/// What hides a file.
struct Keys {
    /// Added to the squares of the pieces.
    pieces: u8,
    /// Added to the squares moves come from, and go to.
    from: u8,
    to: u8,
    /// Added to the lengths of comments.
    comment: u32,
    /// Added to every byte of the tree, by its place in the file.
    mask: [u8; 32],
}

impl Keys {
    /// Of files that hide nothing.
    const NONE: Self = Self {
        pieces: 0,
        from: 0,
        to: 0,
        comment: 0,
        mask: [0; 32],
    };

    /// Those of a header.
    fn of(header: &[u8; 16]) -> Self {
        const WORDS: &[u8; 32] = b"[(C) Copyright Mr. Dong Shiwei.]";
        let [
            _,
            _,
            version,
            mask,
            _,
            _,
            _,
            _,
            a,
            b,
            c,
            d,
            sum,
            pieces,
            from,
            to,
        ] = *header;
        if version <= 10 {
            return Self::NONE;
        }
        let mixed = |key: u8, by: u8| {
            let key = u32::from(key);
            let square = key * key;
            let mixed = ((square * 3 + 9) * 3 + 8) * 2 + 1;
            ((mixed * 3 + 8) * u32::from(by)).to_le_bytes()[0]
        };
        let pieces_key = mixed(pieces, pieces);
        let from_key = mixed(from, pieces_key);
        let to_key = mixed(to, from_key);
        let bits = [
            sum & mask | a,
            pieces & mask | b,
            from & mask | c,
            to & mask | d,
        ];
        let mut words = *WORDS;
        for (word, bits) in words.iter_mut().zip(bits.into_iter().cycle()) {
            *word &= bits;
        }
        Self {
            pieces: pieces_key,
            from: from_key,
            to: to_key,
            comment: (u32::from(sum) * 256 + u32::from(pieces)) % 32_000 + 767,
            mask: words,
        }
    }
}
