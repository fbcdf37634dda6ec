import { Table, Text } from "@mantine/core";
import { Headings } from "../../parts/list/listing.tsx";
import { Status } from "../../parts/status/status.tsx";
import type { ReportDay } from "./domain-words.ts";

const MOST_SHOWN = 50;
const DONE: Readonly<Record<ReportDay["disposition"], string>> = {
  none: "delivered",
  quarantine: "put into spam",
  reject: "refused",
};

const Result = ({ passed }: { passed: boolean }) => <Status kind={passed ? "ok" : "failed"} />;

/** Mails that receivers reported, by day, source and result. `days`: newest first. */
export const ReportDays = ({ days }: { days: readonly ReportDay[] }) => {
  if (days.length === 0) return null;
  const more = days.length - MOST_SHOWN;
  return (
    <>
      <Table.ScrollContainer minWidth={520}>
        <Table aria-label="Mails in DMARC reports" verticalSpacing={4}>
          <Headings of={["Day (UTC)", "Source", "DKIM", "SPF", "Receivers", "Mails"]} />
          <Table.Tbody>
            {days.slice(0, MOST_SHOWN).map(({ day, source, dkim, spf, disposition, mails }) => (
              <Table.Tr key={`${day} ${source} ${dkim} ${spf} ${disposition}`}>
                <Table.Td className="whole">{day}</Table.Td>
                <Table.Td className="wrap">{source}</Table.Td>
                <Table.Td>
                  <Result passed={dkim} />
                </Table.Td>
                <Table.Td>
                  <Result passed={spf} />
                </Table.Td>
                <Table.Td>{DONE[disposition]}</Table.Td>
                <Table.Td>{mails.toLocaleString()}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {more > 0 && (
        <Text size="sm">
          {more} more {more === 1 ? "row is" : "rows are"} not shown.
        </Text>
      )}
    </>
  );
};
