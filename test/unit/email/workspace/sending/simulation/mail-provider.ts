import type { Handover } from "../../../../../../src/email/types/mail-handover.ts";
import type { ClaimedSend } from "../../../../../../src/email/types/mailer-rpc.ts";
import type { Random } from "../../../../../workerd/simulation/random.ts";
import type { Timeline } from "../../../../../workerd/simulation/timeline.ts";
import type { Life } from "./disk.ts";
import { createAnswers, type Seen, type Weather } from "./weather.ts";

type Plan = { ms: number; copy: boolean; handover: Handover };

const taken: Handover = { outcome: "accepted", reply: "250 2.0.0 queued" };

const planOf = (random: Random, trouble: number): Plan => {
  if (!random.chance(trouble)) return { ms: random.int(1, 200), copy: true, handover: taken };
  return random.one<Plan>([
    { ms: random.int(1_000, 90_000), copy: true, handover: taken },
    { ms: random.int(100_000, 200_000), copy: true, handover: taken },
    { ms: random.int(1, 50), copy: false, handover: { outcome: "deferred", message: "451 later" } },
    {
      ms: random.int(1, 50),
      copy: false,
      handover: { outcome: "deferred", throttled: "account", message: "421 slow down" },
    },
    {
      ms: 1,
      copy: false,
      handover: { outcome: "refused", about: "recipient", code: "5.1.1", message: "550 no such user" },
    },
    { ms: 1, copy: false, handover: { outcome: "refused", about: "content", message: "552 too large" } },
    { ms: 60_000, copy: true, handover: { outcome: "unknown", message: "timeout after the final dot" } },
    { ms: 60_000, copy: false, handover: { outcome: "unknown", message: "timeout after the final dot" } },
  ]);
};

/**
 * A mail provider that takes, defers, refuses or stalls mail. `copies`: acceptances of each send.
 * It acts before it answers, so that a process can end in between.
 */
export const createMailProvider = (
  timeline: Timeline,
  random: Random,
  { trouble, isIdempotent, weather }: { trouble: number; isIdempotent: boolean; weather: Weather },
) => {
  const copies = new Map<string, number>();
  const seen: Seen[] = [];
  const start = timeline.now();
  const answerTo = createAnswers(weather);
  return {
    copies,
    seen,
    handOver: (
      life: Life,
      { id, recipient }: ClaimedSend,
      accepted: () => void,
    ): Promise<{ sender: string; handover: Handover }> =>
      new Promise((resolve) => {
        const at = timeline.now() - start;
        seen.push({ id, at, recipient });
        const stopped = answerTo(recipient, at);
        const plan: Plan = stopped
          ? { ms: random.int(1, 1_000), copy: false, handover: stopped }
          : planOf(random, trouble);
        const { ms, copy, handover: answer } = plan;
        // As src/email/delivery/mailer/hand-over.ts does it.
        const handover: Handover =
          answer.outcome === "unknown" && isIdempotent ? { outcome: "deferred", message: answer.message } : answer;
        timeline.in(random.int(0, ms), () => {
          if (life.alive && copy) {
            copies.set(id, (copies.get(id) ?? 0) + 1);
            accepted();
          }
          timeline.in(random.int(1, ms), () => life.alive && resolve({ sender: "provider", handover }));
        });
      }),
  };
};

export type MailProvider = ReturnType<typeof createMailProvider>;
