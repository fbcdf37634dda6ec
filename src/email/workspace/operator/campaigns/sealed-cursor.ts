import { keyFor, opened, sealed } from "../../../../lib/seal.ts";
import { digestBytes } from "../../../../lib/util/hmac.ts";

const GOOD_MS = 600_000;
const PURPOSE = "cursor of a count";

/** The Worker secret and team that seal a cursor. `now`: Unix ms. */
type Seal = { secret: string; team: string; now: number };

const digestOf = async (of: string): Promise<string> => (await digestBytes(of)).subarray(0, 16).toHex();

/** Seals a cursor so that a client cannot forge counts. `of` identifies the audience. */
export const sealedCursor = async ({ secret, team, now }: Seal, of: string, cursor: string): Promise<string> =>
  sealed(await keyFor(secret, PURPOSE), [team, await digestOf(of), cursor].join(" "), now + GOOD_MS);

/** Opens a sealed cursor. `other`: another audience; `invalid`: forged, or older than ten minutes. */
export const openedCursor = async (
  { secret, team, now }: Seal,
  of: string,
  given: string,
): Promise<{ cursor: string } | "other" | "invalid"> => {
  const found = await opened(await keyFor(secret, PURPOSE), given, now);
  if (typeof found === "string") return "invalid";
  const [owner, digest, cursor = ""] = found.payload.split(" ");
  if (owner !== team) return "invalid";
  return digest === (await digestOf(of)) ? { cursor } : "other";
};
