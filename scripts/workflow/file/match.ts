import { isDeepStrictEqual as isSame } from "node:util";
import type { MessageSource } from "../../../src/lib/lmx/message/message-source.ts";
import { node } from "../../../src/lib/workflow-graph/edges.ts";
import { type Line, type Path, treeOf } from "../../../src/lib/workflow-graph/tree.ts";
import type { NodeOf, WorkflowNode } from "../../../src/lib/workflow-graph/types.ts";
import { forksOf, isOwnChild, type Pairs, type Spec, typeOf } from "./spec.ts";

type Alike = { score: number; pairs: [wanted: string, current: string][] };

const NOTHING: Alike = { score: 0, pairs: [] };

/**
 * Matches wanted nodes to current nodes by place, type and content, because file nodes have no ids.
 * A matched mail keeps its identity, so no contact gets it twice. A poor guess costs requests, never a wrong result.
 */
export const matched = (wanted: Spec, current: Spec): Pairs => {
  const likeness = likenessOf(wanted, current);
  const { pairs: aligned } = alignLines(treeOf(wanted.graph).lines, treeOf(current.graph).lines, likeness);
  const pairs: Pairs = new Map([
    [wanted.graph.root, current.graph.root],
    [wanted.graph.exit, current.graph.exit],
    ...aligned.filter(([w, c]) => mayPair(wanted, current, w, c)),
  ]);
  for (const [w, c] of moved(wanted, current, pairs, likeness)) pairs.set(w, c);
  return pairs;
};

const mayPair = (wanted: Spec, current: Spec, w: string, c: string): boolean =>
  isBelowFork(wanted, w) === isBelowFork(current, c);

const isBelowFork = ({ graph }: Spec, id: string): boolean =>
  forksOf(graph).some((fork) => node(graph, fork).nextNodeIds.includes(id) && isOwnChild(graph, fork, id));

/** Pairs moved mails and timers, so that waiting contacts and mail counts stay. */
const moved = (wanted: Spec, current: Spec, pairs: Pairs, likeness: Likeness): [string, string][] => {
  const left = new Set(Object.keys(current.graph.nodes));
  for (const id of pairs.values()) left.delete(id);
  const found: [string, string][] = [];
  for (const [w, { typeName }] of Object.entries(wanted.graph.nodes)) {
    if (pairs.has(w) || (typeName !== "SendEmailAction" && typeName !== "TimerAction")) continue;
    const best = [...left].find((c) => likeness(w, c) >= 3);
    if (best === undefined) continue;
    left.delete(best);
    found.push([w, best]);
  }
  return found;
};

/** 0 for different types, 1 for the same type only, more for the same content. */
type Likeness = (wanted: string, current: string) => number;

const likenessOf =
  (wanted: Spec, current: Spec): Likeness =>
  (w, c) => {
    const [one, other] = [node(wanted.graph, w), node(current.graph, c)];
    if (one.typeName !== other.typeName) return 0;
    if (one.typeName === "SendEmailAction") {
      const [mail, old] = [
        wanted.messages[one.emailMessageId],
        current.messages[(other as NodeOf<"SendEmailAction">).emailMessageId],
      ];
      if (isSame(mail, old)) return 6;
      return mail && old && isAlike(mail, old) ? 4 : 1;
    }
    return isSame(fieldsOf(one), fieldsOf(other)) ? 3 : 1;
  };

const isAlike = (messageSource: MessageSource, other: MessageSource): boolean =>
  (["subject", "lmx"] as const).some((field) => messageSource[field] !== "" && messageSource[field] === other[field]);

const fieldsOf = ({ k: _, nextNodeIds: __, ...fields }: WorkflowNode) => fields;

/** True for two nodes of the same content. */
export const isSameNode = (wanted: Spec, w: string, current: Spec, c: string): boolean => {
  const likeness = likenessOf(wanted, current)(w, c);
  return likeness === (typeOf(wanted.graph, w) === "SendEmailAction" ? 6 : 3);
};

const alignLines = (wanted: readonly Line[], current: readonly Line[], likeness: Likeness): Alike =>
  align(wanted, current, (w, c) => {
    if ("goto" in w || "goto" in c) return NOTHING;
    const own = likeness(w.node, c.node);
    if (own === 0) return NOTHING;
    const below = w.paths && c.paths ? alignPaths(w.paths, c.paths, likeness) : NOTHING;
    return { score: own + below.score, pairs: [[w.node, c.node], ...below.pairs] };
  });

const alignPaths = (wanted: readonly Path[], current: readonly Path[], likeness: Likeness): Alike => {
  const pair = (w: Path, c: Path): Alike => {
    const lines = alignLines(w.lines, c.lines, likeness);
    const child = w.child !== undefined && c.child !== undefined ? likeness(w.child, c.child) : 0;
    if (child === 0) return { score: 0, pairs: [] };
    return { score: child + lines.score, pairs: [[w.child as string, c.child as string], ...lines.pairs] };
  };
  const best = align(wanted, current, pair);
  const positions = wanted.flatMap(({ child }, i) => (best.pairs.some(([w]) => w === child) ? [i] : []));
  // The API can add a path only at the right end. If one is wanted further left, paths pair by position.
  if (positions.every((placement, i) => placement === i)) return best;
  const aligned = wanted.flatMap((path, i) => (current[i] ? [pair(path, current[i])] : []));
  const first = aligned.findIndex(({ pairs }) => pairs.length === 0);
  const kept = first === -1 ? aligned : aligned.slice(0, first);
  return { score: kept.reduce((sum, { score }) => sum + score, 0), pairs: kept.flatMap(({ pairs }) => pairs) };
};

const align = <T>(wanted: readonly T[], current: readonly T[], pair: (w: T, c: T) => Alike): Alike => {
  /** `best[j]`: result for the wanted items so far and the first j current items. */
  let best: Alike[] = Array.from({ length: current.length + 1 }, () => NOTHING);
  for (const w of wanted) {
    const next: Alike[] = [NOTHING];
    for (const [j, c] of current.entries()) {
      const both = pair(w, c);
      const before = best[j] as Alike;
      const together = { score: before.score + both.score, pairs: [...before.pairs, ...both.pairs] };
      const without = [best[j + 1] as Alike, next[j] as Alike].reduce((a, b) => (b.score > a.score ? b : a));
      next.push(both.score > 0 && together.score > without.score ? together : without);
    }
    best = next;
  }
  return best.at(-1) ?? NOTHING;
};
