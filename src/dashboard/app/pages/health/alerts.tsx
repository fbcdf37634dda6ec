import { Stack, Table, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/api.ts";
import { LATER } from "../../api/queries.ts";
import { Failure } from "../../parts/states.tsx";
import { State, Time } from "../../parts/text.tsx";

/** Alerts that last, and those of late. */
export const Alerts = () => {
  const { data, error, refetch } = useQuery({
    queryKey: ["bridge", "alerts"],
    queryFn: ({ signal }) => api.bridge.alerts.list({}, { signal }),
    ...LATER,
  });
  return (
    <Stack gap="xs" component="section" aria-labelledby="alerts">
      <Title id="alerts" order={2} size="h4">
        Alerts
      </Title>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {data?.data.length === 0 && <Text size="sm">There is no alert.</Text>}
      {data && data.pending > 0 && <Text size="sm">{data.pending} of them are not delivered yet.</Text>}
      {data && data.data.length > 0 && (
        <Table.ScrollContainer minWidth={420}>
          <Table aria-label="Alerts">
            <Table.Tbody>
              {data.data.map(({ kind, subject, since, toldAt, message }) => (
                <Table.Tr key={`${kind} ${subject}`}>
                  <Table.Td w={90}>
                    <State state={since === null ? "over" : "lasts"} />
                  </Table.Td>
                  <Table.Td>
                    {kind} {subject}
                    {message !== "" && <Text size="sm">{message}</Text>}
                  </Table.Td>
                  <Table.Td w={140}>
                    <Time at={since ?? toldAt} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </Stack>
  );
};
