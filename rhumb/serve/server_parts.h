// What the connections of a server share. Only this room's sources include it: Boost.Beast takes
// long to compile.
#pragma once

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <chrono>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "rhumb/serve/access.h"
#include "rhumb/serve/page_files.h"
#include "rhumb/serve/server.h"
#include "rhumb/serve/stage.h"

namespace rhumb::serve {

namespace asio = boost::asio;
using asio::ip::tcp;

class HttpSession;
class Viewer;

inline std::chrono::steady_clock::duration Seconds(double seconds) {
  return std::chrono::duration_cast<std::chrono::steady_clock::duration>(
      std::chrono::duration<double>(seconds));
}

// Used on the io thread, unless something else is said.
class ServerParts {
 public:
  ServerParts(std::vector<std::shared_ptr<const Subject>> given, const ServerOptions& options);
  ~ServerParts();

  void Run(const std::function<bool()>& should_stop);

  const Subject* FindSubject(std::string_view name) const;
  std::shared_ptr<const Subject> ShareSubject(std::string_view name) const;
  // Runs `work` on the thread for questions, unless too many wait already.
  bool Work(std::function<void()> work);

  void Join(const std::shared_ptr<Viewer>& viewer);
  void Leave(Viewer* viewer);
  void Claim(Viewer* viewer);
  void Release(Viewer* viewer);
  void SendRoles();

  const ServerOptions options;
  const std::vector<std::shared_ptr<const Subject>> subjects;
  const PageFiles files;
  std::optional<Access> access;
  std::set<Viewer*> viewers;
  Viewer* controller = nullptr;
  std::list<HttpSession*> http_sessions;  // the oldest first
  bool closing = false;
  asio::io_context io{1};  // its handlers own the connections, which use all of the above
  tcp::acceptor acceptor{io};

 private:
  void Accept();
  void Watch(const std::function<bool()>& should_stop);

  asio::steady_timer clock_{io}, retry_{io};
  std::atomic<int> pending_work_{0};
  asio::thread_pool worker_{1};

 public:
  std::unique_ptr<Stage> stage;  // last: its thread posts to io
};

}  // namespace rhumb::serve
