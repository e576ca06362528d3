// `rhumb serve`: HTTP for the page and for questions, a WebSocket for what moves.
//
//   browser ─ GET / ─→ PageFiles
//           ─ GET /api/models…, POST /api/steer ─→ Subject (on a thread of its own)
//           ─ /api/live ─→ messages (message.h) ─→ Subject, Stage
//                       ←─ JSON state and answers; frames (scene.h), the latest only
//
// One thread does all input and output. Everything that comes from outside is bounded: header and
// body sizes, the time of a request, messages, queues, connections. When all connections are
// taken, the oldest that has not upgraded gives way.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "rhumb/serve/subject.h"

namespace rhumb::serve {

struct ServerOptions {
  std::string host = "127.0.0.1";  // the address to bind
  int port = 0;                    // 0: any free one
  std::vector<std::string> names;  // further names that Host may have
  std::filesystem::path page;      // the page's folder
  int max_connections = 256;
  int max_viewers = 100;  // WebSockets
  double request_s = 10;  // for a whole request, and between two
  double idle_s = 30;     // a WebSocket that does not answer pings
};

class ServerParts;

class Server {
 public:
  // Binds and listens. Throws Error if the address cannot be had. There is at least one subject,
  // and their names differ.
  Server(std::vector<std::shared_ptr<const Subject>> subjects, const ServerOptions& options);
  ~Server();

  int port() const;
  const std::string& token() const;
  std::string url() const;  // with the token

  // Serves until `should_stop` returns true, which it is asked ten times a second. Then tells the
  // viewers and ends.
  void Run(const std::function<bool()>& should_stop);

 private:
  std::unique_ptr<ServerParts> parts_;
};

}  // namespace rhumb::serve
