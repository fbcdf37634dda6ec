import { watch } from "node:fs";
import { basename, dirname, join } from "node:path";
import { DEV_VARS } from "../dev-vars.ts";
import type { Workers } from "../workers.ts";

type Vars = { bridgeVars: Record<string, string>; emailVars: Record<string, string> };

/** What is watched and said; tests bring their own. */
type Places = { src: string; devVars: string; log(line: string): void; fail(line: string): void };

const places: Places = {
  src: join(import.meta.dirname, "..", "..", "src"),
  devVars: DEV_VARS,
  log: (line) => console.log(line),
  fail: (line) => console.error(line),
};

/** Ms to wait for more: an editor saves in several steps. */
const PAUSE = 200;

/**
 * Rebuilds and restarts both Workers in place when a source file or .dev.vars is saved. A build that fails leaves the old
 * ones running.
 * @param read what .dev.vars says now; undefined where there is nothing in it, which leaves what was
 * @returns ends the watching
 */
export const rebuildOnChange = (
  workers: Pick<Workers, "restart">,
  read: () => Vars | undefined,
  { src, devVars, log, fail }: Places = places,
): (() => void) => {
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  let known = JSON.stringify(read());
  let saved = false;
  const rebuild = async (isSource: boolean) => {
    try {
      const vars = read();
      const isOther = vars !== undefined && JSON.stringify(vars) !== known;
      if (!isSource && !isOther) return;
      await workers.restart(vars ?? {});
      if (isOther) known = JSON.stringify(vars);
      log(isOther ? "Restarted with the change of .dev.vars." : "Rebuilt after a change.");
    } catch (error) {
      fail(`Not rebuilt; the Workers before the change go on running.\n${(error as Error).message}`);
    }
  };
  const soon = (isSource: boolean) => {
    saved ||= isSource;
    clearTimeout(timer);
    timer = setTimeout(() => {
      const isSource = saved;
      saved = false;
      running = running.then(() => rebuild(isSource));
    }, PAUSE);
  };
  const watchers = [
    watch(src, { recursive: true }, () => soon(true)),
    // The folder: an editor may put another file in the place of the old one. Some systems name no file.
    watch(dirname(devVars), (_, name) => {
      if (name === null || name === basename(devVars)) soon(false);
    }),
  ];
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
};
