import { type Line, treeOf } from "../../src/lib/workflow-graph/tree.ts";
import type { Graph } from "../../src/lib/workflow-graph/types.ts";
import { count, table } from "../lib/cli.ts";
import { countsText, timeText } from "../lib/formats.ts";
import type { Difference, DryRun, Here, Simulated, Status, StatusNode, Story } from "./answers.ts";

/** Formats a workflow status. Steps are indented below their fork. */
export const statusText = (status: Status, graph: Graph | undefined): string => {
  const { name, id, queuesUntil, entered, active, ended, dropped, sweeping } = status;
  const until = queuesUntil === null ? "" : `, new contacts are queued until ${timeText(queuesUntil)}`;
  const rows = (graph ? treeRows(status.nodes, graph) : status.nodes.map((node) => rowOf(node, node.text))).map(
    ([text = "", ...cells]) => [text, ...cells],
  );
  return [
    `${name} (${id}): ${status.status}${until}`,
    `${entered} entered, ${active} in it now${sweeping ? "; a change of the graph is being applied to waiting contacts" : ""}`,
    ...(countsText(ended) === "" ? [] : [`Ended: ${countsText(ended)}`]),
    ...(countsText(dropped) === "" ? [] : [`Did not enter: ${countsText(dropped)}`]),
    "",
    table(["step", "waiting", "due", "next", "passed", "mails"], rows),
  ].join("\n");
};

const rowOf = ({ waiting, due, nextWake, passed, mails }: StatusNode, text: string): string[] => [
  text,
  waiting > 0 ? String(waiting) : "",
  due > 0 ? String(due) : "",
  timeText(nextWake),
  passed > 0 ? String(passed) : "",
  mails ? countsText(mails) : "",
];

const treeRows = (nodes: readonly StatusNode[], graph: Graph): string[][] => {
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const row = (id: string, depth: number): string[][] => {
    const node = byId.get(id);
    return node ? [rowOf(node, `${"  ".repeat(depth)}${node.text}`)] : [];
  };
  const listRows = (lines: readonly Line[], depth: number): string[][] =>
    lines.flatMap((line) => {
      if ("goto" in line)
        return [
          [`${"  ".repeat(depth)}→ ${byId.get(line.goto)?.text ?? "the end of the workflow"}`, "", "", "", "", ""],
        ];
      const paths = (line.paths ?? []).flatMap(({ child, lines: below }) => [
        ...(child === undefined ? [] : row(child, depth + 1)),
        ...listRows(below, depth + 2),
      ]);
      return [...row(line.node, depth), ...paths];
    });
  return [...row(graph.root, 0), ...listRows(treeOf(graph).lines, 0), ...row(graph.exit, 0)];
};

/** A node with the first contacts that wait there. */
export type Place = Pick<StatusNode, "nodeId" | "text" | "waiting"> & { data: Here["data"] };

/** Lists the contacts that wait at each step. */
export const hereText = (name: string, places: readonly Place[]): string =>
  places.length === 0
    ? `Nobody is in ${name} now.`
    : places
        .map(({ text, waiting, data }) => {
          const rows = data.map(({ contact: { id, email, userId }, since, until }) => [
            email ?? userId ?? id,
            `since ${timeText(since)}`,
            `next step ${timeText(until)}`,
          ]);
          const more = waiting > data.length ? [`  and ${waiting - data.length} more`] : [];
          return [`${text}: ${waiting}`, ...rows.map((row) => `  ${row.join("  ")}`), ...more].join("\n");
        })
        .join("\n\n");

const lineText = ({ at, text }: { at: string; text: string }): string => `  ${timeText(at)}  ${text}`;

export const storyText = ({ contact, runs, entry }: Story): string => {
  const who = contact.email ?? contact.userId ?? contact.id;
  const passages = runs.map(({ enteredAt, text, lines }) =>
    [`Entered ${timeText(enteredAt)}. ${text}`, ...lines.map(lineText)].join("\n"),
  );
  return [`${who} (${contact.id})`, ...passages, [entry.text, ...(entry.lines ?? []).map(lineText)].join("\n")].join(
    "\n\n",
  );
};

export const simulatedText = ({ entered, reason, lines, mails, end }: Simulated): string => {
  if (!entered) return reason?.text ?? "The contact would not enter.";
  const dated = lines.map(
    ({ at, day, text }) => `  day ${day.toFixed(day % 1 === 0 ? 0 : 2).padStart(3)}  ${timeText(at)}  ${text}`,
  );
  const sent = mails.map(
    ({ at, subject, text }) => `  ${timeText(at)}  "${subject}"${text === undefined ? "" : `  ${text}`}`,
  );
  return [
    ...dated,
    "",
    count(mails.length, "mail"),
    ...sent,
    "",
    end === null ? "The contact is still in the workflow at the end of these days." : end.text,
  ].join("\n");
};

const mailRow = ({ subject, count: sent, notSent }: DryRun["mails"][number]): string[] => [
  subject === "" ? "(no subject)" : subject,
  ...[sent, notSent].map((many) => (many > 0 ? String(many) : "")),
];

export const dryRunText = (answer: DryRun): string => {
  const { from, until, events, entered, notEntered, mails, ended, waiting, contacts, notes } = answer;
  return [
    `${timeText(from)} to ${timeText(until)}: ${count(events, "event")} would have started ${count(entered, "run")}`,
    ...(countsText(notEntered) === "" ? [] : [`Would not have entered: ${countsText(notEntered)}`]),
    ...(countsText(ended) === "" ? [] : [`Ended: ${countsText(ended)}`]),
    ...waiting.map(({ text, count: many }) => `Waiting at ${text}: ${many}`),
    ...(mails.length > 0 ? ["", table(["mail", "sent", "not sent"], mails.map(mailRow))] : []),
    ...(contacts.length > 0 ? ["", ...contacts.map(({ email, id, text }) => `  ${email ?? id}  ${text}`)] : []),
    ...(notes.length > 0 ? ["", ...notes] : []),
  ].join("\n");
};

export const differenceText = ({ from, to, changes, impact, waiting, text }: Difference): string => {
  const versions = `From ${from.revision} of ${timeText(from.at)} to ${to.revision} of ${timeText(to.at)}`;
  if (changes.length === 0 && impact.length === 0) return `${versions}: nothing is different.`;
  const rows = [
    ...changes.map((change) => [change.nodeId ?? "", change.text]),
    ["", ""],
    ...impact.map((line) => [line.nodeId ?? "", line.text]),
  ];
  return [
    versions,
    "",
    table(["node", "change"], rows),
    "",
    `${count(waiting, "contact")} in the workflow. ${text}`,
  ].join("\n");
};
