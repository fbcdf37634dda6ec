import { randomBytes } from "node:crypto";
import { secretsIn } from "../../src/lib/signature/secrets.ts";
import type { Io } from "./io.ts";

/** A secret of 256 bits, as hex. */
export const newSecret = (): string => randomBytes(32).toString("hex");

/** A signing secret in the form of Standard Webhooks: 24 to 64 random bytes, here 32. */
export const newSigningSecret = (): string => `whsec_${randomBytes(32).toString("base64")}`;

/** Removes the secrets it knows from every text that is printed. */
export type Hidden = {
  add: (secret: string) => void;
  hide: (text: string) => string;
};

/** Shorter texts are not hidden: they could be ordinary words. */
const SHORTEST = 12;

export const createHidden = (): Hidden => {
  const secrets = new Set<string>();
  return {
    add: (secret) => {
      // An answer may hold several secrets during a rotation, and a secret may be a phrase.
      for (const one of [...secretsIn(secret, true), ...secretsIn(secret, false)]) {
        if (one.length >= SHORTEST) secrets.add(one);
      }
    },
    hide: (text) => [...secrets].reduce((shown, secret) => shown.replaceAll(secret, "(secret)"), text),
  };
};

/** The same Io, but it prints no secret that was typed or added, even if wrangler repeats it. */
export const hiding = (io: Io, hidden: Hidden): Io => ({
  ...io,
  print: (text) => io.print(hidden.hide(text)),
  ask: async (question) => {
    const answer = await io.ask(question);
    if (question.secret) hidden.add(answer);
    return answer;
  },
});
