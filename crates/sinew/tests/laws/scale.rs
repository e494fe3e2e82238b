//! Scale goals under the laws.

use sinew::laws::{Law, SIZES, Subject, Task, rigs};
use sinew::solve::scale::Distribution;
use sinew::{ScaleTarget, Skeleton, Solver};

fn scale(make: fn(&Skeleton, &rigs::Rig) -> Box<dyn Solver>) -> Subject {
    let rigs: &[sinew::laws::MakeRig] =
        &[rigs::free_limb, rigs::hinged_limb, rigs::free_three_link, rigs::limited_spine];
    Subject { task: Task::Scale, ..Subject::new("scale", rigs, make) }
}

laws! {
    root_first: scale(|_, _| Box::new(ScaleTarget { ranges: [SIZES; 3], ..ScaleTarget::default() }));
    even: scale(|_, _| {
        Box::new(ScaleTarget { ranges: [SIZES; 3], distribution: Distribution::Even, ..ScaleTarget::default() })
    });
    free: Subject {
        excused: &[
            (Law::UnreachableIsNearest, "without limits every scale is in reach"),
        ],
        ..scale(|_, _| Box::new(ScaleTarget::default()))
    };
}
