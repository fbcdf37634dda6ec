import type { Random } from "./random.ts";

export type Fault = {
  from: number;
  to: number;
  share: number;
  kind:
    | ("500 before" | "500 after" | "silent before" | "silent after" | "401" | "slow" | "408" | "late")
    /** Something in front of the email service answers, before or after the host has acted. */
    | ("edge before" | "edge after")
    /** All requests fail, key checks too. */
    | ("outage: refused" | "outage: silent" | "outage: 503" | "outage: 507" | "outage: page")
    /** The answer of another request. The host has not acted. */
    | "surplus";
};

export type Request = { path: string; key?: string; call?: string; body: Record<string, unknown> };
/** The caller's view of an answer. An arrival can also be `silent`: no answer ever comes; or `refused`: no connection. */
export type Answer = {
  status: number;
  code?: string;
  message?: string;
  retryAfter?: number;
  id?: string;
  found?: Record<string, unknown>[];
  foreign?: string;
  /** The id of a call that the host returns. */
  call?: string;
  /** The published form of the API: the text is under `error`, without a code. */
  published?: boolean;
  /** A 401 or 403 about this delivery, not about the key. */
  ofDelivery?: true;
  ms: number;
};
export type Arrival = {
  answer: Answer | "silent" | "refused";
  acted: boolean;
  contact?: ServiceContact;
  merged?: boolean;
};

/** A contact at the email service. Each property value contains the id of its delivery. */
export type ServiceContact = {
  id: number;
  email?: string;
  userId?: string;
  properties: Record<string, unknown>;
  /** A running number, higher with each change. */
  changed: number;
};

type ServiceOptions = {
  /** Ms the email service takes to answer. */
  takes: number;
  faults: readonly Fault[];
  forbidden: readonly string[];
  published: boolean;
  taken: readonly string[];
  saysRetryAfter: boolean;
  /** Ms its clock is ahead of ours. */
  ahead: number;
  /** True if it returns the id of each call. */
  echoes: boolean;
};

export const isKeyUsed = ({ code, foreign }: Answer): boolean => code === KEY_USED && foreign === undefined;
const KEY_USED = "idempotency_key_used";

/** A proxy's 401 in a form that the API has too: a key check follows. */
export const PLAIN_401 = '{"message":"Unauthorized"}';

/** Answers of something in front of the email service: status and body. */
const FOREIGN: readonly (readonly [number, string])[] = [
  ...[200, 401, 403, 404, 409, 429].map((status) => [status, "<html>Just a moment</html>"] as const),
  [200, '{"status":"ok"}'],
  [200, '{"success":false,"message":"Something went wrong."}'],
  [200, '{"success":tr'],
  [409, '{"success":false,"code":"idempotency_key_used","mess'],
  [404, '{"error":"Not Found","status":404}'],
  [404, '{"message":"no Route matched with those values","request_id":"7c1"}'],
  [401, PLAIN_401],
  [403, '{"message":"Forbidden"}'],
  [200, ""],
];

const DAY = 86_400_000;
const LIMIT = 10;

/** Texts in a request that make the email service refuse it for good. */
export const POISON = { property: "poison", event: "unheardOf", variable: "broken", conflict: "conflicting" };

/**
 * A model of a v1 API host: contacts, Idempotency-Keys for 24 h, ten requests a second, and faults.
 * Two contacts of a request become one if one lacks an address and the other a user id. Otherwise:
 * `contact_conflict`.
 */
export const createService = (options: ServiceOptions, random: Random) => {
  const keys = new Map<string, number>();
  const arrivals: number[] = [];
  let ids = 0;
  let changes = 0;
  let contacts: ServiceContact[] = options.taken.map((email) => ({
    id: ++ids,
    email,
    userId: `imported ${ids}`,
    properties: {},
    changed: 0,
  }));
  const mergedInto = new Map<number, number>();
  const idAfterMerges = (id: number): number => {
    const into = mergedInto.get(id);
    return into === undefined ? id : idAfterMerges(into);
  };

  const failing = (kind: string, now: number) =>
    options.faults.some((f) => f.kind === kind && now >= f.from && now < f.to && random.chance(f.share));
  const refuse = (status: number, message: string, code?: string): Arrival => ({
    answer: { status, message, ms: options.takes, published: options.published, ...(code ? { code } : {}) },
    acted: false,
  });
  const foreign = (): Answer => {
    const [status, text] = random.one(FOREIGN);
    return { status, foreign: text, ms: options.takes };
  };
  const find = (body: Record<string, unknown>) => ({
    byUser: body.userId === undefined ? undefined : contacts.find(({ userId }) => userId === body.userId),
    byEmail: body.email === undefined ? undefined : contacts.find(({ email }) => email === body.email),
  });
  const areTwo = (byUser: ServiceContact | undefined, byEmail: ServiceContact | undefined): boolean =>
    byUser !== undefined && byEmail !== undefined && byUser !== byEmail;
  const merge = (one: ServiceContact, two: ServiceContact): ServiceContact => {
    const [kept, dropped] = one.id < two.id ? [one, two] : [two, one];
    const [older, newer] = one.changed <= two.changed ? [one, two] : [two, one];
    contacts = contacts.filter((contact) => contact !== dropped);
    mergedInto.set(dropped.id, kept.id);
    kept.properties = { ...older.properties, ...newer.properties };
    if ([one, two].some(({ properties }) => properties.subscribed === false)) kept.properties.subscribed = false;
    return kept;
  };
  const reach = (body: Record<string, unknown>): ServiceContact => {
    const { byUser, byEmail } = find(body);
    const known = byUser && byEmail && byUser !== byEmail ? merge(byUser, byEmail) : (byUser ?? byEmail);
    const contact = known ?? { id: ++ids, properties: {}, changed: 0 };
    if (!known) contacts.push(contact);
    if (typeof body.email === "string") contact.email = body.email;
    if (typeof body.userId === "string") contact.userId = body.userId;
    contact.changed = ++changes;
    return contact;
  };

  const refusalOf = ({ path, body }: Request): Arrival | undefined => {
    if (options.forbidden.includes(String(body.email))) {
      const { answer } = refuse(options.published ? 401 : 403, "This contact is blocked.");
      return { answer: { ...(answer as Answer), ofDelivery: true }, acted: false };
    }
    const text = JSON.stringify(body);
    if (text.includes(POISON.property)) return refuse(400, "A property has a value it cannot have.");
    if (text.includes(POISON.event)) return refuse(404, "No such event.");
    if (text.includes(POISON.variable)) return refuse(400, "Missing required data variable(s): amount");
    if (text.includes(POISON.conflict)) return refuse(409, "Another request is changing this.", "conflict");
    if (path === "/v1/transactional") return undefined;
    const { byUser, byEmail } = find(body);
    if (path === "/v1/contacts/delete") return byUser || byEmail ? undefined : refuse(404, "Contact not found.");
    return areTwo(byUser, byEmail) && (byUser?.email !== undefined || byEmail?.userId !== undefined)
      ? refuse(400, "The email and the userId belong to two contacts.", "contact_conflict")
      : undefined;
  };

  const act = ({ path, body }: Request): ServiceContact | undefined => {
    if (path === "/v1/transactional") return undefined;
    if (path === "/v1/contacts/delete") {
      const { byUser, byEmail } = find(body);
      const gone = byUser ?? byEmail;
      contacts = contacts.filter((one) => one !== gone);
      return gone;
    }
    const contact = reach(body);
    if (path === "/v1/contacts/update") {
      const { email: _, userId: __, properties, mailingLists, ...rest } = body;
      Object.assign(contact.properties, rest, properties, mailingLists);
    }
    return contact;
  };

  const outage = (now: number): Arrival | undefined => {
    if (failing("outage: refused", now)) return { answer: "refused", acted: false };
    if (failing("outage: silent", now)) return { answer: "silent", acted: false };
    if (failing("outage: 503", now)) return refuse(503, "Try again.");
    if (failing("outage: 507", now)) return refuse(507, "No room.");
    if (failing("outage: page", now))
      return { answer: { status: 200, foreign: "<html>Soon back</html>", ms: options.takes }, acted: false };
    return undefined;
  };

  const echoing = (arrival: Arrival, { call }: Request): Arrival => {
    if (!options.echoes || call === undefined || typeof arrival.answer === "string") return arrival;
    if (arrival.answer.foreign !== undefined) return arrival;
    return { ...arrival, answer: { ...arrival.answer, call } };
  };

  const arrive = (request: Request, trueNow: number): Arrival => {
    const now = trueNow + options.ahead;
    while ((arrivals[0] ?? now) <= now - 1000) arrivals.shift();
    const full = arrivals.length >= LIMIT;
    arrivals.push(now);
    if (full) {
      const { answer } = refuse(429, "Too many requests.");
      return {
        answer: { ...(answer as Answer), ...(options.saysRetryAfter ? { retryAfter: 1 } : {}) },
        acted: false,
      };
    }
    const down = outage(trueNow);
    if (down) return down;
    if (failing("edge before", trueNow)) return { answer: foreign(), acted: false };
    if (failing("401", trueNow)) return refuse(401, "Invalid API key");
    if (request.path === "/v1/api-key") return { answer: { status: 200, ms: options.takes }, acted: false };
    if (options.echoes && failing("surplus", trueNow)) {
      const success = '{"success":true,"id":"id_of_another"}';
      return { answer: { status: 200, foreign: success, call: "another", ms: options.takes }, acted: false };
    }
    if (failing("silent before", trueNow)) return { answer: "silent", acted: false };
    if (failing("500 before", trueNow)) return refuse(500, "Something went wrong.");
    if (failing("408", trueNow)) return refuse(408, "Too slow.");
    const { key } = request;
    const taken = key === undefined ? undefined : keys.get(key);
    if (taken !== undefined && now - taken < DAY) return refuse(409, "Idempotency key has been used.", KEY_USED);
    const refusal = refusalOf(request);
    if (refusal) return refusal;
    if (request.path === "/v1/contacts/find") {
      const { byUser, byEmail } = find(request.body);
      const found = byUser ?? byEmail;
      const { id, email = null, userId = null, properties = {} } = found ?? {};
      const list = found ? [{ id: String(id), email, userId, subscribed: true, ...properties }] : [];
      return { answer: { status: 200, found: list, ms: options.takes }, acted: false };
    }
    if (key !== undefined) keys.set(key, now);
    const merges = mergedInto.size;
    const contact = act(request);
    const acted = { acted: true, merged: mergedInto.size > merges, ...(contact ? { contact } : {}) };
    if (failing("silent after", trueNow)) return { answer: "silent", ...acted };
    if (failing("500 after", trueNow)) return { ...refuse(502, "Bad gateway."), ...acted };
    if (failing("edge after", trueNow)) return { answer: foreign(), ...acted };
    const ms = failing("slow", trueNow) ? random.int(1_000, 9_000) : options.takes;
    return { answer: { status: 200, id: `id_${key ?? now}`, ms }, ...acted };
  };

  return {
    contacts: () => contacts,
    idAfterMerges,
    other: (now: number): void => void arrivals.push(now + options.ahead),
    arrive: (request: Request, trueNow: number): Arrival => echoing(arrive(request, trueNow), request),
  };
};
