//! What one element of an accessor is: how its numbers are arranged and how each is stored.

/// The arrangement of an element's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    Scalar,
    Vec2,
    Vec3,
    Vec4,
    Mat2,
    Mat3,
    Mat4,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Component {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl Shape {
    pub(crate) fn parse(text: &str) -> Option<Self> {
        Some(match text {
            "SCALAR" => Self::Scalar,
            "VEC2" => Self::Vec2,
            "VEC3" => Self::Vec3,
            "VEC4" => Self::Vec4,
            "MAT2" => Self::Mat2,
            "MAT3" => Self::Mat3,
            "MAT4" => Self::Mat4,
            _ => return None,
        })
    }

    pub(crate) fn columns(self) -> usize {
        match self {
            Self::Scalar | Self::Vec2 | Self::Vec3 | Self::Vec4 => 1,
            Self::Mat2 => 2,
            Self::Mat3 => 3,
            Self::Mat4 => 4,
        }
    }

    pub(crate) fn rows(self) -> usize {
        match self {
            Self::Scalar => 1,
            Self::Vec2 | Self::Mat2 => 2,
            Self::Vec3 | Self::Mat3 => 3,
            Self::Vec4 | Self::Mat4 => 4,
        }
    }

    /// Bytes of an element; the columns of a matrix begin at multiples of four bytes.
    pub(crate) fn size(self, component: Component) -> usize {
        let column = self.rows() * component.size();
        if self.columns() == 1 { column } else { column.next_multiple_of(4) * self.columns() }
    }
}

impl Component {
    pub(crate) fn parse(code: usize) -> Option<Self> {
        Some(match code {
            5120 => Self::I8,
            5121 => Self::U8,
            5122 => Self::I16,
            5123 => Self::U16,
            5125 => Self::U32,
            5126 => Self::F32,
            _ => return None,
        })
    }

    pub(crate) fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }

    pub(crate) fn read(self, bytes: &[u8]) -> Option<f64> {
        Some(match self {
            Self::I8 => f64::from(bytes.first()?.cast_signed()),
            Self::U8 => f64::from(*bytes.first()?),
            Self::I16 => f64::from(i16::from_le_bytes(*bytes.first_chunk()?)),
            Self::U16 => f64::from(u16::from_le_bytes(*bytes.first_chunk()?)),
            Self::U32 => f64::from(u32::from_le_bytes(*bytes.first_chunk()?)),
            Self::F32 => f64::from(f32::from_le_bytes(*bytes.first_chunk()?)),
        })
    }

    pub(crate) fn normalize(self, raw: f64) -> f64 {
        match self {
            Self::I8 => (raw / 127.0).max(-1.0),
            Self::U8 => raw / 255.0,
            Self::I16 => (raw / 32767.0).max(-1.0),
            Self::U16 => raw / 65535.0,
            Self::U32 | Self::F32 => raw,
        }
    }
}
