// A real server and a real Chromium, for the tests that press and drag.

import { spawn } from "node:child_process";
import { chromium } from "playwright-core";

/** Starts `rhumb serve`; returns its address, how long it took, and a way to end it. */
export function serve(...models) {
  return startServer([process.env.RHUMB_BIN ?? "rhumb", "serve", ...models, "--port", "0", "--json"]);
}

/** Starts a command that serves, in any way, and reads the address that it prints. */
export async function startServer([program, ...words]) {
  const began = performance.now();
  // In a group of its own: the end of the server is a Ctrl-C, which also reaches what the command started.
  const server = spawn(program, words, { stdio: ["ignore", "pipe", "inherit"], detached: true });
  const url = await new Promise((resolve, reject) => {
    let text = "";
    server.stdout.on("data", (part) => {
      text += part;
      const address = /http:\/\/[^\s"#]+#token=[\w-]+(?=[\s"])/.exec(text);
      if (address) resolve(address[0]);
    });
    server.on("error", reject);
    server.on("exit", (code) => reject(new Error(`the server ended with ${code}:\n${text}`)));
  });
  const interrupt = () => process.kill(-server.pid, "SIGINT");
  process.once("exit", interrupt);
  process.once("SIGINT", () => process.exit(130));
  const end = async () => {
    server.removeAllListeners("exit");
    process.removeListener("exit", interrupt);
    const ended = new Promise((resolve) => server.on("exit", resolve));
    interrupt();
    await ended;
  };
  return { url, ms: performance.now() - began, pid: server.pid, end };
}

/** A page in the dark theme at 1280×720; `problems` collects what goes wrong on it. */
export async function openBrowser() {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox", "--disable-gpu", "--enable-unsafe-swiftshader", "--disable-quic", "--disable-background-networking",
      "--disable-component-update", "--disable-sync",
    ],
  });
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, colorScheme: "dark" });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await context.newPage();
  const problems = [];
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(message.text());
  });
  return { browser, context, page, problems };
}
