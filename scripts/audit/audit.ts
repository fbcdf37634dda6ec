import { bridgeOf, get } from "../lib/bridge.ts";
import { table, UsageError } from "../lib/cli.ts";
import type { Line } from "../lib/command.ts";
import { askServiceAdmin, emailServiceOf } from "../lib/email-service.ts";
import type { AUDIT } from "./usage.ts";

type Values = Line<typeof AUDIT>["values"];
type Vars = Readonly<Record<string, string | undefined>>;
type Query = Readonly<Record<string, string>>;
type Entry = {
  at: string;
  who: string;
  from: string | null;
  operation: string;
  ids: Record<string, string>;
  status: number;
};
type Page = { data: Entry[]; next: string | null };

/** Pages of one Worker: 50 entries each. */
const MOST_PAGES = 200;

const readAll = async (ask: (query: Query) => Promise<Page>, query: Query, limit: number): Promise<Entry[]> => {
  const entries: Entry[] = [];
  let cursor: string | null = "";
  for (let pages = 0; cursor !== null && entries.length < limit && pages < MOST_PAGES; pages++) {
    const page: Page = await ask(cursor === "" ? query : { ...query, cursor });
    entries.push(...page.data);
    cursor = page.next;
  }
  return entries;
};

/** Returns the acts of both Workers as text. `vars`: settings of this machine. Throws with a remedy. */
export const audit = async (values: Values, vars: Vars): Promise<string> => {
  const limit = Number(values.limit);
  if (!Number.isInteger(limit) || limit < 1) throw new UsageError("--limit must be a whole number from 1.");
  const { since, who, from, operation } = values;
  const filters = Object.entries({ since, who, from, operation });
  const query: Query = Object.fromEntries(filters.filter((one): one is [string, string] => one[1] !== undefined));
  const bridge = bridgeOf(values, vars);
  const service = emailServiceOf(values, vars);
  const lists = await Promise.all([
    readAll((asked) => get<Page>(bridge, "/audit", asked), query, limit),
    service
      ? readAll(
          (asked) => askServiceAdmin<Page>(service, "GET", `/admin/audit?${new URLSearchParams(asked)}`),
          query,
          limit,
        )
      : [],
  ]);
  const entries = lists
    .flat()
    .toSorted((a, b) => b.at.localeCompare(a.at))
    .slice(0, limit);
  if (values.json) return JSON.stringify(entries, null, 2);
  if (entries.length === 0) return "Nothing was changed in this time.";
  const rows = entries.map(({ at, who, from, operation, ids, status }) => [
    at,
    who,
    from ?? "",
    operation,
    Object.values(ids).join(" "),
    String(status),
  ]);
  return table(["when", "who", "from", "what", "on", "answer"], rows);
};
