import type { Kill } from "./plan.ts";
import type { Processes } from "./processes.ts";
import type { Moment } from "./proxy.ts";

/** Ms. An outage is told after ten seconds at the latest. */
const OUTAGE = 12_000;

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Kills processes as planned, and restarts them on the same state. One kill at a time: the next one waits for a later
 * request.
 */
export const createKills = (
  planned: readonly Kill[],
  processes: () => Processes | undefined,
  note: (what: string) => void,
) => {
  const waiting = [...planned];
  const done: Kill[] = [];
  let current: Promise<void> | undefined;

  const perform = async ({ who, without }: Kill, { bridge, service }: Processes): Promise<void> => {
    note(`kill -9: ${who === "both" ? "bridge and email service" : who}`);
    if (who === "bridge") await bridge.kill();
    if (who === "service") await service.kill();
    if (who === "both") await Promise.all([bridge.kill(), service.kill()]);
    if (without) {
      note(`the bridge runs without ${without}, ${OUTAGE} ms`);
      await bridge.startWithout(without);
      await sleep(OUTAGE);
      await bridge.kill();
    }
    await Promise.all([bridge.url() ?? bridge.start(), service.url() ?? service.start()]);
    note("both run again");
  };
  return {
    at: (moment: Moment, n: number): void => {
      const all = processes();
      const kill = waiting.find(({ request, moment: at }) => n >= request && at === moment);
      if (!kill || !all || current) return;
      waiting.splice(waiting.indexOf(kill), 1);
      current = perform(kill, all).then(() => {
        done.push(kill);
        current = undefined;
      });
      current.catch(() => {});
    },
    idle: async (): Promise<void> => current,
    done: (): readonly Kill[] => done,
  };
};
