#include "rhumb/core/files/hash.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <openssl/evp.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>
#include <new>
#include <vector>

#include "rhumb/core/error.h"

namespace rhumb::core {
namespace {

using Digest = std::array<unsigned char, 32>;

std::string InHexadecimal(const Digest& digest) {
  return fmt::format("{:02x}", fmt::join(digest, ""));
}

// A lack of memory is the only way in which OpenSSL can fail here.
void RequireMemory(bool has_worked) {
  if (!has_worked) throw std::bad_alloc();
}

}  // namespace

std::string Sha256(std::string_view bytes) {
  Digest digest;
  const int done =
      EVP_Digest(bytes.data(), bytes.size(), digest.data(), nullptr, EVP_sha256(), nullptr);
  RequireMemory(done == 1);
  return InHexadecimal(digest);
}

std::string Sha256OfFile(const std::filesystem::path& path) {
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(),
                                                                        EVP_MD_CTX_free);
  RequireMemory(context && EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) == 1);
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::vector<char> piece(1 << 20);
  while (file) {
    file.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    const auto size = static_cast<std::size_t>(file.gcount());
    RequireMemory(EVP_DigestUpdate(context.get(), piece.data(), size) == 1);
  }
  if (!file.eof()) Fail("cannot read {}: {}", path.string(), std::strerror(errno));
  Digest digest;
  RequireMemory(EVP_DigestFinal_ex(context.get(), digest.data(), nullptr) == 1);
  return InHexadecimal(digest);
}

}  // namespace rhumb::core
