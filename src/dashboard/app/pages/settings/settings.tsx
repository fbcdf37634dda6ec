import { Stack, Table, Title } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "../../api/api.ts";
import { aboutQuery } from "../../api/use-about.ts";
import { ActButton } from "../../parts/acts/act.tsx";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { dropDrafts } from "../../parts/acts/draft.ts";
import { Headings } from "../../parts/list/listing.tsx";
import { Answer } from "../../parts/states.tsx";
import { Time } from "../../parts/text.tsx";
import { TeamPage } from "../../team/team.tsx";
import { TeamSettings } from "../team/team-settings.tsx";

export const Settings = () => (
  <TeamPage
    title="Settings"
    isOfBoth
    more={({ id }) => id !== undefined && <CopyAs asked={{ api: "email", name: "teams.get", fields: { team: id } }} />}
  >
    {({ id }) => (
      <>
        {id !== undefined && <TeamSettings team={id} />}
        <Sessions />
      </>
    )}
  </TeamPage>
);

type Session = Awaited<ReturnType<typeof api.dashboard.sessions.list>>["data"][number];

const List = ({ sessions }: { sessions: readonly Session[] }) => (
  <Table.ScrollContainer minWidth={400} w="100%">
    <Table aria-label="Sessions">
      <Headings of={["Who", "Since", "Seen"]} />
      <Table.Tbody>
        {sessions.map(({ id, who, createdAt, seenAt, current }) => (
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
);

const Sessions = () => {
  const queries = useQueryClient();
  const query = useQuery({ queryKey: ["sessions"], queryFn: () => api.dashboard.sessions.list() });
  return (
    <Stack component="section" gap="xs" align="flex-start">
      <Title order={2} size="h4">
        Sessions
      </Title>
      <Answer query={query} rows={2}>
        {({ data }) => <List sessions={data} />}
      </Answer>
      <ActButton
        act={{
          title: "Log out everywhere?",
          label: "Log out",
          effect: async () => {
            const { length } = (await api.dashboard.sessions.list()).data;
            return {
              text: `${length === 1 ? "The one session" : `All ${length} sessions`} will end, this one too. What was typed and not saved is deleted in this tab, and stays in others.`,
            };
          },
          run: () => api.dashboard.sessions.delete(),
          done: () => "All sessions have ended.",
          onDone: () => {
            dropDrafts();
            void queries.resetQueries(aboutQuery);
          },
          asked: { api: "dashboard", name: "sessions.delete" },
        }}
      >
        Log out everywhere
      </ActButton>
    </Stack>
  );
};
