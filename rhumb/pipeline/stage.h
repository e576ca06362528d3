// A stage: one Rhumb command that makes one output in a folder. It runs again only if its command
// or inputs have changed.
//
//   Stage -> hash of its words and inputs -> equals the hash in OUTPUT.stamp, and OUTPUT is
//            complete: skipped; else a child process -> OUTPUT, atomically -> OUTPUT.stamp
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace rhumb::pipeline {

// Paths are relative to the folder in which the command runs, so the folder can move between
// machines.
struct Stage {
  // The output, which also names the stage. If it ends in ".json", it is a document: the command's
  // stdout. Else it is an artefact that the command writes, using OUTPUT.work meanwhile.
  std::string output;
  // The command without the program's name. `words` determine the result. `machine_words` only
  // affect speed (--threads, --device); changing them does not make a result stale.
  std::vector<std::string> words = {};
  std::vector<std::string> machine_words = {};
  // The command's inputs: outputs of earlier stages, and files.
  std::vector<std::string> inputs = {};
  // Another way to the same output, if not empty: the outputs of stages that did parts of the work,
  // and the words of the command that joins them. The stamp has the hash and the command above, so
  // it does not tell which way was taken.
  std::vector<std::string> parts = {}, join_words = {};

  bool makes_document() const { return output.ends_with(".json"); }
  std::vector<std::string> command() const;
};

// The contents of OUTPUT.stamp: how OUTPUT was made.
struct Stamp {
  std::string hash;
  std::vector<std::string> command;
  double wall_seconds = 0;  // total over all runs
};

// Empty if the stamp is missing or damaged; the stage is then stale. Throws FileError if the
// machine cannot open it.
std::optional<Stamp> ReadStamp(const std::filesystem::path& folder, const Stage& stage);

// SHA-256 of a file, or of the manifest of an artefact, which covers all its files. Throws Error if
// it is missing or damaged.
std::string HashOfContent(const std::filesystem::path& path);

// Whether the output is complete and was made by these words from these inputs. Throws Error if an
// input is missing or damaged, and FileError if the machine cannot open a file: a stale output is
// deleted, and a moment with too many open files must not delete a finished one.
bool IsUpToDate(const Stage& stage, const std::filesystem::path& folder);

// Where the command's messages go. kAloud: to stderr. kKept, for parallel stages: to OUTPUT.log,
// which is printed if the command fails and removed when it ends.
enum class Voice { kAloud, kKept };

// Removes what a killed run left of a stage that is up to date: its log, and hidden files that were
// not yet renamed.
void RemoveLeftovers(const Stage& stage, const std::filesystem::path& folder);

// Runs a stage that is not up to date. Deletes any stale output. The stamp is written first, so a
// killed run leaves the stage either complete or marked as started. If the same command started it
// before, it continues from OUTPUT.work. `program` is the executable. Throws CommandFailed with the
// output, the command and its exit code unless that is 0. Polls WasInterrupted() and forwards an
// interrupt to the child once. Threads may run stages with different outputs at the same time.
void RunStage(const Stage& stage, const std::filesystem::path& folder,
              const std::filesystem::path& program, Voice voice = Voice::kAloud);

// Takes the output and its stamp from another folder in which the same stage was run. The files are
// copied whole or not at all, and compared with their hashes. Returns false, and does nothing, if
// there is no complete output, or if it was made from other inputs than those in `folder`.
bool TakeOutput(const Stage& stage, const std::filesystem::path& from,
                const std::filesystem::path& folder);

// Joins words for a shell. Words with characters other than letters, digits and _-+=.,:/@% are
// quoted.
std::string FormatCommand(const std::vector<std::string>& words);

}  // namespace rhumb::pipeline
