import { nodeAt } from "../../../../lib/workflow-graph/edges.ts";
import type { Graph } from "../../../../lib/workflow-graph/types.ts";
import { graphAt, graphOfVisit, idAt, type NameOf, wordsOfMismatch, wordsOfNode, wordsOfTime } from "./run-words.ts";
import type { End, Mismatch, Run, Visit } from "./types.ts";

/** Times are Unix ms; at the end `wake` is null and `ended` is set. */
export type StoredRun = Run & { enteredAt: number; wake: number | null; ended: End | null };

/** `meaning`: state in a sentence. */
type ExplainedMail = { message: string; meaning: string };

/** `versions`: oldest first. `obstacle`: why no steps run. `now`: Unix ms. */
export type Story = {
  run: StoredRun;
  versions: readonly { at: number; graph: Graph }[];
  mails: readonly ExplainedMail[];
  nameOf: NameOf;
  obstacle?: string | undefined;
  now: number;
};

/** `at`: Unix ms. `node`: id; null if unknown. */
export type Line = { at: number; node: string | null; text: string };

/** `code`: end reason, or "waits" or "queued". */
export type Explanation = { lines: Line[]; code: End | "waits" | "queued"; text: string };

export const explain = (story: Story): Explanation => {
  const { run, versions, nameOf } = story;
  const messages = run.path.map((visit) => messageOf(versions, visit));
  const lines = run.path.map((visit, position): Line => {
    const [k, at] = visit;
    const graph = graphOfVisit(versions, visit);
    const id = graph && idAt(graph, k);
    if (!graph || id === undefined) return { at, node: null, text: "Went through a node that is not known." };
    const isEnd = position === run.path.length - 1 && endsAtNode(run);
    if (isEnd && run.ended) return { at, node: id, text: wordsOfEnd(run.ended, visit) };
    const message = messages[position];
    if (message !== undefined) {
      const mail = { message, isRepeated: messages.indexOf(message) < position };
      return { at, node: id, text: wordsOfMail(story, wordsOfNode(graph, id, nameOf), mail) };
    }
    return { at, node: id, text: lineOf(story, graph, id) };
  });
  const first: Line = { at: run.enteredAt, node: null, text: "Entered the workflow." };
  return { lines: [first, ...lines, ...outside(story)], ...stateOf(story) };
};

const ENDS_AT_NODE: ReadonlySet<End> = new Set(["completed", "filtered", "filter_stopped", "no_branch", "not_sampled"]);

const endsAtNode = ({ ended, node, path }: StoredRun): boolean =>
  ended !== null && ENDS_AT_NODE.has(ended) && path.at(-1)?.[0] === node;

/** `since` of an ended run is its end time. */
const outside = ({ run, versions }: Story): Line[] => {
  if (run.ended === null || endsAtNode(run)) return [];
  const graph = graphAt(versions, run.path.at(-1)?.[1] ?? run.enteredAt);
  return [
    { at: run.since, node: (graph && idAt(graph, run.node)) ?? null, text: wordsOfEnd(run.ended, run.path.at(-1)) },
  ];
};

const messageOf = (versions: Story["versions"], visit: Visit): string | undefined => {
  const graph = graphOfVisit(versions, visit);
  const workflowNode = graph && nodeAt(graph, idAt(graph, visit[0]) ?? "");
  return workflowNode?.typeName === "SendEmailAction" ? workflowNode.emailMessageId : undefined;
};

/** A run queues each message once, although an edit can lead it to the same node again. */
const wordsOfMail = (
  { mails }: Story,
  words: string,
  { message, isRepeated }: { message: string; isRepeated: boolean },
): string => {
  if (isRepeated) return `Passed ${words}: it was queued for this contact before.`;
  const mail = mails.find((one) => one.message === message);
  return `Queued ${words}. ${mail?.meaning ?? "Its row is deleted, because it is older than 30 days."}`;
};

const lineOf = ({ nameOf }: Story, graph: Graph, id: string): string => {
  const workflowNode = nodeAt(graph, id);
  const words = wordsOfNode(graph, id, nameOf);
  switch (workflowNode?.typeName) {
    case "TimerAction":
      return workflowNode.amount === 0 ? `Passed ${words} at once.` : `Started to wait at ${words}.`;
    case "AudienceFilter":
      return `Matched ${words}.`;
    case "VariantNode":
      return `Was given ${words}.`;
    default:
      return `Reached ${words}.`;
  }
};

const ENDS: Readonly<Record<End, string>> = {
  completed: "The contact went through the whole workflow.",
  filtered: "The contact left the workflow at a filter that it did not match",
  filter_stopped:
    "The contact left the workflow, because it no longer matched a filter that applies to all later nodes",
  no_branch: "The contact left the workflow at a branch, because it matched none of the filters",
  not_sampled:
    "The contact left the workflow at an experiment: it was not sampled, and the experiment has no control group.",
  unsubscribed: "The contact left the workflow, because it was unsubscribed when its next step was due.",
  not_confirmed:
    "The contact left the workflow, because the subscription was not confirmed when the next step was due.",
  left_list:
    "The contact left the workflow, because it was not on the workflow's mailing list when its next step was due.",
  list_changed:
    "The contact was removed, because the workflow was given another mailing list, and the contact was not on it.",
  node_deleted: "The contact was removed, because the node where it waited was deleted.",
  removed: "An operator removed the contact from the workflow.",
  merged:
    "It was taken out, because the contact became one with another contact that had entered the workflow before, and each contact enters it once.",
  fault:
    "The workflow gave up on this contact after 5 failures in a row at the same node. The log of the service has the error, in lines run_failed.",
};

/** `last`: last visited node. */
export const wordsOfEnd = (ended: End, last: Visit | undefined): string => {
  const words = ENDS[ended];
  if (words.endsWith(".")) return words;
  const why = (last?.[2] ?? []).map((mismatch: Mismatch) => wordsOfMismatch(mismatch));
  return why.length === 0 ? `${words}.` : `${words}: ${why.join("; ")}.`;
};

const stateOf = ({ run, versions, nameOf, obstacle, now }: Story): Pick<Explanation, "code" | "text"> => {
  if (run.ended !== null) return { code: run.ended, text: wordsOfEnd(run.ended, run.path.at(-1)) };
  const isQueued = run.path.length === 0;
  const graph = graphAt(versions, now);
  const id = graph && idAt(graph, run.node);
  const where = graph && id !== undefined ? wordsOfNode(graph, id, nameOf) : "a node that was deleted";
  const text = wordsOfWait({ isQueued, where, wake: run.wake ?? now, obstacle, now });
  return { code: isQueued ? "queued" : "waits", text };
};

/** `isQueued`: no step taken. `where`: node in words. `wake`, `now`: Unix ms. `obstacle`: why no steps run. */
export const wordsOfWait = ({
  isQueued,
  where,
  wake,
  obstacle,
  now,
}: {
  isQueued: boolean;
  where: string;
  wake: number;
  obstacle: string | undefined;
  now: number;
}): string => {
  const due = `is due${obstacle === undefined ? "" : `, but ${obstacle}`}.`;
  if (isQueued) return `The contact has entered. Its first step ${due}`;
  const until =
    wake <= now
      ? `Its next step ${due}`
      : `Its next step is due at ${wordsOfTime(wake)}.${obstacle === undefined ? "" : ` Now ${obstacle}.`}`;
  return `The contact waits at ${where}. ${until}`;
};
