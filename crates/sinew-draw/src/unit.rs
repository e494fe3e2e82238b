//! What a picture's lengths are in.

/// The unit of the lengths in a picture, in which they are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unit {
    /// Metres; short lengths are written in millimetres.
    #[default]
    Metres,
    /// Centimetres.
    Centimetres,
    /// Millimetres.
    Millimetres,
    /// None that is known.
    Unknown,
}

impl Unit {
    /// As it is written: `m`, `cm`, `mm`, `units`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Metres => "m",
            Self::Centimetres => "cm",
            Self::Millimetres => "mm",
            Self::Unknown => "units",
        }
    }

    /// A length with three digits or so and the unit.
    pub fn text(self, length: f64) -> String {
        match self {
            Self::Metres => metres(length),
            other => with(length, other.name()),
        }
    }
}

fn metres(length: f64) -> String {
    match length {
        l if (1e-5..0.01).contains(&l) => format!("{} mm", trimmed(format!("{:.2}", l * 1e3))),
        l => with(l, "m"),
    }
}

fn with(length: f64, unit: &str) -> String {
    let number = match length {
        l if !l.is_finite() => return "?".into(),
        0.0 => "0".into(),
        l if l >= 1000.0 => format!("{l:.0}"),
        l if l >= 1.0 => trimmed(format!("{l:.2}")),
        l if l >= 0.01 => trimmed(format!("{l:.3}")),
        l => format!("{l:.1e}"),
    };
    format!("{number} {unit}")
}

fn trimmed(number: String) -> String {
    if number.contains('.') { number.trim_end_matches('0').trim_end_matches('.').into() } else { number }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_have_their_unit() {
        let of = |unit: Unit| [1234.0, 1.5, 0.25, 0.005, 1e-7, f64::NAN].map(|length| unit.text(length));
        assert_eq!(of(Unit::Metres), ["1234 m", "1.5 m", "0.25 m", "5 mm", "1.0e-7 m", "?"]);
        assert_eq!(of(Unit::Centimetres), ["1234 cm", "1.5 cm", "0.25 cm", "5.0e-3 cm", "1.0e-7 cm", "?"]);
        assert_eq!([Unit::Unknown.text(20.0), Unit::Metres.text(0.0)], ["20 units", "0 m"]);
    }
}
