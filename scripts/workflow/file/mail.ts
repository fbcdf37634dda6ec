import { dirname, join } from "node:path";
import { tooLarge, tooManyFallbacks } from "../../../src/email/workspace/content/content-refusals.ts";
import { fieldRefusal } from "../../../src/email/workspace/content/email-messages.ts";
import type { Refusal } from "../../../src/lib/contract/errors.ts";
import { emailMessages } from "../../../src/lib/contract/operations/email-messages.ts";
import type { Library } from "../../../src/lib/lmx/compile.ts";
import { inFile, type LmxFile, readFile as readLmx } from "../../../src/lib/lmx/file.ts";
import { compileMessage } from "../../../src/lib/lmx/message/compile-message.ts";
import { emptySource, FALLBACKS, type MessageSource } from "../../../src/lib/lmx/message/message-source.ts";
import type { Fault, FileProblem, Path } from "./problem.ts";
import type { FileMail } from "./schema.ts";

/** `load` reads a file of mail content and throws on failure. Without `library`, LMX is not compiled. */
export type MailReading = {
  file: string;
  load(path: string): string;
  library?: Library | undefined;
  fault: Fault;
  problems: FileProblem[];
};

const NAMESPACES = {
  contact: "contactPropertiesFallbacks",
  event: "eventPropertiesFallbacks",
  data: "dataVariablesFallbacks",
} as const;

/** Reads a mail with its .lmx file, if any. Values in the workflow file win. */
export const readMail = (
  { lmx, fallbacks = {}, ...lines }: FileMail,
  path: Path,
  reading: MailReading,
): MessageSource => {
  const isFile = typeof lmx === "string" && /^[^<\n]*\.lmx$/.test(lmx);
  const at = isFile ? join(dirname(reading.file), lmx) : undefined;
  const file = at === undefined ? undefined : lmxFileOf(at, [...path, "lmx"], reading);
  const text = file?.lmx ?? (typeof lmx === "string" ? lmx : (lmx?.text ?? ""));
  const { id: _, name: __, theme: ___, ...fields } = file?.fields ?? {};
  const source = { ...emptySource, ...fields, ...defined(lines), lmx: text } as MessageSource;
  const all = Object.entries({ ...file?.fallbacks, ...fallbacks });
  const ofSpace = (space: string) =>
    all.flatMap(([key, value]) => (key.startsWith(`${space}.`) ? [[key.slice(space.length + 1), value] as const] : []));
  const message: MessageSource = {
    ...source,
    ...Object.fromEntries(
      Object.entries(NAMESPACES).map(([space, field]) => [field, Object.fromEntries(ofSpace(space))]),
    ),
  };
  for (const key of Object.keys(fallbacks))
    if (!/^(contact|event|data)\../.test(key))
      reading.fault([...path, "fallbacks", key], "must be a variable such as contact.firstName or event.plan");
  checkMail(message, path, reading, at !== undefined && file ? { path: at, file } : undefined);
  return message;
};

const checkMail = (
  message: MessageSource,
  path: Path,
  { library, fault, problems }: MailReading,
  beside: { path: string; file: LmxFile } | undefined,
): void => {
  const { error } = emailMessages.update.request.safeParse({ emailMessageId: "msg", ...message });
  for (const issue of error?.issues ?? []) fault([...path, String(issue.path[0])], issue.message);
  const refusal = error ? undefined : refusalOf(message);
  if (refusal) fault([...path, refusal.path ?? ""], refusal.message.replace(/^\w+: /, ""));
  if (error || refusal || !library) return;
  for (const problem of compileMessage(message, "workflow", library).problems) {
    if (problem.severity !== "error") continue;
    const { field } = problem;
    if (beside && Object.hasOwn(beside.file.positions, field)) {
      const { line, column, message: words } = inFile(problem, beside.file, field);
      problems.push({ file: beside.path, line, column, path: [], message: words });
    } else
      fault(
        [...path, field],
        field === "lmx" ? `line ${problem.line}, column ${problem.column}: ${problem.message}` : problem.message,
      );
  }
};

/** Rules that no schema has. The team's domain is unknown here and matters only for the first message. */
const refusalOf = (message: MessageSource): Refusal | undefined => {
  if (message.fromEmail.includes("@"))
    return { code: "invalid_request", path: "fromEmail", message: "must be only the part before the @" };
  const fallbacks = FALLBACKS.map((field) => message[field]);
  return fieldRefusal(message, "example.com") ?? tooLarge(message.lmx) ?? tooManyFallbacks(fallbacks, "fallbacks");
};

const defined = (fields: object) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

const lmxFileOf = (at: string, path: Path, { load, fault, problems }: MailReading): LmxFile | undefined => {
  let text: string;
  try {
    text = load(at);
  } catch (error) {
    return void fault(path, (error as Error).message);
  }
  const { file: read, problems: found } = readLmx(text);
  for (const { severity, line, column, message } of found)
    if (severity === "error") problems.push({ file: at, line, column, path: [], message });
  return read;
};
