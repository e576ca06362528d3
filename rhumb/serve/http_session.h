// One connection, until it closes or becomes a WebSocket.
#pragma once

#include "rhumb/serve/server_parts.h"

namespace rhumb::serve {

// Used on the io thread only. Its operations own it.
class HttpSession {
 public:
  virtual ~HttpSession() = default;
  virtual void Close() = 0;
};

void StartHttpSession(ServerParts& server, tcp::socket socket);

}  // namespace rhumb::serve
