import { randomBytes } from "node:crypto";
import { secretsIn } from "../../src/lib/signature/secrets.ts";
import type { Io } from "./io.ts";

/** Creates a 256-bit secret as hex. */
export const newSecret = (): string => randomBytes(32).toString("hex");

/** Creates a Standard Webhooks secret: 24 to 64 random bytes, here 32. */
export const newSigningSecret = (): string => `whsec_${randomBytes(32).toString("base64")}`;

/** Removes known secrets from printed text. */
export type Hidden = {
  add: (secret: string) => void;
  hide: (text: string) => string;
};

/** Shorter texts could be ordinary words. */
const SHORTEST = 12;

export const createHidden = (): Hidden => {
  const secrets = new Set<string>();
  return {
    add: (secret) => {
      // A rotation has several secrets, and a secret may be a phrase.
      for (const one of [...secretsIn(secret, true), ...secretsIn(secret, false)]) {
        if (one.length >= SHORTEST) secrets.add(one);
      }
    },
    hide: (text) => [...secrets].reduce((shown, secret) => shown.replaceAll(secret, "(secret)"), text),
  };
};

/** Wraps an Io to hide secrets, even if wrangler repeats them. */
export const hiding = (io: Io, hidden: Hidden): Io => ({
  ...io,
  print: (text) => io.print(hidden.hide(text)),
  ask: async (question) => {
    const answer = await io.ask(question);
    if (question.secret) hidden.add(answer);
    return answer;
  },
});
