//! What the ends of help pages say: examples first of all.

/// The command's.
pub(crate) const TOUR: &str = "\
Without a verb, the human built into sinew, one foot on a step, reaches down to a ball; the result is
written to sinew-demo.glb and sinew-demo.svg in the current folder.

Examples:
  sinew                                                    the demonstration
  sinew inspect hero.glb                                   joints, lengths, and what to mend
  sinew solve hero.glb --goal LeftHand=0.3,1.2,0.4 -o posed.glb
  sinew solve --goal RightHand=-0.2,1.4,0.4 --picture reach.svg      the built-in human
  sinew solve walk.bvh --goal LeftHand=20,140,40 -o posed.bvh             motion capture, from a frame in which it stands
  sinew solve ur5e.urdf --goal tool0=0.4,0.2,0.5 --turn tool0=180,0,0     a robot's joint angles
  sinew bake hero.glb Walk --goals goals.json -o out.glb --curves curves.svg      goals over a clip
  sinew plant hero.glb Walk --ground scene.glb -o planted.glb                    feet that stand on a ground
  sinew simulate fox.glb --chain Tail --move stop -o swinging.glb --picture film.svg
  sinew crowd hero.glb --count 10000 --picture crowd.png                         thousands at once
  sinew path ur5e.urdf frames.csv --tip tool0 -o joints.csv
  sinew reach ur5e.urdf tool0 --picture reach.png

`sinew help solve` and `sinew help inspect` say more. Exit status: 0 when it ran, 1 for bad input, 3 with
--strict when a goal was missed.";

/// `sinew solve`'s.
pub(crate) const SOLVE: &str = "\
JOINT is a joint's name, a part of a recognised body (left hand, hips), a part of a name that no other has (case does not matter), or #N, the index of its
node in the file, or its number in a BVH (#N_tip for an end that was added to it); `sinew inspect` lists them. Positions are in the file's scene space: metres, Y up. -o writes .glb, .vrm or .gltf; of a .bvh one
frame as .bvh; of a robot its coordinates as .csv or .json.

Examples:
  sinew solve hero.glb --goal LeftHand=0.3,1.2,0.4 -o posed.glb
  sinew solve hero.glb --goal Foot.L=0.1,0.2,0.1 --pole Foot.L=0.1,0.6,2 --turn Foot.L=0,0,0,1 --picture foot.svg
  sinew solve hero.glb --goal '#12=0.3,1.2,0.4' --base '#12=#9' --reach stretch:1.2 --json
  sinew solve hero.vrm --goal 'left hand=+0,0.3,0.2' --keep head --plant 'left foot'     from where the hand is
  sinew solve hero.glb --goal hand_r=-0.3,1.2,0.4 --weight hand_r=0.5 --strict
  sinew solve hero.glb --aim Head=0.5,1.8,2 --base Head=Spine --up Head=0,1,0       spine, neck and head look there
  sinew solve beast.glb --goal toe_l=0.2,0.1,0.3 --along toe_l=0,-1,0.3             three links, the last one steep
  sinew solve hero.glb --scale Head=1.3 --goal LeftHand=0.3,1.2,0.4                 first the head grows
  sinew solve fox.glb --frame Walk:0.35 --aim Head=60,80,100 --base Head=Neck -o looking.glb     from a clip's pose
  sinew solve --goal LeftIndexTip=0.66,0.91,0.12 --solver three-link            a finger
  sinew solve --solver mass-spring --limits preset --goal RightHand=-0.2,0.4,0.6 --goal LeftFoot=0.09,0.08,0 \
              --goal RightFoot=-0.09,0.08,0 --stand LeftToes --stand RightToes --stand LeftFoot --stand RightFoot

Of a robot (.urdf), JOINT is a link, by its name or a part of it that no other has. Positions are in the root link's frame,
or in that of --base: metres, Z up. The answer is its coordinates, in the order of the file's joints; `sinew inspect`
numbers them, and --seed takes them so, in degrees and metres. A position with --along is five axes: the tool may rotate about its own.

  sinew solve ur5e.urdf --goal tool0=0.4,0.2,0.5 --turn tool0=180,0,0 -o q.csv --picture reach.png
  sinew solve ur5e.urdf --goal tool0=0.4,0.2,0.5 --seed 0,-90,90,0,0,0 --restarts 0 --json     near the seed
  sinew solve ur5e.urdf --goal tool0=0.4,0.2,0.5 --turn tool0=180,0,0 --slack tool0=0.01,0.01,0,5,5,180         roughly so
  sinew solve welder.urdf --goal torch=0.5,0,0.2 --along torch=0,0,-1 --axis torch=1,0,0
  sinew solve g1.urdf --goal left_wrist=0.3,0.2,0.1 --goal right_wrist=0.3,-0.2,0.1 --base torso_link
  sinew solve g1.urdf --goal left_ankle=0,0.1,-0.7 --goal right_wrist=0.3,-0.2,0 --root free     the root moves

With --json, one object on standard output: `rig`, `solver`, `outcome`, `goals` and `joints` (in depth-first
order; `index` is the node's, null for tips that the file lacks), with errors in metres and radians (0 for
what a goal does not ask) and rotations as x, y, z, w; of a robot `rig`, `robot`, `solver`, `outcome`, `goals`,
`coordinates` (radians or metres, with `min`, `max`, the `margin` to the nearer, and by how much they `moved`) and
`links`. A goal's `position_left` and `rotation_left` lead from where its joint ended to the target, in the root's frame.
Exit status: 0 when it ran, also out of reach; 3 with --strict when a goal was missed; 1 for bad input.";

/// `sinew compare`'s.
pub(crate) const COMPARE: &str = "\
`limb by limb` is a closed form for each goal. The others solve all goals together,
`body` as a person would hold itself, `whole` by the one of the others that suits the goals.

Examples:
  sinew compare --goal LeftHand=0.45,1.25,0.4
  sinew compare hero.glb --goal Hand.L=0.3,1.2,0.4 --goal Foot.R=-0.1,0.2,0.1 --picture all.png
  sinew compare hero.glb --goal Hand.L=0.3,1.2,0.4 --base Hand.L=Spine --limits preset --json";

/// `sinew inspect`'s.
pub(crate) const INSPECT: &str = "\
First the joints, each with the index of its node in the file, its name, what it may do, its distance from its
parent, and what part of a body it is. Then the limbs, each with how sure it is (0 to 1) and what it was
recognised by. Last what will cause trouble in inverse kinematics, and what to do about it.

What was recognised is only a guess: --write-sidecar writes it to a file beside the rig, where it can be
corrected: limbs, parts, names, kinds, limits, bends, stiffness and masses. The file says how.

Examples:
  sinew inspect                                  the human built into sinew
  sinew inspect hero.glb --picture hero.png      left limbs blue, right ones orange, with names
  sinew inspect hero.glb --limits preset         with a human's limits on its joints
  sinew inspect hero.glb --write-sidecar         a start for corrections: hero.sinew.toml
  sinew inspect hero.vrm --json
  sinew inspect ur5e.urdf --picture ur5e.png     a robot's joints, limits, masses and arms";
