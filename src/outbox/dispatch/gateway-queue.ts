import { readAnswer } from "../../lib/contract/body.ts";
import { ForeignAnswerError } from "../../lib/contract/client.ts";
import { matcherOf, routesOf } from "../../lib/contract/match.ts";
import { CONTENT_WINDOW, type Operation, operationsOf } from "../../lib/contract/operation.ts";
import { v1 } from "../../lib/contract/v1.ts";
import { neverLeft } from "../../lib/util/never-left.ts";
import { admit } from "../../lib/util/sliding-window.ts";
import { unsafeAddress } from "../model/config.ts";
import type { Dependencies } from "../model/dependencies.ts";
import { outageText } from "../model/interruption.ts";
import type { Lane } from "../model/journal-types.ts";
import type { Outcome } from "../model/outcome.ts";
import type { Dispatcher } from "./dispatcher.ts";
import { notSent, outcomeOfGatewayAnswer, whatFails } from "./read-outcome.ts";

/** A gateway request. `path`: v1 path with query; `origin`: base of URLs in responses. */
export type Forward = {
  method: string;
  origin?: string;
  path: string;
  headers: string[][];
  body: string | undefined;
  lane?: Lane;
};

export type Forwarded =
  | { status: number; headers: string[][]; body: ArrayBuffer | undefined }
  | { refused: "busy" | "blocked" | "unreachable" | "too large"; message: string /** Seconds. */; retryAfter?: number };

const MAX_WAITING = { requests: 1_000, characters: 32_000_000 };
/** Bytes: an RPC call holds at most 32 MiB. */
const MAX_ANSWER = 30_000_000;
/** Bytes. Refusals are short; a larger success is a page of a list. */
const MAX_CLASSIFIED = 100_000;
/** Milliseconds. */
const TIMEOUT = 10_000;
/** The extra second allows for jitter. */
const CONTENT_LIMIT = { ...CONTENT_WINDOW, windowMs: CONTENT_WINDOW.windowMs + 1_000 };
const resourceOf = (path: string): string | undefined => path.split(/[/?]/)[1];
/** Resources with content operations. The published API has more operations on them than our contract. */
const CONTENT = new Set(
  operationsOf(v1).flatMap(({ operation: { window, path } }) => (window === "content" ? [resourceOf(path)] : [])),
);

const operationAt = matcherOf(routesOf(v1, "/v1"));

const placeOf = ({ method, path, lane }: Forward): { lane: Lane; content: boolean } => {
  const operation: Operation | undefined = operationAt(method, path)?.operation;
  if (!operation) return { lane: lane ?? "contact", content: CONTENT.has(resourceOf(path.slice("/v1".length))) };
  return { lane: lane ?? operation.lane ?? "contact", content: operation.window === "content" };
};

/** Forwards the team's /v1 requests under the same rate limit as deliveries. */
export class Gateway {
  readonly #deps: Dependencies;
  readonly #dispatcher: Dispatcher;
  #waiting = 0;
  #characters = 0;
  #content: number[] = [];

  constructor(deps: Dependencies, dispatcher: Dispatcher) {
    this.#deps = deps;
    this.#dispatcher = dispatcher;
  }

  /**
   * Queues and forwards a request. Never throws.
   *
   * @param wait longest time in ms before it is sent
   */
  async forward(request: Forward, wait: number): Promise<Forwarded> {
    const interruption = this.#dispatcher.interruption;
    if (interruption?.reason === "blocked" && interruption.until > this.#deps.now())
      return {
        refused: "blocked",
        message: `The email service refuses the key: ${interruption.message}`,
        retryAfter: 15,
      };
    if (interruption?.reason === "outage" && interruption.until > this.#deps.now()) {
      const retryAfter = Math.ceil((interruption.until - this.#deps.now()) / 1_000);
      return { refused: "unreachable", message: outageText(interruption), retryAfter };
    }
    const characters = request.body?.length ?? 0;
    if (this.#waiting >= MAX_WAITING.requests || this.#characters + characters > MAX_WAITING.characters)
      return this.#busy();

    const { lane, content } = placeOf(request);
    this.#waiting++;
    this.#characters += characters;
    try {
      return await new Promise<Forwarded>((resolve) => {
        const takeBack = this.#dispatcher.enter(lane, {
          notBefore: content ? (now) => this.#contentWait(now) : undefined,
          run: async () => {
            const { forwarded, outcome } = await this.#ask(request, content);
            resolve(forwarded);
            return outcome;
          },
        });
        void this.#dispatcher.nudge();
        void this.#deps.sleep(wait).then(() => {
          if (takeBack()) resolve(this.#busy());
        });
      });
    } finally {
      this.#waiting--;
      this.#characters -= characters;
    }
  }

  #busy(): Forwarded {
    const ahead = this.#dispatcher.queue.items.size;
    const message =
      "The team's rate limit is used up: other requests wait before this one. To wait longer, send Prefer: wait=N.";
    return { refused: "busy", message, retryAfter: Math.min(60, Math.max(1, Math.ceil(ahead / 10))) };
  }

  /** Returns the wait in ms. If the result is 0, the request is counted. */
  #contentWait(now: number): number {
    const { wait, hits } = admit([{ ...CONTENT_LIMIT, hits: this.#content }], now);
    if (wait === 0) this.#content = hits[0] ?? [];
    return wait;
  }

  async #ask(
    { method, origin, path, headers, body }: Forward,
    content: boolean,
  ): Promise<{ forwarded: Forwarded; outcome: Outcome }> {
    const { env } = this.#deps;
    const unsafe = env.EMAIL_API_URL ? unsafeAddress(env.EMAIL_API_URL) : undefined;
    if (unsafe !== undefined)
      return { forwarded: { refused: "unreachable", message: unsafe }, outcome: { kind: "unknown", message: unsafe } };
    const base = (env.EMAIL_API_URL || (origin ?? "http://email")).replace(/\/+$/, "").replace(/\/v1$/, "");
    try {
      const init = { method, headers, redirect: "manual" as const, signal: this.#deps.timeout(TIMEOUT) };
      const answer = await this.#deps.fetch(base + path, body === undefined ? init : { ...init, body });
      const bytes = await readAnswer(answer, MAX_ANSWER);
      // Parsing a large response would delay delivery.
      const text = bytes && bytes.length < MAX_CLASSIFIED ? new TextDecoder().decode(bytes) : undefined;
      const operation = operationAt(method, path)?.operation;
      const outcome = outcomeOfGatewayAnswer(answer, text, operation, !content, this.#deps.now());
      if (!bytes) {
        const message = `The email service answered ${answer.status} with more than ${MAX_ANSWER} bytes.`;
        return { forwarded: { refused: "too large", message }, outcome };
      }
      return {
        forwarded: {
          status: answer.status,
          headers: [...answer.headers],
          body: EMPTY.has(answer.status) ? undefined : bytes.buffer,
        },
        outcome,
      };
    } catch (error) {
      if (neverLeft(error)) {
        const message = notSent(error);
        return { forwarded: { refused: "busy", message, retryAfter: 1 }, outcome: { kind: "deferred", message } };
      }
      const late = ["TimeoutError", "AbortError"].includes((error as Error).name);
      const message =
        error instanceof ForeignAnswerError
          ? `${error.message} ${AGAIN}`
          : late
            ? `The email service did not answer within ${TIMEOUT / 1000} s. ${AGAIN}`
            : "The email service could not be reached.";
      return {
        forwarded: { refused: "unreachable", message },
        outcome: { kind: "unknown", message, down: whatFails(error) },
      };
    }
  }
}

const AGAIN = "It may have acted: try again with the same Idempotency-Key.";
const EMPTY = new Set([204, 205, 304]);
