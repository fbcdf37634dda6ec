import type { Delivery, Journaled } from "../model/journal-types.ts";

/** `texts`: longest first. `names`: first and last names that rules may have made of them, in deliveries only. */
export type Secrets = { texts: readonly string[]; names: ReadonlySet<string> };

export const NO_SECRETS: Secrets = { texts: [], names: new Set() };

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

export const eraseDelivery = (delivery: Delivery, secrets: Secrets): Delivery => ({
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

/** Returns the texts at dotted paths, as written and URL-encoded, and their parts if they are names. */
export const secretsAt = (body: string, paths: readonly string[]): Secrets => {
  const json = parseBody(body);
  const values = paths.flatMap((path) => {
    const value = valueAt(json, path.split("."));
    return typeof value === "string" ? [value] : textsIn(value).filter(({ length }) => length >= MIN_LENGTH);
  });
  // encodeURIComponent throws on half a surrogate pair.
  const forms = values.filter(Boolean).flatMap((value) => [value, encodeURIComponent(value.toWellFormed())]);
  const names = values.flatMap((value) => {
    const [first = "", ...others] = value.trim().split(/\s+/);
    return others.length === 0 ? [] : [first, others.join(" ")];
  });
  return { texts: [...new Set(forms)].sort((a, b) => b.length - a.length), names: new Set(names) };
};

/** Erases secrets from a body, and all values at the paths. */
export const eraseBody = (body: string, paths: readonly string[], secrets: Secrets): string => {
  const text = erase(body, { ...secrets, names: NO_SECRETS.names });
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
export const erase = (json: string, { texts, names }: Secrets): string =>
  json.replaceAll(/"[^"\\]*(?:\\.[^"\\]*)*"/g, (literal, at: number) => {
    const text = JSON.parse(literal) as string;
    const isName = names.has(text) && json[at + literal.length] !== ":";
    const erased = isName ? "[erased]" : texts.reduce((rest, one) => rest.replaceAll(one, "[erased]"), text);
    return erased === text ? literal : JSON.stringify(erased);
  });
