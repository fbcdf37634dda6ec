import { Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { api } from "../../api/api.ts";
import { pageWords } from "../../api/page-words.ts";
import { LATER } from "../../api/queries.ts";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { Headings } from "../../parts/list/listing.tsx";
import { Answer, Empty } from "../../parts/states.tsx";
import { Status } from "../../parts/status/status.tsx";
import { Time } from "../../parts/text.tsx";
import { TeamPage } from "../../team/team.tsx";
import { type Endpoint, eventsInWords, stateOf } from "./endpoint-words.ts";
import { NewEndpoint } from "./new-endpoint.tsx";

export const Endpoints = () => (
  <TeamPage
    title="Outgoing webhooks"
    actions={({ id }) => id !== undefined && <NewEndpoint team={id} />}
    more={({ id }) =>
      id !== undefined && <CopyAs asked={{ api: "email", name: "webhooks.list", fields: { team: id } }} />
    }
  >
    {({ id }) =>
      id === undefined ? <Text>The email service has the outgoing webhooks.</Text> : <Found key={id} team={id} />
    }
  </TeamPage>
);

const Found = ({ team }: { team: string }) => {
  const query = useQuery({
    queryKey: ["email", team, "endpoints"],
    queryFn: ({ signal }) => api.email.webhooks.list({ team }, { signal }),
    ...LATER,
  });
  return (
    <Answer query={query}>
      {({ data }) =>
        data.length === 0 ? (
          <Empty title="No outgoing webhook yet">
            One posts what happens to contacts and mails to an address of yours. Add it with "New webhook".
          </Empty>
        ) : (
          <List endpoints={data} />
        )
      }
    </Answer>
  );
};

const List = ({ endpoints }: { endpoints: readonly Endpoint[] }) => (
  <Table.ScrollContainer minWidth={600} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
    <Table aria-label="outgoing webhooks">
      <Headings of={["Address", "State", "Events", "Added"]} />
      <Table.Tbody>
        {endpoints.map((endpoint) => (
          <Table.Tr key={endpoint.id} className="row">
            <Table.Td className="wrap">
              <Link to="/settings/webhooks/$webhookId" params={{ webhookId: endpoint.id }}>
                {endpoint.url}
              </Link>
              <Text size="xs" c="dimmed">
                {endpoint.notice === null ? endpoint.description : pageWords(endpoint.notice)}
              </Text>
            </Table.Td>
            <Table.Td>
              <Status kind={stateOf(endpoint)} />
            </Table.Td>
            <Table.Td>{eventsInWords(endpoint)}</Table.Td>
            <Table.Td>
              <Time at={endpoint.createdAt} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Table.ScrollContainer>
);
