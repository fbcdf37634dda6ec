import { watch } from "node:fs";
import { join } from "node:path";
import type { Workers } from "../workers.ts";

/** Rebuilds and restarts both Workers in place when a source file is saved. A build that fails leaves the old ones running. */
export const rebuildOnChange = (workers: Workers): void => {
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  const rebuild = async () => {
    try {
      await workers.restart();
      console.log("Rebuilt after a change.");
    } catch (error) {
      console.error(`Not rebuilt; the Workers before the change go on running.\n${(error as Error).message}`);
    }
  };
  watch(join(import.meta.dirname, "..", "..", "src"), { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      running = running.then(rebuild);
    }, 200);
  });
};
