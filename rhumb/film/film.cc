#include "rhumb/film/film.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "rhumb/core/error.h"
#include "rhumb/core/process/exit_code.h"
#include "rhumb/core/process/interrupt.h"
#include "rhumb/core/process/progress.h"

namespace rhumb::film {
namespace {

constexpr std::uint8_t kSeamColour = 255;

int WidthOf(const FilmOptions& options) {
  return options.panes * options.width + (options.panes - 1) * kSeam;
}

std::size_t StrideOf(const sim::Environment& environment) {
  const double poses_per_second = 1 / environment.control_step();
  return static_cast<std::size_t>(
      std::max(1.0, std::ceil(poses_per_second / kMaxFramesPerSecond - 1e-9)));
}

}  // namespace

std::string CaptionOf(const std::string& name, std::span<const std::string> quantities,
                      std::span<const double> values) {
  constexpr std::size_t kMaxLines = 4;  // more would hide the robot
  std::string lines = name;
  for (std::size_t k = 0; k < std::min({values.size(), quantities.size(), kMaxLines}); ++k) {
    if (!lines.empty()) lines += "\n";
    lines += fmt::format("{} {:.4g}", quantities[k], values[k]);
  }
  return lines;
}

void CheckFilmPath(const std::string& path) { const VideoWriter probe(path, 16, 16, 1); }

Film::Film(const sim::Environment& environment, const std::string& path, const FilmOptions& options)
    : environment_(environment),
      stride_(StrideOf(environment)),
      video_(path, WidthOf(options), options.height,
             1 / (environment.control_step() * static_cast<double>(stride_))),
      data_(mj_makeData(environment.model())),
      row_bytes_(3 * static_cast<std::size_t>(WidthOf(options))),
      frame_(row_bytes_ * static_cast<std::size_t>(options.height), kSeamColour) {
  for (int pane = 0; pane < options.panes; ++pane) {
    renderers_.push_back(
        std::make_unique<sim::Renderer>(*environment.model(), options.width, options.height));
    renderers_.back()->SetCamera(sim::CameraOf(environment));
  }
}

void Film::Add(std::span<const Take> takes) {
  RHUMB_CHECK(takes.size() == renderers_.size(), "{} behaviours in {} panes", takes.size(),
              renderers_.size());
  const auto size = static_cast<std::size_t>(environment_.model()->nq);
  std::size_t longest = 0;
  for (std::size_t pane = 0; pane < takes.size(); ++pane) {
    const std::vector<float>& rows = takes[pane].poses;
    RHUMB_CHECK(!rows.empty() && rows.size() % size == 0, "{} numbers in poses of {}", rows.size(),
                size);
    longest = std::max(longest, rows.size() / size);
    renderers_[pane]->SetCaption(takes[pane].caption);
  }
  constexpr auto kNone = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> shown(takes.size(), kNone);  // the row that each pane's picture is of
  const std::size_t frames = (longest - 1) / stride_ + 1;
  core::Progress progress("film", static_cast<std::int64_t>(frames));
  for (std::size_t t = 0; t < frames; ++t) {
    if (core::WasInterrupted()) {
      core::FailInterrupted("interrupted while filming; the video was not written");
    }
    progress.Advance();
    for (std::size_t pane = 0; pane < takes.size(); ++pane) {
      const std::vector<float>& poses = takes[pane].poses;
      const std::size_t row = std::min(t * stride_, poses.size() / size - 1);
      if (std::exchange(shown[pane], row) == row) continue;
      Draw(pane, std::span(poses).subspan(row * size, size), takes[pane].mocap);
    }
    video_.Add(frame_);
  }
}

void Film::Draw(std::size_t pane, std::span<const float> qpos, std::span<const float> mocap) {
  std::copy(qpos.begin(), qpos.end(), data_->qpos);
  const auto bodies = static_cast<std::size_t>(environment_.model()->nmocap);
  if (!mocap.empty()) {
    RHUMB_CHECK(mocap.size() == 7 * bodies, "{} numbers of {} mocap bodies", mocap.size(), bodies);
    std::copy_n(mocap.begin(), 3 * bodies, data_->mocap_pos);
    std::copy_n(mocap.begin() + static_cast<std::ptrdiff_t>(3 * bodies), 4 * bodies,
                data_->mocap_quat);
  }
  mj_forward(environment_.model(), data_.get());
  sim::Renderer& renderer = *renderers_[pane];
  const std::span<const std::uint8_t> picture = renderer.Render(data_.get());
  const std::size_t width = 3 * static_cast<std::size_t>(renderer.width());
  for (std::size_t row = 0; row < static_cast<std::size_t>(renderer.height()); ++row) {
    std::copy_n(picture.data() + row * width, width,
                frame_.data() + row * row_bytes_ + pane * (width + std::size_t{3 * kSeam}));
  }
}

}  // namespace rhumb::film
