import { type FSWatcher, readdirSync, statSync, watch } from "node:fs";
import { basename, dirname, join } from "node:path";
import { DEV_VARS, readDevVars } from "../dev-vars.ts";
import type { Workers, WorkerVars } from "../workers.ts";

type DevVars = Record<string, string>;

type Watch = (folder: string, onEvent: (event: string, name: string | null) => void) => Pick<FSWatcher, "on" | "close">;

type Paths = {
  src: string;
  config: string;
  devVars: string;
  log(line: string): void;
  fail(line: string): void;
  watch: Watch;
  read: typeof versionOf;
};

const paths: Paths = {
  src: join(import.meta.dirname, "..", "..", "src"),
  config: join(import.meta.dirname, "..", "..", "wrangler.toml"),
  devVars: DEV_VARS,
  log: (line) => console.log(line),
  fail: (line) => console.error(line),
  watch,
  read: (given) => versionOf(given),
};

/** Ms. An editor saves in several steps, so a change needs two equal checks. */
const PAUSE = 200;
/** Ms between checks without an event. A change found so shows that the file system reports none. */
const WITHOUT_EVENTS = 30_000;

/** Returns identity, size and time of all files, because an event does not say what changed. A check takes about 7 ms. */
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

/** Calls `onEvent` for each event in the folders. `again` watches them all, new ones too; false if it cannot. */
const watchFolders = (
  { src, config, devVars, watch: watchOne }: Omit<Paths, "log" | "fail" | "read">,
  onEvent: () => void,
) => {
  const watchers: Pick<FSWatcher, "close">[] = [];
  const close = () => {
    for (const watcher of watchers.splice(0)) watcher.close();
  };
  const open = (folder: string, names?: readonly string[]) => {
    const watcher = watchOne(folder, (_event, name) => {
      if (!names || name === null || names.includes(name)) onEvent();
    });
    watcher.on("error", onEvent);
    watchers.push(watcher);
  };
  const again = (): boolean => {
    close();
    try {
      for (const file of [config, devVars]) open(dirname(file), [basename(file)]);
      open(src);
      for (const entry of readdirSync(src, { recursive: true, withFileTypes: true }))
        if (entry.isDirectory()) open(join(entry.parentPath, entry.name));
      return true;
    } catch {
      // Too many watched folders, or a folder that disappeared.
      close();
      return false;
    }
  };
  return { again, close };
};

/** Restarts both Workers after a saved change. Old Workers continue after a failure. Returns a stop function. */
export const rebuildOnChange = (
  workers: Pick<Workers, "restart">,
  varsOf: (vars: DevVars) => WorkerVars,
  running: { src: string; vars: DevVars },
  { src, config, devVars, log, fail, watch: watchOne, read }: Paths = paths,
): (() => void) => {
  let runningVars = JSON.stringify(running.vars);
  let tried = { src: running.src, vars: runningVars };
  let seen = tried;
  let ended = false;
  const look = () => {
    const vars = JSON.stringify(readDevVars(devVars));
    // An editor may empty the file before it writes it.
    return { src: read({ src, config }), vars: vars === "{}" ? tried.vars : vars };
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
  let timer: NodeJS.Timeout | undefined;
  let [isIdle, isWoken, isChanging] = [false, true, false];
  let [isWatched, hasEvents] = [false, true];
  const wait = (ms: number) => {
    clearTimeout(timer);
    if (!ended) timer = setTimeout(step, ms);
  };
  const folders = watchFolders({ src, config, devVars, watch: watchOne }, () => {
    [isWoken, hasEvents] = [true, true];
    if (isIdle) wait(PAUSE);
    isIdle = false;
  });
  const step = async () => {
    const wasIdle = isIdle;
    // Folders are watched before they are read, so that no change is between the two.
    if (isWoken || isChanging) isWatched = folders.again();
    isWoken = false;
    const now = look();
    isChanging = !isSame(now, seen);
    if (isChanging && wasIdle) hasEvents = false;
    seen = now;
    if (!isChanging && !isSame(now, tried)) {
      const vars: DevVars = JSON.parse(now.vars);
      await restart(vars);
      tried = { src: now.src, vars: JSON.stringify(vars) };
    }
    isIdle = isWatched && hasEvents && !isWoken && !isChanging;
    wait(isIdle ? WITHOUT_EVENTS : PAUSE);
  };
  wait(PAUSE);
  return () => {
    ended = true;
    clearTimeout(timer);
    folders.close();
  };
};

const isSame = (one: { src: string; vars: string }, other: { src: string; vars: string }) =>
  one.src === other.src && one.vars === other.vars;
