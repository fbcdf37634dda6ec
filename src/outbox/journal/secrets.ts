import type { Delivery, Journaled } from "../model/journal-types.ts";

/** Hides one-time secrets that an open delivery still needs. */
export const masked = (webhook: Journaled): Journaled => {
  if (webhook.secretPaths.length === 0 || webhook.body === "") return webhook;
  const secrets = secretsAt(webhook.body, webhook.secretPaths);
  return {
    ...webhook,
    body: eraseBody(webhook.body, webhook.secretPaths, secrets),
    outcomes: JSON.parse(erase(JSON.stringify(webhook.outcomes), secrets)) as Journaled["outcomes"],
    deliveries: webhook.deliveries.map((delivery) => eraseDelivery(delivery, secrets)),
  };
};

export const eraseDelivery = (delivery: Delivery, secrets: readonly string[]): Delivery => ({
  ...(JSON.parse(erase(JSON.stringify(delivery), secrets)) as Delivery),
  // A short code may match here by chance. These fields must not change.
  key: delivery.key,
  rule: delivery.rule,
  action: delivery.action as never,
  state: delivery.state,
});

const parseBody = (body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
};

const valueAt = (json: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, key) => (value as Record<string, unknown> | null | undefined)?.[key], json);

/** Shorter texts would match anything. */
const MIN_LENGTH = 6;

const textsIn = (value: unknown): string[] => {
  const texts: string[] = [];
  for (const left = [value]; left.length > 0; ) {
    const next = left.pop();
    if (typeof next === "string") texts.push(next);
    else if (typeof next === "object" && next !== null) for (const one of Object.values(next)) left.push(one);
  }
  return texts;
};

/** Returns the texts at dotted paths, as written and URL-encoded, longest first. */
export const secretsAt = (body: string, paths: readonly string[]): string[] => {
  const json = parseBody(body);
  const values = paths.flatMap((path) => {
    const value = valueAt(json, path.split("."));
    return typeof value === "string" ? [value] : textsIn(value).filter(({ length }) => length >= MIN_LENGTH);
  });
  // encodeURIComponent throws on half a surrogate pair.
  const forms = values.filter(Boolean).flatMap((value) => [value, encodeURIComponent(value.toWellFormed())]);
  return [...new Set(forms)].sort((a, b) => b.length - a.length);
};

/** Erases secrets from a body, and all values at the paths. */
export const eraseBody = (body: string, paths: readonly string[], secrets: readonly string[]): string => {
  const text = erase(body, secrets);
  if (text === "") return text;
  const json = parseBody(text);
  // An unparsable body cannot be searched, so none of it is kept.
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
    // Nested too deeply for JSON.stringify, so none of it is kept.
    return '"[erased]"';
  }
};

/** Erases secrets string by string: a body may be nested too deeply for JSON.stringify. */
export const erase = (json: string, secrets: readonly string[]): string =>
  json.replaceAll(/"[^"\\]*(?:\\.[^"\\]*)*"/g, (literal) => {
    const text = JSON.parse(literal) as string;
    const erased = secrets.reduce((rest, secret) => rest.replaceAll(secret, "[erased]"), text);
    return erased === text ? literal : JSON.stringify(erased);
  });
