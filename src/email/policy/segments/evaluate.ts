import type { AudienceFilter } from "../../../lib/contract/audience/filter.ts";
import { emailKey } from "../../../lib/util/email-key.ts";
import { type ContactFacts, type Facts, isDataField, type TeamFacts } from "./facts.ts";
import { timeOf, timeOfDays } from "./instant.ts";
import { type Question, questionOf } from "./meaning.ts";

type Test = (facts: Facts) => boolean;

export type Evaluator = {
  matches: Test;
  /** Positions of unmet conditions, independent of `match`. */
  failing(facts: Facts): number[];
  /** Row numbers of messages with needed activity. */
  messages: readonly number[];
};

/** Compiles a filter. The result is authoritative (`prefilterOf` only narrows) and depends only on the facts. */
export const evaluatorOf = ({ match, conditions }: AudienceFilter, team: TeamFacts): Evaluator => {
  const questions = conditions.map((condition) => questionOf(condition, team));
  const tests = questions.map(testOf);
  return {
    matches:
      match === "all" ? (facts) => tests.every((test) => test(facts)) : (facts) => tests.some((test) => test(facts)),
    failing: (facts) => tests.flatMap((test, position) => (test(facts) ? [] : [position])),
    messages: [...new Set(questions.flatMap((question) => (question.ask === "activity" ? question.messages : [])))],
  };
};

const testOf = (question: Question): Test => {
  const test = positiveTestOf(question);
  return question.negate ? (facts) => !test(facts) : test;
};

const positiveTestOf = (question: Question): Test => {
  switch (question.ask) {
    case "everyone":
      return () => true;
    case "empty": {
      const read = readerOf(question.key);
      return ({ contact }) => {
        const value = read(contact);
        return value === undefined || value === null || (typeof value === "string" && value.trim() === "");
      };
    }
    case "email":
      return ({ contact: { email } }) => email !== null && emailKey(email) === question.emailKey;
    case "text":
      return onText(question.key, (text) => text.normalize("NFC") === question.text);
    case "contains":
      return onText(question.key, (text) => text.normalize("NFC").toLowerCase().includes(question.text));
    case "number":
      return numberTestOf(question);
    case "flag": {
      const read = readerOf(question.key);
      return ({ contact }) => read(contact) === question.flag;
    }
    case "date":
      return dateTestOf(question);
    case "optIn":
      return ({ contact }) => contact.data.optInStatus === question.status;
    case "activity":
      return activityTestOf(question);
  }
};

const activityTestOf =
  ({ action, lacks, messages }: Question & { ask: "activity" }): Test =>
  ({ hasActivity }) =>
    messages.length > 0 && hasActivity(messages, action) && (lacks === undefined || !hasActivity(messages, lacks));

type Reader = (contact: ContactFacts) => unknown;

export const readerOf = (key: string): Reader => {
  switch (key) {
    case "email":
    case "userId":
    case "createdAt":
    case "updatedAt":
      return (contact) => contact[key];
    default:
      if (isDataField(key)) return ({ data }) => data[key];
      // A property may be named like an inherited member, such as "constructor".
      return ({ data }) => (Object.hasOwn(data.properties, key) ? data.properties[key] : undefined);
  }
};

const onText = (key: string, test: (text: string) => boolean): Test => {
  const read = readerOf(key);
  return ({ contact }) => {
    const value = read(contact);
    return typeof value === "string" && test(value);
  };
};

const numberTestOf = ({ key, compare, number }: Question & { ask: "number" }): Test => {
  const read = readerOf(key);
  const test = {
    equals: (value: number) => value === number,
    greaterThan: (value: number) => value > number,
    lessThan: (value: number) => value < number,
  }[compare];
  return ({ contact }) => {
    const value = read(contact);
    return typeof value === "number" && test(value);
  };
};

/** NaN satisfies no comparison. */
const millisecondsOf = (value: unknown): number =>
  typeof value === "string" ? Date.parse(value) : typeof value === "number" ? value : Number.NaN;

/** End of a stored date that was given as a day alone. */
export const DAY_ALONE = "T00:00:00.000Z";

const dateTestOf = ({ key, from, to }: Question & { ask: "date" }): Test => {
  const read = readerOf(key);
  return ({ contact, now }) => {
    const value = read(contact);
    const at = millisecondsOf(value);
    const bound = typeof value === "string" && value.endsWith(DAY_ALONE) ? timeOfDays : timeOf;
    return (
      at >= (from ? bound(from, now) : Number.NEGATIVE_INFINITY) &&
      at <= (to ? bound(to, now) : Number.POSITIVE_INFINITY)
    );
  };
};
