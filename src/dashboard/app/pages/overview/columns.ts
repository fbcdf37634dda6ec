import { type Column, columnsOf, type Span } from "../../parts/chart/columns.ts";

const GROUPS: Readonly<Record<string, string>> = {
  sent: "sent",
  delivered: "sent",
  queued: "waiting",
  sending: "waiting",
  unknown: "waiting",
};

export const groupOf = (state: string): string => GROUPS[state] ?? "failed";

export const sendColumns = (sends: readonly { hour: string; state: string; count: number }[], span: Span): Column[] =>
  columnsOf(
    sends.map(({ hour, state, count }) => ({ at: Date.parse(hour), counts: { [groupOf(state)]: count } })),
    span,
  );

/** Mails of the last 24 hours that left, and that did not arrive. */
export const countsOf = (sends: readonly { state: string; count: number }[]): { sent: number; failed: number } => {
  const sum = (group: string) =>
    sends.reduce((total, { state, count }) => total + (groupOf(state) === group ? count : 0), 0);
  return { sent: sum("sent"), failed: sum("failed") };
};
