import type { Accepted, Taken } from "../model/types.ts";

/**
 * Webhooks on their way to the object: everything but the bodies as one text, the bodies beside it. Objects of many
 * fields cost a call between Worker and object about as much as the commit does (`npm run bench`); texts do not.
 */
export type Parcel = [facts: string, bodies: string[]];

export const pack = (webhooks: readonly Accepted[]): Parcel => [
  JSON.stringify(webhooks.map(({ raw: _, ...facts }) => facts)),
  webhooks.map(({ raw }) => raw),
];

export const unpack = (...[facts, bodies]: Parcel): Accepted[] =>
  (JSON.parse(facts) as Omit<Accepted, "raw">[]).map((webhook, i) => ({ ...webhook, raw: bodies[i] ?? "" }));

/** The answer, on its way back. */
export const packTaken = (taken: Taken): string => JSON.stringify(taken);
export const unpackTaken = (text: string): Taken => JSON.parse(text) as Taken;
