#include "rhumb/core/files/hash.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>
#include <vector>

#include "rhumb/core/error.h"

namespace rhumb::core {
namespace {

class Sha256State {
 public:
  Sha256State() : context_(EVP_MD_CTX_new(), EVP_MD_CTX_free) {
    RHUMB_CHECK(context_ && EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) == 1,
                "OpenSSL has no SHA-256");
  }

  void Add(std::string_view bytes) {
    const int done = EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size());
    RHUMB_CHECK(done == 1, "OpenSSL refused {} bytes", bytes.size());
  }

  std::string Finish() {
    std::array<unsigned char, 32> digest{};
    const int done = EVP_DigestFinal_ex(context_.get(), digest.data(), nullptr);
    RHUMB_CHECK(done == 1, "OpenSSL could not finish a SHA-256");
    std::string hex;
    for (const unsigned char byte : digest) hex += fmt::format("{:02x}", byte);
    return hex;
  }

 private:
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context_;
};

}  // namespace

std::string Sha256(std::string_view bytes) {
  Sha256State state;
  state.Add(bytes);
  return state.Finish();
}

std::string Sha256OfFile(const std::filesystem::path& path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  Sha256State state;
  std::vector<char> piece(1 << 20);
  while (file) {
    file.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    state.Add({piece.data(), static_cast<std::size_t>(file.gcount())});
  }
  if (!file.eof()) Fail("cannot read {}: {}", path.string(), std::strerror(errno));
  return state.Finish();
}

}  // namespace rhumb::core
