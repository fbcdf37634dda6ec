import { dirname, join } from "node:path";
import { isNode, LineCounter, parseDocument } from "yaml";
import { readFile as readLmx } from "../../../src/email/lmx/file.ts";
import { emptySource, type MessageSource } from "../../../src/email/workspace/content/message-source.ts";
import { emailMessages } from "../../../src/lib/contract/operations/email-messages.ts";
import { closest } from "../../../src/lib/util/nearest.ts";
import type { Names } from "./filter.ts";
import { readGraph } from "./graph.ts";
import { type Fault, FileError, type FileProblem, type Path } from "./problem.ts";
import { type FileMail, fileSchema } from "./schema.ts";
import type { Spec } from "./spec.ts";

/** `names`: lists and segments of the team. `load`: reads a file of mail content; throws where it cannot. */
export type Dependencies = { names: Names; load(path: string): string };

/**
 * Reads a workflow from YAML or JSON.
 *
 * @param file its path, for messages and for the files of mail content beside it
 * @throws FileError with all faults, each with line and key
 */
export const readWorkflow = (file: string, text: string, { names, load }: Dependencies): Spec => {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const problems: FileProblem[] = [];
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { file, line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  for (const { pos, message } of document.errors) problems.push({ ...at(pos[0]), path: [], message });
  if (problems.length > 0) throw new FileError(problems);
  const fault: Fault = (path, message) => {
    problems.push({ ...at(offsetOf(document, path)), path, message });
  };
  const content: unknown = document.toJS();
  if (content === null) throw new FileError([{ ...at(0), path: [], message: "the file is empty" }]);
  const spec = specOf(content, { file, names, load, fault, problems });
  if (!spec || problems.length > 0) throw new FileError(problems);
  return spec;
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
  const { graph, mails } = readGraph(parsed.data, names, fault);
  if (list !== null && !names.lists.has(list)) {
    const known = [...new Set(names.lists.values())].length;
    fault(["list"], `there is no mailing list "${list}"${known === 0 ? ": the team has none" : ""}`);
  }
  const messages = Object.fromEntries([...mails].map(([id, { mail, path }]) => [id, messageOf(mail, path, reading)]));
  return { name, description, list: list === null ? null : (names.lists.get(list) ?? null), graph, messages };
};

type Issue = { code: string; path: (string | number)[]; message: string; keys?: string[]; errors?: Issue[][] };

/** Notes a fault of the form at the deepest place that it names. */
const formFault = ({ code, path, message, keys = [], errors = [] }: Issue, given: unknown, fault: Fault): void => {
  for (const key of keys) {
    const like = closest(key, KEYS);
    fault([...path, key], `is no key here${like === undefined || like === key ? "" : `: did you mean ${like}?`}`);
  }
  if (keys.length > 0) return;
  // Of the forms that a value may have, the one whose faults lie deeper was meant.
  const below = errors.find((issues) => issues.length > 0 && issues.every((issue) => issue.path.length > 0));
  if (below) for (const issue of below) formFault({ ...issue, path: [...path, ...issue.path] }, given, fault);
  else fault(path, code === "invalid_type" && valueAt(given, path) === undefined ? "is missing" : message);
};

const KEYS = [
  ...["name", "description", "list", "trigger", "steps", "wait", "filter", "send", "branch", "experiment", "goto"],
  ...["percent", "paths", "control", "direct", "event", "property", "was", "is", "reEligible", "all", "any", "segment"],
  ...["appliesDownstream", "lmx", "fallbacks", ...Object.keys(emptySource)],
];

const valueAt = (given: unknown, path: Path): unknown =>
  path.reduce<unknown>((value, key) => (value as Record<string | number, unknown> | undefined)?.[key], given);

/** Where the value at a path starts; where there is none, the value around it. */
const offsetOf = (document: ReturnType<typeof parseDocument>, path: Path): number => {
  for (let length = path.length; length >= 0; length--) {
    const found = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    if (isNode(found) && found.range) return found.range[0];
  }
  return 0;
};

const NAMESPACES = {
  contact: "contactPropertiesFallbacks",
  event: "eventPropertiesFallbacks",
  data: "dataVariablesFallbacks",
} as const;

/** A mail with the content of its .lmx file, if it names one. What stands in the workflow's file counts. */
const messageOf = ({ lmx, fallbacks = {}, ...lines }: FileMail, path: Path, reading: Reading): MessageSource => {
  const isFile = typeof lmx === "string" && /^[^<\n]*\.lmx$/.test(lmx);
  const file = isFile ? lmxFileOf(lmx, [...path, "lmx"], reading) : undefined;
  const text = file?.lmx ?? (typeof lmx === "string" ? lmx : (lmx?.text ?? ""));
  const { id: _, name: __, theme: ___, ...fields } = file?.fields ?? {};
  const source = { ...emptySource, ...fields, ...defined(lines), lmx: text } as MessageSource;
  const all = Object.entries({ ...file?.fallbacks, ...fallbacks });
  const message = {
    ...source,
    ...Object.fromEntries(
      Object.entries(NAMESPACES).map(([space, field]) => [
        field,
        Object.fromEntries(
          all.flatMap(([key, value]) => (key.startsWith(`${space}.`) ? [[key.slice(space.length + 1), value]] : [])),
        ),
      ]),
    ),
  };
  for (const key of Object.keys(fallbacks))
    if (!/^(contact|event|data)\../.test(key))
      reading.fault([...path, "fallbacks", key], "must be a variable such as contact.firstName or event.plan");
  const { error } = emailMessages.update.request.safeParse({ emailMessageId: "msg", ...message });
  for (const issue of error?.issues ?? []) reading.fault([...path, String(issue.path[0])], issue.message);
  return message;
};

const defined = (fields: object) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** Reads a .lmx file. Its faults are noted with its own lines. */
const lmxFileOf = (name: string, path: Path, { file, load, fault, problems }: Reading) => {
  const at = join(dirname(file), name);
  let text: string;
  try {
    text = load(at);
  } catch (error) {
    return void fault(path, `${at} cannot be read: ${(error as Error).message}`);
  }
  const { file: read, problems: found } = readLmx(text);
  for (const { severity, line, column, message } of found)
    if (severity === "error") problems.push({ file: at, line, column, path: [], message });
  return read;
};
