import type { SignedRequest } from "../signature/scheme.ts";
import { digest } from "../util/hmac.ts";
import type { Json } from "../util/json.ts";
import { isoTime, object, textAt, unixTime } from "./shape.ts";

const BODY_DIGEST = 32;

type Where = string | { header: string };

type Event<Body> = {
  id: string;
  digest?: true;
  bodyDigest?: string;
  type: string;
  occurredAt: number;
  body: Body;
  test?: boolean;
};

export type Form = {
  what: string;
  /** Values are joined by `:`. If one is absent, the id is a digest of the body. */
  id?: Where | readonly Where[];
  /**
   * Header of an unsigned id. The id begins with a body digest, so a replay with another id has no effect. `without`:
   * fields that differ by attempt. `withType`: one body may have several types.
   */
  unsignedId?: { header: string; without?: readonly string[]; withType?: true };
  /** Values are joined by `.`; absent ones are left out. */
  type: Where | readonly Where[];
  /** Default type; without it, a body without a type is refused. */
  otherwise?: string;
  time?: readonly (readonly [where: Where, unit: "s" | "ms" | "iso"])[];
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

/** Fields are sorted: a form is signed in any order. */
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

/** Derives an id from a digest of the content. */
export const digestOf = async (content: unknown): Promise<{ id: string; digest: true }> => ({
  id: await digest(typeof content === "string" ? content : JSON.stringify(content)),
  digest: true,
});

/** Reads envelopes of one form. Overwrites `type` in the body with the event type. */
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
