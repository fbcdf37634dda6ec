import { digest, sameText } from "../../util/hmac.ts";
import type {
  HmacScheme,
  PublicKeyScheme,
  SignatureRefusal,
  SignedRequest,
  SignedTime,
  ValueLocation,
} from "../scheme.ts";
import { contentOf } from "./content.ts";
import { mismatch, missing, refuse, stale } from "./refusal.ts";
import { nameOf, valuesAt } from "./values-at.ts";

type Scheme = HmacScheme | PublicKeyScheme;

/** Unverified. */
type SignedParts = { contents: string[]; signatures: string[]; signedAt: number | undefined };

export const locationsOf = ({ signature, timestamp, parts = {}, bodyHash }: Scheme): ValueLocation[] => [
  ...Object.values(parts),
  ...(timestamp ? [timestamp.at] : []),
  ...(bodyHash ? [bodyHash] : []),
  signature,
];

const missingValues = (request: SignedRequest, locations: readonly ValueLocation[]) => {
  const names = locations
    .filter((location) =>
      "header" in location ? !request.headers.get(location.header) : valuesAt(request, location).length === 0,
    )
    .map(nameOf);
  const kind = names[0]?.kind;
  return kind && { kind, names: [...new Set(names.filter((name) => name.kind === kind).map(({ name }) => name))] };
};

const UNITS = { s: "Unix seconds", ms: "Unix milliseconds", iso: "ISO 8601" } as const;

const timeOf = (text: string, unit: SignedTime["unit"]): number | undefined => {
  if (unit === "iso") return Number.isNaN(Date.parse(text)) ? undefined : Date.parse(text);
  return /^\d{1,15}$/.test(text) ? Number(text) * (unit === "s" ? 1000 : 1) : undefined;
};

/** Reads signatures and possible contents, or refuses an incomplete request. Verifies nothing. */
export const readSignedParts = (scheme: Scheme, request: SignedRequest): SignedParts | SignatureRefusal => {
  const absent = missingValues(request, locationsOf(scheme));
  if (absent) return missing(absent.names, absent.kind);

  const values: Record<string, string> = {};
  for (const [name, location] of Object.entries(scheme.parts ?? {}))
    values[name] = valuesAt(request, location)[0] ?? "";
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
  return { contents: scheme.content.map((template) => contentOf(template, request, values)), signatures, signedAt };
};

export const withoutPrefix = (signatures: readonly string[], prefix: string): string[] =>
  signatures.flatMap((signature) => (signature.startsWith(prefix) ? [signature.slice(prefix.length)] : []));

export const noSignature = ({ signature, prefix }: Scheme): string => {
  const name = "name" in signature ? signature.name : prefix?.replace(/[,=]$/, "");
  return `${nameOf(signature).name} has no ${name ? `${name} ` : ""}signature.`;
};

/**
 * Checks the stated body hash and the time.
 * @param ownTolerance the source's tolerance in seconds
 */
export const checkBodyAndTime = async (
  scheme: Scheme,
  request: SignedRequest,
  signedAt: number | undefined,
  now: number,
  ownTolerance: number | undefined,
): Promise<SignatureRefusal | undefined> => {
  if (scheme.bodyHash) {
    const stated = valuesAt(request, scheme.bodyHash)[0] ?? "";
    if (!(await sameText(stated, await digest(request.raw)))) return mismatch();
  }
  if (!scheme.timestamp || signedAt === undefined) return undefined;
  // NaN compares as false with every age: without this check it would accept any time.
  const isUsable = ownTolerance !== undefined && ownTolerance >= 0 && ownTolerance < Infinity;
  const tolerance = isUsable ? ownTolerance : scheme.timestamp.tolerance;
  const age = Math.floor(now / 1000) - Math.floor(signedAt / 1000);
  return age > tolerance || (!scheme.timestamp.future && -age > tolerance) ? stale(age, tolerance) : undefined;
};
