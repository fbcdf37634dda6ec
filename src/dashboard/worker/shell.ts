import { digestBytes, toBase64 } from "../../lib/util/hmac.ts";

const PLACE = /__NONCE__/g;

const SHARED = {
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
} as const;

export const dataHeaders = {
  ...SHARED,
  "Cache-Control": "no-store",
  "Content-Security-Policy": "default-src 'none'",
} as const;

/** The page without data, equal for everyone. The nonce permits styles. */
export const shellOf = (html: string, status = 200): Response => {
  const nonce = toBase64(crypto.getRandomValues(new Uint8Array(18)));
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
  return new Response(html.replaceAll(PLACE, nonce), {
    status,
    headers: {
      ...SHARED,
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": policy,
      "Cache-Control": "no-store",
    },
  });
};

/** Scripts in the received HTML do not run. The height goes to the page, so that it can show the whole mail. */
const DRAW = `addEventListener("message", (event) => {
  if (event.source !== parent || typeof event.data?.html !== "string") return;
  const { scrollX, scrollY } = window;
  const read = new DOMParser().parseFromString(event.data.html, "text/html");
  document.documentElement.replaceChildren(...read.documentElement.childNodes);
  scrollTo(scrollX, scrollY);
  parent.postMessage(document.documentElement.offsetHeight, "*");
});
parent.postMessage("ready", "*");`;

/**
 * Builds the mail frame without origin: a `srcdoc` frame would lose styles. `withImages` reveals the view to other
 * servers.
 */
export const previewFrame = async (withImages: boolean): Promise<Response> => {
  const remote = withImages ? "https: data:" : "data:";
  const hash = toBase64(await digestBytes(DRAW));
  const policy = [
    "sandbox allow-scripts",
    "default-src 'none'",
    `script-src 'sha256-${hash}'`,
    "style-src 'unsafe-inline'",
    `img-src ${remote}`,
    `font-src ${remote}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join("; ");
  return new Response(`<!doctype html><meta charset="utf-8"><title>Mail</title><script>${DRAW}</script>`, {
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": policy,
      "X-Content-Type-Options": "nosniff",
      "Referrer-Policy": "no-referrer",
      "Cache-Control": "no-store",
    },
  });
};
