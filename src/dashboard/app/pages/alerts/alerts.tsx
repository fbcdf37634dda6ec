import { Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/api.ts";
import { LATER } from "../../api/queries.ts";
import { Page } from "../../parts/page/page.tsx";
import { Answer } from "../../parts/states.tsx";
import { Status } from "../../parts/status/status.tsx";
import { Time } from "../../parts/text.tsx";

type Alert = Awaited<ReturnType<typeof api.bridge.alerts.list>>["data"][number];

/** Lists what was reported, and whether it lasts. */
export const Alerts = () => {
  const query = useQuery({
    queryKey: ["bridge", "alerts"],
    queryFn: ({ signal }) => api.bridge.alerts.list({ signal }),
    ...LATER,
  });
  return (
    <Page title="Alerts">
      <Answer query={query} rows={1}>
        {({ data, pending }) => (
          <>
            {data.length === 0 && <Text size="sm">There is no alert.</Text>}
            {pending > 0 && (
              <Text size="sm">
                {pending} of them {pending === 1 ? "is" : "are"} not delivered yet.
              </Text>
            )}
            {data.length > 0 && <List alerts={data} />}
          </>
        )}
      </Answer>
    </Page>
  );
};

const List = ({ alerts }: { alerts: readonly Alert[] }) => (
  <Table.ScrollContainer minWidth={420}>
    <Table aria-label="Alerts">
      <Table.Tbody>
        {alerts.map(({ kind, subject, since, notifiedAt, message }) => (
          <Table.Tr key={`${kind} ${subject}`}>
            <Table.Td w={90}>
              <Status kind={since === null ? "over" : "lasts"} />
            </Table.Td>
            <Table.Td>
              {kind} {subject}
              {message !== "" && <Text size="sm">{message}</Text>}
            </Table.Td>
            <Table.Td w={140}>
              <Time at={since ?? notifiedAt} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Table.ScrollContainer>
);
