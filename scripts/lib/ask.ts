import type { Readable, Writable } from "node:stream";
import { isCancel, password, text } from "@clack/prompts";

/** The streams of a terminal. */
export type Terminal = { input: Readable; output: Writable };

/** `initial`: the answer for Enter, shown before. `isSecret`: it is masked while it is typed. */
type Question = { text: string; initial?: string | undefined; isSecret?: boolean | undefined };

/** Asks for one line at a terminal. Undefined where the input ended. */
export const askLine = async (
  { text: message, initial = "", isSecret }: Question,
  terminal: Terminal,
): Promise<string | undefined> => {
  const ended = new AbortController();
  const end = () => ended.abort();
  // Ctrl-D closes the input. The library does not see that: nothing is left to wait for, and the process would end as if
  // all were well.
  process.once("beforeExit", end);
  const options = { ...terminal, message, signal: ended.signal, withGuide: false };
  const answer = await (isSecret
    ? password(options)
    : text({ ...options, placeholder: initial, defaultValue: initial }));
  process.off("beforeExit", end);
  if (!isCancel(answer)) return answer ?? "";
  // In raw mode Ctrl-C is a key: it must end the process as usual.
  if (!ended.signal.aborted) process.emit("SIGINT");
  return undefined;
};
