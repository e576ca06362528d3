// The key of the server, which the printed address brings along.

/** Takes the key out of the address, where a screenshot or a copy would show it, and keeps it for this tab. */
export function takeToken(): string {
  const fragment = new URLSearchParams(location.hash.slice(1));
  if (fragment.get("token")) {
    sessionStorage.setItem("rhumb-token", fragment.get("token") ?? "");
    fragment.delete("token");
    history.replaceState(null, "", location.pathname + (fragment.size > 0 ? `#${fragment.toString()}` : ""));
  }
  return sessionStorage.getItem("rhumb-token") ?? "";
}
