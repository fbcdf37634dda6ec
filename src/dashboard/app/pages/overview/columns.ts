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
