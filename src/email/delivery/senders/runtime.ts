import { EmailMessage } from "cloudflare:email";
import { connect as open } from "cloudflare:sockets";
import type { Connect, Runtime, Timers } from "./definition.ts";

/** Opens sockets of the Workers runtime. Certificates are always checked. */
export const connect: Connect = (address, tls) => open(address, { secureTransport: tls, allowHalfOpen: false });

export const timers: Timers = {
  now: () => Date.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/** Everything of the Workers runtime but the inbox. */
export const workersRuntime: Omit<Runtime, "capture"> = {
  connect,
  timers,
  https: {
    fetch: (request) => fetch(request),
    now: () => Date.now(),
    timeout: (ms) => AbortSignal.timeout(ms),
  },
  emailMessage: (from, to, raw) => new EmailMessage(from, to, raw),
};
