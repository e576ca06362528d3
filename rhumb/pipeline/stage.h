// A stage: one command of Rhumb that makes one thing in a folder, and is run again only when what
// it is made of has changed.
//
//   Stage -> hash of its words and of what its inputs are -> that of OUTPUT.stamp, and OUTPUT is
//            whole: skipped; else a child process -> OUTPUT, in one step -> OUTPUT.stamp
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace rhumb::pipeline {

// Paths are relative to the folder, where the command runs: a folder may move between machines.
struct Stage {
  // What it makes, and its name: a JSON document, the command's stdout, where it ends in ".json";
  // else an artefact, which the command itself writes, with OUTPUT.work while it does.
  std::string output;
  // The command behind the program's name: first what decides the result, then what only decides
  // how soon it is there (--threads, --device). Other ones of these do not make a result stale.
  std::vector<std::string> words = {};
  std::vector<std::string> machine_words = {};
  // What the command reads: outputs of earlier stages, and files.
  std::vector<std::string> inputs = {};

  bool makes_document() const { return output.ends_with(".json"); }
  std::vector<std::string> command() const;
};

// What OUTPUT.stamp says of how OUTPUT came to be.
struct Stamp {
  std::string hash;
  std::vector<std::string> command;
  double wall_seconds = 0;  // of all runs that it took
};

// Nothing where there is none, or none that can be read: then the stage is stale.
std::optional<Stamp> ReadStamp(const std::filesystem::path& folder, const Stage& stage);

// Whether its output is whole and was made by these words of these inputs. An input that is missing
// or damaged is an Error.
bool IsUpToDate(const Stage& stage, const std::filesystem::path& folder);

// Where what a command says goes: to stderr; or, where several run beside each other, into
// OUTPUT.log, which is shown where the command fails and is gone when it has ended.
enum class Voice { kAloud, kKept };

// Removes the log that a run which was killed left; where there is none, nothing.
void RemoveLog(const Stage& stage, const std::filesystem::path& folder);

// Runs a stage that is not up to date; what stands at its output goes. `program` is what the words
// are for. The stamp stands before the output does: whoever is killed leaves a stage that is either
// done or begun. One that was begun by the whole same command goes on from OUTPUT.work. An end with
// another code than 0 is a CommandFailed with that code, which names the output and the command.
// Asks WasInterrupted() all the while, and hands an interrupt on to the child, once. Stages of
// different outputs may be run by different threads at once.
void RunStage(const Stage& stage, const std::filesystem::path& folder,
              const std::filesystem::path& program, Voice voice = Voice::kAloud);

// Words as a shell reads them: those with anything but letters, digits and _-+=.,:/@% are quoted.
std::string FormatCommand(const std::vector<std::string>& words);

}  // namespace rhumb::pipeline
