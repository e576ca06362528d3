// A real server and a real Chromium, for the tests that press and drag.

import { spawn } from "node:child_process";
import { chromium } from "playwright-core";

/** Starts `rhumb serve`; returns its address, how long it took, and a way to end it. */
export async function serve(...models) {
  const began = performance.now();
  const server = spawn(process.env.RHUMB_BIN ?? "rhumb", ["serve", ...models, "--port", "0", "--json"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const { url } = await new Promise((resolve, reject) => {
    let text = "";
    server.stdout.on("data", (part) => {
      text += part;
      if (text.trimEnd().endsWith("}")) resolve(JSON.parse(text));
    });
    server.on("exit", (code) => reject(new Error(`the server ended with ${code}`)));
  });
  const end = () => {
    server.removeAllListeners("exit");
    server.kill("SIGINT");
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
