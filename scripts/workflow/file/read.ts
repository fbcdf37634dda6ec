import { type Document, isNode, LineCounter, parseDocument, visit } from "yaml";
import type { Library } from "../../../src/lib/lmx/compile.ts";
import { emptySource } from "../../../src/lib/lmx/message/message-source.ts";
import { nearest } from "../../../src/lib/util/nearest.ts";
import { MAX_NODES } from "../../../src/lib/workflow-graph/validate.ts";
import type { Names } from "./filter.ts";
import { readGraph, sizeOf } from "./graph.ts";
import { readMail } from "./mail.ts";
import { type Fault, FileError, type FileProblem, type Path } from "./problem.ts";
import { fileSchema } from "./schema.ts";
import type { Spec } from "./spec.ts";

/** `load` reads a file of mail content and throws on failure. Without `library`, LMX is not compiled. */
export type Dependencies = { names: Names; load(path: string): string; library?: Library };

/**
 * Reads a workflow from YAML or JSON.
 *
 * @param file path for messages and for mail content files beside it
 * @throws FileError with all faults, each with line and key
 */
export const readWorkflow = (file: string, text: string, dependencies: Dependencies): Spec => {
  try {
    return read(file, text, dependencies);
  } catch (error) {
    // The parser is recursive and can run out of stack.
    if (!(error instanceof RangeError)) throw error;
    throw new FileError([{ file, line: 1, column: 1, path: [], message: "the file is nested too deeply" }]);
  }
};

const read = (file: string, text: string, dependencies: Dependencies): Spec => {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const problems: FileProblem[] = [];
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { file, line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  if (document.errors.some(({ message }) => message.startsWith("Maximum call stack"))) throw new RangeError();
  for (const { pos, message } of document.errors) problems.push({ ...at(pos[0]), path: [], message });
  if (problems.length > 0) throw new FileError(problems);
  const fault: Fault = (path, message) => {
    problems.push({ ...at(offsetOf(document, path)), path, message });
  };
  for (const { offset, message } of aliasFaults(document)) problems.push({ ...at(offset), path: [], message });
  if (problems.length > 0) throw new FileError(problems);
  const content: unknown = document.toJS();
  if (content === null) throw new FileError([{ ...at(0), path: [], message: "the file is empty" }]);
  const spec = specOf(content, { ...dependencies, file, fault, problems });
  if (!spec || problems.length > 0) throw new FileError(problems);
  return spec;
};

/** Finds aliases (`*name`) that are undefined, circular or expand to too much. */
const aliasFaults = (document: Document.Parsed): { offset: number; message: string }[] => {
  const found: { offset: number; message: string }[] = [];
  let first: number | undefined;
  visit(document, {
    Alias: (_, alias, around) => {
      const offset = alias.range?.[0] ?? 0;
      first ??= offset;
      const target = alias.resolve(document);
      if (!target) found.push({ offset, message: `*${alias.source}: there is no &${alias.source} above it` });
      else if (around.includes(target))
        found.push({ offset, message: `*${alias.source} stands inside &${alias.source}` });
    },
  });
  if (found.length > 0 || first === undefined) return found;
  try {
    document.toJS();
    return [];
  } catch {
    return [{ offset: first, message: "the aliases make the file too large: write less of them" }];
  }
};

type Reading = Dependencies & { file: string; fault: Fault; problems: FileProblem[] };

const specOf = (given: unknown, reading: Reading): Spec | undefined => {
  const { fault, names } = reading;
  const parsed = fileSchema.safeParse(given);
  if (!parsed.success) {
    for (const issue of parsed.error.issues) formFault(issue as Issue, given, fault);
    return undefined;
  }
  const { name, description = "", list = null } = parsed.data;
  const size = sizeOf(parsed.data);
  if (size > MAX_NODES) {
    fault(["steps"], `make ${size} nodes with the trigger and the exit, and a workflow has at most ${MAX_NODES}`);
    return undefined;
  }
  const { graph, mails } = readGraph(parsed.data, names, fault);
  if (list !== null && !names.lists.has(list)) {
    const known = [...new Set(names.lists.values())].length;
    fault(["list"], `there is no mailing list "${list}"${known === 0 ? ": the team has none" : ""}`);
  }
  const messages = Object.fromEntries([...mails].map(([id, { mail, path }]) => [id, readMail(mail, path, reading)]));
  return { name, description, list: list === null ? null : (names.lists.get(list) ?? null), graph, messages };
};

type Issue = { code: string; path: (string | number)[]; message: string; keys?: string[]; errors?: Issue[][] };

const formFault = ({ code, path, message, keys = [], errors = [] }: Issue, given: unknown, fault: Fault): void => {
  for (const key of keys) {
    const like = nearest(key, KEYS);
    fault([...path, key], `is no key here${like === undefined || like === key ? "" : `: did you mean ${like}?`}`);
  }
  if (keys.length > 0) return;
  // The form with the deeper faults is probably the intended one.
  const below = errors.find((issues) => issues.length > 0 && issues.every((issue) => issue.path.length > 0));
  if (below) for (const issue of below) formFault({ ...issue, path: [...path, ...issue.path] }, given, fault);
  else fault(path, code === "invalid_type" && valueAt(given, path) === undefined ? "is missing" : message);
};

const KEYS = [
  "name",
  "description",
  "list",
  "trigger",
  "steps",
  "wait",
  "filter",
  "send",
  "branch",
  "experiment",
  "goto",
  "percent",
  "paths",
  "control",
  "direct",
  "event",
  "property",
  "was",
  "is",
  "reEligible",
  "all",
  "any",
  "segment",
  "appliesDownstream",
  "lmx",
  "fallbacks",
  ...Object.keys(emptySource),
];

const valueAt = (given: unknown, path: Path): unknown =>
  path.reduce<unknown>((value, key) => (value as Record<string | number, unknown> | undefined)?.[key], given);

const offsetOf = (document: ReturnType<typeof parseDocument>, path: Path): number => {
  for (let length = path.length; length >= 0; length--) {
    const found = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    if (isNode(found) && found.range) return found.range[0];
  }
  return 0;
};
