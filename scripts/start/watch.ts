import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { DEV_VARS, readDevVars } from "../dev-vars.ts";
import type { Workers, WorkerVars } from "../workers.ts";

type DevVars = Record<string, string>;

/** What is watched and where lines are printed; tests bring their own. */
type Places = { src: string; config: string; devVars: string; log(line: string): void; fail(line: string): void };

const places: Places = {
  src: join(import.meta.dirname, "..", "..", "src"),
  config: join(import.meta.dirname, "..", "..", "wrangler.toml"),
  devVars: DEV_VARS,
  log: (line) => console.log(line),
  fail: (line) => console.error(line),
};

/** Ms between two looks. An editor saves in several steps, so a change counts when two looks are alike. */
const PAUSE = 200;

/**
 * Identity, size and time of every file of src and of wrangler.toml, as one text. Each save changes it, in place or by a new
 * file or folder in the place of the old one. On Linux, `fs.watch` misses saves of the second kind. A look takes about 2 ms.
 */
export const versionOf = ({ src, config }: Pick<Places, "src" | "config"> = places): string => {
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
    // A folder went away during the look.
    return "";
  }
};

/**
 * Bundles and restarts both Workers when a file of src, wrangler.toml or .dev.vars is saved. When that fails, the Workers from before the
 * change go on, and the next save counts.
 * @param varsOf gives the variables of each Worker from those of .dev.vars, and may add to these
 * @param running what the Workers were started from: the version of src and wrangler.toml, and .dev.vars
 * @returns ends the watching
 */
export const rebuildOnChange = (
  workers: Pick<Workers, "restart">,
  varsOf: (vars: DevVars) => WorkerVars,
  running: { src: string; vars: DevVars },
  { src, config, devVars, log, fail }: Places = places,
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
