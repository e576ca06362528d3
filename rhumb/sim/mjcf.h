// The text of an MJCF file, checked before MuJoCo sees it.
//
// MuJoCo opens every file that an MJCF names and allocates every size that it states. Names and
// sizes are therefore checked on the parsed XML, where entities and quotes are resolved. MuJoCo
// then gets the checked tree, written out again, so that both read the same document.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rhumb::sim {

struct CheckedMjcf {
  std::string text;                    // elements and attributes, on the lines they came from
  std::vector<std::string> documents;  // file names, without folders, of includes and models
  std::vector<std::string> models;     // <model file="..."/> as written
  double elements = 0;                 // with the copies that <replicate> makes
  double attachments = 0;              // places where another document is inserted, likewise
  double numbers = 0;       // in fields, textures, sensors, … by their stated sizes, likewise
  double user_numbers = 0;  // of one element, at most
  double keys = 0;          // key frames, likewise
};

// Checks the MJCF `bytes`, called `name` in messages. Each of these is an Error with the line:
// text that is not XML, a file name that is absolute or inside an archive, and a size beyond its
// limit. A name with ".." passes: only the reader of the files knows where it leads.
CheckedMjcf CheckMjcf(std::string_view bytes, std::string_view name);

}  // namespace rhumb::sim
