import type { Handover } from "../../../../../../src/email/types/mail-handover.ts";
import type {
  Batch,
  Claim,
  ClaimedSend,
  Fate,
  MailerRpc,
  SendResult,
} from "../../../../../../src/email/types/mailer-rpc.ts";
import type { Random } from "../../../../../workerd/simulation/random.ts";
import type { Timeline } from "../../../../../workerd/simulation/timeline.ts";

type Attempt = { send: ClaimedSend; state: "waiting" | "started" | "lost" | "done"; result?: SendResult };

const CALL_MS = 20;
const LOST = 0.1;

export type Faults = {
  hangs: number;
  repeats: number;
  isDown(): boolean;
  refuses?(send: ClaimedSend): boolean;
};

export type MailerWorld = {
  timeline: Timeline;
  random: Random;
  now(): number;
  withMailProvider(send: ClaimedSend): void;
  report(name: string, results: readonly SendResult[]): Promise<Batch | undefined>;
  trouble: number;
  faults?: Faults | undefined;
};

const REPORT_MS = 3_000;

type Answer = { copy: boolean; handover: Handover };

const TAKEN: Answer = { copy: true, handover: { outcome: "accepted", reply: "250 queued" } };
const DOWN: Answer = { copy: false, handover: { outcome: "deferred", down: true, message: "no route to host" } };
const BLOCKED = "554 5.7.1 blocked";
const REFUSED: Answer = { copy: false, handover: { outcome: "refused", about: "policy", message: BLOCKED } };
const answers: readonly Answer[] = [
  { copy: false, handover: { outcome: "deferred", message: "451 later" } },
  { copy: false, handover: { outcome: "deferred", message: "451 later" } },
  { copy: false, handover: { outcome: "refused", about: "content", message: "552 too large" } },
  {
    copy: false,
    handover: { outcome: "refused", about: "recipient", code: "5.1.1", message: "550 no such user" },
  },
  { copy: true, handover: { outcome: "unknown", message: "timeout after the final dot" } },
  { copy: false, handover: { outcome: "unknown", message: "timeout after the final dot" } },
];

/** The Mailers of a team and their mail provider, which can lose, repeat and delay reports. */
export const createMailers = ({ timeline, random, now, withMailProvider, report, trouble, faults }: MailerWorld) => {
  const mailers = new Map<string, Map<string, Attempt>>();
  const attemptsOf = (name: string): Map<string, Attempt> => {
    const own = mailers.get(name) ?? new Map<string, Attempt>();
    mailers.set(name, own);
    return own;
  };
  const keyOf = ({ n, attempt }: Claim) => `${n} ${attempt}`;

  const reported = (name: string, result: SendResult): Promise<void> =>
    report(name, [result]).then((batch) => void (batch && deliver(name, batch)));

  const tell = (name: string, attempt: Attempt): void => {
    const { state, result } = attempt;
    if (state !== "done" || !result) return;
    let isHeard = false;
    void reported(name, result).then(() => {
      isHeard = true;
      attemptsOf(name).delete(keyOf(attempt.send));
      if (faults && random.chance(faults.repeats))
        timeline.in(random.int(1, 600_000), () => void reported(name, result));
    });
    timeline.in(REPORT_MS, () => {
      if (!isHeard && attemptsOf(name).get(keyOf(attempt.send)) === attempt) tell(name, attempt);
    });
  };

  const handOver = (name: string, attempt: Attempt, until: number): void => {
    const { send } = attempt;
    if (attempt.state !== "waiting" || attemptsOf(name).get(keyOf(send)) !== attempt || now() >= until) return;
    attempt.state = "started";
    const answer = random.chance(trouble) ? random.one(answers) : TAKEN;
    const { copy, handover } = faults?.isDown() ? DOWN : faults?.refuses?.(send) ? REFUSED : answer;
    const hangs = faults && random.chance(faults.hangs) ? random.int(60_000, 600_000) : 0;
    timeline.in(hangs + random.int(1, 900), () => {
      if (attempt.state !== "started") return;
      if (copy) withMailProvider(send);
      timeline.in(random.int(1, 900), () => {
        if (attempt.state !== "started") return;
        attempt.state = "done";
        attempt.result = { n: send.n, attempt: send.attempt, sender: "provider", handover };
        tell(name, attempt);
      });
    });
  };

  const deliver: MailerRpc["deliver"] = async (name, { until, sends }) => {
    for (const send of sends) {
      const attempt: Attempt = { send, state: "waiting" };
      attemptsOf(name).set(keyOf(send), attempt);
      timeline.in(random.int(1, 2_000), () => handOver(name, attempt, until));
    }
  };

  const fateOf = (name: string, claim: Claim): Fate => {
    const attempt = attemptsOf(name).get(keyOf(claim));
    if (attempt?.state === "done" && attempt.result) return { ...claim, state: "done", result: attempt.result };
    if (attempt?.state === "started") return { ...claim, state: "in_flight" };
    // Its note stays: the Workspace may crash before it stores the answer, and ask again.
    if (attempt?.state === "lost") return { ...claim, state: "lost" };
    attemptsOf(name).delete(keyOf(claim));
    return { ...claim, state: "not_started" };
  };

  return {
    deliver,
    reclaim: async (name: string, claims: readonly Claim[]) => claims.map((claim) => fateOf(name, claim)),
    recall: (name: string, claims: readonly Claim[]) =>
      new Promise<Fate[]>((resolve, reject) => {
        timeline.in(random.int(1, CALL_MS), () => {
          const had = claims.filter((claim) => attemptsOf(name).has(keyOf(claim)));
          const fates = had.map((claim) => fateOf(name, claim));
          const isLost = random.chance(LOST);
          const answer = fates.filter(({ state }) => state === "not_started" || state === "done");
          timeline.in(random.int(1, CALL_MS), () => (isLost ? reject(new Error("no answer")) : resolve(answer)));
        });
      }),
    crash: () => {
      for (const attempts of mailers.values())
        for (const [key, attempt] of attempts) {
          if (attempt.state === "waiting") attempts.delete(key);
          else attempt.state = "lost";
        }
    },
  };
};
