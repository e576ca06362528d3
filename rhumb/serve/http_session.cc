#include "rhumb/serve/http_session.h"

#include <fmt/format.h>

#include <boost/asio/post.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket/rfc6455.hpp>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "rhumb/core/error.h"
#include "rhumb/core/files/json_file.h"
#include "rhumb/core/process/log.h"
#include "rhumb/core/version.h"
#include "rhumb/serve/message.h"
#include "rhumb/serve/viewer.h"

namespace rhumb::serve {
namespace {

namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using boost::system::error_code;
using nlohmann::json;
using Request = http::request<http::string_body>;
using Response = http::response<http::string_body>;

constexpr std::uint32_t kMaxHeaderBytes = 8 * 1024;
constexpr std::uint64_t kMaxBodyBytes = 64 * 1024;
constexpr int kMaxRequests = 1000;  // on one connection
constexpr double kDrainSeconds = 1;
constexpr int kMaxDrainedReads = 64;

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

class Connection final : public HttpSession, public std::enable_shared_from_this<Connection> {
 public:
  Connection(ServerParts& server, tcp::socket socket)
      : server_(server), stream_(std::move(socket)) {
    place_ = server_.http_sessions.insert(server_.http_sessions.end(), this);
  }
  ~Connection() override { server_.http_sessions.erase(place_); }

  void Close() override { stream_.close(); }

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
                        self->stream_.expires_after(Seconds(kDrainSeconds));
                        self->Drain(kMaxDrainedReads);
                      });
  }

  // Reads what still comes, for a while: closing before would take the answer back (RST).
  void Drain(int reads) {
    buffer_.clear();
    stream_.async_read_some(buffer_.prepare(kMaxBodyBytes),
                            [self = shared_from_this(), reads](error_code failed, std::size_t) {
                              if (!failed && reads > 0) self->Drain(reads - 1);
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
      list.push_back({{"name", subject->name()},
                      {"kind", subject->kind()},
                      {"environment", subject->environment().id()}});
    }
    return core::DumpJson({{"version", core::kVersion}, {"models", std::move(list)}});
  }

  // "NAME", "NAME/scene", "NAME/map/sampled", "NAME/policies"
  std::optional<Response> Describe(const Request& request, std::string_view rest) {
    const std::size_t slash = rest.find('/');
    const std::shared_ptr<const Subject> subject = server_.ShareSubject(rest.substr(0, slash));
    const std::string part(slash == std::string_view::npos ? "" : rest.substr(slash + 1));
    if (subject == nullptr || (part.empty() && slash != std::string_view::npos)) {
      return MakeNoPart(request);
    }
    const auto describe = [subject, part](const Request& asked) {
      std::optional<std::string> text = subject->Part(part);
      return text ? MakeJson(asked, http::status::ok, std::move(*text)) : MakeNoPart(asked);
    };
    // Policies are looked up on disk, which may be slow.
    if (part == "policies") return RespondLater(request, describe);
    return describe(request);
  }

  static Response MakeNoPart(const Request& request) {
    return MakeError(request, http::status::not_found, "there is no such model or part of it");
  }

  // Answers from the thread for questions.
  template <class Make>
  std::optional<Response> RespondLater(const Request& request, Make make) {
    stream_.expires_never();  // the work is bounded
    const auto kept = std::make_shared<const Request>(request);
    const bool accepted = server_.Work([self = shared_from_this(), kept, make] {
      std::shared_ptr<Response> response;
      try {
        response = std::make_shared<Response>(make(*kept));
      } catch (const Error& problem) {
        response =
            std::make_shared<Response>(MakeError(*kept, http::status::bad_request, problem.what()));
      } catch (const std::exception& problem) {
        core::LogWarning("a question failed: {}", problem.what());
        response = std::make_shared<Response>(
            MakeError(*kept, http::status::internal_server_error, "the question failed"));
      }
      asio::post(self->server_.io, [self, response] { self->Send(std::move(*response)); });
    });
    if (accepted) return std::nullopt;
    return MakeError(request, http::status::service_unavailable, "too many questions are waiting");
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
    return RespondLater(request, [this](const Request& asked) { return SolveRequest(asked); });
  }

  // On the thread for questions.
  Response SolveRequest(const Request& request) const {
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
  }

  std::optional<Response> Upgrade(const Request& request) {
    if (!websocket::is_upgrade(request)) {
      return MakeError(request, http::status::upgrade_required, "this address is a WebSocket");
    }
    if (server_.viewers.size() >= static_cast<std::size_t>(server_.options.max_viewers)) {
      return MakeError(request, http::status::service_unavailable, "too many viewers");
    }
    StartViewer(server_, std::move(stream_), request);
    return std::nullopt;
  }

  ServerParts& server_;
  beast::tcp_stream stream_;
  beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::string_body>> parser_;
  std::list<HttpSession*>::iterator place_;
  int requests_ = 0;
};

}  // namespace

void StartHttpSession(ServerParts& server, tcp::socket socket) {
  std::make_shared<Connection>(server, std::move(socket))->Read();
}

}  // namespace rhumb::serve
