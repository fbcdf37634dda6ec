import { type Bridge, get, NoAnswer } from "../lib/bridge.ts";
import type { EmailService } from "../lib/email-service.ts";
import { askMails, type Mails } from "./mails.ts";

/** The parts of a call that are shown here. The whole is `callOf` in src/routes/admin/show.ts. */
export type Call = {
  id: string;
  rule: string;
  action: string;
  state: string;
  template?: string;
  eventName?: string;
  contact: { email?: string; userId?: string; ref?: string };
  attempts: { status?: number }[];
  acts?: { act: string }[];
  dataVariables?: Record<string, unknown>;
  message?: string;
  /** What the host answered: the id of the mail. */
  result?: string;
  waitingFor?: { for: string; source?: string; behind?: string };
  /** The call is sent without the identity link after ten minutes. */
  waitsForTie?: true;
  why: string;
};
type Step = { at: string; text: string; call?: string };
export type Webhook = {
  id: string;
  acceptedAt: string;
  source: string;
  type: string;
  /** The provider's own id of the webhook. */
  eventId: string;
  test: boolean;
  outcomes: { rule: string; outcome: string; clause?: string; message?: string; why: string }[];
  calls: Call[];
  why: string;
  /** The body names this person, but its calls are for other people. */
  onlyNamed?: true;
  timeline?: Step[];
};
type Suppression = { known: boolean; isSuppressed: boolean; contact: { email: string | null } | null };
type Refused = { source: string; code: string; count: number };
type Status = { delivery: string; paused: { all: string | null; sources: Record<string, string> } };

/** Everything the bridge answered about a person. */
export type Found = {
  /** What was asked for: an identifier of a person, or the id of a webhook or call. */
  person: string;
  /** `webhook`: one webhook, or one call of it, was asked for. */
  kind: "person" | "webhook";
  webhooks: Webhook[];
  /** There are more webhooks than the limit. */
  more: boolean;
  /** ISO 8601; null if the journal is empty. */
  searchedTo: string | null;
  /** Undefined without an email address; an error message if the email service gave no answer. */
  suppression: Suppression | string | undefined;
  /** A few calls that wait for an identity link, of any person: one of them may be for this person. */
  waiting: Call[];
  /** Webhooks that the door refused in that time, if no webhook was found: one of them may have been for this person. */
  refused: Refused[];
  status: Status;
  /** What became of the mails; undefined where no email service of Mailspan is known. */
  mails?: Mails;
};

type Page<T> = { data: T[]; next: string | null; searchedTo: string | null };

/** Most requests of one search. Each covers up to 2 000 webhooks. */
const MOST_PAGES = 1_000;
const MOST_WAITING = 5;

type Options = { since: string; limit: number; full: boolean };
type Asked = { bridge: Bridge; email: EmailService | undefined };

/** Collects what the bridge, and through it the email service, know about a person, a webhook (`wh_…`) or a call (`wh_….0`). */
export const ask = async ({ bridge, email }: Asked, subject: string, options: Options): Promise<Found> => {
  const status = await get<Status>(bridge, "/status");
  const [, webhook, call] = /^(wh_[0-9a-z]+)(\.\d+)?$/.exec(subject) ?? [];
  const found =
    webhook === undefined
      ? await askPerson(bridge, subject, options)
      : await askWebhook(bridge, webhook, call && subject);
  if (!email) return { ...found, status };
  const { webhooks } = found;
  const address = subject.includes("@") ? subject : undefined;
  return { ...found, status, mails: await askMails(email, { webhooks, email: address, since: options.since }) };
};

const askWebhook = async (bridge: Bridge, id: string, call: string | undefined): Promise<Omit<Found, "status">> => {
  const webhook = await get<Webhook>(bridge, `/webhooks/${id}`, { body: "0" });
  const calls = call === undefined ? webhook.calls : webhook.calls.filter((one) => one.id === call);
  if (call !== undefined && calls.length === 0) {
    const known = webhook.calls.map((one) => one.id).join(", ") || "none";
    throw new NoAnswer(`The webhook ${id} has no call ${call}. Its calls: ${known}.`);
  }
  const timeline = webhook.timeline?.filter(
    (step) => call === undefined || step.call === undefined || step.call === call,
  );
  const emails = [...new Set(calls.flatMap(({ contact }) => contact.email ?? []))];
  return {
    ...{ person: call ?? id, kind: "webhook", more: false, searchedTo: null, waiting: [], refused: [] },
    webhooks: [{ ...webhook, calls, ...(timeline ? { timeline } : {}) }],
    suppression: emails[0] === undefined || emails.length > 1 ? undefined : await suppressionOf(bridge, emails[0]),
  };
};

const askPerson = async (
  bridge: Bridge,
  person: string,
  { since, limit, full }: Options,
): Promise<Omit<Found, "status">> => {
  const named: Record<string, string> = person.includes("@") ? { email: person } : { ref: person, userId: person };
  const webhooks: Webhook[] = [];
  let searchedTo: string | null = null;
  let cursor: string | null = "";
  for (let pages = 0; cursor !== null && webhooks.length < limit && pages < MOST_PAGES; pages++) {
    const query = { ...named, since, limit: String(Math.min(100, limit - webhooks.length)) };
    const page: Page<Webhook> = await get(bridge, "/webhooks", cursor === "" ? query : { ...query, cursor });
    // The id of a webhook at its provider is no id of a person, but people ask by it.
    webhooks.push(
      ...page.data.map(({ onlyNamed, ...one }) => (onlyNamed && one.eventId !== person ? { ...one, onlyNamed } : one)),
    );
    searchedTo = page.searchedTo ?? searchedTo;
    cursor = page.next;
  }
  const shown = full
    ? await Promise.all(
        webhooks.map(async ({ id, onlyNamed }) => ({
          ...(await get<Webhook>(bridge, `/webhooks/${id}`, { body: "0" })),
          // Only the search knows this; GET /webhooks/:id does not.
          ...(onlyNamed ? { onlyNamed } : {}),
        })),
      )
    : webhooks;
  const suppression = named.email === undefined ? undefined : await suppressionOf(bridge, named.email);
  const waiting = webhooks.length > 0 ? [] : await waitingCalls(bridge);
  const refused = webhooks.length > 0 ? [] : (await get<{ totals: Refused[] }>(bridge, "/refusals", { since })).totals;
  return { person, kind: "person", webhooks: shown, more: cursor !== null, searchedTo, suppression, waiting, refused };
};

/** If the email service is unreachable, that is part of the answer: the bridge may still work. */
const suppressionOf = async (bridge: Bridge, email: string): Promise<Suppression | string> => {
  try {
    return await get<Suppression>(bridge, "/suppression", { email });
  } catch (error) {
    if (error instanceof NoAnswer) return error.message;
    throw error;
  }
};

const waitingCalls = async (bridge: Bridge): Promise<Call[]> => {
  const { data } = await get<Page<Call>>(bridge, "/calls", { state: "waiting", limit: "100" });
  return data.filter(({ waitingFor }) => waitingFor?.for === "identity").slice(0, MOST_WAITING);
};
