import type { Outbox } from "../outbox/outbox.ts";

/** Ms after which a call that could have left makes delivery late. */
const LATE = 300_000;

type Health = { status: "ok" | "degraded" | "blocked"; reasons: string[]; waiting: number };

type Status = Pick<ReturnType<Outbox["status"]>, "waiting" | "late" | "interruption" | "pauses" | "problems">;

/** Whether delivery goes on, and why not. Names no person and no address. */
export const healthOf = ({ waiting, late, interruption, pauses, problems }: Status): Health => {
  const blocked = interruption?.reason === "blocked";
  const paused = [...(pauses.all === undefined ? [] : ["all delivery"]), ...Object.keys(pauses.sources)];
  const reasons = [
    ...(blocked
      ? [`blocked: the email service refuses the key or cannot be called (${interruption.probes + 1} tries)`]
      : []),
    ...(interruption?.reason === "backoff" ? ["backoff: the email service asked to slow down"] : []),
    ...(late > LATE ? [`late: the oldest call has waited for ${Math.round(late / 60_000)} min`] : []),
    ...(paused.length > 0 ? [`paused by a person: ${paused.join(", ")}`] : []),
    ...problems,
  ];
  return { status: blocked ? "blocked" : reasons.length > 0 ? "degraded" : "ok", reasons, waiting };
};
