// Arrays inside JSON: base64 of their bytes.
#pragma once

#include <openssl/evp.h>

#include <span>
#include <string>

namespace rhumb::serve {

template <class Number>
std::string ToBase64(std::span<Number> numbers) {
  const std::size_t bytes = numbers.size_bytes();
  std::string text((bytes + 2) / 3 * 4 + 1, '\0');  // OpenSSL ends it with a zero
  const int length = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()),
                                     reinterpret_cast<const unsigned char*>(numbers.data()),
                                     static_cast<int>(bytes));
  text.resize(static_cast<std::size_t>(length));
  return text;
}

}  // namespace rhumb::serve
