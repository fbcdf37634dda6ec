import { nodeAt } from "../graph/edges.ts";
import type { Graph } from "../graph/types.ts";
import { type Entrance, type EntryRefusal, type History, refusalOfEntry, triggerOf } from "./entry.ts";
import type { End, Mismatch, Run, RunContact, Visit } from "./types.ts";
import { graphAt, idAt, type SubjectOf, wordsOfMismatch, wordsOfNode, wordsOfTime, wordsOfTrigger } from "./words.ts";

/** A run as it is stored. Times are Unix ms; `wake` is null and `ended` set when it has ended. */
export type StoredRun = Run & { enteredAt: number; wake: number | null; ended: End | null };

/** A mail that a run has queued. `meaning`: its state in a sentence. */
export type ExplainedMail = { message: string; meaning: string };

/** What an explanation is made of. `versions`: the graphs of the workflow, the oldest first. `now`: Unix ms. */
export type Story = {
  run: StoredRun;
  versions: readonly { at: number; graph: Graph }[];
  mails: readonly ExplainedMail[];
  subjectOf: SubjectOf;
  now: number;
};

/** One line of an explanation. `at`: Unix ms. `node`: id; null for a node of no known version. */
export type Line = { at: number; node: string | null; text: string };

/** What happened to a contact in a workflow, and where it is. `code`: why it ended, or "waits" or "queued". */
export type Explanation = { lines: Line[]; code: End | "waits" | "queued"; text: string };

/** Says for each node what happened there, and why the run is where it is. */
export const explain = (story: Story): Explanation => {
  const { run, versions } = story;
  const lines = run.path.flatMap((visit, position): Line[] => {
    const graph = graphAt(versions, visit[1]);
    const id = graph && idAt(graph, visit[0]);
    if (!graph || id === undefined)
      return [{ at: visit[1], node: null, text: "Went through a node that is not known." }];
    const isLast = position === run.path.length - 1;
    return [
      {
        at: visit[1],
        node: id,
        text: isLast && run.ended !== null ? endOf(story, graph, id) : lineOf(story, graph, id),
      },
    ];
  });
  const first: Line = { at: run.enteredAt, node: null, text: "Entered the workflow." };
  return { lines: [first, ...lines], ...stateOf(story) };
};

const lineOf = ({ subjectOf, mails }: Story, graph: Graph, id: string): string => {
  const one = nodeAt(graph, id);
  const words = wordsOfNode(graph, id, subjectOf);
  switch (one?.typeName) {
    case "SendEmailAction": {
      const mail = mails.find(({ message }) => message === one.emailMessageId);
      return `Queued ${words}. ${mail?.meaning ?? "Its row is deleted, because it is older than 30 days."}`;
    }
    case "TimerAction":
      return one.amount === 0 ? `Passed ${words} at once.` : `Began to wait at ${words}.`;
    case "AudienceFilter":
      return `Matched ${words}.`;
    case "VariantNode":
      return `Is in ${words}.`;
    default:
      return `Came to ${words}.`;
  }
};

/** The last line of a run that ended at a node that it went to. */
const endOf = (story: Story, graph: Graph, id: string): string => {
  const { run } = story;
  const last = run.path.at(-1);
  return last && run.ended && last[0] === run.node && ENDS_AT_NODE.has(run.ended)
    ? wordsOfEnd(run.ended, last)
    : lineOf(story, graph, id);
};

/** Ends that a step reports at the node that it came to; the others end the run where it rested. */
const ENDS_AT_NODE: ReadonlySet<End> = new Set(["completed", "filtered", "filter_stopped", "no_branch", "not_sampled"]);

const ENDS: Readonly<Record<End, string>> = {
  completed: "It went through the whole workflow.",
  filtered: "It left the workflow at a filter that the contact did not match",
  filter_stopped:
    "It left the workflow, because the contact no longer matched a filter that applies to all later nodes",
  no_branch: "It left the workflow at a branch, because the contact matched none of its filters",
  not_sampled:
    "It left the workflow at an experiment: the contact was not sampled, and the experiment has no control group.",
  unsubscribed: "It left the workflow, because the contact was unsubscribed when its turn came.",
  not_confirmed: "It left the workflow, because the person had not confirmed the subscription when its turn came.",
  left_list: "It left the workflow, because the contact was not on the workflow's mailing list when its turn came.",
  list_changed: "It was taken out, because the workflow got another mailing list that the contact is not on.",
  node_deleted: "It was taken out, because the node where it waited was deleted.",
  removed: "An operator removed the contact from the workflow.",
  fault:
    "It was stopped after 5 failures in a row at the same place. The log of the service has the error, as run_failed.",
};

const wordsOfEnd = (ended: End, last: Visit | undefined): string => {
  const words = ENDS[ended];
  if (words.endsWith(".")) return words;
  const why = (last?.[2] ?? []).map((mismatch: Mismatch) => wordsOfMismatch(mismatch));
  return why.length === 0 ? `${words}.` : `${words}: ${why.join("; ")}.`;
};

const stateOf = ({ run, versions, subjectOf, now }: Story): Pick<Explanation, "code" | "text"> => {
  if (run.ended !== null) return { code: run.ended, text: wordsOfEnd(run.ended, run.path.at(-1)) };
  const graph = graphAt(versions, now);
  const id = graph && idAt(graph, run.node);
  if (run.path.length === 0) return { code: "queued", text: "It has entered, and its first step is due." };
  const where = graph && id !== undefined ? wordsOfNode(graph, id, subjectOf) : "a node that was deleted";
  const until = (run.wake ?? now) <= now ? "Its next step is due." : `It goes on at ${wordsOfTime(run.wake ?? now)}.`;
  return { code: "waits", text: `It waits at ${where}. ${until}` };
};

/** Why a contact has not entered a workflow. */
export type NotEntered = { code: EntryRefusal | "no_trigger"; text: string };

const REFUSALS: Readonly<Record<EntryRefusal, string>> = {
  not_published: "the workflow was never started. It takes contacts from its start on.",
  paused: "the workflow is paused. It queues new contacts for 24 hours after a pause, and takes none after that.",
  unsubscribed: "the contact is unsubscribed.",
  not_confirmed: "the person has not confirmed the subscription.",
  left_list: "the contact is not on the workflow's mailing list.",
  entered_before: "it was in the workflow before, and each contact enters it once.",
  too_many_active: "it is in the workflow 100 times already.",
};

/**
 * Why a contact is not in a workflow, or would not enter it now. What happened before is known only by its result, so this is about
 * the workflow and the contact as they are.
 */
export const explainEntry = (workflow: Entrance, contact: RunContact, history: History, now: number): NotEntered => {
  const code = refusalOfEntry(workflow, contact, () => history, now);
  if (code !== undefined) return { code, text: `The contact does not enter: ${REFUSALS[code]}` };
  const words = wordsOfTrigger(triggerOf(workflow.graph));
  const text = `The contact has not entered: the workflow waits for ${words}, and this has not happened to the contact while the workflow took contacts.`;
  return { code: "no_trigger", text };
};
