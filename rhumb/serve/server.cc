#include "rhumb/serve/server.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <chrono>
#include <deque>
#include <list>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>
#include <variant>

#include "rhumb/core/error.h"
#include "rhumb/core/files/json_file.h"
#include "rhumb/core/process/log.h"
#include "rhumb/core/version.h"
#include "rhumb/serve/access.h"
#include "rhumb/serve/message.h"
#include "rhumb/serve/page_files.h"
#include "rhumb/serve/stage.h"
#include "rhumb/steer/schedule.h"

namespace rhumb::serve {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using asio::ip::tcp;
using boost::system::error_code;
using nlohmann::json;
using Request = http::request<http::string_body>;
using Response = http::response<http::string_body>;

constexpr std::uint32_t kMaxHeaderBytes = 8 * 1024;
constexpr std::uint64_t kMaxBodyBytes = 64 * 1024;
constexpr std::size_t kMaxQueuedMessages = 64;
constexpr int kMaxPendingWork = 64;  // questions that wait for their turn
constexpr int kMaxRequests = 1000;   // on one connection

std::chrono::steady_clock::duration Seconds(double seconds) {
  return std::chrono::duration_cast<std::chrono::steady_clock::duration>(
      std::chrono::duration<double>(seconds));
}

std::string ErrorJson(const std::string& sentence) { return core::DumpJson({{"error", sentence}}); }

// A page may use what this server sends, and its WebSocket, and nothing else.
constexpr const char* kPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: "
    "blob:; media-src blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'";

Response MakeResponse(const Request& request, http::status status, std::string body,
                      const std::string& type) {
  Response response(status, request.version());
  response.set(http::field::content_type, type);
  response.set("Content-Security-Policy", kPolicy);
  response.set("X-Content-Type-Options", "nosniff");
  response.set("Referrer-Policy", "no-referrer");
  response.set("Cross-Origin-Resource-Policy", "same-origin");
  response.set("Cross-Origin-Opener-Policy", "same-origin");
  response.set(http::field::cache_control, "no-store");
  response.keep_alive(request.keep_alive());
  response.body() = std::move(body);
  response.prepare_payload();
  return response;
}

Response MakeJson(const Request& request, http::status status, std::string body) {
  return MakeResponse(request, status, std::move(body), "application/json");
}

Response MakeError(const Request& request, http::status status, const std::string& sentence) {
  return MakeJson(request, status, ErrorJson(sentence));
}

std::string_view View(beast::string_view text) { return {text.data(), text.size()}; }

}  // namespace

class HttpSession;
class Viewer;

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

// A WebSocket. Lives as long as its operations hold it; used on the io thread only.
class Viewer : public std::enable_shared_from_this<Viewer> {
 public:
  Viewer(ServerParts& server, beast::tcp_stream stream)
      : server_(server), socket_(std::move(stream)) {}
  ~Viewer() { server_.Leave(this); }

  void Start(const Request& request) {
    websocket::stream_base::timeout timeout =
        websocket::stream_base::timeout::suggested(beast::role_type::server);
    timeout.handshake_timeout = Seconds(server_.options.request_s);
    timeout.idle_timeout = Seconds(server_.options.idle_s);
    timeout.keep_alive_pings = true;
    beast::get_lowest_layer(socket_).expires_never();
    socket_.set_option(timeout);
    socket_.set_option(websocket::stream_base::decorator([](websocket::response_type& response) {
      response.set(http::field::sec_websocket_protocol, std::string(kProtocol));
    }));
    socket_.read_message_max(kMaxMessageBytes);
    socket_.async_accept(request, [self = shared_from_this()](error_code failed) {
      if (failed) return;
      self->server_.Join(self);
      self->Read();
    });
  }

  void SendText(std::shared_ptr<const std::string> text) {
    if (closed_) return;
    if (texts_.size() >= kMaxQueuedMessages) return Close(websocket::close_code::try_again_later);
    texts_.push_back(std::move(text));
    Write();
  }
  void SendText(const json& document) {
    SendText(std::make_shared<const std::string>(core::DumpJson(document)));
  }
  // Of these, one that has not been written yet is replaced: the latest wins.
  void SendRole(std::shared_ptr<const std::string> role) { Replace(role_, std::move(role)); }
  void SendState(std::shared_ptr<const std::string> state) { Replace(state_, std::move(state)); }
  void SendFrame(std::shared_ptr<const std::string> frame) { Replace(frame_, std::move(frame)); }
  void Close(websocket::close_code code) {
    if (std::exchange(closed_, true)) return;
    server_.Leave(this);
    if (writing_) {
      // A peer that does not read would keep the connection.
      beast::get_lowest_layer(socket_).cancel();
      return;
    }
    socket_.async_close(code, [self = shared_from_this()](error_code) {});
  }

 private:
  void Read() {
    socket_.async_read(buffer_, [self = shared_from_this()](error_code failed, std::size_t) {
      if (failed || self->closed_) {
        self->closed_ = true;
        return self->server_.Leave(self.get());
      }
      if (self->socket_.got_text()) {
        self->Take(beast::buffers_to_string(self->buffer_.data()));
      } else {
        self->SendText({{"type", "error"}, {"error", "messages are text"}});
      }
      self->buffer_.consume(self->buffer_.size());
      self->Read();
    });
  }

  void Replace(std::shared_ptr<const std::string>& slot, std::shared_ptr<const std::string> next) {
    if (closed_) return;
    slot = std::move(next);
    Write();
  }

  void Write() {
    if (writing_ || closed_) return;
    std::shared_ptr<const std::string> bytes;
    if (!texts_.empty()) {
      bytes = std::move(texts_.front());
      texts_.pop_front();
    } else if (role_) {
      bytes = std::exchange(role_, nullptr);
    } else if (state_) {
      bytes = std::exchange(state_, nullptr);
    }
    const bool is_text = bytes != nullptr;
    if (!is_text) bytes = std::exchange(frame_, nullptr);
    if (!bytes) return;
    writing_ = true;
    socket_.text(is_text);
    socket_.async_write(asio::buffer(*bytes),
                        [self = shared_from_this(), bytes](error_code failed, std::size_t) {
                          self->writing_ = false;
                          if (failed) {
                            self->closed_ = true;
                            return self->server_.Leave(self.get());
                          }
                          self->Write();
                        });
  }

  // Takes one message. Its faults are answered, never thrown.
  void Take(const std::string& text) {
    std::int64_t id = -1;
    try {
      Message message = ParseMessage(text);
      if (const auto* steer = std::get_if<SteerMessage>(&message)) id = steer->id;
      if (NeedsControl(message) && server_.controller != this) {
        Fail("only the controller may do this; ask for control first");
      }
      std::visit([this](auto& one) { Do(one); }, message);
    } catch (const Error& problem) {
      Complain(id, problem.what());
    }
  }

  void Complain(std::int64_t id, const std::string& sentence) {
    json document = {{"type", "error"}, {"error", sentence}};
    if (id >= 0) document["id"] = id;
    SendText(document);
  }

  // Answers the latest question; older ones that still wait are dropped.
  void Do(SteerMessage& message) {
    question_ = std::move(message);
    Ask();
  }

  void Ask() {
    if (!question_ || asking_) return;
    asking_ = true;
    const auto question = std::make_shared<SteerMessage>(std::move(*question_));
    question_.reset();
    const bool accepted =
        server_.Work([self = shared_from_this(), question, subject = server_.stage->subject(),
                      mode = server_.stage->mode()] {
          json answer;
          StagedCode staged;
          try {
            answer = subject->Steer(question->query, {mode, question->confidence}, &staged);
            answer["type"] = "answer";
          } catch (const std::exception& problem) {
            answer = {{"type", "error"}, {"error", problem.what()}};
          }
          answer["id"] = question->id;
          asio::post(self->server_.io, [self, question, subject, answer = std::move(answer),
                                        staged = std::move(staged)]() mutable {
            self->asking_ = false;
            const bool plays = question->play && !staged.code.empty() &&
                               self->server_.controller == self.get() &&
                               self->server_.stage->subject() == subject;
            if (plays) self->server_.stage->Play(std::move(staged), *question->play);
            self->SendText(answer);
            self->Ask();
          });
        });
    if (accepted) return;
    asking_ = false;
    Complain(question->id, "too many questions are waiting; ask again");
  }

  // Runs `make` on the thread for questions and hands its result to the stage, unless the stage has
  // another subject by then.
  template <class Make, class Use>
  void Prepare(Make make, Use use) {
    const auto subject = server_.stage->subject();
    const bool accepted =
        server_.Work([self = shared_from_this(), subject, mode = server_.stage->mode(), make, use] {
          using Made = decltype(make(*subject, mode));
          try {
            auto made = std::make_shared<Made>(make(*subject, mode));
            asio::post(self->server_.io, [self, subject, made, use] {
              if (self->server_.stage->subject() == subject) use(*self->server_.stage, *made);
            });
          } catch (const std::exception& problem) {
            const std::string sentence = problem.what();
            asio::post(self->server_.io, [self, sentence] { self->Complain(-1, sentence); });
          }
        });
    if (!accepted) Complain(-1, "too many questions are waiting; ask again");
  }

  void Do(PlayMessage& message) {
    Prepare(
        [message](const Subject& subject, net::RolloutMode mode) {
          if (message.row >= 0) return subject.StageRow(message.row, mode);
          return subject.StageCode(message.code, mode,
                                   message.label.empty() ? "a code" : message.label);
        },
        [takeover = message.takeover](Stage& stage, StagedCode& staged) {
          stage.Play(std::move(staged), takeover);
        });
  }

  void Do(ScheduleMessage& message) {
    Prepare(
        [lines = message.lines](const Subject& subject, net::RolloutMode mode) {
          std::vector<ScheduledStage> schedule;
          for (std::size_t i = 0; i < lines.size(); ++i) {
            const std::string place = fmt::format("line {} of the schedule", i + 1);
            steer::ScheduledCode made =
                steer::SolveScheduled(lines[i], place, {}, *subject.SteererFor({mode}));
            if (i == 0 ? made.step != 0 : made.step <= schedule.back().step) {
              Fail("{}: step {}; the steps must ascend from 0", place, made.step);
            }
            schedule.push_back(
                {made.step,
                 made.blend_steps,
                 {made.answer.code, made.answer.predicted, made.answer.interval, made.words}});
          }
          return schedule;
        },
        [lane = message.lane](Stage& stage, std::vector<ScheduledStage>& schedule) {
          stage.Follow(lane, std::move(schedule));
        });
  }

  // Shows another model or mode, from its first code.
  void Show(std::shared_ptr<const Subject> subject, net::RolloutMode mode) {
    const bool accepted = server_.Work([self = shared_from_this(), subject, mode] {
      try {
        const auto first = std::make_shared<StagedCode>(subject->FirstCode(mode));
        asio::post(self->server_.io, [self, subject, mode, first] {
          self->server_.stage->Show(subject, mode, std::move(*first));
        });
      } catch (const std::exception& problem) {
        const std::string sentence = problem.what();
        asio::post(self->server_.io, [self, sentence] { self->Complain(-1, sentence); });
      }
    });
    if (!accepted) Complain(-1, "too many questions are waiting; ask again");
  }

  void Do(ModelMessage& message) {
    auto subject = server_.ShareSubject(message.name);
    if (!subject) Fail("no model here is named '{}'", message.name.substr(0, 80));
    const net::RolloutMode mode = subject->main_mode();
    Show(std::move(subject), mode);
  }
  void Do(ModeMessage& message) {
    const net::RolloutMode mode = net::ParseRolloutMode(message.mode);
    auto subject = server_.stage->subject();
    if (!subject->HasMode(mode) && mode != subject->main_mode()) {
      Fail("the model was not grounded with {} actions", message.mode);
    }
    Show(std::move(subject), mode);
  }
  void Do(ClearMessage& message) { server_.stage->Clear(message.lane); }
  void Do(RunMessage& message) { server_.stage->Run(message.paused, message.speed); }
  void Do(StepMessage&) { server_.stage->StepOnce(); }
  void Do(RestartMessage& message) { server_.stage->Restart(message.seed); }
  void Do(PushMessage& message) { server_.stage->Push(message.lane, message.body, message.force); }
  void Do(ControlMessage& message) {
    message.release ? server_.Release(this) : server_.Claim(this);
  }

  ServerParts& server_;
  websocket::stream<beast::tcp_stream> socket_;
  beast::flat_buffer buffer_;
  std::deque<std::shared_ptr<const std::string>> texts_;
  std::shared_ptr<const std::string> role_, state_, frame_;
  bool writing_ = false, closed_ = false, asking_ = false;
  std::optional<SteerMessage> question_;
};

// One connection until it closes or becomes a WebSocket. Used on the io thread only.
class HttpSession : public std::enable_shared_from_this<HttpSession> {
 public:
  HttpSession(ServerParts& server, tcp::socket socket)
      : server_(server), stream_(std::move(socket)) {
    place_ = server_.http_sessions.insert(server_.http_sessions.end(), this);
  }
  ~HttpSession() { server_.http_sessions.erase(place_); }

  void Close() { stream_.close(); }

  void Read() {
    if (++requests_ > kMaxRequests) return;
    parser_.emplace();
    parser_->header_limit(kMaxHeaderBytes);
    parser_->body_limit(kMaxBodyBytes);
    stream_.expires_after(Seconds(server_.options.request_s));
    http::async_read(
        stream_, buffer_, *parser_,
        [self = shared_from_this()](error_code failed, std::size_t) { self->Answer(failed); });
  }

 private:
  void Answer(error_code failed) {
    if (failed == http::error::header_limit || failed == http::error::body_limit ||
        failed == http::error::bad_method || failed == http::error::bad_target ||
        failed == http::error::bad_version) {
      Request none;
      none.version(11);
      none.keep_alive(false);
      const bool is_large =
          failed == http::error::header_limit || failed == http::error::body_limit;
      return Send(MakeError(none,
                            is_large ? http::status::payload_too_large : http::status::bad_request,
                            is_large ? "the request is too large" : "this is not HTTP"));
    }
    if (failed) return;
    const Request request = parser_->release();
    if (std::optional<Response> response = Respond(request)) Send(std::move(*response));
  }

  void Send(Response made) {
    const auto response = std::make_shared<Response>(std::move(made));
    stream_.expires_after(Seconds(server_.options.request_s));
    http::async_write(stream_, *response,
                      [self = shared_from_this(), response](error_code failed, std::size_t) {
                        if (failed) return;
                        if (response->keep_alive()) return self->Read();
                        error_code ignored;
                        self->stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
                      });
  }

  // Empty if the answer comes later, or the connection is a WebSocket now.
  std::optional<Response> Respond(const Request& request) {
    const Access& access = *server_.access;
    if (request.count(http::field::host) != 1 ||
        !access.AllowsHost(View(request[http::field::host]))) {
      return MakeError(request, http::status::misdirected_request,
                       "this server does not go by that name");
    }
    if (request.count(http::field::origin) > 1 ||
        !access.AllowsOrigin(View(request[http::field::origin]))) {
      return MakeError(request, http::status::forbidden, "pages of other sites may not ask");
    }
    const std::string_view target = View(request.target());
    const std::string_view path = target.substr(0, target.find('?'));
    if (!path.starts_with("/api/")) return RespondWithFile(request, path);

    const std::string_view token =
        path == "/api/live" ? TokenOfProtocols(View(request[http::field::sec_websocket_protocol]))
                            : TokenOfAuthorization(View(request[http::field::authorization]));
    if (!access.AllowsToken(token)) {
      return MakeError(request, http::status::unauthorized,
                       "the token is missing or wrong; it is in the address that the server "
                       "printed");
    }
    if (path == "/api/live") return Upgrade(request);
    if (path == "/api/steer") return Steer(request);
    if (request.method() != http::verb::get) {
      return MakeError(request, http::status::method_not_allowed, "only GET is allowed here");
    }
    if (path == "/api/models") return MakeJson(request, http::status::ok, ListModels());
    constexpr std::string_view kModels = "/api/models/";
    if (path.starts_with(kModels)) return Describe(request, path.substr(kModels.size()));
    return MakeError(request, http::status::not_found, "there is no such address");
  }

  std::optional<Response> RespondWithFile(const Request& request, std::string_view path) {
    if (request.method() != http::verb::get && request.method() != http::verb::head) {
      return MakeError(request, http::status::method_not_allowed, "only GET is allowed here");
    }
    const PageFile* file = server_.files.Find(path);
    if (file == nullptr) {
      return MakeError(request, http::status::not_found, "there is no such file");
    }
    const bool is_known = View(request[http::field::if_none_match]) == file->etag;
    const bool has_body = !is_known && request.method() == http::verb::get;
    Response response =
        MakeResponse(request, is_known ? http::status::not_modified : http::status::ok,
                     has_body ? file->bytes : "", file->type);
    response.set(http::field::etag, file->etag);
    response.set(http::field::cache_control,
                 file->lasting ? "public, max-age=31536000, immutable" : "no-cache");
    return response;
  }

  std::string ListModels() const {
    json list = json::array();
    for (const auto& subject : server_.subjects) {
      list.push_back({{"name", subject->name()}, {"environment", subject->environment().id()}});
    }
    return core::DumpJson({{"version", core::kVersion}, {"models", std::move(list)}});
  }

  // "NAME", "NAME/scene", "NAME/map/sampled"
  Response Describe(const Request& request, std::string_view rest) const {
    const std::size_t slash = rest.find('/');
    const Subject* subject = server_.FindSubject(rest.substr(0, slash));
    const std::string_view part =
        slash == std::string_view::npos ? std::string_view() : rest.substr(slash + 1);
    if (subject != nullptr && part.empty() && slash == std::string_view::npos) {
      return MakeJson(request, http::status::ok, subject->description());
    }
    if (subject != nullptr && part == "scene") {
      return MakeJson(request, http::status::ok, subject->scene());
    }
    for (const net::RolloutMode mode : {net::RolloutMode::kSampled, net::RolloutMode::kMean}) {
      if (subject != nullptr && part == fmt::format("map/{}", net::NameOf(mode))) {
        return MakeJson(request, http::status::ok, subject->map(mode));
      }
    }
    return MakeError(request, http::status::not_found, "there is no such model or part of it");
  }

  std::optional<Response> Steer(const Request& request) {
    if (request.method() != http::verb::post) {
      return MakeError(request, http::status::method_not_allowed, "only POST is allowed here");
    }
    // Other types could come from a form of another site.
    if (!View(request[http::field::content_type]).starts_with("application/json")) {
      return MakeError(request, http::status::unsupported_media_type,
                       "the body must be application/json");
    }
    stream_.expires_never();  // the work is bounded
    const auto kept = std::make_shared<const Request>(request);
    const bool accepted = server_.Work([self = shared_from_this(), kept] {
      auto response = std::make_shared<Response>(self->SolveRequest(*kept));
      asio::post(self->server_.io, [self, response] { self->Send(std::move(*response)); });
    });
    if (accepted) return std::nullopt;
    return MakeError(request, http::status::service_unavailable, "too many questions are waiting");
  }

  // On the thread for questions.
  Response SolveRequest(const Request& request) const {
    try {
      json document = core::ParseJson(request.body(), "the body");
      if (!document.is_object()) Fail("the body must be an object");
      const auto take = [&](const char* key) {
        json value;
        if (const auto found = document.find(key); found != document.end()) {
          value = *found;
          document.erase(key);
        }
        return value;
      };
      const json name = take("model"), mode = take("mode"), confidence = take("confidence"),
                 answers = take("answers");
      const Subject* subject = server_.subjects.front().get();
      if (!name.is_null())
        subject = name.is_string() ? server_.FindSubject(name.get<std::string>()) : nullptr;
      if (subject == nullptr) Fail("the body: 'model' names none of the models here");
      SteerChoice choice{subject->main_mode()};
      if (!mode.is_null()) {
        if (!mode.is_string()) Fail("the body: 'mode' must be a text");
        choice.mode = net::ParseRolloutMode(mode.get<std::string>());
      }
      if (!confidence.is_null()) {
        choice.confidence = confidence.is_number() ? confidence.get<double>() : -1;
        if (!(choice.confidence >= 0 && choice.confidence <= 0.999)) {
          Fail("the body: 'confidence' must be a number from 0 to 0.999");
        }
      }
      if (!answers.is_null()) {
        const double count = answers.is_number_integer() ? answers.get<double>() : 0;
        if (!(count >= 1 && count <= kMaxAnswers)) {
          Fail("the body: 'answers' must be a whole number from 1 to {}", kMaxAnswers);
        }
        choice.answers = static_cast<int>(count);
      }
      return MakeJson(request, http::status::ok,
                      core::DumpJson(subject->Steer(document, choice, nullptr)));
    } catch (const Error& problem) {
      return MakeError(request, http::status::bad_request, problem.what());
    } catch (const std::exception& problem) {
      core::LogWarning("a question failed: {}", problem.what());
      return MakeError(request, http::status::internal_server_error, "the question failed");
    }
  }

  std::optional<Response> Upgrade(const Request& request) {
    if (!websocket::is_upgrade(request)) {
      return MakeError(request, http::status::upgrade_required, "this address is a WebSocket");
    }
    if (server_.viewers.size() >= static_cast<std::size_t>(server_.options.max_viewers)) {
      return MakeError(request, http::status::service_unavailable, "too many viewers");
    }
    std::make_shared<Viewer>(server_, std::move(stream_))->Start(request);
    return std::nullopt;
  }

  ServerParts& server_;
  beast::tcp_stream stream_;
  beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::string_body>> parser_;
  std::list<HttpSession*>::iterator place_;
  int requests_ = 0;
};

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
  asio::post(worker_, [this, work = std::move(work)] {
    work();
    --pending_work_;
  });
  return true;
}

void ServerParts::Join(const std::shared_ptr<Viewer>& viewer) {
  viewers.insert(viewer.get());
  json models = json::array();
  for (const auto& subject : subjects) models.push_back(subject->name());
  viewer->SendText({{"type", "hello"}, {"version", core::kVersion}, {"models", models}});
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
    std::make_shared<HttpSession>(*this, std::move(socket))->Read();
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
    for (Viewer* viewer : std::set(viewers)) viewer->Close(websocket::close_code::going_away);
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
