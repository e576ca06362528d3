#include "rhumb/serve/access.h"

#include <gtest/gtest.h>

namespace rhumb::serve {
namespace {

const Access kAccess("0123456789abcdef", {"localhost", "127.0.0.1", "[::1]"}, 8700);

TEST(Access, HostMustBeThisServer) {
  for (const char* host : {"localhost:8700", "LOCALHOST:8700", "127.0.0.1:8700", "[::1]:8700"}) {
    EXPECT_TRUE(kAccess.AllowsHost(host)) << host;
  }
  for (const char* host :
       {"", "localhost", "127.0.0.1", "localhost:80", "localhost:87000", "evil.com",
        "evil.com:8700", "localhost:8700.evil.com", "evil.com/localhost:8700", "localhost.:8700",
        " localhost:8700", "localhost:8700 ", "127.0.0.1:8700@evil.com", "127.1:8700",
        "0.0.0.0:8700", "[::]:8700"}) {
    EXPECT_FALSE(kAccess.AllowsHost(host)) << host;
  }
  EXPECT_TRUE(Access("t", {"localhost"}, 80).AllowsHost("localhost"));
}

TEST(Access, OriginMustBeThisServerOrNone) {
  EXPECT_TRUE(kAccess.AllowsOrigin(""));
  EXPECT_TRUE(kAccess.AllowsOrigin("http://localhost:8700"));
  for (const char* origin : {"null", "http://evil.com", "https://localhost:8700", "localhost:8700",
                             "http://localhost:8700/", "http://localhost:8701", "file://",
                             "http://localhost:8700.evil.com", "http://evil.com#localhost:8700"}) {
    EXPECT_FALSE(kAccess.AllowsOrigin(origin)) << origin;
  }
}

TEST(Access, TokenMustBeExact) {
  EXPECT_TRUE(kAccess.AllowsToken("0123456789abcdef"));
  for (const char* token : {"", "0", "0123456789abcde", "0123456789abcdeF", "0123456789abcdef0"}) {
    EXPECT_FALSE(kAccess.AllowsToken(token)) << token;
  }
  EXPECT_EQ(MakeToken().size(), 32u);
  EXPECT_NE(MakeToken(), MakeToken());
}

TEST(Access, TokensAreFoundInHeaders) {
  EXPECT_EQ(TokenOfAuthorization("Bearer abc "), "abc");
  EXPECT_EQ(TokenOfAuthorization("Basic abc"), "");
  EXPECT_EQ(TokenOfAuthorization(""), "");
  EXPECT_EQ(TokenOfProtocols("rhumb.v1, token.abc"), "abc");
  EXPECT_EQ(TokenOfProtocols("token.abc"), "abc");
  EXPECT_EQ(TokenOfProtocols("rhumb.v1,,"), "");
  EXPECT_EQ(TokenOfProtocols(""), "");
}

}  // namespace
}  // namespace rhumb::serve
