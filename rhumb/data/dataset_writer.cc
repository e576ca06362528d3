#include "rhumb/data/dataset_writer.h"

#include <algorithm>
#include <utility>

#include "rhumb/core/error.h"
#include "rhumb/core/files/file.h"
#include "rhumb/core/files/json_file.h"
#include "rhumb/data/minari_layout.h"
#include "rhumb/data/statistics.h"

namespace rhumb::data {
namespace fs = std::filesystem;
namespace {

DatasetDescription Checked(DatasetDescription description, const fs::path& folder) {
  CheckDescription(description, folder.string());
  return description;
}

}  // namespace

DatasetWriter::DatasetWriter(const fs::path& folder, DatasetDescription description,
                             const DatasetWriterOptions& options)
    : folder_(folder.string()),
      minari_id_(MinariIdFor(folder)),
      description_(Checked(std::move(description), folder)),
      options_(options),
      artifact_(folder, "dataset"),
      file_(Hdf5File::Create(artifact_.file(kMinariFile))) {}

int DatasetWriter::AddPolicy(Policy policy) {
  const std::size_t objectives = description_.objectives.size();
  if (!policy.weights.empty() && policy.weights.size() != objectives) {
    Fail("{}: policy '{}' has {} weights for {} objectives", folder_, policy.file,
         policy.weights.size(), objectives);
  }
  policies_.push_back(std::move(policy));
  measured_.emplace_back(static_cast<int>(objectives) + 2);
  observations_.emplace_back(description_.observation_size);
  return static_cast<int>(policies_.size()) - 1;
}

DatasetWriter::Outcome DatasetWriter::Append(const Episode& episode) {
  RHUMB_CHECK(episode.policy >= 0 && static_cast<std::size_t>(episode.policy) < policies_.size(),
              "an episode of policy {}, but there are {} policies", episode.policy,
              policies_.size());
  const auto policy = static_cast<std::size_t>(episode.policy);
  CheckShape(episode, description_.shape(), folder_);
  ++appended_;
  const std::string non_finite = episode.diverged ? "state" : FindNonFinite(episode);
  if (!non_finite.empty()) {
    ++policies_[policy].unusable_episodes;
    if (++unusable_ > std::max(options_.max_unusable_episodes, appended_ / 100)) {
      Fail(
          "{}: {} of {} episodes diverged or are not finite (the last one in its {}); at most {} "
          "or 1 % are allowed",
          folder_, unusable_, appended_, non_finite, options_.max_unusable_episodes);
    }
    return Outcome::kUnusable;
  }
  if (episode.steps() == 0) return Outcome::kTooShort;
  Measure(episode);
  if (episode.steps() < options_.min_episode_steps) {
    ++policies_[policy].short_episodes;
    return Outcome::kTooShort;
  }
  WriteEpisode(file_.root(), static_cast<std::int64_t>(episodes_.size()), episode,
               description_.shape());
  episodes_.push_back({episode.policy, episode.steps(), episode.seed, episode.returns});
  // Exclude the last observation: no action was taken in that state.
  const std::size_t acted =
      episode.observations.size() - static_cast<std::size_t>(description_.observation_size);
  observations_[policy].AddRows(std::span(episode.observations).first(acted));
  return Outcome::kWritten;
}

void DatasetWriter::Measure(const Episode& episode) {
  std::vector<double> row = episode.returns;
  row.push_back(static_cast<double>(episode.steps()));
  row.push_back(MeasureMotion(episode));
  core::RunningStatistics& measured = measured_[static_cast<std::size_t>(episode.policy)];
  measured.AddRow(row);
  Policy& policy = policies_[static_cast<std::size_t>(episode.policy)];
  policy.measured_episodes = measured.count();
  policy.mean_return = measured.mean();
  policy.std_return = measured.sample_std();
  policy.motion = policy.mean_return.back();
  policy.mean_return.pop_back();
  policy.mean_length = policy.mean_return.back();
  policy.mean_return.pop_back();
  policy.std_return.resize(policy.mean_return.size());
}

void DatasetWriter::DropEpisodesOfPoliciesLeftOut() {
  const auto is_kept = [this](const EpisodeRecord& record) {
    return policies_[static_cast<std::size_t>(record.policy)].kept();
  };
  if (std::ranges::all_of(episodes_, is_kept)) return;
  // HDF5 does not free space, so write the kept episodes to a new file.
  const fs::path file = artifact_.file(kMinariFile);
  const fs::path whole = artifact_.file("data/all_episodes.hdf5");
  std::error_code error;
  fs::rename(file, whole, error);
  if (error) Fail("cannot write {}: {}", file.string(), error.message());
  const Hdf5File from = Hdf5File::Open(whole);
  Hdf5File to = Hdf5File::Create(file);
  std::vector<EpisodeRecord> kept;
  Episode episode;
  for (std::size_t i = 0; i < episodes_.size(); ++i) {
    if (!is_kept(episodes_[i])) continue;
    ReadEpisode(from.root(), static_cast<std::int64_t>(i), episodes_[i].steps, description_.shape(),
                episode);
    episode.policy = episodes_[i].policy;
    episode.seed = episodes_[i].seed;
    WriteEpisode(to.root(), static_cast<std::int64_t>(kept.size()), episode, description_.shape());
    kept.push_back(std::move(episodes_[i]));
  }
  to.Close();
  episodes_ = std::move(kept);
  if (!fs::remove(whole, error)) Fail("cannot remove {}: {}", whole.string(), error.message());
}

Normalisation DatasetWriter::ComputeNormalisation() const {
  const auto in_training = [this](int policy) {
    return policies_[static_cast<std::size_t>(policy)].split == Split::kTrain;
  };
  core::RunningStatistics observations(description_.observation_size);
  for (std::size_t i = 0; i < policies_.size(); ++i) {
    if (policies_[i].kept() && in_training(static_cast<int>(i))) {
      observations.Merge(observations_[i]);
    }
  }
  core::RunningStatistics returns(static_cast<int>(description_.objectives.size()));
  for (const EpisodeRecord& episode : episodes_) {
    if (in_training(episode.policy)) returns.AddRow(episode.returns);
  }
  return {observations.mean(), observations.std(), returns.mean(), returns.std()};
}

void DatasetWriter::Commit(const nlohmann::json& manifest_fields) {
  file_.Close();
  std::vector<std::int64_t> written(policies_.size(), 0);
  for (const EpisodeRecord& episode : episodes_) {
    ++written[static_cast<std::size_t>(episode.policy)];
  }
  for (std::size_t i = 0; i < policies_.size(); ++i) {
    if (!policies_[i].kept() || written[i] > 0) continue;
    policies_[i].verdict = Verdict::kNoEpisodes;
    policies_[i].reason =
        fmt::format("no episode of at least {} steps was recorded", options_.min_episode_steps);
  }
  DropEpisodesOfPoliciesLeftOut();
  const DatasetIndex index{description_, policies_, episodes_, ComputeNormalisation()};
  const DatasetStatistics statistics = ComputeStatistics(index);
  if (episodes_.empty()) {
    Fail("{}: no episode is left to write; of {} policies {}", folder_, policies_.size(),
         Summarise(statistics.left_out));
  }

  const fs::path file = artifact_.file(kMinariFile);
  const nlohmann::json metadata = MakeMinariMetadata(description_, minari_id_, statistics.episodes,
                                                     statistics.transitions, fs::file_size(file));
  core::WriteFileAtomically(artifact_.file(kMinariMetadata), core::DumpJson(metadata, 2) + "\n");
  core::WriteFileAtomically(artifact_.file("dataset.json"), core::DumpJson(ToJson(index)) + "\n");
  core::WriteBundle(description_.environment, artifact_);
  nlohmann::json fields = manifest_fields;
  fields["counts"] = CountsToJson(statistics);
  fields["left_out"] = LeftOutToJson(index);
  artifact_.Commit(fields);
}

}  // namespace rhumb::data
