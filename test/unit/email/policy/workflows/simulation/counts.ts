import type { Play } from "./play.ts";
import type { SendRow } from "./stored.ts";

const DAY = 86_400_000;

type Mails = Record<"queued" | "held" | "sent" | "notSent" | "failed" | "unknown", number>;

const placeOf = (state: string, isSending: boolean): keyof Mails => {
  if (state === "queued" || state === "sending") return isSending ? "queued" : "held";
  if (state === "not_sent") return "notSent";
  return state === "failed" || state === "unknown" ? state : "sent";
};

const sorted = (counts: object): string => JSON.stringify(Object.entries(counts).sort());

/**
 * Compares the status of each workflow and its mails with the model. Rows are deleted after 30 days, so it must run
 * more often.
 */
export const createCounts = ({ engine, stored, check, now, fail }: Play): (() => void) => {
  const sends = new Map<string, SendRow>();

  const mailsOf = (message: string, isSending: boolean): Mails => {
    const mails: Mails = { queued: 0, held: 0, sent: 0, notSent: 0, failed: 0, unknown: 0 };
    for (const send of sends.values()) if (send.message === message) mails[placeOf(send.state, isSending)] += 1;
    return mails;
  };

  return () => {
    const rows = stored.sends();
    const ids = new Set(rows.map(({ id }) => id));
    // A missing row that is not old was undone by a crash.
    for (const { id, settledAt } of [...sends.values()])
      if (!ids.has(id) && (settledAt === null || settledAt > now() - 25 * DAY)) sends.delete(id);
    for (const row of rows) sends.set(row.id, row);

    const state = check.state();
    const waysOf = (start: string) => {
      const ways = { on: 0, out: {} as Record<string, number> };
      for (const [key, count] of Object.entries(state.passed)) {
        const to = key.startsWith(start) ? key.slice(start.length) : "";
        if (/^\d/.test(to)) ways.on += count;
        else if (to !== "") ways.out[to] = count;
      }
      return { ...ways, out: sorted(ways.out) };
    };
    const reasonsOf = (start: string) =>
      Object.fromEntries(
        Object.entries(state.counts).flatMap(([key, count]) =>
          key.startsWith(start) ? [[key.slice(start.length), count]] : [],
        ),
      );
    for (const { n, id, graph, status } of check.workflows()) {
      const shown = engine.status(id);
      const active = Object.values(state.runs).filter((run) => run.workflow === n && run.wake !== null).length;
      const model = { entered: state.entered[n] ?? 0, active };
      if (sorted(model) !== sorted({ entered: shown.entered, active: shown.active }))
        fail(`${id} says ${shown.entered} entered and ${shown.active} are active, the model ${sorted(model)}`);
      for (const kind of ["ended", "dropped"] as const) {
        const wanted = sorted(reasonsOf(`${n} ${kind} `));
        if (sorted(shown[kind]) !== wanted) fail(`${id} ${kind} ${sorted(shown[kind])}, and the model has ${wanted}`);
      }
      for (const { nodeId, mails, passed, left, edges } of shown.nodes) {
        const one = graph.nodes[nodeId];
        const ways = waysOf(`${n} ${one?.k} `);
        const takenBy = (to: string) => state.passed[`${n} ${one?.k} ${graph.nodes[to]?.k}`] ?? 0;
        const inModel = sorted({ ...ways, edges: edges.map(({ nodeId: to }) => takenBy(to)) });
        const said = sorted({ on: passed, out: sorted(left), edges: edges.map((edge) => edge.passed) });
        if (said !== inModel) fail(`${nodeId} says ${said}, and the model has ${inModel}`);
        if (!mails || one?.typeName !== "SendEmailAction") continue;
        const wanted = mailsOf(one.emailMessageId, status === "Sending");
        if (sorted(mails) !== sorted(wanted))
          fail(`mails of ${nodeId} are ${sorted(mails)}, the rows ${sorted(wanted)}`);
        const accepted = Object.values(mails).reduce((sum, count) => sum + count, 0);
        if (accepted !== (state.accepted[one.emailMessageId] ?? 0))
          fail(`${nodeId} has ${accepted} mails, and the model ${state.accepted[one.emailMessageId]}`);
      }
    }
  };
};
