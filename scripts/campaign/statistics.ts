import { UsageError, wholeNumber } from "../lib/cli.ts";
import type { Explained, Links, Recipient, Recipients, Results } from "./answers.ts";
import type { Found } from "./find.ts";
import { explainedText, recipientsText, resultsText } from "./results-text.ts";
import { GROUPS, oneOf, STATES, type Values } from "./usage.ts";
import type { World } from "./world.ts";

export const showResults = async ({ service, print }: World, { id }: Found, { json }: Values): Promise<boolean> => {
  const results = await service.admin<Results>("GET", `/${id}/results`);
  const links = (await service.admin<Links>("GET", `/${id}/links`)).data;
  print(json ? JSON.stringify({ ...results, links }, null, 2) : resultsText(results, links));
  return true;
};

const PAGE = 50;

/** A page may be empty. */
async function* recipientsOf(
  world: World,
  id: string,
  query: URLSearchParams,
  most: number,
): AsyncGenerator<Recipient> {
  let left = most;
  for (let cursor = ""; ; ) {
    const path = `/${id}/recipients?${query}${cursor}`;
    const { data, next } = await world.service.admin<Recipients>("GET", path);
    yield* data.slice(0, left);
    left -= data.length;
    if (next === null || left <= 0) return;
    cursor = `&cursor=${encodeURIComponent(next)}`;
  }
}

export const showRecipients = async (world: World, { id, name, progress }: Found, values: Values): Promise<boolean> => {
  const { state, reason, group, limit, out, json } = values;
  oneOf("state", state, STATES);
  oneOf("group", group, GROUPS);
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries({ state, reason, group })) if (value !== undefined) query.set(key, value);
  if (out !== undefined) {
    if (json || limit !== undefined)
      throw new UsageError("--out writes all recipients as CSV: it takes no --json and no --limit.");
    const { body } = await world.service.open(`/${id}/recipients.csv?${query}`);
    if (!body) throw new Error("The email service answered without a file.");
    await world.save(out, body);
    world.print(`The recipients of ${name} are in ${out}.`);
    return true;
  }
  query.set("perPage", String(PAGE));
  const given = limit === undefined ? undefined : wholeNumber("limit", limit, { min: 1 });
  if (json) {
    for await (const one of recipientsOf(world, id, query, given ?? Number.POSITIVE_INFINITY))
      world.print(JSON.stringify(one));
    return true;
  }
  const most = given ?? PAGE;
  const shown: Recipient[] = [];
  for await (const one of recipientsOf(world, id, query, most + 1)) shown.push(one);
  const hint = progress
    ? "No recipient is like that."
    : `${name} has no recipients yet: they are chosen when it begins to send. npm run campaign -- estimate ${id}`;
  world.print(shown.length === 0 ? hint : recipientsText(shown.slice(0, most)));
  if (shown.length > most)
    world.print(`There are more. --limit n prints more, --out recipients.csv writes all of them.`);
  return true;
};

/** `contact`: one path step. */
export const explainContact = async (
  { service, print }: World,
  { id }: Found,
  contact: string,
  { json }: Values,
): Promise<boolean> => {
  const answer = await service.admin<Explained>("GET", `/${id}/contacts/${contact}`);
  print(json ? JSON.stringify(answer, null, 2) : explainedText(answer));
  return true;
};
