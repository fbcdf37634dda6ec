import { Button, Stack, Table, Text, Title } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "../../api/api.ts";
import { aboutQuery } from "../../frame/about.ts";
import { Page } from "../../parts/page.tsx";
import { useScan } from "../../parts/scan.ts";
import { Failure } from "../../parts/states.tsx";
import { Time } from "../../parts/text.tsx";

/** Who is logged in, and who changed what. */
export const Settings = () => (
  <Page title="Settings">
    <Sessions />
    <Audit />
  </Page>
);

const Sessions = () => {
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery({ queryKey: ["sessions"], queryFn: () => api.dashboard.sessions.list() });
  const end = useMutation({
    mutationFn: () => api.dashboard.sessions.delete(),
    onSuccess: () => queries.resetQueries(aboutQuery),
  });
  return (
    <Stack component="section" gap="xs" align="flex-start">
      <Title order={2} size="h4">
        Sessions
      </Title>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      <Table.ScrollContainer minWidth={400} w="100%">
        <Table aria-label="Sessions">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Who</Table.Th>
              <Table.Th>Since</Table.Th>
              <Table.Th>Seen</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {data?.data.map(({ id, who, createdAt, seenAt, current }) => (
              <Table.Tr key={id}>
                <Table.Td>
                  {who}
                  {current ? " (this one)" : ""}
                </Table.Td>
                <Table.Td>
                  <Time at={createdAt} />
                </Table.Td>
                <Table.Td>
                  <Time at={seenAt} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Button variant="default" size="xs" onClick={() => end.mutate()} loading={end.isPending}>
        Log out everywhere
      </Button>
    </Stack>
  );
};

const Audit = () => {
  const { found, error, next, lookOn, retry } = useScan(["audit"], (cursor) => api.dashboard.audit.list({ cursor }));
  return (
    <Stack component="section" gap="xs" align="flex-start">
      <Title order={2} size="h4">
        Changes
      </Title>
      {error && <Failure error={error} onRetry={retry} />}
      {next !== undefined && found.length === 0 && <Text size="sm">Nothing was changed with the dashboard yet.</Text>}
      {found.length > 0 && (
        <Table.ScrollContainer minWidth={500} w="100%">
          <Table aria-label="Changes">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>When</Table.Th>
                <Table.Th>Who</Table.Th>
                <Table.Th>What</Table.Th>
                <Table.Th>Answer</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {found.map(({ at, who, operation, ids, status }) => (
                <Table.Tr key={`${at} ${operation} ${JSON.stringify(ids)}`}>
                  <Table.Td>
                    <Time at={at} />
                  </Table.Td>
                  <Table.Td>{who}</Table.Td>
                  <Table.Td>
                    {operation} {Object.values(ids).join(" ")}
                  </Table.Td>
                  <Table.Td>{status}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {typeof next === "string" && (
        <Button variant="default" size="xs" onClick={lookOn}>
          Older
        </Button>
      )}
    </Stack>
  );
};
