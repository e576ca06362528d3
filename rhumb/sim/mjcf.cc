#include "rhumb/sim/mjcf.h"

#include <mujoco/mujoco.h>
#include <strings.h>
#include <tinyxml2.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "rhumb/core/error.h"
#include "rhumb/core/text.h"

namespace rhumb::sim {
namespace {

// Attributes with sizes that MuJoCo allocates, and the limit of the product of their numbers.
constexpr std::pair<std::string_view, double> kSizeLimits[] = {
    {"memory", 1 << 30},  // bytes
    {"nstack", 1 << 27},
    {"nuserdata", 1 << 20},
    {"nkey", 10'000},
    {"njmax", 5'000},  // MuJoCo reserves 40 bytes for each pair
    {"nconmax", 100'000},
    {"nrow", 8192},  // of a height field
    {"ncol", 8192},
    {"width", 4096},  // of a texture, which may have six sides
    {"height", 6 * 4096},
    {"count", 100'000},  // of <replicate> and <flexcomp>
    {"cellcount", 100'000},
    {"actdim", 10'000},
    {"nsample", 100'000},     // of the history of an actuator or a sensor
    {"resolution", 1 << 24},  // of a camera
    {"dim", 100'000},         // of a user sensor
    {"num", 10'000},          // of a contact sensor
    {"sdf_initpoints", 10'000},
    {"offwidth", 16384},  // of the buffers to draw in
    {"offheight", 16384},
    {"shadowsize", 16384},
    {"offsamples", 64},
    {"numslices", 1000},
    {"numstacks", 1000},
    {"numquads", 1000},
};
constexpr double kMaxUserNumbers = 1000;         // nuser_body, nuser_geom, ...
constexpr double kMaxCustomNumbers = 1'000'000;  // <numeric size="..."/>
constexpr double kMaxMeshParameter = 1000;       // <mesh builtin="..." params="..."/>, each number

// Characters that an attribute cannot hold as they are.
constexpr std::pair<char, std::string_view> kEntities[] = {
    {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\r', "&#13;"}};

bool Is(const tinyxml2::XMLElement& element, const char* name) {
  return ::strcasecmp(element.Name(), name) == 0;
}

// The magnitudes of the numbers in `text`; K, M, G ... after a number are binary units. Ends at the
// first word that is not a number: MuJoCo will refuse it.
std::vector<double> Numbers(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  constexpr std::string_view kUnits = "kmgtpe";
  std::vector<double> numbers;
  for (;;) {
    text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc::invalid_argument) return numbers;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    numbers.push_back(error == std::errc() ? std::abs(value) : INFINITY);
    if (text.empty()) return numbers;
    if (const auto unit = kUnits.find(static_cast<char>(text[0] | 0x20)); unit != kUnits.npos) {
      numbers.back() *= std::exp2(10.0 * static_cast<double>(unit + 1));
      text.remove_prefix(1);
    }
  }
}

double Product(std::string_view text) {
  double product = 1;
  for (const double number : Numbers(text)) product *= std::max(1.0, number);
  return product;
}

// The product of the numbers in an attribute, 1 where it is missing.
double SizeOf(const tinyxml2::XMLElement& element, const char* key) {
  const char* text = element.Attribute(key);
  return text == nullptr ? 1 : Product(text);
}

// How many numbers MuJoCo keeps for the sizes that an element states, within a small factor.
double StatedNumbers(const tinyxml2::XMLElement& element) {
  if (Is(element, "replicate") || Is(element, "size")) return 0;
  if (Is(element, "texture")) {
    const double width = SizeOf(element, "width");
    return width * std::max(6 * width, SizeOf(element, "height"));
  }
  double product = Is(element, "numeric") ? SizeOf(element, "size") : 1;
  for (const char* key : {"nrow", "ncol", "params", "dim", "num", "nsample", "actdim", "count",
                          "cellcount", "offwidth", "offheight"}) {
    product *= SizeOf(element, key);
  }
  return product;
}

double Largest(std::string_view text) {
  const std::vector<double> numbers = Numbers(text);
  return numbers.empty() ? 0 : *std::ranges::max_element(numbers);
}

class Checker {
 public:
  explicit Checker(std::string_view name) : name_(name) {}

  CheckedMjcf Run(std::string_view bytes) {
    tinyxml2::XMLDocument document;
    if (document.Parse(bytes.data(), bytes.size()) != tinyxml2::XML_SUCCESS) {
      Fail("'{}' line {} is not valid XML ({})", name_, document.ErrorLineNum(),
           document.ErrorName());
    }
    if (document.RootElement() == nullptr) Fail("'{}' has no XML element", name_);
    Visit(*document.RootElement(), 1);
    return std::move(checked_);
  }

 private:
  // `copies` is how many times the enclosing <replicate> elements repeat this one. The recursion is
  // bounded: tinyxml2 refuses documents that are nested too deeply.
  void Visit(const tinyxml2::XMLElement& element, double copies) {
    for (; line_ < element.GetLineNum(); ++line_) checked_.text += '\n';
    checked_.text += '<';
    checked_.text += element.Name();
    for (auto* attribute = element.FirstAttribute(); attribute; attribute = attribute->Next()) {
      Check(element, *attribute);
      // MuJoCo can leave assets outside of the model and open them later; here they are part of it.
      const std::string_view key = attribute->Name();
      if (key != "passthrough" && key != "embed") Write(*attribute);
    }
    checked_.text += '>';

    checked_.elements += copies;
    checked_.numbers += copies * StatedNumbers(element);
    if (Is(element, "key")) checked_.keys += copies;
    if (Is(element, "size")) checked_.keys += SizeOf(element, "nkey");
    if (Is(element, "attach") || (Is(element, "include") && copies > 1)) {
      checked_.attachments += copies;
    }
    if (const char* count = element.Attribute("count"); count && Is(element, "replicate")) {
      copies *= Product(count);
    }
    for (auto* child = element.FirstChildElement(); child; child = child->NextSiblingElement()) {
      Visit(*child, copies);
    }
    checked_.text += "</";
    checked_.text += element.Name();
    checked_.text += '>';
  }

  void Write(const tinyxml2::XMLAttribute& attribute) {
    checked_.text += ' ';
    checked_.text += attribute.Name();
    checked_.text += "=\"";
    for (const char c : std::string_view(attribute.Value())) {
      const auto entity =
          std::ranges::find_if(kEntities, [c](const auto& known) { return known.first == c; });
      checked_.text += entity == std::end(kEntities) ? std::string_view(&c, 1) : entity->second;
      if (c == '\n') ++line_;
    }
    checked_.text += '"';
  }

  void Check(const tinyxml2::XMLElement& element, const tinyxml2::XMLAttribute& attribute) {
    const std::string_view key = attribute.Name();
    // file, fileright, ..., filename; meshdir, texturedir, assetdir.
    if (key.find("file") != key.npos || key.ends_with("dir")) CheckPath(element, attribute);

    const std::string_view value = attribute.Value();
    if (key.starts_with("nuser_")) {
      checked_.user_numbers = std::max(checked_.user_numbers, Product(value));
    } else if (key == "user") {
      const auto count = static_cast<double>(Numbers(value).size());
      checked_.user_numbers = std::max(checked_.user_numbers, count);
    }

    double limit = INFINITY;
    for (const auto& [name, largest] : kSizeLimits) {
      if (name == key) limit = largest;
    }
    if (key.starts_with("nuser_")) limit = kMaxUserNumbers;
    if (key == "size" && Is(element, "numeric")) limit = kMaxCustomNumbers;
    if (key == "params") limit = kMaxMeshParameter;
    if (limit == INFINITY) return;
    if ((key == "params" ? Largest(value) : Product(value)) > limit) {
      Fail("{} is too large, the limit is {:.0f}", Place(element, attribute), limit);
    }
  }

  std::string Place(const tinyxml2::XMLElement& element,
                    const tinyxml2::XMLAttribute& attribute) const {
    return fmt::format("'{}' line {}: {} {}=\"{}\"", name_, attribute.GetLineNum(), element.Name(),
                       attribute.Name(), core::OneLine(attribute.Value()));
  }

  void CheckPath(const tinyxml2::XMLElement& element, const tinyxml2::XMLAttribute& attribute) {
    const std::string_view value = attribute.Value();
    // MuJoCo takes both slashes for separators, and a name with a colon for a drive or a scheme.
    if (value.find(':') != value.npos || value.starts_with('/') || value.starts_with('\\')) {
      Fail("{} is an absolute path, so it lies outside the robot's folder",
           Place(element, attribute));
    }
    std::string part;
    for (std::size_t begin = 0; begin <= value.size(); begin += part.size() + 1) {
      part = value.substr(begin, value.find_first_of("/\\", begin) - begin);
      if (mjp_findArchiveProvider(part.c_str()) != nullptr) {
        Fail("{} is in an archive; unpack it in the robot's folder", Place(element, attribute));
      }
    }
    const bool is_model = Is(element, "model");
    if (is_model) checked_.models.emplace_back(value);
    if (is_model || Is(element, "include")) checked_.documents.push_back(part);
  }

  std::string_view name_;
  int line_ = 1;  // of the end of the text so far
  CheckedMjcf checked_;
};

}  // namespace

CheckedMjcf CheckMjcf(std::string_view bytes, std::string_view name) {
  return Checker(name).Run(bytes);
}

}  // namespace rhumb::sim
