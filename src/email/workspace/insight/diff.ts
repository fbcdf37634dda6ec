import type { Refusal } from "../../../lib/contract/errors.ts";
import { isoOf } from "../../../lib/util/dates.ts";
import type { AdminInput } from "../../types/workspace.ts";
import { changesOf } from "../../workflows/diff/changes.ts";
import { createImpact, linesOfImpact, wordsOfImpact } from "../../workflows/diff/impact.ts";
import type { Context } from "../base/context.ts";
import { pause } from "../base/pause.ts";
import { createNames } from "../workflows/names.ts";
import { findWorkflow, type StoredWorkflow } from "../workflows/rows.ts";
import { contentOfVersion, endedBetween, type KeptVersion, keptVersions } from "../workflows/versions.ts";
import { allWaiting, countWaiting } from "../workflows/waiting.ts";
import { type Place, START, waitingRuns } from "./waiting-runs.ts";

type Answer = { body: unknown } | { refusal: Refusal };

/** Compares two versions of a workflow, and counts what the change means for the contacts that wait now. */
export const diffWorkflow = async (context: Context, input: AdminInput<"insight.diff">): Promise<Answer> => {
  const { sql, now } = context;
  const known = findWorkflow(context, input.workflowId);
  if ("refusal" in known) return known;
  const { workflow } = known;
  const named = versionsIn(workflow, keptVersions(sql, workflow.n), input);
  if ("refusal" in named) return named;
  const { from, to } = named;
  const compared = {
    from: contentOfVersion(sql, workflow.n, from.number),
    to: contentOfVersion(sql, workflow.n, to.number),
  };
  const nameOf = createNames(sql, workflow.n);
  const changes = changesOf(compared, nameOf);
  const ended = endedBetween(sql, workflow.n, from.number, to.number);
  const impact = createImpact(compared, now);
  // Those at other nodes are counted only: most edits concern none or few of those who wait.
  let after: Place | undefined = START;
  while (impact.nodes?.length !== 0 && after !== undefined) {
    if (after !== START) await pause();
    const { runs, last }: ReturnType<typeof waitingRuns> = waitingRuns(sql, workflow.n, impact, after);
    for (const run of runs) impact.add(run);
    after = last;
  }
  const { concerned, counts } = impact.result();
  const waiting = countWaiting(sql, allWaiting(workflow.n));
  return {
    body: {
      ...{ from: shown(from), to: shown(to), changes },
      impact: linesOfImpact(compared, [...ended, ...counts]),
      waiting,
      text: wordsOfImpact(concerned, [...ended, ...counts]),
    },
  };
};

const shown = ({ revision, at, ran }: KeptVersion) => ({ revision, at: isoOf(at), ran });

type Named = { from: KeptVersion; to: KeptVersion } | { refusal: Refusal };

/** The versions that a request names; without a name, the one that ran last and the current one. */
const versionsIn = (
  { revision }: StoredWorkflow,
  versions: readonly KeptVersion[],
  input: Pick<AdminInput<"insight.diff">, "from" | "to">,
): Named => {
  const find = (id: string) => versions.find((one) => one.revision === id);
  for (const field of ["from", "to"] as const) {
    const id = input[field];
    if (id !== undefined && !find(id)) return { refusal: unknownRevision(field, id, versions, revision) };
  }
  const to = find(input.to ?? revision);
  const from = input.from === undefined ? versions.findLast(({ ran }) => ran) : find(input.from);
  // The current version is always kept.
  if (to === undefined) throw new Error(`The workflow has no version ${revision}.`);
  if (from) return { from, to };
  const message = `The workflow was never started, so no version has run. Name the one to compare with in "from": ${listOf(versions, revision)}.`;
  return { refusal: { code: "workflow_not_started", path: "from", message } };
};

/** Most versions that a refusal names, the newest first. */
const MOST = 10;

const unknownRevision = (path: string, id: string, versions: readonly KeptVersion[], current: string): Refusal => {
  const message = `${path}: the workflow has no version "${id}", or it is no longer kept. Versions: ${listOf(versions, current)}.`;
  return { code: "unknown_revision", path, message };
};

const listOf = (versions: readonly KeptVersion[], current: string): string => {
  const newest = versions.toReversed();
  const named = newest.slice(0, MOST).map(({ revision, at, ran }) => {
    const notes = [isoOf(at), ...(ran ? ["ran"] : []), ...(revision === current ? ["current"] : [])];
    return `${revision} (${notes.join(", ")})`;
  });
  return `${named.join(", ")}${newest.length > MOST ? ` and ${newest.length - MOST} older ones` : ""}`;
};
