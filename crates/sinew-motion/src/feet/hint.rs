//! What a caller knows of feet in a frame: when they touch, land and lift.

use glam::{DAffine3, DVec3};

/// How many moments of a swing are told of.
pub const SWING_MOMENTS: usize = 17;

/// Where and when a foot comes down next in the clip.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Landing {
    /// Seconds until then.
    pub time: f64,
    /// Heel and ball in the clip then (model space).
    pub soles: [DVec3; 2],
    /// How fast the lower of them moves then (metres a second).
    pub velocity: DVec3,
    /// Offset along the ground from where the clip's foot lands to where it is to land (metres). `Contacts` takes the mean place of the
    /// clip's foot while it touches, so that the foot stays nearest to the clip. Zero lands where the clip does.
    pub shift: DVec3,
    /// The same for its rotation about up (radians).
    pub turn: f64,
    /// How high over the ground the lower of them is to be then (metres): 0 where it lands.
    pub height: f64,
    /// Vector from the hip to the ankle in the clip then, by which the body comes down in time. Zero where that is not known.
    pub leg: DVec3,
}

/// When a foot lifts in the clip, and how its leg is then.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Leaving {
    /// Seconds until then.
    pub time: f64,
    /// Vector from the hip then to where the ankle would be, had the foot stayed where it came down (model space).
    pub leg: DVec3,
}

/// What the caller knows of a foot in a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FootHint {
    /// Whether it touches; found from height and speed where this is `None`.
    pub touches: Option<bool>,
    /// Where it comes down next. While it still touches, it rises by this just before it lifts, where a riser is close ahead.
    pub landing: Option<Landing>,
    /// When it lifts next, also while it is still in the air before that touch. By it the body comes down in time.
    pub leaving: Option<Leaving>,
    /// Seconds since it lifted, while it is in the air; 0 where it touches or that is not known.
    pub lifted: f64,
    /// Heel, ball and tip of the toes (the ball again where there are no toes; model space), and the vector from the hip to the ankle, in the
    /// clip at evenly spaced moments from lifting to that landing. By these the foot goes over what is in its way, and no higher, and the body is
    /// neither too high for the leg to reach nor too low for it to fold.
    pub swing: Option<[[DVec3; 4]; SWING_MOMENTS]>,
}

/// What is known in a frame.
#[derive(Clone, Copy, Debug, Default)]
pub struct FeetStep<'a> {
    /// Seconds since the last frame; 0 or less starts anew.
    pub dt: f64,
    /// A hint a foot, such as [`Contacts::hints`](crate::Contacts::hints) gives; nothing is known of feet that have none.
    pub hints: &'a [FootHint],
}

impl FootHint {
    /// The hint after a rigid motion of model space that keeps up. Hints lie where the contacts were found; this brings them to
    /// where an actor plays the clip.
    #[must_use]
    pub fn moved(mut self, motion: &DAffine3) -> Self {
        let (point, vector) = (|point| motion.transform_point3(point), |vector| motion.transform_vector3(vector));
        if let Some(landing) = &mut self.landing {
            landing.soles = landing.soles.map(point);
            [landing.velocity, landing.shift, landing.leg] = [landing.velocity, landing.shift, landing.leg].map(vector);
        }
        if let Some(leaving) = &mut self.leaving {
            leaving.leg = vector(leaving.leg);
        }
        for [heel, ball, tip, leg] in self.swing.iter_mut().flatten() {
            [*heel, *ball, *tip] = [*heel, *ball, *tip].map(point);
            *leg = vector(*leg);
        }
        self
    }
}
