import type { SignedRequest } from "../signature/scheme.ts";
import { digest } from "../util/hmac.ts";
import type { Json } from "../util/json.ts";
import { isoTime, object, textAt, unixTime } from "./shape.ts";

/** Hex digits of a body's digest in an id. */
const BODY_DIGEST = 32;

/** Where to find a value in a request: a dotted path in the body, or a header. */
type Where = string | { header: string };

/** What `readEvent` reads; assignable to `Envelope`. */
type Event<Body> = {
  id: string;
  digest?: true;
  bodyDigest?: string;
  type: string;
  occurredAt: number;
  body: Body;
  test?: boolean;
};

/** Where to find the parts of a provider's envelope. */
export type Form = {
  /** What the body is, for error messages: "a Paddle event". */
  what: string;
  /** The id; several values are joined by `:`. Where one is absent, the id is a digest of the body. */
  id?: Where | readonly Where[];
  /**
   * The header with the id, where the provider's signature does not cover it. Anyone who has seen a signed body could send
   * it again with another id, so the id begins with a digest of the body: one body is one webhook.
   * `without`: fields at the top of the body that differ in each attempt of the provider. `withType`: true where the
   * provider sends one body under several event types.
   */
  unsignedId?: { header: string; without?: readonly string[]; withType?: true };
  /** The event type; several values are joined by `.`, absent ones are left out. */
  type: Where | readonly Where[];
  /**
   * The event type of a body without one, for providers whose users write the body. Without it, such a body is refused.
   */
  otherwise?: string;
  /** When the event happened; the first place with a value counts. Without one, the time of receipt. */
  time?: readonly (readonly [where: Where, unit: "s" | "ms" | "iso"])[];
  /** True for test data. */
  test?(body: Readonly<Record<string, unknown>>): boolean;
};

const textOf = (request: SignedRequest, body: unknown, where: Where): string | undefined =>
  typeof where === "string" ? textAt(body, where) : request.headers.get(where.header) || undefined;

const wheres = (where: Where | readonly Where[] | undefined): readonly Where[] =>
  where === undefined ? [] : Array.isArray(where) ? where : [where as Where];

const timeOf = (request: SignedRequest, body: unknown, [where, unit]: readonly [Where, "s" | "ms" | "iso"]) => {
  const text = textOf(request, body, where);
  if (unit === "iso") return isoTime(text);
  return text === undefined ? undefined : unixTime(Number(text), unit === "s" ? 1000 : 1);
};

/** The id of an event whose own id is not signed. Fields are sorted: a form is signed in any order. */
const unsignedIdOf = async (
  request: SignedRequest,
  { header, without = [], withType }: NonNullable<Form["unsignedId"]>,
  type: string,
  body: Json,
): Promise<{ id: string; bodyDigest: string }> => {
  const fields = Object.entries(body).filter(([name]) => !without.includes(name));
  fields.sort(([a], [b]) => (a < b ? -1 : 1));
  const bodyDigest = (await digest(JSON.stringify([withType ? type : "", fields]))).slice(0, BODY_DIGEST);
  return { id: `${bodyDigest}.${request.headers.get(header) ?? ""}`, bodyDigest };
};

/** The id of an event without one: a digest of its content. */
export const digestOf = async (content: unknown): Promise<{ id: string; digest: true }> => ({
  id: await digest(typeof content === "string" ? content : JSON.stringify(content)),
  digest: true,
});

/**
 * Reads envelopes of one form. `type` in the body is set to the event type, whatever it was before.
 * @see Form
 */
export const readEvent =
  <Body>(form: Form) =>
  async (request: SignedRequest, content: unknown, now: number): Promise<Event<Body>> => {
    const body = object(content, form.what);
    const types = wheres(form.type).flatMap((where) => textOf(request, body, where) ?? []);
    const type = types.join(".") || form.otherwise;
    if (type === undefined) {
      const [where = "type"] = wheres(form.type);
      const name = typeof where === "string" ? where : `the header ${where.header}`;
      throw new Error(`The body is not ${form.what}: ${name} must be a string.`);
    }
    const ids = wheres(form.id).map((where) => textOf(request, body, where));
    const known = ids.length > 0 && ids.every((id) => id !== undefined);
    const times = (form.time ?? []).map((time) => timeOf(request, body, time));
    return {
      ...(form.unsignedId
        ? await unsignedIdOf(request, form.unsignedId, type, body)
        : known
          ? { id: ids.join(":") }
          : await digestOf(content)),
      type,
      occurredAt: times.find((time) => time !== undefined) ?? now,
      body: { ...body, type } as Body,
      ...(form.test ? { test: form.test(body) } : {}),
    };
  };
