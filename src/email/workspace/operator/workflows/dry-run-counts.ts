import { inOrder, node } from "../../../../lib/workflow-graph/edges.ts";
import type { Graph } from "../../../../lib/workflow-graph/types.ts";
import { explain, type StoredRun } from "../../../policy/workflows/run/explain.ts";
import type { Replayed } from "../../../policy/workflows/run/replay.ts";
import { counted, type NameOf, wordsOfNode, wordsOfTime } from "../../../policy/workflows/run/run-words.ts";
import type { StoredContact } from "../../contacts/contact-rows.ts";

const NAMED = 100;

type Mails = { count: number; notSent: number };

type Story = Mails & { entries: number; first: number; last: StoredRun | undefined };

/** Counts the results of a dry run that ends at `until` (Unix ms). */
export const createTally = (graph: Graph, nameOf: NameOf, until: number) => {
  let entered = 0;
  const notEntered = new Map<string, number>();
  const ended = new Map<string, number>();
  const waiting = new Map<number, number>();
  const mails = new Map<number, Mails>();
  const contacts: { id: string; email: string | null; text: string }[] = [];

  const count = (story: Story, happened: Replayed): void => {
    if (happened.what === "refused") add(notEntered, happened.reason);
    if (happened.what === "entered") {
      entered += 1;
      if (story.entries === 0) story.first = happened.at;
      story.entries += 1;
    }
    if (happened.what === "moved") countStep(story, happened);
  };
  const countStep = (story: Story, { run, ...step }: Extract<Replayed, { what: "moved" }>): void => {
    for (const { node: k, isSent } of step.mails) {
      const of = mails.get(k) ?? { count: 0, notSent: 0 };
      mails.set(k, of);
      for (const one of [of, story]) one[isSent ? "count" : "notSent"] += 1;
    }
    if (run.ended !== null) add(ended, run.ended);
    else if (run.wake !== null && run.wake > until) add(waiting, run.node);
    if (run.enteredAt >= (story.last?.enteredAt ?? 0)) story.last = run;
  };

  return {
    /** Counts for one contact: `count` for each event, then `end`. */
    of(contact: StoredContact) {
      const story: Story = { entries: 0, first: 0, last: undefined, count: 0, notSent: 0 };
      return {
        count: (happened: Replayed) => count(story, happened),
        end: () => {
          if (story.last === undefined || contacts.length >= NAMED) return;
          const { id, email } = contact;
          contacts.push({ id, email, text: `${wordsOf(story)} ${stateOf(graph, story.last, nameOf, until)}` });
        },
      };
    },
    result: () => ({
      entered,
      notEntered: Object.fromEntries(notEntered),
      mails: inOrder(graph).flatMap((nodeId) => {
        const workflowNode = node(graph, nodeId);
        if (workflowNode.typeName !== "SendEmailAction") return [];
        const { count, notSent } = mails.get(workflowNode.k) ?? { count: 0, notSent: 0 };
        return [{ nodeId, subject: nameOf(workflowNode.emailMessageId) ?? "", count, notSent }];
      }),
      ended: Object.fromEntries(ended),
      waiting: inOrder(graph).flatMap((nodeId) => {
        const many = waiting.get(node(graph, nodeId).k);
        return many === undefined ? [] : [{ nodeId, text: wordsOfNode(graph, nodeId, nameOf), count: many }];
      }),
      contacts,
    }),
  };
};

const add = <Key>(counts: Map<Key, number>, key: Key): void => void counts.set(key, (counts.get(key) ?? 0) + 1);

const wordsOf = ({ entries, first, count, notSent }: Story): string => {
  const when = entries === 1 ? `at ${wordsOfTime(first)}` : `${entries} times, first at ${wordsOfTime(first)},`;
  const failed = notSent === 0 ? "" : `; ${counted(notSent, "mail")} could not be sent`;
  return `Entered ${when} and got ${count === 0 ? "no mail" : counted(count, "mail")}${failed}.`;
};

const stateOf = (graph: Graph, run: StoredRun, nameOf: NameOf, until: number): string =>
  explain({ run, versions: [{ at: run.enteredAt, graph }], mails: [], nameOf, now: until }).text;
