#include "rhumb/serve/access.h"

#include <fmt/format.h>
#include <openssl/crypto.h>
#include <openssl/rand.h>

#include <algorithm>
#include <array>
#include <utility>

#include "rhumb/core/error.h"

namespace rhumb::serve {
namespace {

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& letter : lower) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return lower;
}

std::string_view Trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

}  // namespace

std::string MakeToken() {
  std::array<unsigned char, 16> bytes{};
  if (RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) != 1) {
    Fail("the system has no random numbers for a token");
  }
  std::string token;
  for (const unsigned char byte : bytes) token += fmt::format("{:02x}", byte);
  return token;
}

Access::Access(std::string token, const std::vector<std::string>& names, int port)
    : token_(std::move(token)) {
  RHUMB_CHECK(!token_.empty(), "a server without a token");
  for (const std::string& name : names) {
    hosts_.push_back(fmt::format("{}:{}", Lower(name), port));
    if (port == 80) hosts_.push_back(Lower(name));
  }
}

bool Access::AllowsHost(std::string_view host) const {
  return std::ranges::count(hosts_, Lower(host)) > 0;
}

bool Access::AllowsOrigin(std::string_view origin) const {
  if (origin.empty()) return true;
  constexpr std::string_view kScheme = "http://";
  const std::string lower = Lower(origin);
  return lower.starts_with(kScheme) && AllowsHost(std::string_view(lower).substr(kScheme.size()));
}

bool Access::AllowsToken(std::string_view token) const {
  return token.size() == token_.size() &&
         CRYPTO_memcmp(token.data(), token_.data(), token_.size()) == 0;
}

std::string_view TokenOfAuthorization(std::string_view value) {
  constexpr std::string_view kScheme = "Bearer ";
  return value.starts_with(kScheme) ? Trim(value.substr(kScheme.size())) : std::string_view();
}

std::string_view TokenOfProtocols(std::string_view value) {
  constexpr std::string_view kPrefix = "token.";
  while (!value.empty()) {
    const std::size_t comma = value.find(',');
    const std::string_view word = Trim(value.substr(0, comma));
    if (word.starts_with(kPrefix)) return word.substr(kPrefix.size());
    if (comma == std::string_view::npos) break;
    value.remove_prefix(comma + 1);
  }
  return {};
}

}  // namespace rhumb::serve
