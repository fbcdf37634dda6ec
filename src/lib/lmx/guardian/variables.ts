import { givenFields } from "../../contract/contact-fields.ts";
import type { Facts } from "./facts.ts";
import { type Item, itemAt, type Rule } from "./rule.ts";
import type { VariableUse } from "./uses.ts";

const SOURCES = {
  contact: { field: "contactPropertiesFallbacks", noun: "contact property" },
  event: { field: "eventPropertiesFallbacks", noun: "event property" },
  data: { field: "dataVariablesFallbacks", noun: "data variable" },
} as const;
type Namespace = keyof typeof SOURCES;

const first = (uses: readonly VariableUse[]): VariableUse[] => {
  const seen = new Set<string>();
  return uses.filter(({ name }) => !seen.has(name) && seen.add(name));
};

const unsupported =
  (wanted: Namespace, known: "contactProperties" | "eventProperties" | undefined) =>
  (facts: Facts): Item[] =>
    facts.uses.flatMap((use) => {
      if (use.namespace !== wanted) return [];
      const { fault } = use;
      if (fault?.code === "wrong_namespace") return [itemAt(use.location, use.written, fault.message, use.name)];
      const names = known === undefined ? undefined : facts.known[known];
      if (fault !== undefined || names === undefined || names.has(use.name)) return [];
      const fix = `There is no ${SOURCES[wanted].noun} "${use.name}": create it, or correct the name`;
      return [itemAt(use.location, use.written, fix, use.name)];
    });

/** A mail always has an address. */
const ALWAYS: readonly string[] = ["email", ...givenFields].map((name) => `contact.${name}`);

const withoutFallback =
  (wanted: "contact" | "event", known: "contactProperties" | "eventProperties") =>
  (facts: Facts): Item[] => {
    const fallbacks = facts.message[SOURCES[wanted].field];
    const lacking = facts.uses.filter(
      (use) =>
        use.namespace === wanted &&
        use.fault === undefined &&
        !Object.hasOwn(fallbacks, use.name) &&
        facts.known[known]?.has(use.name) !== false &&
        !ALWAYS.includes(`${use.namespace}.${use.name}`),
    );
    const fix = `Give a fallback in ${SOURCES[wanted].field}: a contact without a value does not get the mail`;
    return first(lacking).map((use) => itemAt(use.location, use.written, fix, use.name));
  };

const INVALID: readonly string[] = ["unprefixed_variable", "bad_variable", "unclosed_variable", "unknown_variable"];

const invalid = (facts: Facts): Item[] =>
  facts.uses.flatMap((use) => {
    const { fault } = use;
    if (fault === undefined || !INVALID.includes(fault.code)) return [];
    return [itemAt(use.location, use.written, fault.message, use.name || use.namespace)];
  });

const newlyRequired = (facts: Facts): Item[] => {
  const { requiredDataVariables: given } = facts.known;
  if (given === undefined) return [];
  const fallbacks = facts.message.dataVariablesFallbacks;
  const lacking = facts.uses.filter(
    (use) =>
      use.namespace === "data" &&
      use.fault === undefined &&
      !given.has(use.name) &&
      !Object.hasOwn(fallbacks, use.name),
  );
  return first(lacking).map((use) => {
    const fix = `The published message does not need ${use.name}, so sends without it would be refused: give a fallback, or have all senders give it`;
    return itemAt(use.location, use.written, fix, use.name);
  });
};

const unused = (facts: Facts): Item[] =>
  Object.entries(SOURCES).flatMap(([namespace, { field }]) => {
    const used = new Set(facts.uses.filter((use) => use.namespace === namespace).map(({ name }) => name));
    return Object.keys(facts.message[field])
      .filter((name) => !used.has(name))
      .map((name) => {
        const location = { path: `${field}.${name}`, line: 1, column: 1 };
        return itemAt(
          location,
          name,
          `The message does not use {${namespace}.${name}}: correct the name, or remove it`,
          name,
        );
      });
  });

export const variableRules: readonly Rule[] = [
  {
    rule: "unsupportedContactProperties",
    severity: "error",
    title: "Unsupported contact properties",
    description: "This kind of mail has no contact properties, or the team has no property of this name.",
    covers: ["wrong_namespace"],
    find: unsupported("contact", "contactProperties"),
  },
  {
    rule: "missingFallbackContactProperties",
    severity: "warning",
    title: "Contact properties without a fallback",
    description: "A contact without a value does not get the mail.",
    find: withoutFallback("contact", "contactProperties"),
  },
  {
    rule: "unsupportedEventProperties",
    severity: "error",
    title: "Unsupported event properties",
    description: "This kind of mail has no event properties, or the event has no property of this name.",
    covers: ["wrong_namespace"],
    find: unsupported("event", "eventProperties"),
  },
  {
    rule: "missingFallbackEventProperties",
    severity: "warning",
    title: "Event properties without a fallback",
    description: "A contact whose event has no value does not get the mail.",
    find: withoutFallback("event", "eventProperties"),
  },
  {
    rule: "unsupportedDataVariables",
    severity: "error",
    title: "Unsupported data variables",
    description: "Only transactional mail has data variables.",
    covers: ["wrong_namespace"],
    find: unsupported("data", undefined),
  },
  {
    rule: "invalidCustomDataVariables",
    severity: "error",
    title: "Invalid variables",
    description: "A variable is not written as {namespace.name}, or does not exist.",
    covers: INVALID,
    find: invalid,
  },
  {
    rule: "missingRequiredDataVariables",
    severity: "warning",
    title: "New required data variables",
    description:
      "The draft needs values that the published message does not need. Sends without them would be refused.",
    find: newlyRequired,
  },
  {
    rule: "mailspan.unusedFallbacks",
    severity: "warning",
    title: "Fallbacks of variables that are not used",
    description: "The message has no variable of this name.",
    find: unused,
  },
];
