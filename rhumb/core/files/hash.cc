#include "rhumb/core/files/hash.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
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

using Digest = std::array<unsigned char, 32>;

std::string InHexadecimal(const Digest& digest) {
  return fmt::format("{:02x}", fmt::join(digest, ""));
}

}  // namespace

std::string Sha256(std::string_view bytes) {
  Digest digest;
  const int done =
      EVP_Digest(bytes.data(), bytes.size(), digest.data(), nullptr, EVP_sha256(), nullptr);
  RHUMB_CHECK(done == 1, "OpenSSL could not compute a SHA-256");
  return InHexadecimal(digest);
}

std::string Sha256OfFile(const std::filesystem::path& path) {
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(),
                                                                        EVP_MD_CTX_free);
  bool done = EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) == 1;
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::vector<char> piece(1 << 20);
  while (file) {
    file.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    const auto size = static_cast<std::size_t>(file.gcount());
    done &= EVP_DigestUpdate(context.get(), piece.data(), size) == 1;
  }
  if (!file.eof()) Fail("cannot read {}: {}", path.string(), std::strerror(errno));
  Digest digest;
  done &= EVP_DigestFinal_ex(context.get(), digest.data(), nullptr) == 1;
  RHUMB_CHECK(done, "OpenSSL could not compute the SHA-256 of {}", path.string());
  return InHexadecimal(digest);
}

}  // namespace rhumb::core
