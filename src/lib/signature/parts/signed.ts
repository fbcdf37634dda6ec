import { digest, sameText } from "../../util/hmac.ts";
import type { HmacScheme, Place, PublicKeyScheme, SignatureRefusal, SignedRequest, SignedTime } from "../scheme.ts";
import { render } from "./content.ts";
import { nameOf, valuesAt } from "./places.ts";
import { mismatch, missing, refuse, stale } from "./refusal.ts";

type Scheme = HmacScheme | PublicKeyScheme;

/** What a request offers to a scheme: the contents that may be signed, and its signatures still with their prefix. */
type Offer = { contents: string[]; signatures: string[]; signedAt: number | undefined };

/** Every place a scheme reads. */
export const placesOf = ({ signature, timestamp, parts = {}, bodyHash }: Scheme): Place[] => [
  ...Object.values(parts),
  ...(timestamp ? [timestamp.at] : []),
  ...(bodyHash ? [bodyHash] : []),
  signature,
];

/** The first kind of place that lacks something, with all that is lacking of that kind. */
const lacking = (request: SignedRequest, places: readonly Place[]) => {
  const names = places
    .filter((place) => ("header" in place ? !request.headers.get(place.header) : valuesAt(request, place).length === 0))
    .map(nameOf);
  const kind = names[0]?.kind;
  return kind && { kind, names: [...new Set(names.filter((name) => name.kind === kind).map(({ name }) => name))] };
};

const UNITS = { s: "Unix seconds", ms: "Unix milliseconds", iso: "ISO 8601" } as const;

/** Unix milliseconds of a signed time, or undefined where it is not of the form. */
const timeOf = (text: string, unit: SignedTime["unit"]): number | undefined => {
  if (unit === "iso") return Number.isNaN(Date.parse(text)) ? undefined : Date.parse(text);
  return /^\d{1,15}$/.test(text) ? Number(text) * (unit === "s" ? 1000 : 1) : undefined;
};

/** Reads what is signed and the signatures, or says what is missing. Nothing is proven yet. */
export const offerOf = (scheme: Scheme, request: SignedRequest): Offer | SignatureRefusal => {
  const lacks = lacking(request, placesOf(scheme));
  if (lacks) return missing(lacks.names, lacks.kind);

  const values: Record<string, string> = {};
  for (const [name, place] of Object.entries(scheme.parts ?? {})) values[name] = valuesAt(request, place)[0] ?? "";
  let signedAt: number | undefined;
  if (scheme.timestamp) {
    const { at, unit } = scheme.timestamp;
    const text = valuesAt(request, at)[0] ?? "";
    signedAt = timeOf(text, unit);
    if (signedAt === undefined) {
      return refuse("invalid_signature", `${nameOf(at).name} has no timestamp in ${UNITS[unit]}.`);
    }
    values.timestamp = text;
  }
  const signatures = valuesAt(request, scheme.signature);
  if (signatures.length === 0) return refuse("invalid_signature", noSignature(scheme));
  return { contents: scheme.content.map((template) => render(template, request, values)), signatures, signedAt };
};

/** The offered signatures that have the prefix, without it. */
export const withoutPrefix = (signatures: readonly string[], prefix: string): string[] =>
  signatures.flatMap((signature) => (signature.startsWith(prefix) ? [signature.slice(prefix.length)] : []));

/** What to say where the place of the signature holds none that counts. */
export const noSignature = ({ signature, prefix }: Scheme): string => {
  const name = "name" in signature ? signature.name : prefix?.replace(/[,=]$/, "");
  return `${nameOf(signature).name} has no ${name ? `${name} ` : ""}signature.`;
};

/** What remains to be checked once the signature is good: the body it names, then the time. */
export const afterwards = async (
  scheme: Scheme,
  request: SignedRequest,
  signedAt: number | undefined,
  now: number,
  own: number | undefined,
): Promise<SignatureRefusal | undefined> => {
  if (scheme.bodyHash) {
    const told = valuesAt(request, scheme.bodyHash)[0] ?? "";
    if (!(await sameText(told, await digest(request.raw)))) return mismatch();
  }
  if (!scheme.timestamp || signedAt === undefined) return undefined;
  // What is no number compares as false, and every time would do.
  const tolerance = own !== undefined && own >= 0 && own < Infinity ? own : scheme.timestamp.tolerance;
  const age = Math.floor(now / 1000) - Math.floor(signedAt / 1000);
  return age > tolerance || (!scheme.timestamp.future && -age > tolerance) ? stale(age, tolerance) : undefined;
};
