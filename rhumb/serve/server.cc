#include "rhumb/serve/server.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <nlohmann/json.hpp>
#include <utility>

#include "rhumb/core/error.h"
#include "rhumb/core/files/json_file.h"
#include "rhumb/core/process/log.h"
#include "rhumb/core/version.h"
#include "rhumb/serve/http_session.h"
#include "rhumb/serve/server_parts.h"
#include "rhumb/serve/viewer.h"

namespace rhumb::serve {
namespace {

using boost::system::error_code;
using nlohmann::json;

constexpr int kMaxPendingWork = 64;  // questions that wait for their turn

}  // namespace

ServerParts::ServerParts(std::vector<std::shared_ptr<const Subject>> given,
                         const ServerOptions& chosen)
    : options(chosen), subjects(std::move(given)), files(chosen.page) {
  RHUMB_CHECK(!subjects.empty(), "a server without a model");
  error_code failed;
  const asio::ip::address address = asio::ip::make_address(options.host, failed);
  if (failed) Fail("'{}' is no address of a machine; 127.0.0.1 is this one", options.host);
  const tcp::endpoint endpoint(address, static_cast<unsigned short>(options.port));
  acceptor.open(endpoint.protocol(), failed);
  if (!failed) acceptor.set_option(tcp::acceptor::reuse_address(true), failed);
  if (!failed) acceptor.bind(endpoint, failed);
  if (!failed) acceptor.listen(asio::socket_base::max_listen_connections, failed);
  if (failed) {
    Fail("{}:{} cannot be served: {}; choose another --port, 0 for any", options.host, options.port,
         failed.message());
  }
  std::vector<std::string> names = {"localhost", "127.0.0.1", "[::1]"};
  names.push_back(address.is_v6() ? fmt::format("[{}]", options.host) : options.host);
  names.insert(names.end(), options.names.begin(), options.names.end());
  access.emplace(MakeToken(), names, acceptor.local_endpoint().port());

  stage = std::make_unique<Stage>(
      subjects.front(),
      Stage::Sinks{.frame =
                       [this](std::string bytes) {
                         auto frame = std::make_shared<const std::string>(std::move(bytes));
                         asio::post(io, [this, frame = std::move(frame)] {
                           for (Viewer* viewer : std::set(viewers)) viewer->SendFrame(frame);
                         });
                       },
                   .state =
                       [this](std::string text) {
                         auto shared = std::make_shared<const std::string>(std::move(text));
                         asio::post(io, [this, shared = std::move(shared)] {
                           for (Viewer* viewer : std::set(viewers)) viewer->SendState(shared);
                         });
                       }});
}

ServerParts::~ServerParts() {
  worker_.stop();
  worker_.join();
  stage.reset();
  closing = true;
  io.stop();
}

const Subject* ServerParts::FindSubject(std::string_view name) const {
  return ShareSubject(name).get();
}

std::shared_ptr<const Subject> ServerParts::ShareSubject(std::string_view name) const {
  const auto found =
      std::ranges::find_if(subjects, [&](const auto& one) { return one->name() == name; });
  return found == subjects.end() ? nullptr : *found;
}

bool ServerParts::Work(std::function<void()> work) {
  if (pending_work_ >= kMaxPendingWork) return false;
  ++pending_work_;
  asio::post(worker_, [this, work = std::move(work)]() mutable {
    work();
    --pending_work_;
    // It may be the last to hold its connection, which only the thread of `io` may end.
    asio::post(io, [work = std::move(work)] {});
  });
  return true;
}

void ServerParts::Join(const std::shared_ptr<Viewer>& viewer) {
  viewers.insert(viewer.get());
  json models = json::array();
  for (const auto& subject : subjects) models.push_back(subject->name());
  viewer->SendText(std::make_shared<const std::string>(
      core::DumpJson({{"type", "hello"}, {"version", core::kVersion}, {"models", models}})));
  viewer->SendState(std::make_shared<const std::string>(stage->StateJson()));
  if (controller == nullptr) controller = viewer.get();
  SendRoles();
  if (viewers.size() == 1) stage->SetWatched(true);
}

void ServerParts::Leave(Viewer* viewer) {
  if (viewers.erase(viewer) == 0) return;
  if (controller == viewer) controller = nullptr;
  if (closing) return;
  SendRoles();
  if (viewers.empty()) stage->SetWatched(false);
}

void ServerParts::Claim(Viewer* viewer) {
  if (controller == nullptr) {
    controller = viewer;
    SendRoles();
  } else if (controller != viewer) {
    Fail("another viewer has control");
  }
}

void ServerParts::Release(Viewer* viewer) {
  if (controller != viewer) return;
  controller = nullptr;
  SendRoles();
}

void ServerParts::SendRoles() {
  for (Viewer* viewer : std::set(viewers)) {
    viewer->SendRole(
        std::make_shared<const std::string>(core::DumpJson({{"type", "role"},
                                                            {"controller", controller == viewer},
                                                            {"free", controller == nullptr},
                                                            {"viewers", viewers.size()}})));
  }
}

void ServerParts::Accept() {
  acceptor.async_accept([this](error_code failed, tcp::socket socket) {
    if (closing) return;
    if (failed) {
      // No descriptors are left, perhaps: try again when some have closed.
      retry_.expires_after(std::chrono::milliseconds(50));
      retry_.async_wait([this](error_code) {
        if (!closing) Accept();
      });
      return;
    }
    const std::size_t open = http_sessions.size() + viewers.size();
    if (open >= static_cast<std::size_t>(options.max_connections) && !http_sessions.empty()) {
      http_sessions.front()->Close();
    }
    error_code ignored;
    socket.set_option(tcp::no_delay(true), ignored);
    StartHttpSession(*this, std::move(socket));
    Accept();
  });
}

void ServerParts::Watch(const std::function<bool()>& should_stop) {
  clock_.expires_after(std::chrono::milliseconds(100));
  clock_.async_wait([this, &should_stop](error_code) {
    if (!should_stop()) return Watch(should_stop);
    closing = true;
    error_code ignored;
    acceptor.close(ignored);
    for (Viewer* viewer : std::set(viewers)) viewer->SayGoodbye();
    // Time to say goodbye; connections that are idle end with the program.
    clock_.expires_after(std::chrono::milliseconds(300));
    clock_.async_wait([this](error_code) { io.stop(); });
  });
}

void ServerParts::Run(const std::function<bool()>& should_stop) {
  Accept();
  Watch(should_stop);
  while (!io.stopped()) {
    try {
      io.run();
    } catch (const std::exception& problem) {
      core::LogWarning("a connection failed: {}", problem.what());
    }
  }
}

Server::Server(std::vector<std::shared_ptr<const Subject>> subjects, const ServerOptions& options)
    : parts_(std::make_unique<ServerParts>(std::move(subjects), options)) {}
Server::~Server() = default;

int Server::port() const { return parts_->acceptor.local_endpoint().port(); }
const std::string& Server::token() const { return parts_->access->token(); }
std::string Server::url() const {
  const std::string& host = parts_->options.host;
  const bool is_v6 = host.find(':') != std::string::npos;
  return fmt::format("http://{}:{}/#token={}", is_v6 ? "[" + host + "]" : host, port(), token());
}
void Server::Run(const std::function<bool()>& should_stop) { parts_->Run(should_stop); }

}  // namespace rhumb::serve
