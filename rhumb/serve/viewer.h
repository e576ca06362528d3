// Who watches: a WebSocket, with messages in and answers, state and frames out.
#pragma once

#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>
#include <memory>
#include <string>

#include "rhumb/serve/server_parts.h"

namespace rhumb::serve {

using Text = std::shared_ptr<const std::string>;

// Used on the io thread only. Its operations own it.
class Viewer {
 public:
  virtual ~Viewer() = default;

  // Queues a message. A viewer that does not take its messages is closed.
  virtual void SendText(Text text) = 0;
  // Of these, one that has not been written yet is replaced: the latest wins.
  virtual void SendRole(Text role) = 0;
  virtual void SendState(Text state) = 0;
  virtual void SendFrame(Text frame) = 0;
  virtual void SayGoodbye() = 0;  // the server ends
};

// Answers the request to upgrade, and joins the viewer when that is done. The server must outlive
// its io context's handlers.
void StartViewer(ServerParts& server, boost::beast::tcp_stream stream,
                 const boost::beast::http::request<boost::beast::http::string_body>& request);

}  // namespace rhumb::serve
