import type { OutboxRpc } from "../outbox/rpc.ts";

/** Ms after which a call that could have been sent makes delivery late. */
const LATE = 300_000;

type Health = { status: "ok" | "degraded" | "blocked"; reasons: string[]; waiting: number };

type Status = Pick<
  Awaited<ReturnType<OutboxRpc["status"]>>,
  "waiting" | "late" | "interruption" | "pauses" | "problems"
>;

/** The health of delivery, with reasons where it is not ok. Contains no person and no address. */
export const healthOf = ({ waiting, late, interruption, pauses, problems }: Status): Health => {
  const blocked = interruption?.reason === "blocked";
  const paused = [...(pauses.all === undefined ? [] : ["all delivery"]), ...Object.keys(pauses.sources)];
  const reasons = [
    ...(blocked
      ? [`blocked: the email API refuses the API key or cannot be called (attempts so far: ${interruption.probes + 1})`]
      : []),
    ...(interruption?.reason === "backoff" ? ["backoff: the email API answered 429 (too many requests)"] : []),
    ...(late > LATE ? [`late: the oldest call has waited for ${Math.round(late / 60_000)} min`] : []),
    ...(paused.length > 0 ? [`paused by a person: ${paused.join(", ")}`] : []),
    ...problems,
  ];
  return { status: blocked ? "blocked" : reasons.length > 0 ? "degraded" : "ok", reasons, waiting };
};
