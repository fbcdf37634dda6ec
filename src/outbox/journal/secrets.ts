import type { Call, Journalled } from "../model/types.ts";

// One-time secrets, and what a source redacts: found by their paths in a body, and erased wherever they stand.

/** A webhook as it may be shown: one-time secrets that a call still needs are erased. */
export const masked = (webhook: Journalled): Journalled => {
  if (webhook.secretPaths.length === 0 || webhook.body === "") return webhook;
  const secrets = secretsAt(webhook.body, webhook.secretPaths);
  return {
    ...webhook,
    body: eraseBody(webhook.body, webhook.secretPaths, secrets),
    outcomes: JSON.parse(erase(JSON.stringify(webhook.outcomes), secrets)) as Journalled["outcomes"],
    calls: webhook.calls.map((call) => eraseCall(call, secrets)),
  };
};

export const eraseCall = (call: Call, secrets: readonly string[]): Call => ({
  ...(JSON.parse(erase(JSON.stringify(call), secrets)) as Call),
  // A short code may by chance stand in these too, and they must stay what they are.
  ...{ key: call.key, rule: call.rule, action: call.action as never, state: call.state },
});

/** A damaged body has nothing at any path. */
const parsedOrNone = (body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
};

const valueAt = (json: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, key) => (value as Record<string, unknown> | null | undefined)?.[key], json);

/** Texts in an object that is erased are looked for elsewhere too, unless they are so short that anything has them. */
const TELLING = 6;

/** Every text in a value, however deep. */
const textsIn = (value: unknown): string[] => {
  const texts: string[] = [];
  for (const left = [value]; left.length > 0; ) {
    const next = left.pop();
    if (typeof next === "string") texts.push(next);
    else if (typeof next === "object" && next !== null) for (const one of Object.values(next)) left.push(one);
  }
  return texts;
};

/** The texts at dotted paths, plain and as they stand in a URL, longest first. */
export const secretsAt = (body: string, paths: readonly string[]): string[] => {
  const json = parsedOrNone(body);
  const values = paths.flatMap((path) => {
    const value = valueAt(json, path.split("."));
    return typeof value === "string" ? [value] : textsIn(value).filter(({ length }) => length >= TELLING);
  });
  // Half a surrogate pair cannot stand in a URL: encodeURIComponent would throw.
  const forms = values.filter(Boolean).flatMap((value) => [value, encodeURIComponent(value.toWellFormed())]);
  return [...new Set(forms)].sort((a, b) => b.length - a.length);
};

/** A body with every secret replaced, and what else stands at the paths (numbers, objects, lists) as a whole. */
export const eraseBody = (body: string, paths: readonly string[], secrets: readonly string[]): string => {
  const text = erase(body, secrets);
  if (text === "") return text;
  const json = parsedOrNone(text);
  // What cannot be read cannot be looked through: none of it is kept.
  if (json === undefined) return '"[erased]"';
  let changed = false;
  for (const path of paths.map((dotted) => dotted.split("."))) {
    const name = path.at(-1) ?? "";
    const holder = valueAt(json, path.slice(0, -1)) as Record<string, unknown> | null | undefined;
    if (typeof holder !== "object" || holder === null || !Object.hasOwn(holder, name)) continue;
    if (typeof holder[name] === "string" || holder[name] === null) continue;
    holder[name] = "[erased]";
    changed = true;
  }
  if (!changed) return text;
  try {
    return JSON.stringify(json);
  } catch {
    // Nested deeper than can be written: then none of it is kept.
    return '"[erased]"';
  }
};

/**
 * A JSON text with every secret in every string of it replaced. Works on the text, string by string: a body may be
 * nested deeper than JSON.stringify can go.
 */
export const erase = (json: string, secrets: readonly string[]): string =>
  json.replaceAll(/"[^"\\]*(?:\\.[^"\\]*)*"/g, (literal) => {
    const text = JSON.parse(literal) as string;
    const erased = secrets.reduce((rest, secret) => rest.replaceAll(secret, "[erased]"), text);
    return erased === text ? literal : JSON.stringify(erased);
  });
