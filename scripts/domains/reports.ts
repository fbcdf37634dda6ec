import type { AdminContract } from "../../src/lib/contract/admin/email.ts";
import type { Response } from "../../src/lib/contract/operation.ts";
import { table } from "../lib/cli.ts";
import { numberText } from "../lib/formats.ts";

/** DMARC reports of a domain in the admin API. */
export type Reports = Response<AdminContract["domains"]["reports"]>;
type Day = Reports["days"][number];

const MOST_SOURCES = 40;

/** Describes the reports by source and result, failures first. */
export const reportsText = ({ message, address, days }: Reports): string => {
  const groups = Map.groupBy(days, ({ source, dkim, spf, disposition }) => [source, dkim, spf, disposition].join(" "));
  const sums = [...groups.values()]
    .flatMap((same) => sumOf(same) ?? [])
    .sort((a, b) => Number(a.passed) - Number(b.passed) || b.mails - a.mails);
  const left = sums.length - MOST_SOURCES;
  return [
    message,
    ...(sums.length === 0
      ? []
      : [
          table(
            ["source", "mails", "DKIM", "SPF", "done with it", "first", "last"],
            sums.slice(0, MOST_SOURCES).map(rowOf),
          ),
        ]),
    ...(left > 0 ? [`${left} more sources are not shown.`] : []),
    ...(address === null ? [] : [`Receivers send reports to the address in the DMARC record: rua=mailto:${address}`]),
  ].join("\n\n");
};

type Sum = Day & { first: string; last: string; passed: boolean };

const sumOf = (same: readonly Day[]): Sum | undefined => {
  const [one] = same;
  if (!one) return undefined;
  const dates = same.map(({ day }) => day).sort();
  return {
    ...one,
    mails: same.reduce((sum, { mails }) => sum + mails, 0),
    first: dates[0] ?? "",
    last: dates.at(-1) ?? "",
    passed: one.dkim || one.spf,
  };
};

const DONE = { none: "delivered", quarantine: "put into spam", reject: "refused" } as const;
const passes = (isPassed: boolean): string => (isPassed ? "pass" : "fail");

const rowOf = ({ source, mails, dkim, spf, disposition, first, last }: Sum): string[] => [
  source,
  numberText(mails),
  passes(dkim),
  passes(spf),
  DONE[disposition],
  first,
  last,
];
