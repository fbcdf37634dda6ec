import { error, locator, type Position, type Problem } from "../problem.ts";
import { entityProblems } from "./entities.ts";
import type { ElementNode, MarkupNode } from "./tree.ts";

export type Reader = {
  readonly source: string;
  at: number;
  readonly nodes: MarkupNode[];
  readonly problems: Problem[];
  readonly open: ElementNode[];
  positionAt(offset: number): Position;
};

export const createReader = (source: string): Reader => ({
  source,
  at: 0,
  nodes: [],
  problems: [],
  open: [],
  positionAt: locator(source),
});

/** Consumes a sticky match, or an empty string. */
export const take = (reader: Reader, pattern: RegExp): string => {
  pattern.lastIndex = reader.at;
  const taken = pattern.exec(reader.source)?.[0] ?? "";
  reader.at += taken.length;
  return taken;
};

/** Consumes text before the mark, or the rest. */
export const takeUntil = (reader: Reader, mark: string): string => {
  const { source, at } = reader;
  const end = source.indexOf(mark, at);
  reader.at = end === -1 ? source.length : end;
  return source.slice(at, reader.at);
};

export const report = (reader: Reader, offset: number, code: string, message: string): void => {
  reader.problems.push(error(reader.positionAt(offset), code, message));
};

export const reportEntities = (reader: Reader, raw: string, start: Position): void => {
  for (const problem of entityProblems(raw, start)) reader.problems.push(problem);
};

export const add = (reader: Reader, node: MarkupNode): void => {
  (reader.open.at(-1)?.children ?? reader.nodes).push(node);
};

/** Entities in `literal` text are plain. */
export const readTextNode = (reader: Reader, mark: string, literal: boolean): void => {
  const start = reader.positionAt(reader.at);
  const raw = takeUntil(reader, mark);
  if (raw === "") return;
  if (!literal) reportEntities(reader, raw, start);
  add(reader, { raw, ...start });
};
