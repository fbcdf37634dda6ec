import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { parseArgs } from "node:util";
import { defaultTheme } from "../../src/lib/lmx/language/theme.ts";

// A stand-in for the official command-line client, for machines that cannot fetch Go modules. It reads answers as
// strictly as Go's encoding/json: a value of another type is an error, null is the zero value.

/** A Go type as JSON shows it. A struct's keys may end in ",omitempty". */
type Kind = "string" | "*string" | "float64" | "int" | "bool" | "map[string]string" | readonly [Kind] | Struct;
type Struct = { readonly [field: string]: Kind };

const group = {
  id: "string",
  name: "string",
  description: "string",
  createdAt: "string",
  updatedAt: "string",
} as const;

const transactional = {
  id: "string",
  url: "string",
  name: "string",
  draftEmailMessageId: "*string",
  publishedEmailMessageId: "*string",
  transactionalGroupId: "*string",
  createdAt: "string",
  updatedAt: "string",
  dataVariables: ["string"],
} as const;

const draft = { ...transactional, draftEmailMessageContentRevisionId: "*string" } as const;

const warning = { rule: "string", severity: "string", message: "string", "path,omitempty": "string" } as const;

const emailMessage = {
  id: "string",
  "campaignId,omitempty": "*string",
  "transactionalId,omitempty": "*string",
  subject: "string",
  previewText: "string",
  fromName: "string",
  fromEmail: "string",
  replyToEmail: "string",
  "ccEmail,omitempty": "string",
  "bccEmail,omitempty": "string",
  "languageCode,omitempty": "string",
  emailFormat: "string",
  lmx: "string",
  contentRevisionId: "*string",
  updatedAt: "string",
  "contactPropertiesFallbacks,omitempty": "map[string]string",
  "eventPropertiesFallbacks,omitempty": "map[string]string",
  "dataVariablesFallbacks,omitempty": "map[string]string",
  "warnings,omitempty": [warning],
} as const;

const styles: Struct = Object.fromEntries(
  Object.entries(defaultTheme).map(([name, value]) => [name, typeof value === "number" ? "float64" : "string"]),
);
const theme = {
  id: "string",
  name: "string",
  styles,
  isDefault: "bool",
  createdAt: "string",
  updatedAt: "string",
} as const;

const component = { id: "string", name: "string", lmx: "string" } as const;
const changedComponent = { ...component, affectedEmailCount: "int" } as const;

const rule = {
  rule: "string",
  title: "string",
  description: "string",
  items: [{ label: "string", "codeName,omitempty": "string" }],
} as const;
const guardian = { errors: [rule], warnings: [rule] } as const;

const pagination = {
  totalResults: "int",
  returnedResults: "int",
  perPage: "int",
  totalPages: "int",
  nextCursor: "string",
  nextPage: "string",
} as const;

const zeroOf = (kind: Kind): unknown => {
  if (kind === "string") return "";
  if (kind === "float64" || kind === "int") return 0;
  if (kind === "bool") return false;
  if (typeof kind === "string" || Array.isArray(kind)) return null;
  return decode(kind as Struct, {}, "");
};

const isEmpty = (value: unknown): boolean =>
  value === "" || value === null || (typeof value === "object" && Object.keys(value).length === 0);

const decode = (kind: Kind, value: unknown, path: string): unknown => {
  const wrong = () => new Error(`failed to decode response: ${path} is no ${JSON.stringify(kind)}`);
  if (value === null || value === undefined) return zeroOf(kind);
  if (kind === "int" || kind === "float64") {
    if (typeof value !== "number" || (kind === "int" && !Number.isInteger(value))) throw wrong();
    return value;
  }
  if (kind === "string" || kind === "*string" || kind === "bool") {
    if (typeof value !== (kind === "bool" ? "boolean" : "string")) throw wrong();
    return value;
  }
  if (typeof value !== "object" || Array.isArray(value) !== Array.isArray(kind)) throw wrong();
  if (Array.isArray(value)) return value.map((one, i) => decode((kind as readonly [Kind])[0], one, `${path}[${i}]`));
  if (kind === "map[string]string") {
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [key, decode("string", one, `${path}.${key}`)]),
    );
  }
  const fields = Object.entries(kind as Struct).map(([tag, of]) => {
    const [name = "", option] = tag.split(",");
    const read = decode(of, (value as Record<string, unknown>)[name], `${path}.${name}`);
    return option === "omitempty" && isEmpty(read) ? [] : [[name, read] as const];
  });
  return Object.fromEntries(fields.flat());
};

type Flags = Record<string, string | string[] | boolean | undefined>;
type Delivery = { method?: "POST"; path: string; body?: object; answer: Struct; created?: boolean };

const text = (flags: Flags, name: string): string => String(flags[name] ?? "");
const given = (fields: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value)));
const pairs = (flags: Flags, name: string): Record<string, string> | undefined =>
  (flags[name] as string[] | undefined) &&
  Object.fromEntries((flags[name] as string[]).map((pair) => [pair.split("=")[0], pair.slice(pair.indexOf("=") + 1)]));
const fileOr = async (flags: Flags): Promise<string | undefined> =>
  flags["lmx-file"] === undefined ? (flags.lmx as string | undefined) : readFile(text(flags, "lmx-file"), "utf8");

/** The styles of a file: Go writes missing fields as zero values. */
const stylesOf = async (flags: Flags): Promise<object | undefined> =>
  flags["styles-file"] === undefined
    ? undefined
    : (decode(styles, JSON.parse(await readFile(text(flags, "styles-file"), "utf8")), "styles") as object);

const fieldFlags: Record<string, string> = {
  subject: "subject",
  "preview-text": "previewText",
  "from-name": "fromName",
  "from-email": "fromEmail",
  "reply-to": "replyToEmail",
  cc: "ccEmail",
  bcc: "bccEmail",
  "language-code": "languageCode",
  "email-format": "emailFormat",
};
const messageFields = async (flags: Flags): Promise<Record<string, unknown>> => {
  const fields = Object.entries(fieldFlags).flatMap(([flag, field]) => {
    if (flags[flag] === undefined) return [];
    const value = text(flags, flag);
    if (field === "emailFormat" && !["styled", "plain"].includes(value)) throw new Error("--email-format is wrong");
    return [[field, field === "fromEmail" ? value.split("@")[0] : value]];
  });
  const maps = { contact: "contactProperties", event: "eventProperties", data: "dataVariables" };
  const fallbacks = Object.entries(maps).flatMap(([flag, field]) => {
    const values = pairs(flags, `${flag}-fallback`);
    return values ? [[`${field}Fallbacks`, values]] : [];
  });
  const lmx = await fileOr(flags);
  return Object.fromEntries([...fields, ...fallbacks, ...(lmx === undefined ? [] : [["lmx", lmx]])]);
};

const post = (path: string, answer: Struct, body?: object, created = false): Delivery => ({
  method: "POST",
  path,
  answer,
  created,
  ...(body === undefined ? {} : { body }),
});

const groupCommands = (kind: "campaign" | "transactional") => {
  const path = `/${kind}-groups`;
  const fields = (flags: Flags) => given({ name: text(flags, "name"), description: text(flags, "description") });
  return {
    [`${kind}-groups get`]: (id: string): Delivery => ({ path: `${path}/${id}`, answer: group }),
    [`${kind}-groups create`]: (_: string, flags: Flags) => post(path, group, { name: "", ...fields(flags) }, true),
    [`${kind}-groups update`]: (id: string, flags: Flags) => post(`${path}/${id}`, group, fields(flags)),
  };
};

const commands: Record<string, (id: string, flags: Flags) => Delivery | Promise<Delivery>> = {
  "themes get": (id) => ({ path: `/themes/${id}`, answer: theme }),
  "themes create": async (_, flags) =>
    post("/themes", theme, { name: text(flags, "name"), ...given({ styles: (await stylesOf(flags)) ?? null }) }, true),
  "themes update": async (id, flags) =>
    post(`/themes/${id}`, theme, given({ name: text(flags, "name"), styles: (await stylesOf(flags)) ?? null })),
  "components get": (id) => ({ path: `/components/${id}`, answer: component }),
  "components create": async (_, flags) =>
    post("/components", component, { name: text(flags, "name"), lmx: (await fileOr(flags)) ?? "" }, true),
  "components update": async (id, flags) =>
    post(`/components/${id}`, changedComponent, given({ name: text(flags, "name"), lmx: (await fileOr(flags)) ?? "" })),
  "transactional get": (id) => ({ path: `/transactional-emails/${id}`, answer: transactional }),
  "transactional create": (_, flags) => ({
    ...post("/transactional-emails", draft, transactionalFields(flags), true),
  }),
  "transactional update": (id, flags) => post(`/transactional-emails/${id}`, transactional, transactionalFields(flags)),
  "transactional draft": (id) => post(`/transactional-emails/${id}/draft`, draft),
  "transactional publish": (id) => post(`/transactional-emails/${id}/publish`, transactional),
  "email-messages get": (id) => ({ path: `/email-messages/${id}`, answer: emailMessage }),
  "email-messages update": async (id, flags) =>
    post(`/email-messages/${id}`, emailMessage, {
      ...(await messageFields(flags)),
      ...given({ expectedRevisionId: text(flags, "expected-revision-id") }),
    }),
  "email-messages preview": (id, flags) =>
    post(
      `/email-messages/${id}/preview`,
      { id: "string" },
      {
        emails: flags.email,
        ...given({
          contactProperties: pairs(flags, "contact-prop") ?? null,
          eventProperties: pairs(flags, "event-prop") ?? null,
          dataVariables: pairs(flags, "var") ?? null,
        }),
      },
    ),
  "email-messages guardian": (id) => ({ path: `/email-messages/${id}/guardian`, answer: guardian }),
  ...groupCommands("campaign"),
  ...groupCommands("transactional"),
};
const transactionalFields = (flags: Flags) => ({
  name: text(flags, "name"),
  ...given({ transactionalGroupId: text(flags, "transactional-group-id") }),
});

const lists: Record<string, { path: string; item: Struct }> = {
  "themes list": { path: "/themes", item: theme },
  "components list": { path: "/components", item: component },
  "transactional list": { path: "/transactional-emails", item: transactional },
  "campaign-groups list": { path: "/campaign-groups", item: group },
  "transactional-groups list": { path: "/transactional-groups", item: group },
};

const string = { type: "string" } as const;
const many = { type: "string", multiple: true } as const;
const options = {
  output: { type: "string", short: "o" },
  name: { type: "string", short: "n" },
  description: { type: "string", short: "d" },
  "email-message-id": { type: "string", short: "m" },
  ...Object.fromEntries(
    ["styles-file", "lmx", "lmx-file", "transactional-group-id", "expected-revision-id", "per-page", "cursor"]
      .concat(Object.keys(fieldFlags), "content-type")
      .map((name) => [name, string]),
  ),
  ...Object.fromEntries(
    ["contact", "event", "data"].map((name) => [`${name}-fallback`, many]).concat([["email", many]]),
  ),
  "contact-prop": many,
  "event-prop": many,
  var: { type: "string", multiple: true, short: "v" },
  force: { type: "boolean" },
} as const;

/** Ms before the second and the third attempt. */
const RETRIES = [500, 1_000];

const request = async (
  base: string,
  key: string,
  { method, path, body, answer, created }: Delivery,
): Promise<unknown> => {
  for (let attempt = 0; ; attempt++) {
    const response = await fetch(base + path, {
      method: method ?? "GET",
      headers: {
        Authorization: `Bearer ${key}`,
        "User-Agent": "loops-cli/stand-in",
        ...(body ? { "Content-Type": "application/json" } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const { status } = response;
    if ((status === 429 || status >= 500) && attempt < RETRIES.length) {
      await response.body?.cancel();
      await new Promise((resolve) => setTimeout(resolve, RETRIES[attempt]));
      continue;
    }
    const isDone = status === 200 ? !(created && path === "/transactional-emails") : created === true && status === 201;
    if (isDone) return decode(answer, await response.json(), "answer");
    throw new Error(messageOf(await response.text(), status));
  }
};

/** The message of a refusal. The client reads `error` as a string: another type loses the message. */
const messageOf = (body: string, status: number): string => {
  try {
    const { error, message } = decode({ error: "string", message: "string" }, JSON.parse(body), "error") as {
      error: string;
      message: string;
    };
    return error || message || `unexpected status: ${status}`;
  } catch {
    return `unexpected status: ${status}`;
  }
};

const listAll = async (base: string, key: string, { path, item }: { path: string; item: Struct }, flags: Flags) => {
  const all: unknown[] = [];
  for (let cursor = text(flags, "cursor"); ; ) {
    const query = new URLSearchParams({ ...given({ cursor, perPage: text(flags, "per-page") }) } as Record<
      string,
      string
    >);
    const delivery: Delivery = {
      path: query.size > 0 ? `${path}?${query}` : path,
      answer: { pagination, data: [item] },
    };
    const page = (await request(base, key, delivery)) as { pagination: { nextCursor: string }; data: unknown[] };
    all.push(...(page.data ?? []));
    if (flags.cursor !== undefined || page.pagination.nextCursor === "") return all;
    cursor = page.pagination.nextCursor;
  }
};

const upload = async (base: string, key: string, path: string, flags: Flags) => {
  const bytes = await readFile(path);
  const contentType = text(flags, "content-type") || `image/${basename(path).split(".").at(-1)}`;
  const created = (await request(
    base,
    key,
    post(
      "/uploads",
      { emailAssetId: "string", presignedUrl: "string", expiresAt: "string" },
      { emailMessageId: text(flags, "email-message-id"), contentType, contentLength: bytes.length },
    ),
  )) as { emailAssetId: string; presignedUrl: string };
  const put = await fetch(created.presignedUrl, {
    method: "PUT",
    headers: { "Content-Type": contentType },
    body: bytes,
  });
  if (!put.ok) throw new Error(`upload to presigned URL failed: status ${put.status}`);
  const answer = { emailAssetId: "string", finalUrl: "string" } as const;
  return request(base, key, post(`/uploads/${created.emailAssetId}/complete`, answer));
};

/** Runs one command with `-o json`. `base`: API address, such as "https://example.com/v1". */
export const standIn = async (base: string, key: string, args: readonly string[]): Promise<unknown> => {
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const flags = values as Flags;
  const [noun, verb, id = ""] = positionals;
  const command = `${noun} ${verb}`;
  try {
    const list = lists[command];
    if (list) return await listAll(base, key, list, flags);
    if (command === "uploads create") return await upload(base, key, id, flags);
    if (command === "email-messages update" && flags.force) {
      const now = (await request(base, key, { path: `/email-messages/${id}`, answer: emailMessage })) as {
        contentRevisionId: string | null;
      };
      flags["expected-revision-id"] = now.contentRevisionId ?? "";
    }
    const deliveryOf = commands[command];
    if (!deliveryOf) throw new Error(`unknown command "${command}"`);
    return await request(base, key, await deliveryOf(id, flags));
  } catch (error) {
    return { success: false, message: (error as Error).message.replace(/\.+$/, "") };
  }
};
