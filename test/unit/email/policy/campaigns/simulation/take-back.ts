import type { Random } from "../../../../../workerd/simulation/random.ts";
import { draft, operateOn, start } from "./operate.ts";
import type { Play } from "./play.ts";

const MINUTE = 60_000;

type Timeline = { in(ms: number, act: () => void): void };

/**
 * A campaign gets more recipients until its start, and is held. Then a person operates it while recipients are
 * deleted.
 *
 * @param random separate random numbers, so that other events do not move
 * @param doing runs a step if nothing has failed
 */
export const takeBack = (
  play: Play,
  { random, timeline, doing }: { random: Random; timeline: Timeline; doing: (act: (play: Play) => void) => () => void },
): void => {
  const own = { ...play, random };
  const soon = random.int(1, 3) * MINUTE;
  const n = draft(own, () => ({ method: "schedule", timestamp: play.now() + soon }));
  const campaign = () => (n === undefined ? undefined : play.check.state().campaigns[n]);
  const drafted = campaign();
  if (!drafted) return;
  play.tell(`start ${drafted.id}`);
  start(own, drafted, random.int(0, 2));
  play.check.check();
  let at = soon + random.int(100, 30_000);
  for (let acts = random.int(3, 12); acts > 0; acts -= 1) {
    timeline.in(
      at,
      doing((given) => {
        const one = campaign();
        if (one) operateOn({ ...given, random }, one);
      }),
    );
    at += random.int(0, random.one([5, 100, 1_000]));
  }
};
