//! Problem files (`IKP1`) and result files (`IKR1`) of robot arms: lines of text, then rows of little-endian `f64`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use sinew::glam::{DMat3, DQuat, DVec3};

/// Frames that an arm's tip should take, each with a seed.
#[derive(Clone, Debug, PartialEq)]
pub struct Problems {
    /// The robot, and where its seeds are from (`mid`: the middle of the limits; `near`: near the truth).
    pub robot: String,
    /// See `robot`.
    pub policy: String,
    /// The robot's URDF file.
    pub urdf: PathBuf,
    /// Link that frames are given in, and link that should take them.
    pub links: [String; 2],
    /// The order of coordinates.
    pub joints: Vec<String>,
    /// Metres and radians that count as solved.
    pub tolerance: [f64; 2],
    /// Seconds that a solver with a clock may take for one.
    pub timeout: f64,
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

/// What a solver says to a file of problems.
#[derive(Clone, Debug, PartialEq)]
pub struct Results {
    /// The solver's version.
    pub version: String,
    /// How it was asked, in words; may be empty.
    pub settings: String,
    /// One for each problem, in order.
    pub answers: Vec<Answer>,
}

/// A file taken apart.
struct Parts<'a> {
    fields: BTreeMap<&'a str, &'a str>,
    numbers: Vec<f64>,
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
        let parts = Parts::parse(bytes, "IKP1")?;
        let (dof, width) = (parts.count("dof")?, parts.count("row")?);
        ensure!(dof <= 1000 && width == dof + 12, "rows of {width} numbers for {dof} joints, which need {dof} + 12");
        let joints: Vec<String> = parts.field("joints")?.split_whitespace().map(str::to_owned).collect();
        ensure!(joints.len() == dof, "{} joints named, {dof} counted", joints.len());
        Ok(Self {
            robot: parts.field("robot")?.to_owned(),
            policy: parts.field("policy")?.to_owned(),
            urdf: parts.field("urdf")?.into(),
            links: [parts.field("base")?.to_owned(), parts.field("tip")?.to_owned()],
            joints,
            tolerance: [parts.number("tol_pos")?, parts.number("tol_rot")?],
            timeout: parts.number("timeout_s")?,
            rows: parts.numbers.chunks_exact(width).map(|row| Row::of(row, dof)).collect(),
        })
    }

    /// The file of these problems.
    pub fn to_bytes(&self) -> Vec<u8> {
        let Self { robot, policy, urdf, links: [base, tip], joints, tolerance: [metres, radians], timeout, rows } =
            self;
        let (urdf, dof, n, joints) = (urdf.display(), joints.len(), rows.len(), joints.join(" "));
        let header = format!(
            "IKP1\nrobot {robot}\npolicy {policy}\nurdf {urdf}\nbase {base}\ntip {tip}\ndof {dof}\njoints {joints}\nn {n}\n\
             tol_pos {metres:e}\ntol_rot {radians:e}\ntimeout_s {timeout}\nrow {}\ndata\n",
            dof + 12
        );
        header.into_bytes().into_iter().chain(rows.iter().flat_map(Row::numbers).flat_map(f64::to_le_bytes)).collect()
    }
}

impl Results {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<Self> {
        let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        Self::parse(&bytes).with_context(|| format!("{} is no result file", path.display()))
    }

    /// Takes a file apart.
    pub fn parse(bytes: &[u8]) -> Result<Self> {
        let parts = Parts::parse(bytes, "IKR1")?;
        let (dof, width) = (parts.count("dof")?, parts.count("row")?);
        ensure!(dof <= 1000 && width == dof + 2, "rows of {width} numbers for {dof} joints, which need {dof} + 2");
        let answer =
            |row: &[f64]| Answer { is_solved: row[0] > 0.0, nanoseconds: row[1], coordinates: row[2..].to_vec() };
        Ok(Self {
            version: parts.field("version")?.to_owned(),
            settings: parts.field("settings").unwrap_or_default().to_owned(),
            answers: parts.numbers.chunks_exact(width).map(answer).collect(),
        })
    }

    /// The file of these answers.
    pub fn to_bytes(&self, solver: &str, dof: usize) -> Result<Vec<u8>> {
        let Self { version, settings, answers } = self;
        if answers.iter().any(|answer| answer.coordinates.len() != dof) {
            bail!("answers of other than {dof} coordinates");
        }
        let (n, width) = (answers.len(), dof + 2);
        let mean = answers.iter().map(|answer| answer.nanoseconds).sum::<f64>() / n.max(1) as f64;
        let mut bytes = format!(
            "IKR1\nsolver {solver}\nversion {version}\nnote cpu_ns_per_solve={mean:.0}\nsettings {settings}\ndof {dof}\nn {n}\n\
             row {width}\ndata\n"
        )
        .into_bytes();
        for answer in answers {
            let status = if answer.is_solved { 1.0 } else { 0.0 };
            let row = [status, answer.nanoseconds].into_iter().chain(answer.coordinates.iter().copied());
            bytes.extend(row.flat_map(f64::to_le_bytes));
        }
        Ok(bytes)
    }
}

impl<'a> Parts<'a> {
    /// Lines of text up to `data`, then `n` rows of `row` numbers.
    fn parse(bytes: &'a [u8], magic: &str) -> Result<Self> {
        const END: &[u8] = b"\ndata\n";
        let end = bytes.windows(END.len()).position(|window| window == END).context("it has no line `data`")?;
        let header = std::str::from_utf8(&bytes[..end]).context("its header is no text")?;
        let mut lines = header.lines();
        ensure!(lines.next() == Some(magic), "it must begin with {magic}");
        let body = &bytes[end + END.len()..];
        let numbers = body.as_chunks().0.iter().map(|&bytes| f64::from_le_bytes(bytes)).collect();
        let parts = Self { fields: lines.filter_map(|line| line.split_once(' ')).collect(), numbers };
        let (n, width) = (parts.count("n")?, parts.count("row")?);
        let length = width.checked_mul(8).and_then(|row| row.checked_mul(n));
        ensure!(Some(body.len()) == length, "{n} rows of {width} numbers, {} bytes", body.len());
        Ok(parts)
    }

    fn field(&self, name: &str) -> Result<&'a str> {
        self.fields.get(name).copied().with_context(|| format!("its header has no `{name}`"))
    }

    fn count(&self, name: &str) -> Result<usize> {
        let text = self.field(name)?;
        text.parse().with_context(|| format!("{name} {text} is no whole number"))
    }

    fn number(&self, name: &str) -> Result<f64> {
        let text = self.field(name)?;
        text.parse().with_context(|| format!("{name} {text} is no number"))
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

    /// The same, as the file has it.
    fn numbers(&self) -> Vec<f64> {
        let (turn, place) = (DMat3::from_quat(self.rotation), self.position);
        let rows = (0..3).flat_map(|i| [turn.x_axis[i], turn.y_axis[i], turn.z_axis[i], place[i]]);
        self.seed.iter().copied().chain(rows).collect()
    }
}
