import type { AudienceFilter } from "../../../lib/contract/audience/filter.ts";
import { type Evaluator, evaluatorOf } from "../../policy/segments/evaluate.ts";
import type { Facts } from "../../policy/segments/facts.ts";
import { prefilterOf } from "../../policy/segments/prefilter.ts";
import { contactsByNumber, type StoredContact } from "../contacts/contact-rows.ts";
import { activityOf, activitySql } from "./activity.ts";
import { teamFactsOf } from "./team-facts.ts";

/** Row numbers per slice: a few ms. */
const SLICE = 1_000;
const SLICE_TO_JUDGE = 500;

/** Contacts that match filters, in short slices so that other requests can run. */
export type Audience = {
  /** Later contacts are ignored. */
  last: number;
  /** `next`: undefined at the end. */
  slice(after: number): { numbers: number[]; next: number | undefined };
  count(after: number): { contacts: number; next: number | undefined };
};

/** `now`: Unix ms. */
export const factsOf = (sql: SqlStorage, contact: StoredContact, now: number): Facts => ({
  contact,
  hasActivity: activityOf(sql, contact.n),
  now,
});

/** Numbers start at 1, with gaps. */
export const lastContact = (sql: SqlStorage): number =>
  sql.exec<{ last: number | null }>("SELECT max(n) AS last FROM contacts").one().last ?? 0;

export const evaluatorsOf = (sql: SqlStorage, filters: readonly AudienceFilter[]): Evaluator[] => {
  const team = teamFactsOf(sql);
  return filters.map((filter) => evaluatorOf(filter, team));
};

/**
 * Creates the audience that meets all filters; no filter means every contact.
 *
 * @param now Unix ms, for relative dates
 * @param most row numbers of one slice
 */
export const audienceOf = (
  sql: SqlStorage,
  filters: readonly AudienceFilter[],
  now: number,
  most = SLICE,
): Audience => {
  const prefilter = prefilterOf(filters, teamFactsOf(sql), activitySql, now);
  const evaluators = evaluatorsOf(sql, filters);
  const last = lastContact(sql);
  const size = prefilter.unsure === undefined ? most : SLICE_TO_JUDGE;
  const endOf = (after: number) => Math.min(after + size, last);
  const found = <Row extends Record<string, SqlStorageValue>>(columns: string, after: number) =>
    sql.exec<Row>(
      `SELECT ${columns} FROM contacts WHERE n > ?2 AND n <= ?3 AND ${prefilter.sql}`,
      prefilter.parameters,
      after,
      endOf(after),
    );
  const next = (after: number) => (endOf(after) < last ? endOf(after) : undefined);
  const matches = (contact: StoredContact) => {
    const facts = factsOf(sql, contact, now);
    return evaluators.every((evaluator) => evaluator.matches(facts));
  };
  const slice = (after: number) => {
    const rows = found<{ n: number; unsure: number }>(`n, ${prefilter.unsure ?? "0"} AS unsure`, after).toArray();
    const unsure = rows.filter((row) => row.unsure !== 0).map(({ n }) => n);
    const judged = unsure.length > 0 ? contactsByNumber(sql, unsure).filter(matches) : [];
    const taken = new Set(judged.map(({ n }) => n));
    const numbers = rows.filter((row) => row.unsure === 0 || taken.has(row.n)).map(({ n }) => n);
    return { numbers: numbers.sort((a, b) => a - b), next: next(after) };
  };
  const count = (after: number) =>
    prefilter.unsure === undefined
      ? { contacts: found<{ contacts: number }>("count(*) AS contacts", after).one().contacts, next: next(after) }
      : { contacts: slice(after).numbers.length, next: next(after) };
  return { last, slice, count };
};
