"""What gait.py and feet.py share: options, a pool of commands, and the comparison with an older table."""
import argparse
import json
import pathlib
from concurrent.futures import ThreadPoolExecutor


def options(doc):
    """The options of both; a script adds its own."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sinew")
    parser.add_argument("data", type=pathlib.Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--ground", default="")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--save", type=pathlib.Path)
    parser.add_argument("--than", type=pathlib.Path)
    return parser


class Measures:
    """Measures by name, whose last word is the ground, now and in an older table. A text says why there are none."""

    def __init__(self, args, jobs, measure):
        """Calls `measure` with what `jobs` has for each name."""
        with ThreadPoolExecutor(args.jobs) as pool:
            results = list(pool.map(lambda job: measure(*job), jobs.values()))
        self.now = dict(zip(jobs, results))
        self.old = json.loads(args.than.read_text()) if args.than else {}
        if args.save:
            args.save.write_text(json.dumps(self.now, indent=1))

    def print_rows(self, widths, row, noise):
        """A line each: the words of its name, `row` of its measures, and those that changed by more than `noise` of the measure and
        its old value."""
        for name, one in self.now.items():
            head = "".join(f"{word:<{width}}" for word, width in zip(name.split(" "), widths))
            if isinstance(one, str):
                print(f"{head}  {one}")
                continue
            was = self.old.get(name)
            changes = [f"{what} {was[what]:.2f}" for what in one if isinstance(was, dict) and isinstance(was.get(what), (int, float))
                       and abs(was[what] - one[what]) > noise(what, was[what])]
            print(head + row(name.split(" ")[-1], one) + ("  was " + ", ".join(changes) if changes else ""))

    def print_sums(self, grounds, count):
        """A line for each ground, of the older table and of this: `count` of all that was measured there."""
        for side, measures in (("was", self.old), ("is", self.now)):
            for ground in grounds:
                ones = [one for name, one in measures.items()
                        if name in self.now and name.split(" ")[-1] == ground and isinstance(one, dict)]
                if ones:
                    print(f"{side:<4}{ground:<9} {count(ground, ones)}")
