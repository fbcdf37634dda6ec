import { connect as open } from "cloudflare:sockets";
import type { Connect, Timers } from "./smtp/wire.ts";

/** Opens sockets of the Workers runtime. Certificates are always checked. */
export const connect: Connect = (address, tls) => open(address, { secureTransport: tls, allowHalfOpen: false });

export const timers: Timers = {
  now: () => Date.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

export const https = {
  fetch: (request: Request) => fetch(request),
  now: () => Date.now(),
  timeout: (ms: number) => AbortSignal.timeout(ms),
};
