//! Whose names they are: told from a few that give a program away, for the reader of a report.

/// A way of naming.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scheme {
    Mixamo,
    Unreal,
    Rigify,
    Cmu,
    Unity,
    Biped,
    VRoid,
    Daz,
    CharacterCreator,
    Mmd,
}

/// Names, in lower case, of which most must occur for a scheme.
const SIGNS: &[(Scheme, &[&str])] = &[
    (Scheme::Mixamo, &["mixamorig"]),
    (Scheme::VRoid, &["j_bip_c_hips"]),
    (Scheme::Biped, &["bip01 l calf", "bip001 l calf", "bip01_l_calf", "bip01 l thigh", "bip001 l thigh"]),
    (Scheme::CharacterCreator, &["cc_base_"]),
    (Scheme::Daz, &["lthighbend"]),
    (Scheme::Mmd, &["上半身"]),
    (Scheme::Cmu, &["lhipjoint"]),
    (Scheme::Unreal, &["clavicle_l", "calf_l", "thigh_l"]),
    (Scheme::Rigify, &["upper_arm.l", "shin.l", "thigh.l"]),
    (Scheme::Unity, &["leftupperleg", "leftlowerarm"]),
];

impl Scheme {
    /// The scheme of a file's names, if it is one of those known.
    pub(crate) fn of<'a>(names: impl Iterator<Item = &'a str>) -> Option<Self> {
        let names: Vec<String> = names.map(str::to_lowercase).collect();
        let occurs = |sign: &&&str| names.iter().any(|name| name.contains(**sign));
        let whole = [Self::Unreal, Self::Rigify, Self::Unity];
        let fits = |&(scheme, signs): &(Self, &'static [&'static str])| {
            let needed = if whole.contains(&scheme) { signs.len() } else { 1 };
            (signs.iter().filter(occurs).count() >= needed).then_some(scheme)
        };
        SIGNS.iter().find_map(fits)
    }

    /// The program's name.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Mixamo => "Mixamo",
            Self::Unreal => "Unreal",
            Self::Rigify => "Rigify",
            Self::Cmu => "CMU",
            Self::Unity => "Unity",
            Self::Biped => "3ds Max Biped",
            Self::VRoid => "VRoid",
            Self::Daz => "Daz",
            Self::CharacterCreator => "Character Creator",
            Self::Mmd => "MMD",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_names_give_a_program_away() {
        let of = |names: &[&'static str]| Scheme::of(names.iter().copied());
        assert_eq!(of(&["Root", "mixamorig1:Hips"]), Some(Scheme::Mixamo));
        assert_eq!(of(&["clavicle_l", "thigh_l", "calf_l"]), Some(Scheme::Unreal));
        assert_eq!(of(&["DEF-upper_arm.L", "DEF-shin.L", "DEF-thigh.L"]), Some(Scheme::Rigify));
        assert_eq!(of(&["LHipJoint"]), Some(Scheme::Cmu));
        assert_eq!(of(&["thigh_l"]), None);
        assert_eq!(of(&[]), None);
    }
}
