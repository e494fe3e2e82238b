//! A joint's name as words: what namespaces, separators, capitals and numbering hide.
//!
//! `mixamorig:LeftUpLeg`, `DEF-upper_arm.L.001`, `Bip01 L Finger01`, `lhand` and `左手首` all become lower-case
//! words and numbers. Words written in one are taken apart where the vocabulary covers them without rest.

use super::vocabulary::{JAPANESE, Word, look_up};

/// A name taken apart.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Words {
    /// Words known to the vocabulary, in order.
    pub(super) known: Vec<Word>,
    /// Digits in the order in which they stand.
    pub(super) numbers: Vec<String>,
}

impl Words {
    /// Takes a name apart. Words that are not known are dropped.
    pub(super) fn of(name: &str) -> Self {
        let name = name.rsplit([':', '|']).next().unwrap_or(name);
        let mut words = Self::default();
        for piece in pieces(name) {
            if piece.starts_with(|c: char| c.is_ascii_digit()) {
                words.numbers.push(piece);
            } else if piece.is_ascii() {
                words.known.extend(taken_apart(&piece));
            } else {
                words.read_japanese(&piece);
            }
        }
        words
    }

    pub(super) fn has(&self, word: Word) -> bool {
        self.known.contains(&word)
    }

    /// The longest terms first, so that 手首 (wrist) is not read as 手 (hand).
    fn read_japanese(&mut self, piece: &str) {
        let mut rest = piece;
        while let Some(first) = rest.chars().next() {
            let term = JAPANESE.iter().filter(|(term, _)| rest.starts_with(term)).max_by_key(|(term, _)| term.len());
            if let Some((term, word)) = term {
                self.known.push(*word);
                self.known.extend(term.ends_with('指').then_some(Word::Finger));
                rest = &rest[term.len()..];
            } else {
                // Numbers of MMD are full-width.
                let digit = u32::from(first).wrapping_sub(u32::from('０'));
                if digit < 10 {
                    self.numbers.push(digit.to_string());
                }
                rest = &rest[first.len_utf8()..];
            }
        }
    }
}

/// Runs of letters (split where a capital begins a word), of digits, and of letters beyond ASCII.
fn pieces(name: &str) -> Vec<String> {
    #[derive(PartialEq, Clone, Copy)]
    enum Class {
        Lower,
        Upper,
        Digit,
        Beyond,
        Between,
    }
    let class = |c: char| match c {
        'a'..='z' => Class::Lower,
        'A'..='Z' => Class::Upper,
        '0'..='9' => Class::Digit,
        _ if c.is_alphanumeric() => Class::Beyond,
        _ => Class::Between,
    };
    let letters: Vec<char> = name.chars().collect();
    let mut pieces: Vec<String> = Vec::new();
    let mut before = Class::Between;
    for (place, &letter) in letters.iter().enumerate() {
        let now = class(letter);
        let next_is_lower = letters.get(place + 1).is_some_and(|&next| class(next) == Class::Lower);
        // `LThumb` is L and Thumb, `IK` is one.
        let begins = match (before, now) {
            (_, Class::Between) | (Class::Upper, Class::Lower) => false,
            (Class::Upper, Class::Upper) => next_is_lower,
            (before, now) => before != now,
        };
        if begins {
            pieces.push(String::new());
        }
        if now != Class::Between
            && let Some(piece) = pieces.last_mut()
        {
            piece.push(letter.to_ascii_lowercase());
        }
        before = now;
    }
    pieces
}

/// The words of a run of letters: itself, or the fewest words of the vocabulary that make it up; a side's
/// letter counts only at an end (`lhand`, `thighl`). Nothing where it cannot be made up.
fn taken_apart(run: &str) -> Vec<Word> {
    if let Some(word) = look_up(run) {
        return vec![word];
    }
    if run.len() > 40 {
        return Vec::new();
    }
    // The fewest words up to each letter.
    let mut best: Vec<Option<Vec<Word>>> = vec![None; run.len() + 1];
    best[0] = Some(Vec::new());
    for end in 1..=run.len() {
        for start in 0..end {
            let Some(before) = best[start].clone() else { continue };
            let Some(word) = look_up(&run[start..end]) else { continue };
            let letter = end - start == 1;
            if (end - start < 3 && !letter) || (letter && start != 0 && end != run.len()) {
                continue;
            }
            if best[end].as_ref().is_none_or(|found| found.len() > before.len() + 1) {
                let mut words = before;
                words.push(word);
                best[end] = Some(words);
            }
        }
    }
    best.pop().flatten().filter(|words| words.len() <= 4).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(name: &str) -> Vec<Word> {
        Words::of(name).known
    }

    #[test]
    fn every_way_of_writing() {
        use Word::{Arm, Finger, Foot, Hand, Left, Leg, Lower, Right, Thumb, Upper};
        for name in
            ["LeftUpperArm", "left_upper_arm", "upper_arm.L", "leftupperarm", "mixamorig:LeftUpperArm", "l upper-arm"]
        {
            let mut words = known(name);
            words.sort();
            let mut wanted = vec![Left, Upper, Arm];
            wanted.sort();
            assert_eq!(words, wanted, "{name}");
        }
        assert_eq!(known("LThumb"), [Left, Thumb]);
        assert_eq!(known("rhand"), [Right, Hand]);
        assert_eq!(known("l-frontleg"), [Left, Word::Front, Leg]);
        assert_eq!(known("lowerback"), [Lower, Word::Back]);
        assert_eq!(known("Bip01 L Finger01"), [Left, Finger]);
        assert_eq!(Words::of("Bip01 L Finger01").numbers, ["01", "01"]);
        assert_eq!(known("左足首"), [Left, Foot]);
        assert_eq!(known("右腕"), [Right, Word::UpperArm]);
        assert_eq!(Words::of("左人指２").numbers, ["2"]);
    }

    #[test]
    fn what_is_no_word_is_nothing() {
        for name in ["", "Bone", "joint_12", "larry", "renegade", "::", "ÅÄÖ", "x"] {
            assert!(known(name).is_empty(), "{name}: {:?}", known(name));
        }
    }
}
