//! The files that a verb reads and writes, checked before anything is done: what is overwritten by mistake, and what
//! cannot be read or written twice.

use std::path::Path;

use anyhow::{Result, bail};

use crate::args::{OutArgs, RigArgs, Verb};
use crate::output::{self, is_standard};
use crate::source;

/// The files named on the command line.
#[derive(Debug, Default)]
pub(crate) struct Files<'a> {
    /// The rig's first.
    inputs: Vec<&'a Path>,
    /// With the options that name them.
    outputs: Vec<(&'static str, &'a Path)>,
}

impl<'a> Files<'a> {
    /// Those of a verb.
    pub(crate) fn of(verb: &'a Verb) -> Self {
        let files = Self::default();
        match verb {
            Verb::Solve(args) => files.rig(&args.rig).out(&args.out),
            Verb::Compare(args) => files.rig(&args.rig).picture(args.picture.as_deref()),
            Verb::Bake(args) => files
                .rig(&args.rig)
                .input(source::file(&args.clip))
                .input(args.goals.as_deref())
                .output("--output", args.output.as_deref())
                .picture(args.picture.as_deref())
                .output("--curves", args.curves.as_deref()),
            Verb::Simulate(args) => files.rig(&args.rig).out(&args.out),
            Verb::Plant(args) => files
                .rig(&args.rig)
                .input(source::file(&args.clip))
                .input(Some(Path::new(&args.terrain.ground)))
                .out(&args.out),
            Verb::Walk(args) => files
                .rig(&args.rig)
                .input(Some(Path::new(&args.route)))
                .input(Some(Path::new(&args.terrain.ground)))
                .out(&args.out),
            Verb::Crowd(args) => {
                files.rig(&args.rig).picture(args.picture.as_deref()).output("--curve", args.curve.as_deref())
            }
            Verb::Inspect(args) => files.rig(&args.rig).picture(args.picture.as_deref()),
            Verb::Path(args) => files
                .input(Some(&args.robot))
                .input(args.frames.as_deref())
                .output("--output", args.output.as_deref())
                .picture(args.picture.as_deref())
                .output("--curves", args.curves.as_deref()),
            Verb::Reach(args) => files
                .input(Some(&args.robot))
                .output("--output", args.output.as_deref())
                .picture(args.picture.as_deref()),
        }
    }

    fn rig(self, rig: &'a RigArgs) -> Self {
        let sidecar = rig.limits.as_deref().filter(|limits| !matches!(*limits, "preset" | "none")).map(Path::new);
        self.input(rig.path.as_deref()).input(sidecar)
    }

    fn input(mut self, path: Option<&'a Path>) -> Self {
        self.inputs.extend(path);
        self
    }

    fn output(mut self, option: &'static str, path: Option<&'a Path>) -> Self {
        self.outputs.extend(path.map(|path| (option, path)));
        self
    }

    fn out(self, out: &'a OutArgs) -> Self {
        self.output("--output", out.output.as_deref()).picture(out.picture.as_deref())
    }

    fn picture(self, path: Option<&'a Path>) -> Self {
        self.output("--picture", path)
    }

    /// The rig as it was given.
    pub(crate) fn title(&self) -> Option<String> {
        self.inputs.first().map(|path| output::title(path))
    }

    /// Refuses outputs that would replace what is read, unless that is wanted, and two uses of one standard stream.
    pub(crate) fn check(&self, force: bool) -> Result<()> {
        if self.inputs.iter().filter(|path| is_standard(path)).count() > 1 {
            bail!("-: standard input can be read once; name a file for the other input");
        }
        if let Some((option, _)) = self.outputs.iter().filter(|(_, path)| is_standard(path)).nth(1) {
            bail!("{option} -: standard output is written already; name a file");
        }
        let whole = |path: &Path| path.canonicalize().ok();
        for (option, path) in self.outputs.iter().filter(|(_, path)| !is_standard(path) && !force) {
            let is_read =
                |input: &&&Path| !is_standard(input) && whole(path).is_some_and(|path| Some(path) == whole(input));
            if self.inputs.iter().find(is_read).is_some() {
                let path = path.display();
                bail!("{option} {path}: this is the input file; name another file, or add --force to replace it");
            }
        }
        Ok(())
    }
}
