import type { Readable, Writable } from "node:stream";
import { isCancel, password, text } from "@clack/prompts";

export type Terminal = { input: Readable; output: Writable };

/** `initial`: the answer for Enter. `isSecret`: masked while typed. */
type Question = { text: string; initial?: string | undefined; isSecret?: boolean | undefined };

/** Asks for one line. Undefined if the input ended. */
export const askLine = async (
  { text: message, initial = "", isSecret }: Question,
  terminal: Terminal,
): Promise<string | undefined> => {
  const ended = new AbortController();
  const end = () => ended.abort();
  // The library ignores Ctrl-D, so the process would end as if successful.
  process.once("beforeExit", end);
  const options = { ...terminal, message, signal: ended.signal, withGuide: false };
  const answer = await (isSecret
    ? password(options)
    : text({ ...options, placeholder: initial, defaultValue: initial }));
  process.off("beforeExit", end);
  if (!isCancel(answer)) return answer ?? "";
  // Ctrl-C is a key in raw mode: it must end the process as usual.
  if (!ended.signal.aborted) process.emit("SIGINT");
  return undefined;
};
