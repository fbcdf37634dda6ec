import type { Timeline } from "../../../../../workerd/simulation/timeline.ts";
import type { SimulatedObject } from "./object.ts";

type Belled = {
  timeline: Timeline;
  /** Unix ms: a clock that may jump. */
  now(): number;
  object(): Pick<SimulatedObject, "disk" | "current">;
  failed(error: unknown): void;
};

export const createBell = ({ timeline, now, object, failed }: Belled) => {
  let set = 0;
  return {
    arm: (): void => {
      const { disk, current } = object();
      const at = disk.alarm();
      if (at === undefined || at === set) return;
      set = at;
      timeline.in(Math.max(1, at - now()), () => {
        if (set !== at) return;
        set = 0;
        if (disk.alarm() === at && now() >= at) void current().alarm().catch(failed);
      });
    },
    jumped: (): void => {
      set = 0;
    },
  };
};
