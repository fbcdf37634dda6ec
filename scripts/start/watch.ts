import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { DEV_VARS, readDevVars } from "../dev-vars.ts";
import type { Workers, WorkerVars } from "../workers.ts";

type DevVars = Record<string, string>;

type Paths = { src: string; config: string; devVars: string; log(line: string): void; fail(line: string): void };

const paths: Paths = {
  src: join(import.meta.dirname, "..", "..", "src"),
  config: join(import.meta.dirname, "..", "..", "wrangler.toml"),
  devVars: DEV_VARS,
  log: (line) => console.log(line),
  fail: (line) => console.error(line),
};

/** Ms. An editor saves in several steps, so a change needs two equal checks. */
const PAUSE = 200;

/**
 * Returns identity, size and time of all files. `fs.watch` on Linux misses replaced files. A check takes about 2 ms.
 */
export const versionOf = ({ src, config }: Pick<Paths, "src" | "config"> = paths): string => {
  try {
    const files = readdirSync(src, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    return [...files, config]
      .map((path) => {
        const file = statSync(path, { bigint: true, throwIfNoEntry: false });
        return `${path} ${file?.ino} ${file?.size} ${file?.mtimeNs}`;
      })
      .join("\n");
  } catch {
    // A folder disappeared during the check.
    return "";
  }
};

/** Restarts both Workers after a saved change. Old Workers continue after a failure. Returns a stop function. */
export const rebuildOnChange = (
  workers: Pick<Workers, "restart">,
  varsOf: (vars: DevVars) => WorkerVars,
  running: { src: string; vars: DevVars },
  { src, config, devVars, log, fail }: Paths = paths,
): (() => void) => {
  let runningVars = JSON.stringify(running.vars);
  let tried = { src: running.src, vars: runningVars };
  let seen = tried;
  let ended = false;
  const look = () => {
    const vars = JSON.stringify(readDevVars(devVars));
    // An editor may empty the file before it writes it.
    return { src: versionOf({ src, config }), vars: vars === "{}" ? tried.vars : vars };
  };
  const restart = async (vars: DevVars) => {
    const isOther = JSON.stringify(vars) !== runningVars;
    try {
      await workers.restart(isOther ? varsOf(vars) : {});
      runningVars = JSON.stringify(vars);
      log(isOther ? "Restarted with the change of .dev.vars." : "Rebuilt after a change.");
    } catch (error) {
      fail(`Not rebuilt; the Workers from before the change go on running.\n${(error as Error).message}`);
    }
  };
  const step = async () => {
    const now = look();
    const isSettled = isSame(now, seen);
    seen = now;
    if (isSettled && !isSame(now, tried)) {
      const vars: DevVars = JSON.parse(now.vars);
      await restart(vars);
      tried = { src: now.src, vars: JSON.stringify(vars) };
    }
    if (!ended) timer = setTimeout(step, PAUSE);
  };
  let timer = setTimeout(step, PAUSE);
  return () => {
    ended = true;
    clearTimeout(timer);
  };
};

const isSame = (one: { src: string; vars: string }, other: { src: string; vars: string }) =>
  one.src === other.src && one.vars === other.vars;
