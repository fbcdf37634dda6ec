import { Stack, Table, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/api.ts";
import { LATER } from "../../api/queries.ts";
import { Headings } from "../../parts/list/listing.tsx";
import { Answer } from "../../parts/states.tsx";
import { Time } from "../../parts/text.tsx";
import { newestHours } from "./newest-hours.ts";

const inWords = (ms: number | null): string => {
  if (ms === null) return "–";
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`;
};

/** Time from webhook to finished deliveries, per source, in its newest hour. */
export const Latency = () => {
  const query = useQuery({
    queryKey: ["bridge", "activity", "latency"],
    queryFn: ({ signal }) => api.bridge.activity.list({ since: "1d", step: "1h" }, { signal }),
    ...LATER,
  });
  return (
    <Stack gap="xs" component="section" aria-labelledby="latency">
      <Title id="latency" order={2} size="h4">
        Latency
      </Title>
      <Answer query={query} rows={1}>
        {({ data }) => {
          const newest = newestHours(data);
          if (newest.length === 0) return <Text size="sm">No delivery was done in the last 24 hours.</Text>;
          return (
            <Table aria-label="Latency">
              <Headings of={["Source", "Hour", "Half within", "95 % within"]} />
              <Table.Tbody>
                {newest.map(({ source, at, p50, p95 }) => (
                  <Table.Tr key={source}>
                    <Table.Td>{source}</Table.Td>
                    <Table.Td>
                      <Time at={at} />
                    </Table.Td>
                    <Table.Td>{inWords(p50)}</Table.Td>
                    <Table.Td>{inWords(p95)}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          );
        }}
      </Answer>
    </Stack>
  );
};
