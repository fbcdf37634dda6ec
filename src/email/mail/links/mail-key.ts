import { type Derived, derived, keyFor, type SealKey } from "../../../lib/seal.ts";

/** A mail: the team's slug and the row number `n` of its send. */
export type SendName = { team: string; n: number };

export const mailsKey = (secret: string): Promise<SealKey> => keyFor(secret, "mail");

const derive = async (secret: string, team: string, n: number): Promise<Derived> =>
  derived(await mailsKey(secret), `${team} ${n.toString(36)}`);

/** A prime, because row numbers count milliseconds in thousands. */
const KEPT = 199;
const kept: ({ secret: string; made: Promise<Derived> } & SendName)[] = [];

/**
 * Derives what one mail signs with from one HMAC: `shown` is for its return path, `key` for its links. Recent mails keep
 * theirs, because their return paths are made after their links.
 */
export const mailKey = (secret: string, team: string, n: number): Promise<Derived> => {
  const found = kept[n % KEPT];
  if (found?.n === n && found.team === team && found.secret === secret) return found.made;
  const made = derive(secret, team, n);
  kept[n % KEPT] = { secret, made, team, n };
  return made;
};
