//! Every method on the same problems in one process, turn by turn, so that what else the machine
//! does falls on all alike.

use std::collections::BTreeMap;

use anyhow::Result;

use crate::judge::limbs::{Class, judge};
use crate::limb::Limb;
use crate::methods::{Entry, METHODS};
use crate::runner::Runner;
use crate::table::{self, median};
use crate::timing::{BLOCK, blocks, pass};

/// A column for each class follows, of another width.
const COLUMNS: [(&str, usize); 6] =
    [("method", 21), ("version", 17), ("what", 41), ("ns", 7), ("NaN", 5), ("pole deg", 8)];
const CLASS: usize = 11;
/// Turns that each method gets on each block.
const ROUNDS: usize = 7;
/// Names of the same method, which one run need not tell apart.
const ALIASES: [&str; 2] = ["auto", "two-bone"];

#[derive(Debug)]
struct Contender {
    entry: &'static Entry,
    runner: Box<dyn Runner>,
    hot: Vec<f64>,
}

/// The table of all methods: median time of a call in blocks of [`BLOCK`], and for each class of
/// problems the largest error over the limb's length.
pub fn table(limbs: &[Limb]) -> Result<String> {
    let entries = METHODS.iter().filter(|entry| !ALIASES.contains(&entry.name));
    let contender = |entry: &'static Entry| Ok(Contender { entry, runner: entry.prepare(limbs)?, hot: Vec::new() });
    let mut contenders = entries.map(contender).collect::<Result<Vec<_>>>()?;
    for block in blocks(limbs.len(), BLOCK) {
        for _ in 0..ROUNDS {
            for contender in &mut contenders {
                // Once to fetch the data that the others pushed out of the cache.
                contender.runner.solve(block.clone());
                let time = pass(&mut *contender.runner, block.clone());
                contender.hot.push(time.as_nanos() as f64 / block.len() as f64);
            }
        }
    }
    let judged = contenders.iter().map(|contender| {
        let answers = (0..limbs.len()).map(|i| (&limbs[i], contender.runner.answer(i)));
        (contender, judge(answers))
    });
    Ok(render(limbs, judged))
}

fn render<'a>(limbs: &[Limb], judged: impl Iterator<Item = (&'a Contender, BTreeMap<u32, Class>)>) -> String {
    let title = format!("{} limbs; ns of thread CPU time a call; worst error / limb length by class", limbs.len());
    let mut lines = vec![title];
    for (row, (contender, classes)) in judged.enumerate() {
        if row == 0 {
            let heads = classes.iter().map(|(class, verdict)| format!("c{class} ({})", verdict.count));
            lines.push(line(COLUMNS.map(|(name, _)| name.to_owned()), heads));
        }
        let Entry { name, version, what, .. } = contender.entry;
        let broken: usize = classes.values().map(|verdict| verdict.broken).sum();
        let pole = classes.values().map(|verdict| verdict.pole).fold(0.0, f64::max);
        let numbers = [format!("{:.1}", median(contender.hot.clone())), broken.to_string(), format!("{pole:.1e}")];
        let [ns, broken, pole] = numbers;
        let errors = classes.values().map(|verdict| format!("{:.1e}", verdict.error));
        lines.push(line([(*name).into(), (*version).into(), (*what).into(), ns, broken, pole], errors));
    }
    lines.join("\n")
}

fn line(cells: [String; 6], classes: impl Iterator<Item = String>) -> String {
    let widths = COLUMNS.map(|(_, width)| width);
    table::line(widths.into_iter().zip(cells).chain(classes.map(|cell| (CLASS, cell))))
}
