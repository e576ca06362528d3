// Frames of the robots' poses, as rhumb/serve/scene.h writes them.

export interface Frame {
  step: number;
  episode: number;
  ended: number; // bit i: lane i has ended
  time: number; // seconds since the episode began, at the last pose
  interval: number; // seconds between poses
  poses: number;
  bodies: number;
  lanes: FrameLane[];
}

export interface FrameLane {
  poses: Float32Array; // [poses, bodies, 7]: position, quaternion w first
  realised: Float32Array; // [K], so far
  expected: Float32Array;
  low: Float32Array;
  high: Float32Array;
}

const HEAD_BYTES = 40;

/** Returns null for anything that is not a whole frame. */
export function decodeFrame(buffer: ArrayBuffer): Frame | null {
  if (buffer.byteLength < HEAD_BYTES) return null;
  const view = new DataView(buffer);
  if (view.getUint32(0, true) !== 0x31424852) return null; // "RHB1"
  const word = (index: number) => view.getUint32(4 + 4 * index, true);
  const number = (index: number) => view.getFloat32(4 + 4 * index, true);
  const [lanes, poses, bodies, values] = [word(5), word(6), word(7), word(8)];
  const perLane = poses * bodies * 7 + values;
  if (values % 4 !== 0 || buffer.byteLength !== HEAD_BYTES + 4 * lanes * perLane) return null;
  const frame: Frame = {
    step: word(0),
    episode: word(1),
    ended: word(2),
    time: number(3),
    interval: number(4),
    poses,
    bodies,
    lanes: [],
  };
  for (let lane = 0; lane < lanes; ++lane) {
    let at = HEAD_BYTES + 4 * lane * perLane;
    const take = (count: number) => {
      const part = new Float32Array(buffer, at, count);
      at += 4 * count;
      return part;
    };
    const posesOfLane = take(poses * bodies * 7);
    const width = values / 4;
    frame.lanes.push({
      poses: posesOfLane,
      realised: take(width),
      expected: take(width),
      low: take(width),
      high: take(width),
    });
  }
  return frame;
}
