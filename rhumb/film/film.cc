#include "rhumb/film/film.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "rhumb/core/error.h"
#include "rhumb/core/process/exit_code.h"
#include "rhumb/core/process/interrupt.h"
#include "rhumb/core/process/progress.h"

namespace rhumb::film {
namespace {

// The spec's camera, where it says anything, over the default one.
sim::Camera CameraOf(const sim::Environment& environment) {
  const sim::CameraSpec& spec = environment.spec().camera;
  sim::Camera camera = sim::DefaultCamera(*environment.model());
  if (!spec.body.empty()) {
    camera.track_body =
        sim::FindObject(environment.model(), mjOBJ_BODY, spec.body, environment.id() + ": camera");
  }
  if (spec.distance > 0) camera.distance = spec.distance;
  if (spec.azimuth) camera.azimuth = *spec.azimuth;
  if (spec.elevation) camera.elevation = *spec.elevation;
  if (spec.height) camera.lookat[2] = *spec.height;
  return camera;
}

}  // namespace

void CheckFilmPath(const std::string& path) { const VideoWriter probe(path, 16, 16, 1); }

Film::Film(const sim::Environment& environment, const std::string& path, const FilmOptions& options)
    : environment_(environment),
      video_(path, options.panes * options.width, options.height, 1 / environment.control_step()),
      data_(mj_makeData(environment.model())),
      frame_(3 * static_cast<std::size_t>(options.panes * options.width) *
             static_cast<std::size_t>(options.height)) {
  for (int pane = 0; pane < options.panes; ++pane) {
    renderers_.push_back(
        std::make_unique<sim::Renderer>(*environment.model(), options.width, options.height));
    renderers_.back()->SetCamera(CameraOf(environment));
  }
}

void Film::Add(std::span<const std::vector<float>> poses) {
  RHUMB_CHECK(poses.size() == renderers_.size(), "{} behaviours in {} panes", poses.size(),
              renderers_.size());
  const auto size = static_cast<std::size_t>(environment_.model()->nq);
  std::size_t frames = 0;
  for (const std::vector<float>& rows : poses) {
    RHUMB_CHECK(!rows.empty() && rows.size() % size == 0, "{} numbers in poses of {}", rows.size(),
                size);
    frames = std::max(frames, rows.size() / size);
  }
  constexpr auto kNone = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> shown(poses.size(), kNone);  // the row that each pane's picture is of
  core::Progress progress("film", static_cast<std::int64_t>(frames));
  for (std::size_t t = 0; t < frames; ++t) {
    if (core::WasInterrupted()) {
      core::FailInterrupted("interrupted while filming; the video was not written");
    }
    progress.Advance();
    if (video_.SkipUnseen()) continue;  // drawing is the expensive part
    for (std::size_t pane = 0; pane < poses.size(); ++pane) {
      const std::size_t row = std::min(t, poses[pane].size() / size - 1);
      if (std::exchange(shown[pane], row) == row) continue;
      Draw(pane, std::span(poses[pane]).subspan(row * size, size));
    }
    video_.Add(frame_);
  }
}

void Film::Draw(std::size_t pane, std::span<const float> qpos) {
  std::copy(qpos.begin(), qpos.end(), data_->qpos);
  mj_forward(environment_.model(), data_.get());
  sim::Renderer& renderer = *renderers_[pane];
  const std::span<const std::uint8_t> picture = renderer.Render(data_.get());
  const std::size_t width = 3 * static_cast<std::size_t>(renderer.width());
  for (std::size_t row = 0; row < static_cast<std::size_t>(renderer.height()); ++row) {
    std::copy_n(picture.data() + row * width, width,
                frame_.data() + (row * renderers_.size() + pane) * width);
  }
}

}  // namespace rhumb::film
