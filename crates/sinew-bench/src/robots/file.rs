//! Problem files (`IKP1`) and result files (`IKR1`) of robot arms: lines of text, then rows of little-endian `f64`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use sinew::glam::{DMat3, DQuat, DVec3};

/// Frames that an arm's tip should take, each with a seed.
#[derive(Clone, Debug, PartialEq)]
pub struct Problems {
    /// The robot's URDF file.
    pub urdf: PathBuf,
    /// Link that frames are given in, and link that should take them.
    pub links: [String; 2],
    /// The order of coordinates.
    pub joints: Vec<String>,
    /// Metres and radians that count as solved.
    pub tolerance: [f64; 2],
    /// One for each problem.
    pub rows: Vec<Row>,
}

/// One problem.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Coordinates to start from.
    pub seed: Vec<f64>,
    /// Where the tip should be (metres).
    pub position: DVec3,
    /// How it should stand.
    pub rotation: DQuat,
}

/// What a solver says to one problem.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// Whether it says that the problem is solved.
    pub is_solved: bool,
    /// Nanoseconds it took.
    pub nanoseconds: f64,
    /// Coordinates, in the problem's order.
    pub coordinates: Vec<f64>,
}

impl Problems {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<Self> {
        let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        let mut problems = Self::parse(&bytes).with_context(|| format!("{} is no problem file", path.display()))?;
        problems.urdf = path.parent().unwrap_or(Path::new("")).join(problems.urdf);
        Ok(problems)
    }

    /// Takes a file apart; its URDF's path stays as it is written.
    pub fn parse(bytes: &[u8]) -> Result<Self> {
        const END: &[u8] = b"\ndata\n";
        let end = bytes.windows(END.len()).position(|window| window == END).context("it has no line `data`")?;
        let header = std::str::from_utf8(&bytes[..end]).context("its header is no text")?;
        let mut lines = header.lines();
        ensure!(lines.next() == Some("IKP1"), "it must begin with IKP1");
        let fields: BTreeMap<&str, &str> = lines.filter_map(|line| line.split_once(' ')).collect();
        let field = |name: &str| fields.get(name).copied().with_context(|| format!("its header has no `{name}`"));
        let count = |name: &str| -> Result<usize> {
            let text = field(name)?;
            text.parse().with_context(|| format!("{name} {text} is no whole number"))
        };
        let number = |name: &str| -> Result<f64> {
            let text = field(name)?;
            text.parse().with_context(|| format!("{name} {text} is no number"))
        };
        let (dof, n, width) = (count("dof")?, count("n")?, count("row")?);
        let body = &bytes[end + END.len()..];
        ensure!(dof <= 1000 && width == dof + 12, "rows of {width} numbers for {dof} joints, which need {dof} + 12");
        ensure!(Some(body.len()) == n.checked_mul(8 * width), "{n} rows of {width} numbers, {} bytes", body.len());
        let joints: Vec<String> = field("joints")?.split_whitespace().map(str::to_owned).collect();
        ensure!(joints.len() == dof, "{} joints named, {dof} counted", joints.len());
        let numbers: Vec<f64> = body.as_chunks().0.iter().map(|&bytes| f64::from_le_bytes(bytes)).collect();
        Ok(Self {
            urdf: field("urdf")?.into(),
            links: [field("base")?.to_owned(), field("tip")?.to_owned()],
            joints,
            tolerance: [number("tol_pos")?, number("tol_rot")?],
            rows: numbers.chunks_exact(width).map(|row| Row::of(row, dof)).collect(),
        })
    }
}

impl Row {
    /// A seed, and the top three rows of a frame's matrix.
    fn of(row: &[f64], dof: usize) -> Self {
        let (seed, frame) = row.split_at(dof);
        let column = |i: usize| DVec3::new(frame[i], frame[4 + i], frame[8 + i]);
        let rotation = sinew::math::arc::from_matrix(&DMat3::from_cols(column(0), column(1), column(2)));
        Self { seed: seed.to_vec(), position: column(3), rotation: sinew::math::arc::normalize(rotation) }
    }
}

/// A result file's bytes.
pub fn result(solver: &str, version: &str, answers: &[Answer], dof: usize) -> Result<Vec<u8>> {
    if answers.iter().any(|answer| answer.coordinates.len() != dof) {
        bail!("answers of other than {dof} coordinates");
    }
    let mean = answers.iter().map(|answer| answer.nanoseconds).sum::<f64>() / answers.len().max(1) as f64;
    let (n, width) = (answers.len(), dof + 2);
    let mut bytes = format!(
        "IKR1\nsolver {solver}\nversion {version}\nnote cpu_ns_per_solve={mean:.0}\ndof {dof}\nn {n}\nrow {width}\ndata\n"
    )
    .into_bytes();
    for answer in answers {
        let status = if answer.is_solved { 1.0 } else { 0.0 };
        let row = [status, answer.nanoseconds].into_iter().chain(answer.coordinates.iter().copied());
        bytes.extend(row.flat_map(f64::to_le_bytes));
    }
    Ok(bytes)
}
