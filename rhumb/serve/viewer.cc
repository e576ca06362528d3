#include "rhumb/serve/viewer.h"

#include <algorithm>
#include <atomic>
#include <boost/asio/post.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <chrono>
#include <deque>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "rhumb/core/error.h"
#include "rhumb/core/files/json_file.h"
#include "rhumb/core/process/log.h"
#include "rhumb/serve/message.h"

namespace rhumb::serve {
namespace {

namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using boost::system::error_code;
using nlohmann::json;
using Request = http::request<http::string_body>;

constexpr std::size_t kMaxQueuedMessages = 64;
constexpr auto kLongestTry = std::chrono::seconds(2);  // other questions wait meanwhile

class WebSocketViewer final : public Viewer, public std::enable_shared_from_this<WebSocketViewer> {
 public:
  WebSocketViewer(ServerParts& server, beast::tcp_stream stream)
      : server_(server), socket_(std::move(stream)) {}
  ~WebSocketViewer() override { server_.Leave(this); }

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

  void SendText(Text text) override {
    if (closed_) return;
    if (texts_.size() >= kMaxQueuedMessages) return Close(websocket::close_code::try_again_later);
    texts_.push_back(std::move(text));
    Write();
  }
  void SendRole(Text role) override { Replace(role_, std::move(role)); }
  void SendState(Text state) override { Replace(state_, std::move(state)); }
  void SendFrame(Text frame) override { Replace(frame_, std::move(frame)); }
  void SayGoodbye() override { Close(websocket::close_code::going_away); }

 private:
  void Close(websocket::close_code code) {
    if (std::exchange(closed_, true)) return;
    superseded_ = true;
    server_.Leave(this);
    if (writing_) {
      // A peer that does not read would keep the connection.
      beast::get_lowest_layer(socket_).cancel();
      return;
    }
    socket_.async_close(code, [self = shared_from_this()](error_code) {});
  }

  void Send(const json& document) {
    SendText(std::make_shared<const std::string>(core::DumpJson(document)));
  }

  void Read() {
    socket_.async_read(buffer_, [self = shared_from_this()](error_code failed, std::size_t) {
      if (failed || self->closed_) {
        self->closed_ = self->superseded_ = true;
        return self->server_.Leave(self.get());
      }
      if (self->socket_.got_text()) {
        self->Take(beast::buffers_to_string(self->buffer_.data()));
      } else {
        self->Send({{"type", "error"}, {"error", "messages are text"}});
      }
      self->buffer_.consume(self->buffer_.size());
      self->Read();
    });
  }

  void Replace(Text& slot, Text next) {
    if (closed_) return;
    slot = std::move(next);
    Write();
  }

  void Write() {
    if (writing_ || closed_) return;
    Text bytes;
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
                            self->closed_ = self->superseded_ = true;
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
    Send(document);
  }

  // Answers the latest question; older ones that still wait are dropped.
  void Do(SteerMessage& message) {
    if (message.play) superseded_ = true;
    question_ = std::move(message);
    Ask();
  }

  void Ask() {
    if (!question_ || asking_) return;
    asking_ = true;
    superseded_ = false;
    const auto question = std::make_shared<SteerMessage>(std::move(*question_));
    question_.reset();
    const bool accepted = server_.Work([self = shared_from_this(), question,
                                        subject = server_.stage->subject(),
                                        mode = server_.stage->mode()] {
      json answer;
      std::vector<Behaviour> staged;
      const int answers = question->play ? std::max(1, question->play->tries) : 1;
      try {
        answer = subject->Steer(question->query, {mode, question->confidence, answers}, &staged);
        answer["type"] = "answer";
        answer["place"] = staged.front().place;
      } catch (const std::exception& problem) {
        answer = {{"type", "error"}, {"error", problem.what()}};
      }
      answer["id"] = question->id;
      // The answer does not wait for the tries.
      asio::post(self->server_.io, [self, answer = std::move(answer)] { self->Send(answer); });
      const auto chosen =
          staged.size() > 1 ? self->Try(staged, *question->play) : std::optional<std::size_t>(0);
      asio::post(self->server_.io,
                 [self, question, subject, chosen, staged = std::move(staged)]() mutable {
                   self->asking_ = false;
                   const bool plays = question->play && chosen && !staged.empty() &&
                                      !staged[*chosen].code.empty() &&
                                      self->server_.controller == self.get() &&
                                      self->server_.stage->subject() == subject;
                   if (plays) {
                     self->server_.stage->Play(std::move(staged[*chosen]), *question->play);
                   }
                   self->Ask();
                 });
    });
    if (accepted) return;
    asking_ = false;
    Complain(question->id, "too many questions are waiting; ask again");
  }

  // Returns the place of the answer that is to take over: the best one, if it cannot be tried in
  // time. Returns nothing if another behaviour was asked for meanwhile. For the thread of
  // questions.
  std::optional<std::size_t> Try(std::span<const Behaviour> staged, const Takeover& takeover) {
    const auto deadline = std::chrono::steady_clock::now() + kLongestTry;
    try {
      const auto chosen = server_.stage->TryTakeover(staged, takeover, [this, deadline] {
        return superseded_ || std::chrono::steady_clock::now() > deadline;
      });
      if (chosen || superseded_) return chosen;
    } catch (const std::exception& problem) {
      // The stage may show another model by now, whose codes have another size.
      core::LogWarning("the answers were not tried: {}", problem.what());
    }
    return 0;
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
    superseded_ = true;
    Prepare(
        [message](const Subject& subject, net::RolloutMode mode) {
          if (message.policy) {
            return subject.StagePolicy(message.policy->agent, message.policy->iteration, mode);
          }
          if (message.row >= 0) return subject.StageRow(message.row, mode);
          return subject.StageCode(message.code, mode,
                                   message.label.empty() ? "a code" : message.label);
        },
        [takeover = message.takeover](Stage& stage, Behaviour& staged) {
          stage.Play(std::move(staged), takeover);
        });
  }

  void Do(ScheduleMessage& message) {
    superseded_ = true;
    Prepare(
        [lines = message.lines](const Subject& subject, net::RolloutMode mode) {
          return subject.StageSchedule(lines, mode);
        },
        [lane = message.lane](Stage& stage, std::vector<ScheduledStage>& schedule) {
          stage.Follow(lane, std::move(schedule));
        });
  }

  // Shows another model or mode, from its first behaviour.
  void Show(const std::shared_ptr<const Subject>& subject, net::RolloutMode mode) {
    superseded_ = true;
    const bool accepted = server_.Work([self = shared_from_this(), subject, mode] {
      try {
        const auto first = std::make_shared<Behaviour>(subject->First(mode));
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
    Show(subject, mode);
  }
  void Do(ModeMessage& message) {
    const net::RolloutMode mode = net::ParseRolloutMode(message.mode);
    auto subject = server_.stage->subject();
    if (!subject->HasMode(mode) && mode != subject->main_mode()) {
      Fail("the model was not grounded with {} actions", message.mode);
    }
    Show(subject, mode);
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
  std::deque<Text> texts_;
  Text role_, state_, frame_;
  bool writing_ = false, closed_ = false, asking_ = false;
  std::atomic<bool> superseded_{false};  // another behaviour was asked for; ends the tries
  std::optional<SteerMessage> question_;
};

}  // namespace

void StartViewer(ServerParts& server, beast::tcp_stream stream, const Request& request) {
  std::make_shared<WebSocketViewer>(server, std::move(stream))->Start(request);
}

}  // namespace rhumb::serve
