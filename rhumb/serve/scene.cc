#include "rhumb/serve/scene.h"

#include <bit>
#include <cstring>
#include <nlohmann/json.hpp>

#include "rhumb/core/error.h"
#include "rhumb/serve/base64.h"
#include "rhumb/sim/renderer.h"

namespace rhumb::serve {
namespace {

using nlohmann::json;

static_assert(std::endian::native == std::endian::little, "frames and meshes are little endian");

constexpr int kShownGroups = 3;

const char* NameOf(int type) {
  switch (type) {
    case mjGEOM_PLANE:
      return "plane";
    case mjGEOM_HFIELD:
      return "field";
    case mjGEOM_SPHERE:
      return "sphere";
    case mjGEOM_CAPSULE:
      return "capsule";
    case mjGEOM_ELLIPSOID:
      return "ellipsoid";
    case mjGEOM_CYLINDER:
      return "cylinder";
    case mjGEOM_BOX:
      return "box";
    case mjGEOM_MESH:
      return "mesh";
    default:
      return "";
  }
}

template <class Number>
json List(const Number* first, int count) {
  return std::vector<double>(first, first + count);
}

json DescribeMesh(const mjModel& model, int mesh) {
  const auto vertices = static_cast<std::size_t>(model.mesh_vertnum[mesh]) * 3;
  const auto faces = static_cast<std::size_t>(model.mesh_facenum[mesh]) * 3;
  return {
      {"vertices", ToBase64(std::span(
                       model.mesh_vert + std::ptrdiff_t{model.mesh_vertadr[mesh]} * 3, vertices))},
      {"faces",
       ToBase64(std::span(model.mesh_face + std::ptrdiff_t{model.mesh_faceadr[mesh]} * 3, faces))}};
}

json DescribeField(const mjModel& model, int field) {
  const int rows = model.hfield_nrow[field], columns = model.hfield_ncol[field];
  return {{"rows", rows},
          {"columns", columns},
          {"size", List(model.hfield_size + std::ptrdiff_t{field} * 4, 4)},
          {"heights", ToBase64(std::span(
                          model.hfield_data + model.hfield_adr[field],
                          static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns)))}};
}

}  // namespace

json DescribeScene(const sim::Environment& environment) {
  const mjModel& model = *environment.model();
  json bodies = json::array(), masses = json::array(), geoms = json::array(),
       meshes = json::array(), fields = json::array();
  for (int body = 0; body < model.nbody; ++body) {
    const char* name = mj_id2name(&model, mjOBJ_BODY, body);
    bodies.push_back(name != nullptr ? name : "");
    masses.push_back(model.body_mass[body]);
  }
  for (int mesh = 0; mesh < model.nmesh; ++mesh) meshes.push_back(DescribeMesh(model, mesh));
  for (int field = 0; field < model.nhfield; ++field) {
    fields.push_back(DescribeField(model, field));
  }
  for (int geom = 0; geom < model.ngeom; ++geom) {
    const std::string type = NameOf(model.geom_type[geom]);
    if (type.empty() || model.geom_group[geom] >= kShownGroups) continue;
    const int material = model.geom_matid[geom];
    const float* colour = material >= 0 ? model.mat_rgba + std::ptrdiff_t{material} * 4
                                        : model.geom_rgba + std::ptrdiff_t{geom} * 4;
    if (colour[3] == 0) continue;
    json shape = {{"type", type},
                  {"body", model.geom_bodyid[geom]},
                  {"position", List(model.geom_pos + std::ptrdiff_t{geom} * 3, 3)},
                  {"quaternion", List(model.geom_quat + std::ptrdiff_t{geom} * 4, 4)},
                  {"size", List(model.geom_size + std::ptrdiff_t{geom} * 3, 3)},
                  {"colour", List(colour, 4)}};
    if (type == "mesh" || type == "field") shape[type] = model.geom_dataid[geom];
    geoms.push_back(std::move(shape));
  }
  const sim::Camera camera = sim::CameraOf(environment);
  return {{"bodies", std::move(bodies)},
          {"masses", std::move(masses)},
          {"geoms", std::move(geoms)},
          {"meshes", std::move(meshes)},
          {"fields", std::move(fields)},
          {"extent", model.stat.extent},
          {"camera",
           {{"body", camera.track_body},
            {"distance", camera.distance},
            {"azimuth", camera.azimuth},
            {"elevation", camera.elevation},
            {"lookat", camera.lookat}}}};
}

std::string EncodeFrame(const FrameHead& head, std::span<const float> lanes) {
  RHUMB_CHECK(lanes.size() == std::size_t{head.lanes} *
                                  (std::size_t{head.poses} * head.bodies * 7 + head.values),
              "{} numbers in a frame", lanes.size());
  static_assert(sizeof(FrameHead) == 36 && std::is_trivially_copyable_v<FrameHead>);
  std::string bytes(4 + sizeof head + lanes.size_bytes(), '\0');
  std::memcpy(bytes.data(), "RHB1", 4);
  std::memcpy(bytes.data() + 4, &head, sizeof head);
  std::memcpy(bytes.data() + 4 + sizeof head, lanes.data(), lanes.size_bytes());
  return bytes;
}

}  // namespace rhumb::serve
