// Who may talk to the server: the token, and the names under which it may be addressed.
//
// A page of another site can make a browser send requests to 127.0.0.1, and its owner can point a
// name of his own there. So every request must name this server (Host), a page must come from it
// (Origin), and what answers with data or moves the robot needs the token.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rhumb::serve {

// 32 hexadecimal digits from the system's generator.
std::string MakeToken();

// Constant after construction; thread-safe.
class Access {
 public:
  // The names are those that Host may have, without the port: "127.0.0.1", "localhost", "[::1]".
  Access(std::string token, const std::vector<std::string>& names, int port);

  // The Host of a request: one of the names with the port, which may be missing if it is 80.
  bool AllowsHost(std::string_view host) const;
  // The Origin of a page; "" for a program, which sends none.
  bool AllowsOrigin(std::string_view origin) const;
  // An offered token; takes the same time for every token.
  bool AllowsToken(std::string_view token) const;

  const std::string& token() const { return token_; }

 private:
  std::string token_;
  std::vector<std::string> hosts_;  // "localhost:8700"
};

// The token of "Bearer TOKEN"; "" if there is none.
std::string_view TokenOfAuthorization(std::string_view value);
// The token of a WebSocket's protocols, "rhumb.v1, token.TOKEN"; "" if there is none. A page
// cannot send other headers.
std::string_view TokenOfProtocols(std::string_view value);

constexpr std::string_view kProtocol = "rhumb.v1";

}  // namespace rhumb::serve
