import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import { setTimeout as wait } from "node:timers/promises";
import { run } from "./campaign/run.ts";
import { CAMPAIGNS } from "./campaign/usage.ts";
import { localSettings } from "./dev-vars.ts";
import { askLine } from "./lib/ask.ts";
import { print, progress } from "./lib/cli.ts";
import { runCommand } from "./lib/command.ts";
import { teamServiceOf } from "./lib/team-service.ts";

const { stdin, stdout } = process;

/** Ms. */
const LINE_EVERY = 10_000;
let nextLine = 0;
const progressLine = (text: string) => {
  if (text === "" || Date.now() < nextLine) return;
  nextLine = Date.now() + LINE_EVERY;
  print(text);
};

/** The second Ctrl-C ends the process. */
const interrupted = (): AbortSignal => {
  const ended = new AbortController();
  process.once("SIGINT", () => ended.abort());
  return ended.signal;
};

/** A temporary file is renamed, because a truncated file would look complete. */
const save = async (path: string, body: ReadableStream): Promise<void> => {
  const part = `${path}.part`;
  try {
    await pipeline(Readable.fromWeb(body), createWriteStream(part));
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    throw new Error(`${path} was not written: ${(error as Error).message}`);
  }
};

await runCommand(CAMPAIGNS, (line) =>
  run(line, {
    service: teamServiceOf("campaigns", line.values, localSettings(), (line) => console.error(line)),
    print,
    progress: stdout.isTTY ? progress : progressLine,
    isTerminal: stdin.isTTY === true && stdout.isTTY === true,
    ask: (text) => askLine({ text }, { input: stdin, output: stdout }),
    save: (path, body) => save(path, body as unknown as ReadableStream),
    interrupted,
    sleep: (ms, signal) => wait(ms, undefined, { signal }).catch(() => {}),
    now: Date.now,
  }),
);
