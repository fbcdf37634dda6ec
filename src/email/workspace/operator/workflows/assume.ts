import type { Refusal } from "../../../../lib/contract/errors.ts";
import { DAY_MS } from "../../../../lib/util/dates.ts";
import { nearest } from "../../../../lib/util/nearest.ts";
import { propertyNames } from "../../../policy/segments/meaning.ts";
import type { Line } from "../../../policy/workflows/run/explain.ts";
import type { Assumption } from "../../../policy/workflows/run/travel.ts";
import type { AdminInput } from "../../../types/workspace-rpc.ts";
import { type Changes, changedData, readChanges } from "../../contacts/changes.ts";
import { defaults, type StoredContact } from "../../contacts/contact-rows.ts";
import { optInAfter } from "../../contacts/opt-in.ts";
import type { Context } from "../../core/context.ts";
import { teamFactsOf } from "../../segments/team-facts.ts";
import { readTeam } from "../../team/team.ts";

type Input = AdminInput<"insight.simulate">;
type Given = Omit<Input["assume"][string], "opened" | "clicked">;
type Read<What> = What | { refusal: Refusal };

/** Unknown contact for simulations. Its fixed id makes experiments deterministic. */
export const strangerAt = (now: number): StoredContact => ({
  n: 0,
  id: "con_simulated",
  email: null,
  userId: null,
  data: defaults,
  createdAt: now,
  updatedAt: now,
});

/** A simulation creates no property. */
export const changedContact = (
  context: Context,
  contact: StoredContact,
  { email, userId, ...given }: NonNullable<Input["properties"]>,
): Read<{ contact: StoredContact }> => {
  const read = changesOf(context, given, "properties");
  if ("refusal" in read) return read;
  const identity = { ...(email === undefined ? {} : { email }), ...(userId === undefined ? {} : { userId }) };
  return { contact: { ...contact, ...identity, data: changedData(contact.data, read.changes) } };
};

const changesOf = (context: Context, given: Given, path: string): Read<{ changes: Changes }> => {
  const { mailingLists, ...fields } = given;
  const team = teamFactsOf(context.sql);
  const names = propertyNames(team);
  const unknown = Object.keys(fields).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const name = nearest(unknown, names);
    const meant = name === undefined ? "" : ` Is "${name}" meant?`;
    const message = `There is no contact property "${unknown}".${meant} GET /v1/contacts/properties lists them.`;
    return { refusal: { code: "unknown_property", path: `${path}.${unknown}`, message } };
  }
  const input = { [path]: fields, ...(mailingLists === undefined ? {} : { mailingLists }) };
  const read = readChanges(context, input, { own: new Set([path, "mailingLists"]), nested: [path] });
  if (!("refusal" in read) || !read.refusal.path?.startsWith("mailingLists.")) return read;
  return { refusal: { ...read.refusal, path: `${path}.${read.refusal.path}` } };
};

/** `from`: entry time, Unix ms. */
export const assumptionsOf = (
  context: Context,
  assume: Input["assume"],
  { from, days }: { from: number; days: number },
): Read<{ assumptions: Assumption[]; lines: Line[] }> => {
  const assumptions: Assumption[] = [];
  const lines: Line[] = [];
  for (const [key, { opened = [], clicked = [], ...given }] of Object.entries(assume)) {
    const path = `assume.${key}`;
    const day = /^\d+(\.\d+)?$/.test(key) ? Number(key) : Number.NaN;
    if (!(day <= days)) {
      const message = `${path}: must be a number of days after the entry, from 0 to ${days}.`;
      return { refusal: { code: "invalid_request", path, message } };
    }
    const read = changesOf(context, given, path);
    if ("refusal" in read) return read;
    const unknown = unknownMail(context, { opened, clicked }, path);
    if (unknown) return unknown;
    const at = from + day * DAY_MS;
    assumptions.push({
      day,
      clicked,
      opened: [...opened, ...clicked],
      contact: (before) => changedAt(context, before as StoredContact, read.changes, at),
    });
    lines.push({ at, node: null, text: wordsOf(given, { opened, clicked }) });
  }
  return { assumptions, lines };
};

const changedAt = ({ sql }: Context, before: StoredContact, changes: Changes, at: number): StoredContact => {
  const data = changedData(before.data, changes);
  const { optInStatus } = optInAfter(before, { ...before, data }, () => readTeam(sql).doubleOptIn);
  const after = { ...before, data: { ...data, optInStatus } };
  return JSON.stringify(after) === JSON.stringify(before) ? before : { ...after, updatedAt: at };
};

type Mails = Record<"opened" | "clicked", readonly string[]>;

const unknownMail = ({ sql }: Context, mails: Mails, path: string): { refusal: Refusal } | undefined => {
  for (const action of ["opened", "clicked"] as const) {
    const position = mails[action].findIndex(
      (id) => sql.exec("SELECT 1 FROM email_messages WHERE id = ?", id).toArray().length === 0,
    );
    if (position === -1) continue;
    const at = `${path}.${action}.${position}`;
    const message = `${at}: There is no email message with the id "${mails[action][position]}".`;
    return { refusal: { code: "email_message_not_found", path: at, message } };
  }
  return undefined;
};

const wordsOf = ({ mailingLists, ...fields }: Given, { opened, clicked }: Mails): string => {
  const changes = [
    ...Object.entries(fields).map(
      ([name, value]) => `"${name}" becomes ${value === null ? "empty" : JSON.stringify(value)}`,
    ),
    ...Object.entries(mailingLists ?? {}).map(
      ([id, isOn]) => `the contact ${isOn ? "joins" : "leaves"} the list ${id}`,
    ),
    ...opened.map((id) => `the contact opens the mail ${id}`),
    ...clicked.map((id) => `the contact clicks a link of the mail ${id}`),
  ];
  return `Assumed: ${changes.length === 0 ? "nothing changes" : changes.join(", ")}.`;
};
