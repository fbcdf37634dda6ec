import type { AudienceFilter, PropertyCondition } from "../../../../../lib/contract/audience/filter.ts";
import type { PropertyType } from "../../../../../lib/contract/contact-fields.ts";

/** Initial mail. `fallbacks`: for contacts without a value. */
export type FirstMail = { subject: string; previewText?: string; lmx: string; fallbacks?: Record<string, string> };

/** Steps, top to bottom. An experiment has two variants and a control. */
export type Step =
  | { do: "wait"; amount: number; unit: "m" | "h" | "d" }
  | { do: "send"; mail: FirstMail }
  | { do: "filter"; filter: AudienceFilter; appliesDownstream: boolean }
  | { do: "experiment"; rate: number; ways: readonly [Step[], Step[], Step[]] };

/** Trigger kind of a template. */
type Starts = "signup" | "event" | "property" | "list" | "nothing";

/** Choices for a template. `type`: of the property. */
export type Chosen = { event: string; property: string; type: PropertyType; value: string; list: string | null };

type Field = "event" | "property" | "list";

/** A workflow template: "When … then …". */
export type Template = {
  id: string;
  when: string;
  what: string;
  name: string;
  starts: Starts;
  asks: readonly Field[];
  propertyLabel?: string;
  steps: (chosen: Chosen) => Step[];
};

const HELLO = "Hello {contact.firstName},";
const fallbacks = { firstName: "there" };

const letter = (subject: string, title: string, ...paragraphs: string[]): FirstMail => ({
  subject,
  lmx: [
    `<H1>${title}</H1>`,
    `<Paragraph>${HELLO}</Paragraph>`,
    ...paragraphs.map((paragraph) => `<Paragraph>${paragraph}</Paragraph>`),
  ].join("\n"),
  fallbacks,
});

const send = (mail: FirstMail): Step => ({ do: "send", mail });
const wait = (amount: number, unit: "m" | "h" | "d"): Step => ({ do: "wait", amount, unit });

/** Matches another value or none. */
const isNot = ({ property, type, value }: Chosen): AudienceFilter => {
  const one = (more: Pick<PropertyCondition, "operator" | "value">): PropertyCondition => ({
    type: "property",
    key: property,
    ...more,
  });
  if (type === "boolean")
    return { match: "any", conditions: [one({ operator: "isFalse" }), one({ operator: "empty" })] };
  if (type === "date") return { match: "all", conditions: [one({ operator: "dateEmpty" })] };
  return {
    match: "all",
    conditions: [one({ operator: "notEquals", value: type === "number" ? Number(value) : value })],
  };
};

/** Braces would mean a variable, and subjects are limited. */
const isPlain = (value: string): boolean => value.trim() !== "" && value.length <= 100 && !/[{}]/.test(value);

/** Templates, built by v1 API requests and fully editable. */
export const TEMPLATES: readonly Template[] = [
  {
    id: "welcome",
    name: "Welcome",
    starts: "signup",
    asks: [],
    when: "When someone signs up",
    what: "then welcome them at once, and again after three days",
    steps: () => [
      send(
        letter(
          "Welcome, {contact.firstName}",
          "Good to have you here",
          "Your account is ready. Here is the one thing to do first.",
          "Just reply to this mail where something is not clear.",
        ),
      ),
      wait(3, "d"),
      send(
        letter(
          "How is it going?",
          "Three days in",
          "Most people try this next. It takes five minutes.",
          "Do you miss something? Reply, and we will look into it.",
        ),
      ),
    ],
  },
  {
    id: "trial",
    name: "Trial",
    starts: "event",
    asks: ["event", "property"],
    when: "When a trial starts",
    what: "then help them through it, until they are customers",
    propertyLabel: "Property that says who is a customer",
    steps: (chosen) => [
      send(
        letter(
          "Your trial has begun",
          "Your trial has begun",
          "Here is what to try on the first day, so that you know soon whether it fits.",
        ),
      ),
      wait(3, "d"),
      { do: "filter", filter: isNot(chosen), appliesDownstream: true },
      send(
        letter(
          "What others do on day three",
          "Half of it is set-up",
          "These are the settings that people ask about most in the first days.",
        ),
      ),
      wait(7, "d"),
      send(
        letter(
          "Your trial ends soon",
          "A few days are left",
          "Choose a plan to keep what you have made. Reply where you need more time.",
        ),
      ),
    ],
  },
  {
    id: "change",
    name: "Plan changed",
    starts: "property",
    asks: ["property"],
    propertyLabel: "Property",
    when: "When a property changes",
    what: "then tell them what that means",
    steps: ({ property, value }) => [
      send(
        letter(
          isPlain(value) ? `You are on ${value} now` : "Something has changed for you",
          "What is different now",
          `Your ${property === "" ? "account" : property} has changed. This is what you can do with it from today on.`,
        ),
      ),
    ],
  },
  {
    id: "experiment",
    name: "First mail of the list",
    starts: "list",
    asks: ["list"],
    when: "When someone joins a list",
    what: "then try two mails against a third one, and see which is read",
    steps: () => [
      wait(1, "h"),
      {
        do: "experiment",
        rate: 50,
        ways: [
          [
            send(
              letter(
                "You are on the list: what comes next",
                "What comes next",
                "You will hear from us about once a month.",
              ),
            ),
          ],
          [
            send(
              letter(
                "Three things to read first",
                "Three things to read first",
                "The best of the last months, for a start.",
              ),
            ),
          ],
          [send(letter("Welcome to the list", "Welcome", "Good that you are here."))],
        ],
      },
    ],
  },
  {
    id: "empty",
    name: "",
    starts: "nothing",
    asks: [],
    when: "Nothing yet",
    what: "begin with an empty workflow",
    steps: () => [],
  },
];

/** Template by id, otherwise the empty one. */
export const templateOf = (id: string): Template =>
  TEMPLATES.find((template) => template.id === id) ?? (TEMPLATES.at(-1) as Template);
