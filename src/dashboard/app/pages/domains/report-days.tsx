import { Text } from "@mantine/core";
import { type Column, ListTable } from "../../parts/list/list-table.tsx";
import { Status } from "../../parts/status/status.tsx";
import type { ReportDay } from "./domain-words.ts";

const MOST_SHOWN = 50;
const DONE: Readonly<Record<ReportDay["disposition"], string>> = {
  none: "delivered",
  quarantine: "put into spam",
  reject: "refused",
};

const COLUMNS: readonly Column<ReportDay>[] = [
  { title: "Day (UTC)", cell: ({ day }) => <span className="whole">{day}</span> },
  { title: "Source", cell: ({ source }) => <span className="wrap">{source}</span> },
  { title: "DKIM", cell: ({ dkim }) => <Status kind={dkim ? "ok" : "failed"} /> },
  { title: "SPF", cell: ({ spf }) => <Status kind={spf ? "ok" : "failed"} /> },
  { title: "Receivers", cell: ({ disposition }) => DONE[disposition] },
  { title: "Mails", cell: ({ mails }) => mails.toLocaleString("en"), isNumber: true },
];

/** Mails that receivers reported, by day, source and result. `days`: newest first. */
export const ReportDays = ({ days }: { days: readonly ReportDay[] }) => {
  if (days.length === 0) return null;
  const more = days.length - MOST_SHOWN;
  return (
    <>
      <ListTable
        what="Mails in DMARC reports"
        isCompact
        rows={days.slice(0, MOST_SHOWN)}
        columns={COLUMNS}
        idOf={({ day, source, dkim, spf, disposition }) => `${day} ${source} ${dkim} ${spf} ${disposition}`}
      />
      {more > 0 && (
        <Text size="sm">
          {more} more {more === 1 ? "row is" : "rows are"} not shown.
        </Text>
      )}
    </>
  );
};
