import { clauseOf } from "./clause.ts";
import { oneLine } from "./one-line.ts";
import { wordsOf } from "./stored.ts";
import { templatesOf } from "./templates.ts";
import type { AnyRule } from "./types.ts";

export type ShownLeaf = { value: unknown } | { text: string };
type Leaves = Record<string, ShownLeaf>;

export type ShownRule = ReturnType<typeof describeRule>;

const LENGTH = 1_000;

const leafOf = (leaf: unknown): ShownLeaf => {
  if (typeof leaf !== "function") return { value: leaf ?? null };
  const text = oneLine(String(leaf));
  return { text: text.length > LENGTH ? `${text.slice(0, LENGTH - 1)}…` : text };
};

const shownText = (leaf: unknown): string => {
  const shown = leafOf(leaf);
  return "text" in shown ? shown.text : JSON.stringify(shown.value);
};

const leavesOf = (leaves: Readonly<Record<string, unknown>> = {}): Leaves =>
  Object.fromEntries(Object.entries(leaves).map(([name, leaf]) => [name, leafOf(leaf)]));

type GuessLeaf = { given?: unknown; guess: unknown; from: string };
const isGuess = (leaf: unknown): leaf is GuessLeaf => typeof leaf === "object" && leaf !== null && "guess" in leaf;

/** Describes a rule: constants, and functions as one-line text. */
export const describeRule = (rule: AnyRule, source: string) => {
  const { name, on, when, contact, update = {}, subscription, lists, event, transactional, remove } = rule;
  const guesses = Object.entries(update).filter(([, leaf]) => isGuess(leaf)) as [string, GuessLeaf][];
  const { update: shownOfSubscription, state: _, active, ...aboutSubscription } = subscription ?? {};
  return {
    source,
    name,
    on: typeof on === "string" ? [on] : [...on],
    when: when === undefined ? null : clauseOf(rule, source),
    stored: wordsOf(rule, shownText),
    remembers: { ...leavesOf(subscription?.state), ...leavesOf(rule.remember?.state) },
    contact: typeof contact === "function" ? leafOf(contact) : leavesOf(contact),
    update: leavesOf(Object.fromEntries(Object.entries(update).filter(([, leaf]) => !isGuess(leaf)))),
    guesses: Object.fromEntries(
      guesses.map(([property, { given, guess, from }]) => [
        property,
        { guess: leafOf(guess), given: given === undefined ? null : leafOf(given), from },
      ]),
    ),
    subscription: subscription
      ? {
          ...leavesOf({ ...aboutSubscription, ...(active ? { active: active.ids } : {}) }),
          update: leavesOf(shownOfSubscription),
        }
      : null,
    lists: leavesOf(lists),
    event: event
      ? {
          name: event.name,
          properties: leavesOf(event.properties),
          onlyKnown: event.onlyKnown ?? false,
          maxAge: event.maxAge ?? null,
        }
      : null,
    transactional: transactional
      ? {
          templates: [...templatesOf(rule)],
          chosenBy: typeof transactional.template === "string" ? null : shownText(transactional.template),
          variables: leavesOf(transactional.variables),
          addToAudience: transactional.addToAudience ?? false,
          maxAge: transactional.maxAge ?? null,
          expires: transactional.urgent?.expires ?? null,
        }
      : null,
    remove: remove ?? null,
  };
};
