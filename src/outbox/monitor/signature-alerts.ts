import type { Alert } from "../../lib/alerts/open-alerts.ts";
import { countRefusals, type Refused } from "../journal/refusals.ts";
import type { AlertKind } from "./alert-kinds.ts";

/** Anyone can send unsigned webhooks to every source, so all sources share one alert. */
const UNSIGNED: ReadonlySet<string> = new Set(["missing_signature"]);
/** These codes suggest a wrong secret or a forged webhook. */
const WRONG: ReadonlySet<string> = new Set(["invalid_signature", "stale_timestamp"]);
const BURST = 20;

/** Returns alerts about bursts of signature failures: one for unsigned, one for wrong signatures. */
export const signatureAlerts = (sql: SqlStorage, refused: readonly Refused[]): Alert<AlertKind>[] => {
  const alerts: Alert<AlertKind>[] = [];
  for (const minute of minutesOf(refused, UNSIGNED)) {
    const counts = countRefusals(sql, minute, UNSIGNED);
    if (sum(counts) >= BURST) alerts.push(unsignedAlert(counts));
  }
  for (const minute of minutesOf(refused, WRONG)) {
    const failing = new Map([...countRefusals(sql, minute, WRONG)].filter(([, count]) => count >= BURST));
    if (failing.size > 0) alerts.push(wrongAlert(failing));
  }
  return alerts;
};

const minutesOf = (refused: readonly Refused[], codes: ReadonlySet<string>): Set<number> =>
  new Set(refused.filter(({ code }) => codes.has(code)).map(({ minute }) => minute));

const sum = (counts: ReadonlyMap<string, number>): number => [...counts.values()].reduce((all, one) => all + one, 0);

const dataOf = (counts: ReadonlyMap<string, number>): Alert["data"] => ({
  source: [...counts.keys()].join(", "),
  refused: sum(counts),
});

const unsignedAlert = (counts: ReadonlyMap<string, number>): Alert<AlertKind> => {
  const data = dataOf(counts);
  const message = `${data.refused} webhooks without a signature were refused within a minute, at the source ${data.source}. If a provider sent them, its endpoint has no signing secret yet; anyone else can send them too.`;
  return { kind: "signatures.failing", subject: "(unsigned)", message, data };
};

const wrongAlert = (counts: ReadonlyMap<string, number>): Alert<AlertKind> => {
  const data = dataOf(counts);
  const [source = ""] = counts.keys();
  const message = `${data.refused} webhooks were refused within a minute because of their signature, at the source ${data.source}. Check that its secret is the one that the provider signs with.`;
  return { kind: "signatures.failing", subject: counts.size === 1 ? source : "(several)", message, data };
};
