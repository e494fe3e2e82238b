//! What the ends of help pages say: examples first of all.

/// The command's.
pub(crate) const TOUR: &str = "\
Without a command, sinew shows the built-in human: one foot on a step, reaching down to a ball.
It writes sinew-demo.glb and sinew-demo.svg to the current folder.

Examples:
  sinew                                                    the demonstration
  sinew inspect hero.glb                                   joints, lengths, and what to correct
  sinew solve hero.glb --goal LeftHand=0.3,1.2,0.4 -o posed.glb
  sinew solve --goal RightHand=-0.2,1.4,0.4 --picture reach.svg      the built-in human
  sinew solve walk.bvh --goal LeftHand=20,140,40 -o posed.bvh
      motion capture, from a frame in which the person stands
  sinew solve ur5e.urdf --goal tool0=0.4,0.2,0.5 --turn tool0=180,0,0     a robot's joint angles
  sinew bake hero.glb Walk --goals goals.json -o out.glb --curves curves.svg
      goals during a clip
  sinew plant hero.glb Walk --ground scene.glb -o planted.glb   feet that stand on the ground
  sinew walk dog.glb --path circle -o walking.glb                 legs that walk by themselves
  sinew simulate fox.glb --chain Tail --move stop -o swinging.glb --picture film.svg
  sinew crowd hero.glb --count 10000 --picture crowd.png   thousands at once
  sinew path ur5e.urdf frames.csv --tip tool0 -o joints.csv
  sinew reach ur5e.urdf tool0 --picture reach.png

`sinew help COMMAND` says more of each. Exit status: 0 when it ran, 1 for bad input, 3 with
--strict when a goal is missed.";

/// `sinew solve`'s.
pub(crate) const SOLVE: &str = "\
JOINT is one of: the name of a joint; a part of a name that fits no other joint (case does not
matter); a part of a recognised body (left hand, hips); or #N, the index of a node in the file
or of a joint in a BVH (#N_tip for an end that sinew added to it). `sinew inspect` lists them.
Positions are in the scene space of the file: metres and Y up in glTF. -o writes .glb, .vrm or
.gltf; of a .bvh one frame as .bvh; of a robot its joint values as .csv or .json.

Examples:
  sinew solve hero.glb --goal LeftHand=0.3,1.2,0.4 -o posed.glb
  sinew solve hero.glb --goal Foot.L=0.1,0.2,0.1 --pole Foot.L=0.1,0.6,2 --turn Foot.L=0,0,0,1 \\
              --picture foot.svg
  sinew solve hero.glb --goal '#12=0.3,1.2,0.4' --base '#12=#9' --reach stretch:1.2 --json
  sinew solve hero.vrm --goal 'left hand=@0.15,0.6,0.25' --keep head --plant 'left foot'
      left, up and ahead of the hips' place on the floor, in body heights
  sinew solve hero.glb --goal 'left hand=+0,0.3,0.2'            measured from where the hand is
  sinew solve hero.glb --goal hand_r=-0.3,1.2,0.4 --weight hand_r=0.5 --strict
  sinew solve hero.glb --aim Head=0.5,1.8,2 --base Head=Spine --up Head=0,1,0
      spine, neck and head turn
  sinew solve beast.glb --goal toe_l=0.2,0.1,0.3 --along toe_l=0,-1,0.3
      three links; the direction of the last
  sinew solve hero.glb --scale Head=1.3 --goal LeftHand=0.3,1.2,0.4   the head grows first
  sinew solve fox.glb --frame Walk:0.35 --aim Head=60,80,100 --base Head=Neck -o looking.glb
      from the pose of a clip
  sinew solve --goal LeftIndexTip=0.66,0.91,0.12 --solver three-link            a finger
  sinew solve --solver mass-spring --limits preset --goal RightHand=-0.2,0.4,0.6 \\
              --goal LeftFoot=0.09,0.08,0 --goal RightFoot=-0.09,0.08,0 \\
              --stand LeftToes --stand RightToes --stand LeftFoot --stand RightFoot

For a robot (.urdf), JOINT is a link: its name, or a part of it that fits no other link.
Positions are in the frame of the root link, or of --base: metres, Z up. The answer is one value
for each coordinate, in the order of the file's joints. `sinew inspect` numbers the coordinates;
--seed takes them in that order, in degrees and metres. --goal with --along leaves the tool free
to rotate about its axis (five axes).

  sinew solve ur5e.urdf --goal tool0=0.4,0.2,0.5 --turn tool0=180,0,0 -o q.csv --picture reach.png
  sinew solve ur5e.urdf --goal tool0=0.4,0.2,0.5 --seed 0,-90,90,0,0,0 --restarts 0 --json
      stays near the seed
  sinew solve ur5e.urdf --goal tool0=0.4,0.2,0.5 --turn tool0=180,0,0 \\
              --slack tool0=0.01,0.01,0,5,5,180
      within a slack
  sinew solve welder.urdf --goal torch=0.5,0,0.2 --along torch=0,0,-1 --axis torch=1,0,0
  sinew solve g1.urdf --goal left_wrist_yaw_link=0.3,0.2,0.1 \\
              --goal right_wrist_yaw_link=0.3,-0.2,0.1 --base torso_link
  sinew solve g1.urdf --goal left_ankle_roll_link=0,0.1,-0.7 \\
              --goal right_wrist_yaw_link=0.3,-0.2,0 --root free           the root moves

With --json, one object on standard output: `rig`, `solver`, `outcome`, `goals` and `joints` (in
depth-first order; `index` is that of the node, null for tips that the file lacks), `written`
and `notes`. Errors are in metres and radians, 0 for what a goal does not ask; rotations are x,
y, z, w. Of a robot: `rig`, `robot`, `solver`, `outcome`, `goals`, `coordinates` (radians or
metres, with `min`, `max`, the `margin` to the nearer limit, and how far they `moved`), `links`,
`written`, `notes`. `position_left` and `rotation_left` of a goal lead from where its joint
ended to the target, in the frame of the root. Exit status: 0 when it ran, also when a goal is
out of reach; 3 with --strict when a goal is missed; 1 for bad input.";

/// `sinew compare`'s.
pub(crate) const COMPARE: &str = "\
`limb by limb` solves each goal by itself, in closed form. The others solve all goals together:
`body` as people hold themselves, `whole` by the general solver that suits the goals.

Examples:
  sinew compare --goal LeftHand=0.45,1.25,0.4
  sinew compare hero.glb --goal Hand.L=0.3,1.2,0.4 --goal Foot.R=-0.1,0.2,0.1 --picture all.png
  sinew compare hero.glb --goal Hand.L=0.3,1.2,0.4 --base Hand.L=Spine --limits preset --json";

/// `sinew inspect`'s.
pub(crate) const INSPECT: &str = "\
The report lists the joints first: the index of the node in the file, name, kind, distance from
the parent, position, and the part of a body that it is. Then the limbs, each with a confidence
from 0 to 1 and what it was recognised by. Then the clips of the file: number, name and length.
Then advice: what will cause trouble in inverse kinematics, and what to do about it.

Recognition is a guess. --write-sidecar writes it to a file beside the rig, where it can be
corrected: limbs, parts, names, kinds, limits, bends, stiffness and masses. The file explains
how.

Examples:
  sinew inspect                                  the built-in human
  sinew inspect hero.glb --picture hero.png      left limbs blue, right ones orange, with names
  sinew inspect hero.glb --limits preset         with a human's limits on its joints
  sinew inspect hero.glb --write-sidecar         hero.sinew.toml, to be corrected
  sinew inspect hero.vrm --json
  sinew inspect ur5e.urdf --picture ur5e.png     a robot's joints, limits, masses and arms";
