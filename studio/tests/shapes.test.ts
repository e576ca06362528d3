import { expect, test } from "vitest";
import type { Geom, SceneInfo } from "../src/api";
import { shapeOf } from "../src/shapes";

const base64 = (numbers: Float32Array | Uint32Array) => btoa(String.fromCharCode(...new Uint8Array(numbers.buffer)));

const SCENE = {
  meshes: [
    {
      vertices: base64(new Float32Array([0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0, 1])),
      faces: base64(new Uint32Array([0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3])),
    },
  ],
  fields: [{ rows: 2, columns: 2, size: [1, 1, 5, 1], heights: base64(new Float32Array([0, 1, 0.5, 0])) }],
} as unknown as SceneInfo;
const geom = (type: string, more: Partial<Geom> = {}) => ({ type, size: [1, 2, 3], ...more }) as Geom;

test("a mesh has the corners and faces that the server sent, with flat sides", () => {
  const shape = shapeOf(geom("mesh", { mesh: 0 }), SCENE);
  shape?.computeBoundingBox();
  expect(shape?.getAttribute("position").count).toBe(12);
  expect(shape?.boundingBox?.max.toArray()).toEqual([3, 2, 1]);
  // The first face is the floor: it looks down.
  expect(Array.from(shape?.getAttribute("normal").array.slice(0, 3) ?? []).map((number) => Math.round(number) + 0)).toEqual([0, 0, -1]);
  expect(shapeOf(geom("mesh", { mesh: 7 }), SCENE)).toBeNull();
});

test("a height field rises where its heights do", () => {
  const shape = shapeOf(geom("field", { field: 0 }), SCENE);
  shape?.computeBoundingBox();
  expect(shape?.boundingBox?.max.z).toBe(5);
});

test("boxes and ellipsoids take half sizes", () => {
  for (const type of ["box", "ellipsoid"]) {
    const shape = shapeOf(geom(type), SCENE);
    shape?.computeBoundingBox();
    (shape?.boundingBox?.max.toArray() ?? []).forEach((size, axis) => expect(size).toBeCloseTo(axis + 1, 5));
  }
  expect(shapeOf(geom("plane"), SCENE)).toBeNull();
});
