import type { Outbox } from "../outbox/outbox.ts";

/** Ms after which a call that could have left makes delivery late. */
const LATE = 300_000;

type Health = { status: "ok" | "degraded" | "held"; reasons: string[]; waiting: number };

type Status = Pick<ReturnType<Outbox["status"]>, "waiting" | "late" | "pause" | "stops" | "problems">;

/** Whether delivery goes on, and why not. Names no person and no address. */
export const healthOf = ({ waiting, late, pause, stops, problems }: Status): Health => {
  const held = pause?.reason === "held";
  const stopped = [...(stops.all === undefined ? [] : ["all delivery"]), ...Object.keys(stops.sources)];
  const reasons = [
    ...(held ? [`held: the email service refuses the key or cannot be called (${pause.probes + 1} tries)`] : []),
    ...(pause?.reason === "limited" ? ["paused: the email service asked to slow down"] : []),
    ...(late > LATE ? [`late: the oldest call has waited for ${Math.round(late / 60_000)} min`] : []),
    ...(stopped.length > 0 ? [`stopped by a person: ${stopped.join(", ")}`] : []),
    ...problems,
  ];
  return { status: held ? "held" : reasons.length > 0 ? "degraded" : "ok", reasons, waiting };
};
