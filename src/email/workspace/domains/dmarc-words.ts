import type { AggregateRow } from "../../types/dmarc-report.ts";

type Day = Omit<AggregateRow, "domain"> & { day: string };

const sumOf = (rows: readonly Day[]): number => rows.reduce((sum, { mails }) => sum + mails, 0);

const inWords = (count: number): string => (count === 1 ? "1 mail" : `${count} mails`);

/** Returns what fails in the reports of a domain, and since when. `rows`: of the last 30 days. */
export const sayReports = (rows: readonly Day[]): string => {
  if (rows.length === 0) return "No DMARC report has come in the last 30 days.";
  const all = sumOf(rows);
  const failed = rows.filter(({ dkim, spf }) => !dkim && !spf);
  if (failed.length > 0) {
    const share = `${inWords(sumOf(failed))} of ${all} failed DMARC since ${firstDay(failed)}: neither DKIM nor SPF of this domain passed.`;
    return [share, endsOf(failed), mostOf(failed)].filter((words) => words !== "").join(" ");
  }
  const unsigned = rows.filter(({ dkim }) => !dkim);
  if (unsigned.length > 0)
    return `${inWords(sumOf(unsigned))} of ${all} passed DMARC by SPF only since ${firstDay(unsigned)}: DKIM failed, so forwarding breaks them. ${mostOf(unsigned)}`;
  const withoutSpf = rows.filter(({ spf }) => !spf);
  const spf =
    withoutSpf.length === 0
      ? ""
      : ` SPF did not pass for ${sumOf(withoutSpf)} of them since ${firstDay(withoutSpf)}; DKIM is enough.`;
  return `All ${inWords(all)} in the reports passed DMARC.${spf}`;
};

/** Returns sentences about what is missing in the days. `cut`: reports of which only the beginning counts. */
export const sayLosses = ({
  cut,
  unread,
}: {
  cut: number;
  unread?: { day: string; why: string } | undefined;
}): string[] => [
  ...(cut > 0 ? [`${cut === 1 ? "1 report was" : `${cut} reports were`} too large: only the beginning counts.`] : []),
  ...(unread ? [`The last mail with a file that could not be read came on ${unread.day}: ${unread.why}.`] : []),
];

const firstDay = (rows: readonly Day[]): string => rows.map(({ day }) => day).sort()[0] ?? "";

const endsOf = (rows: readonly Day[]): string => {
  const of = (disposition: Day["disposition"]) => sumOf(rows.filter((row) => row.disposition === disposition));
  const [refused, spam] = [of("reject"), of("quarantine")];
  if (refused + spam === 0) return "";
  return `${[refused > 0 ? `${refused} refused` : [], spam > 0 ? `${spam} put into spam` : []].flat().join(", ")}.`;
};

const mostOf = (rows: readonly Day[]): string => {
  const sums = new Map<string, number>();
  for (const { source, mails } of rows) sums.set(source, (sums.get(source) ?? 0) + mails);
  const [[source, mails] = ["", 0]] = [...sums].sort(([, a], [, b]) => b - a);
  return sums.size === 1 ? `All came from ${source}.` : `Most came from ${source} (${mails}).`;
};
