// The robots in 3D, from the shapes that the server sends. z is up, as in MuJoCo.

import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { ShadowMesh } from "three/addons/objects/ShadowMesh.js";
import type { SceneInfo } from "./api";
import type { Poses } from "./playback";
import { shapeOf } from "./shapes";
import { ink } from "./theme";

const SOFTWARE_PERIOD_MS = 30;

function isSoftware(): boolean {
  const gl = document.createElement("canvas").getContext("webgl2");
  const details = gl?.getExtension("WEBGL_debug_renderer_info");
  const name = gl && details ? String(gl.getParameter(details.UNMASKED_RENDERER_WEBGL)) : "";
  gl?.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|software/i.test(name);
}

const LANE_COLOURS = [0x4ea1ff, 0xf2952c];

function quaternion(numbers: ArrayLike<number>, at = 0): THREE.Quaternion {
  return new THREE.Quaternion(numbers[at + 1], numbers[at + 2], numbers[at + 3], numbers[at]);
}

class Robot {
  readonly group = new THREE.Group();
  readonly bodies: THREE.Group[];
  readonly shadows: ShadowMesh[] = [];
  private readonly materials: { material: THREE.MeshStandardMaterial; own: THREE.Color }[] = [];

  constructor(
    info: SceneInfo,
    readonly lane: number,
    castsFlatly: boolean,
  ) {
    this.bodies = info.bodies.map(() => new THREE.Group());
    this.bodies.forEach((body, index) => {
      body.userData.body = index;
      this.group.add(body);
    });
    for (const geom of info.geoms) {
      if (geom.type === "plane") continue;
      const shape = shapeOf(geom, info);
      if (!shape) continue;
      const [r, g, b, alpha] = geom.colour;
      const own = new THREE.Color().setRGB(r, g, b, THREE.SRGBColorSpace);
      const material = new THREE.MeshStandardMaterial({
        color: own.clone(),
        roughness: 0.55,
        metalness: 0.05,
        transparent: alpha < 1,
        opacity: alpha,
        side: geom.type === "field" ? THREE.DoubleSide : THREE.FrontSide,
      });
      this.materials.push({ material, own });
      const mesh = new THREE.Mesh(shape, material);
      mesh.position.set(...geom.position);
      mesh.quaternion.copy(quaternion(geom.quaternion));
      mesh.castShadow = geom.body > 0;
      if (castsFlatly && geom.body > 0) {
        const shadow = new ShadowMesh(mesh);
        const dark = shadow.material as THREE.MeshBasicMaterial;
        dark.opacity = 0.38;
        dark.fog = false; // the projection gives it no distance
        this.shadows.push(shadow);
      }
      mesh.receiveShadow = true;
      mesh.userData.body = geom.body;
      this.bodies[geom.body]?.add(mesh);
    }
  }

  /** Two robots wear the colours of their lanes. */
  tint(compared: boolean): void {
    const lane = new THREE.Color(LANE_COLOURS[this.lane]);
    for (const { material, own } of this.materials) material.color.copy(own).lerp(lane, compared ? 0.75 : 0);
  }

  pose(from: Float32Array, to: Float32Array, share: number): void {
    const q = new THREE.Quaternion();
    this.bodies.forEach((body, index) => {
      const at = 7 * index;
      body.position.set(
        from[at] + share * (to[at] - from[at]),
        from[at + 1] + share * (to[at + 1] - from[at + 1]),
        from[at + 2] + share * (to[at + 2] - from[at + 2]),
      );
      q.copy(quaternion(to, at + 3));
      body.quaternion.copy(quaternion(from, at + 3)).slerp(q, share);
    });
  }

  dispose(): void {
    this.group.traverse((object) => {
      if (object instanceof THREE.Mesh) (object.geometry as THREE.BufferGeometry).dispose();
    });
    for (const shadow of this.shadows) shadow.removeFromParent();
    for (const { material } of this.materials) material.dispose();
    this.group.removeFromParent();
  }
}

function checker(dark: string, light: string): THREE.CanvasTexture {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 128;
  const pen = canvas.getContext("2d");
  if (pen) {
    pen.fillStyle = dark;
    pen.fillRect(0, 0, 128, 128);
    pen.fillStyle = light;
    pen.fillRect(0, 0, 64, 64);
    pen.fillRect(64, 64, 64, 64);
  }
  const texture = new THREE.CanvasTexture(canvas);
  texture.wrapS = texture.wrapT = THREE.RepeatWrapping;
  texture.colorSpace = THREE.SRGBColorSpace;
  texture.anisotropy = 8;
  return texture;
}

export interface SceneEvents {
  push(lane: number, body: number, force: [number, number, number]): void;
}

export class Scene {
  readonly canvas: HTMLCanvasElement;
  pushing = false; // whether a drag pushes the robot instead of turning the camera
  framesDrawn = 0;
  private readonly renderer: THREE.WebGLRenderer;
  private readonly scene = new THREE.Scene();
  private readonly camera = new THREE.PerspectiveCamera(40, 1, 0.01, 500);
  private readonly orbit: OrbitControls;
  private readonly sun = new THREE.DirectionalLight(0xffffff, 2.2);
  private readonly sky = new THREE.HemisphereLight(0xffffff, 0x8899aa, 1.1);
  private floor: THREE.Mesh<THREE.PlaneGeometry, THREE.MeshStandardMaterial> | null = null;
  private readonly arrow = new THREE.ArrowHelper(new THREE.Vector3(0, 0, 1), new THREE.Vector3(), 1, 0xd55e00);
  private robots: Robot[] = [];
  private info: SceneInfo | null = null;
  private followed = new THREE.Vector3();
  private spacing = 1;
  private grab: { robot: Robot; body: number; local: THREE.Vector3; plane: THREE.Plane; target: THREE.Vector3 } | null =
    null;
  private lastPush = 0;
  private pointer = { clientX: 0, clientY: 0 };
  private readonly software: boolean;
  private lastDraw = 0;
  private size = [0, 0];

  constructor(
    private readonly host: HTMLElement,
    private readonly playback: Poses,
    private readonly events: SceneEvents,
  ) {
    this.software = isSoftware();
    this.renderer = new THREE.WebGLRenderer({ antialias: !this.software, stencil: true });
    this.renderer.toneMapping = THREE.ACESFilmicToneMapping;
    this.canvas = this.renderer.domElement;
    this.canvas.setAttribute("aria-label", "the robot; drag to turn, shift and drag to push");
    host.append(this.canvas);
    this.camera.up.set(0, 0, 1);
    this.orbit = new OrbitControls(this.camera, this.canvas);
    this.orbit.enableDamping = true;
    this.orbit.dampingFactor = 0.12;
    this.orbit.maxPolarAngle = Math.PI * 0.495;
    this.scene.add(this.sky, this.sun, this.sun.target, this.arrow);
    this.arrow.visible = false;
    this.canvas.addEventListener("pointerdown", (event) => this.down(event), { capture: true });
    this.canvas.addEventListener("pointermove", (event) => this.move(event));
    for (const name of ["pointerup", "pointercancel"] as const) {
      this.canvas.addEventListener(name, () => this.up());
    }
    this.applyTheme();
  }

  setScene(info: SceneInfo): void {
    for (const robot of this.robots) robot.dispose();
    this.robots = [];
    this.info = info;
    this.spacing = Math.max(1, 0.35 * info.camera.distance);
    this.applyTheme();
    this.resetCamera();
  }

  resetCamera(): void {
    if (!this.info) return;
    const { distance, azimuth, elevation, lookat } = this.info.camera;
    const body = this.robots[0]?.bodies[Math.max(this.info.camera.body, 0)];
    this.followed.set(body?.position.x ?? 0, body?.position.y ?? 0, 0);
    this.orbit.target.set(this.followed.x + lookat[0], this.followed.y + lookat[1], lookat[2]);
    const [turn, rise] = [(azimuth * Math.PI) / 180, (elevation * Math.PI) / 180];
    // A little from the side, so that planar robots look solid.
    const ahead = new THREE.Vector3(
      Math.cos(turn - 0.35) * Math.cos(rise),
      Math.sin(turn - 0.35) * Math.cos(rise),
      Math.sin(rise),
    );
    this.camera.position.copy(this.orbit.target).addScaledVector(ahead, -distance * 0.95);
    const reach = Math.max(distance, 1);
    this.camera.near = reach / 100;
    this.camera.far = reach * 60;
    this.camera.updateProjectionMatrix();
    this.scene.fog = new THREE.Fog(this.background(), reach * 2.5, reach * 9);
  }

  private background(): THREE.Color {
    return new THREE.Color(ink("--sky"));
  }

  applyTheme(): void {
    this.scene.background = this.background();
    if (this.scene.fog instanceof THREE.Fog) this.scene.fog.color.copy(this.background());
    if (this.floor) {
      this.floor.material.map?.dispose();
      this.floor.material.dispose();
      this.floor.geometry.dispose();
      this.floor.removeFromParent();
      this.floor = null;
    }
    const plane = this.info?.geoms.find((geom) => geom.type === "plane");
    if (!plane || !this.info) return;
    const reach = this.info.camera.distance * 24;
    const texture = checker(ink("--floor-dark"), ink("--floor-light"));
    texture.repeat.set(reach / 2, reach / 2);
    this.floor = new THREE.Mesh(
      new THREE.PlaneGeometry(reach, reach),
      new THREE.MeshStandardMaterial({ map: texture, roughness: 0.95 }),
    );
    this.floor.receiveShadow = true;
    this.floor.position.z = plane.position[2];
    this.scene.add(this.floor);
  }

  /** `busy`: an answer is on its way. */
  draw(now: number, busy: boolean): void {
    // Without a graphics card, drawing takes the time that answers need.
    if (this.software && now - this.lastDraw < SOFTWARE_PERIOD_MS * (busy ? 3 : 1)) return;
    this.lastDraw = now;
    this.resize();
    const shown = this.playback.sample(now);
    if (shown && this.info) {
      while (this.robots.length > shown.to.length) this.robots.pop()?.dispose();
      while (this.robots.length < shown.to.length) {
        const robot = new Robot(this.info, this.robots.length, this.floor !== null);
        this.robots.push(robot);
        this.scene.add(robot.group, ...robot.shadows);
      }
      const compared = this.robots.length > 1;
      this.robots.forEach((robot, lane) => {
        robot.tint(compared);
        // Side by side, away from the camera's side.
        robot.group.position.y = lane * this.spacing;
        robot.pose(shown.from[lane], shown.to[lane], shown.share);
      });
      this.follow();
    }
    if (this.grab) this.keepPushing(now);
    this.orbit.update();
    this.castShadows();
    this.renderer.render(this.scene, this.camera);
    ++this.framesDrawn;
  }

  private follow(): void {
    if (!this.info || this.info.camera.body < 0) return;
    const body = this.robots[0]?.bodies[this.info.camera.body];
    if (!body) return;
    const shift = new THREE.Vector3(body.position.x - this.followed.x, body.position.y - this.followed.y, 0);
    // A new episode begins elsewhere: jump.
    this.followed.add(shift);
    this.orbit.target.add(shift);
    this.camera.position.add(shift);
    const reach = this.info.camera.distance;
    this.sun.target.position.copy(this.orbit.target);
    this.sun.position.copy(this.orbit.target).add(new THREE.Vector3(-0.4 * reach, -0.8 * reach, 2 * reach));
    if (this.floor) {
      // The floor goes along in whole tiles, so it has no end.
      this.floor.position.x = Math.round(this.followed.x / 4) * 4;
      this.floor.position.y = Math.round(this.followed.y / 4) * 4;
    }
  }

  /** Shadows lie flat on the floor: cheap, and sharp on any machine. */
  private castShadows(): void {
    if (!this.floor) return;
    const plane = new THREE.Plane(new THREE.Vector3(0, 0, 1), this.floor.position.z + 0.003);
    const from = new THREE.Vector4(this.sun.position.x, this.sun.position.y, this.sun.position.z, 1);
    for (const robot of this.robots) {
      robot.group.updateMatrixWorld();
      for (const shadow of robot.shadows) shadow.update(plane, from);
    }
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.host;
    if (width === this.size[0] && height === this.size[1]) return;
    if (width === 0 || height === 0) return;
    this.size = [width, height];
    this.renderer.setPixelRatio(this.software ? 0.8 : Math.min(window.devicePixelRatio, 2));
    this.renderer.setSize(width, height);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
  }

  // --- pushing -----------------------------------------------------------------------------------

  private ray(event: { clientX: number; clientY: number }): THREE.Raycaster {
    const box = this.canvas.getBoundingClientRect();
    const pointer = new THREE.Vector2(
      ((event.clientX - box.left) / box.width) * 2 - 1,
      1 - ((event.clientY - box.top) / box.height) * 2,
    );
    const ray = new THREE.Raycaster();
    ray.setFromCamera(pointer, this.camera);
    return ray;
  }

  private down(event: PointerEvent): void {
    if (!(event.shiftKey || this.pushing) || event.button !== 0) return;
    const hits = this.ray(event).intersectObjects(
      this.robots.map((robot) => robot.group),
      true,
    );
    const hit = hits.find((one) => (one.object.userData.body as number) > 0);
    const found = hit ? { mesh: hit.object, point: hit.point } : this.nearestPart(event);
    if (!found) return;
    const body = found.mesh.userData.body as number;
    const robot = this.robots.find((one) => one.bodies[body] === found.mesh.parent);
    if (!robot) return;
    event.stopImmediatePropagation();
    event.preventDefault();
    this.move(event);
    this.canvas.setPointerCapture(event.pointerId);
    const facing = this.camera.getWorldDirection(new THREE.Vector3());
    this.grab = {
      robot,
      body,
      local: robot.bodies[body].worldToLocal(found.point.clone()),
      plane: new THREE.Plane().setFromNormalAndCoplanarPoint(facing, found.point),
      target: found.point.clone(),
    };
    this.orbit.enabled = false;
  }

  /** The part whose centre is nearest to the pointer, within 90 pixels: robots move fast. */
  private nearestPart(event: PointerEvent): { mesh: THREE.Object3D; point: THREE.Vector3 } | null {
    const box = this.canvas.getBoundingClientRect();
    let best: { mesh: THREE.Object3D; point: THREE.Vector3 } | null = null;
    let least = 90;
    for (const robot of this.robots) {
      robot.group.traverse((mesh) => {
        if (!(mesh instanceof THREE.Mesh) || !((mesh.userData.body as number) > 0)) return;
        const point = mesh.getWorldPosition(new THREE.Vector3());
        const seen = point.clone().project(this.camera);
        const distance = Math.hypot(
          ((seen.x + 1) / 2) * box.width - (event.clientX - box.left),
          ((1 - seen.y) / 2) * box.height - (event.clientY - box.top),
        );
        if (distance < least) [best, least] = [{ mesh, point }, distance];
      });
    }
    return best;
  }

  private move(event: PointerEvent): void {
    this.pointer = { clientX: event.clientX, clientY: event.clientY };
  }

  private up(): void {
    if (!this.grab) return;
    this.events.push(this.grab.robot.lane, this.grab.body, [0, 0, 0]);
    this.grab = null;
    this.arrow.visible = false;
    this.orbit.enabled = true;
  }

  /** A spring from the grabbed point to the pointer, as heavy as the robot. */
  private keepPushing(now: number): void {
    if (!this.grab || !this.info) return;
    const { robot, body, local, plane, target } = this.grab;
    const from = robot.bodies[body].localToWorld(local.clone());
    // The camera goes along with the robot, and so does what the pointer points at.
    plane.constant = -plane.normal.dot(from);
    this.ray(this.pointer).ray.intersectPlane(plane, target);
    const pull = target.clone().sub(from);
    const length = pull.length();
    this.arrow.visible = length > 0.02;
    if (length > 0.02) {
      this.arrow.position.copy(from);
      this.arrow.setDirection(pull.clone().normalize());
      this.arrow.setLength(length, Math.min(0.2, length / 3), Math.min(0.1, length / 5));
    }
    if (now - this.lastPush < 40) return;
    this.lastPush = now;
    const mass = this.info.masses.reduce((sum, one) => sum + one, 0);
    const force = pull.multiplyScalar(20 * mass).clampLength(0, 30 * mass);
    this.events.push(robot.lane, body, [force.x, force.y, force.z]);
  }
}
