import type { Refusal } from "../../../../lib/contract/errors.ts";
import { isoOf } from "../../../../lib/util/dates.ts";
import { changesOf } from "../../../policy/workflows/diff/changes.ts";
import { createImpact, linesOfImpact, wordsOfImpact } from "../../../policy/workflows/diff/impact.ts";
import type { AdminInput } from "../../../types/workspace-rpc.ts";
import type { Context } from "../../core/context.ts";
import { createNames } from "../../workflows/node-names.ts";
import { contentOfVersion, endedBetween, type KeptVersion, keptVersions } from "../../workflows/versions.ts";
import { allWaiting, countWaiting } from "../../workflows/waiting-runs.ts";
import { findWorkflow, type StoredWorkflow } from "../../workflows/workflow-rows.ts";
import { NO_CURSOR, OTHER_VERSIONS, readBegun, writeBegun } from "./diff-cursor.ts";
import { endOfSlice, START, waitingRuns } from "./waiting-contacts.ts";

type Answer = { body: unknown } | { refusal: Refusal };

const SLICE = 5_000;

/** Compares two versions of a workflow and counts the effect on waiting contacts, one slice per request. */
export const diffWorkflow = (context: Context, input: AdminInput<"insight.diff">): Answer => {
  const { sql, now } = context;
  const known = findWorkflow(context, input.workflowId);
  if ("refusal" in known) return known;
  const { workflow } = known;
  const begun = input.cursor === undefined ? undefined : readBegun(input.cursor);
  if (input.cursor !== undefined && begun === undefined) return { refusal: NO_CURSOR };
  const named = versionsIn(workflow, keptVersions(sql, workflow.n), { ...begun?.versions, ...given(input) });
  if ("refusal" in named) return named;
  const { from, to } = named;
  if (begun && (begun.versions.from !== from.revision || begun.versions.to !== to.revision))
    return { refusal: OTHER_VERSIONS };
  const compared = {
    from: contentOfVersion(sql, workflow.n, from.number),
    to: contentOfVersion(sql, workflow.n, to.number),
  };
  const changes = changesOf(compared, createNames(sql, workflow.n));
  const ended = endedBetween(sql, workflow.n, from.number, to.number);
  const impact = createImpact(compared, now, begun);
  const waiting = countWaiting(sql, allWaiting(workflow.n));
  const after = begun?.after ?? START;
  const isAbout = impact.nodes?.length !== 0;
  const end = isAbout ? endOfSlice(sql, workflow.n, after, SLICE) : undefined;
  if (isAbout) for (const run of waitingRuns(sql, workflow.n, impact, [after, end])) impact.add(run);
  const looked = end === undefined ? waiting : (begun?.looked ?? 0) + SLICE;
  const { concerned, counts } = impact.result();
  const versions = { from: from.revision, to: to.revision };
  return {
    body: {
      from: shown(from),
      to: shown(to),
      changes,
      impact: linesOfImpact(compared, [...ended, ...counts]),
      waiting,
      looked,
      text: wordsOfImpact(concerned, [...ended, ...counts]),
      next: end === undefined ? null : writeBegun({ versions, after: end, looked, concerned, counts }),
    },
  };
};

const given = ({ from, to }: Pick<AdminInput<"insight.diff">, "from" | "to">) => ({
  ...(from === undefined ? {} : { from }),
  ...(to === undefined ? {} : { to }),
});

const shown = ({ revision, at, ran }: KeptVersion) => ({ revision, at: isoOf(at), ran });

type Named = { from: KeptVersion; to: KeptVersion } | { refusal: Refusal };

const versionsIn = (
  { revision }: StoredWorkflow,
  versions: readonly KeptVersion[],
  input: Pick<AdminInput<"insight.diff">, "from" | "to">,
): Named => {
  const find = (id: string) => versions.find((version) => version.revision === id);
  for (const field of ["from", "to"] as const) {
    const id = input[field];
    if (id !== undefined && !find(id)) return { refusal: unknownRevision(field, id, versions, revision) };
  }
  const to = find(input.to ?? revision);
  const from = input.from === undefined ? versions.findLast(({ ran }) => ran) : find(input.from);
  if (to === undefined) throw new Error(`The workflow has no version ${revision}.`);
  if (from) return { from, to };
  const message = `The workflow was never started, so no version has run. Name the one to compare with in "from": ${listOf(versions, revision)}.`;
  return { refusal: { code: "workflow_not_started", path: "from", message } };
};

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
