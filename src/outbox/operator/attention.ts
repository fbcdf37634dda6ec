import { parseScanned, scanAttention } from "../journal/read.ts";
import { acceptedAt, needsAttention } from "../model/delivery-state.ts";
import type { Delivery, DeliveryRef } from "../model/journal-types.ts";
import { causeOf } from "./cause.ts";
import { type Reach, SLICE } from "./search.ts";

/** Deliveries that need attention for the same reason. `message`, `status`, `template`: of the newest. Unix ms. */
export type Cause = Pick<Delivery, "rule" | "action" | "state"> & {
  cause: string;
  message: string;
  source: string;
  count: number;
  first: number;
  last: number;
  examples: DeliveryRef[];
  /** HTTP status of the last attempt. */
  status?: number;
  template?: string;
};

const CAUSES = 100;
const EXAMPLES = 5;

/** Groups deliveries that need attention, newest first, per slice. */
export const listCauses = (sql: SqlStorage, before = Number.MAX_SAFE_INTEGER): Reach & { causes: Cause[] } => {
  const causes = new Map<string, Cause>();
  let looked = 0;
  let last: number | undefined;
  for (const scanned of scanAttention(sql, before, SLICE)) {
    if (causes.size >= CAUSES) break;
    looked++;
    last = scanned.seq;
    const { seq, source, deliveries } = parseScanned(scanned);
    for (const [index, delivery] of deliveries.entries())
      if (needsAttention(delivery)) add(causes, source, { seq, index }, delivery);
  }
  const isEnd = last === undefined || (looked < SLICE && causes.size < CAUSES);
  const searchedTo = last === undefined ? {} : { searchedTo: acceptedAt(last) };
  return { causes: [...causes.values()], ...searchedTo, ...(isEnd || last === undefined ? {} : { next: last }) };
};

const add = (causes: Map<string, Cause>, source: string, ref: DeliveryRef, delivery: Delivery): void => {
  const { rule, action, state, message = "" } = delivery;
  const cause = causeOf(delivery);
  const at = delivery.settledAt ?? acceptedAt(ref.seq);
  const key = JSON.stringify([cause, source, rule, action, state]);
  const known = causes.get(key);
  if (!known) {
    const newest = { cause, message, source, rule, action, state, count: 1, first: at, last: at, examples: [ref] };
    const status = delivery.attempts.at(-1)?.status;
    causes.set(key, {
      ...newest,
      ...(status === undefined ? {} : { status }),
      ...(delivery.action === "transactional" ? { template: delivery.template } : {}),
    });
    return;
  }
  known.count++;
  known.first = Math.min(known.first, at);
  known.last = Math.max(known.last, at);
  if (known.examples.length < EXAMPLES) known.examples.push(ref);
};
