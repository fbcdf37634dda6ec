import type { PlannedLink } from "../../rules/types.ts";
import { customerOf } from "./customers.ts";
import { isRef, keysOf, personOf, REF, type Rows } from "./identity-rows.ts";
import { saidBy, stands } from "./links.ts";
import { knownOf, ofCustomer, type State } from "./subscriptions.ts";

/** A move of a customer from one person to another. `left`: its stored state. */
export type CustomerMove = { ref: string; from: string; to: string; left: State };

/** Finds the customers that links move. Call it before links are saved. */
export const customerMoves = (links: readonly PlannedLink[], happenedAt: number, rows: Rows): CustomerMove[] =>
  links.flatMap((link) => {
    const { ref, until } = link;
    const row = ref && until === undefined ? rows.read(REF + ref) : undefined;
    const [top = "", ...below] = keysOf(link);
    const above = below.length > 1 ? below[0] : top;
    if (!ref || !row?.next_key || !above || isRef(top) || stands(row, above, saidBy(link, happenedAt))) return [];
    const [from, to] = [personOf(rows, row.next_key), personOf(rows, top)];
    if (isRef(from) || from === to) return [];
    const former = rows.read(from);
    const { subscriptions, customers } = former ? knownOf(former) : { subscriptions: {}, customers: {} };
    const left = { subscriptions: ofCustomer(subscriptions, ref).own, customers: customerOf(customers, ref).own };
    return [{ ref, from, to, left }];
  });
