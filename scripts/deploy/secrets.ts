import { randomBytes } from "node:crypto";
import type { Io } from "./io.ts";

/** A secret of 256 bits, as hex. */
export const newSecret = (): string => randomBytes(32).toString("hex");

/** A signing secret in the form of Standard Webhooks: 24 to 64 random bytes, here 32. */
export const newSigningSecret = (): string => `whsec_${randomBytes(32).toString("base64")}`;

/** Remembers secrets, and keeps them out of everything that is printed from then on. */
export type Hidden = {
  add: (secret: string) => void;
  hide: (text: string) => string;
};

/** What is too short to be a secret would blacken ordinary words. */
const SHORTEST = 12;

export const createHidden = (): Hidden => {
  const secrets = new Set<string>();
  return {
    add: (secret) => {
      // One answer may be several secrets, where one is being rotated.
      for (const one of secret.split(/[\s|]+/)) if (one.length >= SHORTEST) secrets.add(one);
    },
    hide: (text) => [...secrets].reduce((shown, secret) => shown.replaceAll(secret, "(secret)"), text),
  };
};

/** The same surroundings, in which no secret that was typed or added is ever printed, nor one wrangler repeats. */
export const hiding = (io: Io, hidden: Hidden): Io => ({
  ...io,
  print: (text) => io.print(hidden.hide(text)),
  ask: async (question) => {
    const answer = await io.ask(question);
    if (question.secret) hidden.add(answer);
    return answer;
  },
});
