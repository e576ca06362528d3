// The shapes of MuJoCo as geometries to draw, meshes and height fields too.

import * as THREE from "three";
import { floatsOf, wordsOf, type Geom, type SceneInfo } from "./api";

/** Null for what has no shape of its own. */
export function shapeOf(geom: Geom, info: SceneInfo): THREE.BufferGeometry | null {
  const [a, b, c] = geom.size;
  switch (geom.type) {
    case "sphere":
      return new THREE.SphereGeometry(a, 32, 20);
    case "ellipsoid":
      return new THREE.SphereGeometry(1, 32, 20).scale(a, b, c);
    case "capsule":
      return new THREE.CapsuleGeometry(a, 2 * b, 10, 24).rotateX(Math.PI / 2);
    case "cylinder":
      return new THREE.CylinderGeometry(a, a, 2 * b, 32).rotateX(Math.PI / 2);
    case "box":
      return new THREE.BoxGeometry(2 * a, 2 * b, 2 * c);
    case "mesh": {
      const mesh = info.meshes[geom.mesh ?? -1];
      if (!mesh) return null;
      const indexed = new THREE.BufferGeometry();
      indexed.setAttribute("position", new THREE.BufferAttribute(floatsOf(mesh.vertices), 3));
      indexed.setIndex(new THREE.BufferAttribute(wordsOf(mesh.faces), 1));
      const flat = indexed.toNonIndexed();
      flat.computeVertexNormals();
      return flat;
    }
    case "field": {
      const field = info.fields[geom.field ?? -1];
      if (!field) return null;
      const plane = new THREE.PlaneGeometry(2 * field.size[0], 2 * field.size[1], field.columns - 1, field.rows - 1);
      const heights = floatsOf(field.heights);
      const places = plane.getAttribute("position");
      for (let row = 0; row < field.rows; ++row) {
        for (let column = 0; column < field.columns; ++column) {
          // MuJoCo's rows go up in y, those of the plane down.
          const vertex = (field.rows - 1 - row) * field.columns + column;
          places.setZ(vertex, heights[row * field.columns + column] * field.size[2]);
        }
      }
      plane.computeVertexNormals();
      return plane;
    }
    default:
      return null;
  }
}
