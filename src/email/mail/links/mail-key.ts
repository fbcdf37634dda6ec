import { derived, keyFor, type SealKey } from "../../../lib/seal.ts";
import { remember } from "../../../lib/util/remember.ts";

/** A mail: the team's slug and the row number `n` of its send. */
export type SendName = { team: string; n: number };

export const mailsKey = (secret: string): Promise<SealKey> => keyFor(secret, "mail");

/** Derives what one mail signs with from one HMAC: `shown` is for its return path, `key` for its links. */
export const mailKey = remember(async (secret: string, team: string, n: number) =>
  derived(await mailsKey(secret), `${team} ${n.toString(36)}`),
);
