import type { api } from "../../api/api.ts";
import { Note } from "../../parts/cards/cards.tsx";
import { counted, drainText } from "../../parts/ledger/ledger-words.ts";
import { Time } from "../../parts/text.tsx";
import { clock } from "../../parts/time.ts";

export type Status = Awaited<ReturnType<typeof api.bridge.dispatch.status>>;

const REASONS = {
  outage: "The email service does not answer.",
  blocked: "The email service refuses the API key.",
  backoff: "The email service slows deliveries down.",
};

/** The backlog: its size, its pace, and the reason that holds it. Not there while nothing waits. */
export const Backlog = ({ status: { interruption, paused, foreignAnswers, waiting, backlog } }: { status: Status }) => (
  <>
    {paused.all !== null && (
      <Note tone="warn" icon="pause" title="A person paused delivery">
        <Time at={paused.all} />. Webhooks are still accepted, and nothing is lost.
      </Note>
    )}
    {interruption && (
      <Note tone="bad" title={REASONS[interruption.reason]}>
        {interruption.message} Since <Time at={interruption.since} />, {counted(interruption.attempts, "try")}, the next{" "}
        <Time at={interruption.until} />. Deliveries go on by themselves.
      </Note>
    )}
    {foreignAnswers && (
      <Note tone="bad" title="A proxy answers in place of the email service.">
        {foreignAnswers.message} {counted(foreignAnswers.count, "time")}, last <Time at={foreignAnswers.last} />.
      </Note>
    )}
    {waiting.total > 0 && (
      <Note
        icon="clock"
        title={`${counted(waiting.total, "delivery")} ${waiting.total === 1 ? "waits" : "wait"}${drainText(backlog.doneAt, clock())}.`}
      >
        Done by minute: {backlog.settledPerMinute.toLocaleString("en")}. Added by minute:{" "}
        {backlog.addedPerMinute.toLocaleString("en")}.
      </Note>
    )}
  </>
);
