import type { Response } from "../../src/lib/contract/operation.ts";
import type { V1 } from "../../src/lib/contract/v1.ts";
import { type LmxFile, readFile } from "../../src/lib/lmx/file.ts";
import type { Admin } from "../domains/api.ts";
import { sourceOf } from "../email/message.ts";
import type { Line } from "../lib/command.ts";
import type { TEMPLATE } from "./usage.ts";

type Message = Response<V1["emailMessages"]["get"]>;
type Email = Response<V1["transactionalEmails"]["get"]>;
type World = {
  admin: Admin;
  print(text: string): void;
  read(path: string): string;
  save(path: string, text: string): void;
  update(path: string, text: string): void;
};

export const run = async ({ command, args, values }: Line<typeof TEMPLATE>, world: World): Promise<boolean> => {
  const [name = ""] = args;
  await (command === "get" ? get(name, world) : publish(name, values.overwrite, world));
  return true;
};

const emailOf = (admin: Admin, id: string): Promise<Email> =>
  admin("GET", `/v1/transactional-emails/${encodeURIComponent(id)}`) as Promise<Email>;
const messageOf = (admin: Admin, id: string): Promise<Message> =>
  admin("GET", `/v1/email-messages/${encodeURIComponent(id)}`) as Promise<Message>;

const get = async (id: string, { admin, print, save }: World): Promise<void> => {
  const email = await emailOf(admin, id);
  const message = await contentOf(admin, email);
  if (message === undefined) throw new Error(`${email.name} has no content yet.`);
  const path = `${id}.lmx`;
  try {
    save(path, textOf(email, message));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    throw new Error(`${path} is there already. Publish it, remove it, or add --overwrite.`);
  }
  print(`${path} has the content of ${email.name}. Publish it with: npm run template -- publish ${path}`);
};

const FIELDS = [
  ...(["subject", "previewText", "fromName", "fromEmail", "replyToEmail"] as const),
  ...(["ccEmail", "bccEmail", "languageCode"] as const),
];
const FALLBACKS = {
  contact: "contactPropertiesFallbacks",
  event: "eventPropertiesFallbacks",
  data: "dataVariablesFallbacks",
} as const;

const textOf = ({ id, name }: Pick<Email, "id" | "name">, message: Message): string => {
  const fallbacks = Object.entries(FALLBACKS).flatMap(([namespace, field]) =>
    Object.entries(message[field]).map(([key, value]) => `fallback.${namespace}.${key}: ${value}`),
  );
  const lines = FIELDS.flatMap((field) => (message[field] === "" ? [] : [`${field}: ${message[field]}`]));
  const format = message.emailFormat === "plain" ? ["emailFormat: plain"] : [];
  return [
    "---",
    writtenLine(message),
    `id: ${id}`,
    `name: ${name}`,
    ...lines,
    ...format,
    ...fallbacks,
    "---",
    message.lmx,
  ].join("\n");
};

const contentOf = async (admin: Admin, email: Email): Promise<Message | undefined> => {
  const id = email.publishedEmailMessageId ?? email.draftEmailMessageId;
  return id === null ? undefined : messageOf(admin, id);
};

/** The line detects that another person has published since. */
const writtenLine = ({ id, contentRevisionId }: Message): string => `# Written from ${id} ${contentRevisionId}`;
const WRITTEN = /^# Written from .*$/m;

const publish = async (path: string, overwrite: boolean, { admin, print, read, update }: World): Promise<void> => {
  const text = textIn(path, read);
  const { file, problems } = readFile(text);
  const [wrong] = problems.filter(({ severity }) => severity === "error");
  if (wrong) throw new Error(`${path}:${wrong.line}:${wrong.column} ${wrong.message}`);
  const id = file.fields.id;
  if (id === undefined) throw new Error(`${path} says no id: of which transactional email is it? Add "id: tpl_…".`);
  const before = await emailOf(admin, id);
  if (!overwrite) {
    await refuseNewer(admin, before, path, text);
    await refuseForeignDraft(admin, before, file);
  }
  const at = `/v1/transactional-emails/${encodeURIComponent(id)}`;
  const { draftEmailMessageId } = (await admin("POST", `${at}/draft`, {})) as Email;
  const draft = await messageOf(admin, draftEmailMessageId ?? "");
  await admin("POST", `/v1/email-messages/${draft.id}`, {
    expectedRevisionId: draft.contentRevisionId,
    ...changesIn(file, draft),
  });
  await admin("POST", `${at}/publish`, {});
  const now = await contentOf(admin, await emailOf(admin, id));
  // The published content is the file's, so it can be published again.
  if (now) update(path, text.replace(WRITTEN, writtenLine(now)));
  print(`${before.name} is published from ${path}.`);
};

const textIn = (path: string, read: World["read"]): string => {
  try {
    return read(path);
  } catch {
    throw new Error(`${path} cannot be read. npm run template -- get <id> writes one.`);
  }
};

/** A removed fallback is cleared. */
const changesIn = (file: LmxFile, draft: Message): Record<string, unknown> => {
  const source = sourceOf(file);
  const cleared = Object.values(FALLBACKS).map((field) => [
    field,
    { ...Object.fromEntries(Object.keys(draft[field]).map((key) => [key, null])), ...source[field] },
  ]);
  return { ...source, ...Object.fromEntries(cleared) };
};

/** A handwritten file names no revision. */
const refuseNewer = async (admin: Admin, email: Email, path: string, text: string): Promise<void> => {
  const [written] = WRITTEN.exec(text.replaceAll("\r", "")) ?? [];
  const now = await contentOf(admin, email);
  if (written === undefined || now === undefined || written === writtenLine(now)) return;
  throw new Error(
    `${email.name} was published by another person after ${path} was written. Rename ${path}, get the new content with npm run template -- get ${email.id}, and make your change in it. --overwrite replaces what the other person published.`,
  );
};

/** Another person made a draft that differs from both versions. */
const refuseForeignDraft = async (
  admin: Admin,
  { draftEmailMessageId, publishedEmailMessageId, name }: Email,
  file: LmxFile,
): Promise<void> => {
  if (draftEmailMessageId === null || publishedEmailMessageId === null) return;
  if (draftEmailMessageId === publishedEmailMessageId) return;
  const [draft, published] = [
    await messageOf(admin, draftEmailMessageId),
    await messageOf(admin, publishedEmailMessageId),
  ];
  const isKnown =
    [published.lmx, file.lmx].includes(draft.lmx) && [published.subject, file.fields.subject].includes(draft.subject);
  if (!isKnown)
    throw new Error(`${name} has a draft that is not published: another person works on it. --overwrite replaces it.`);
};
