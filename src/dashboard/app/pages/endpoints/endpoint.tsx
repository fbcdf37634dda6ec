import { Alert, Stack, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { api } from "../../api/api.ts";
import { pageWords } from "../../api/page-words.ts";
import { LATER, SOON } from "../../api/queries.ts";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { PageHead } from "../../parts/page/page.tsx";
import { Answer } from "../../parts/states.tsx";
import { Status } from "../../parts/status/status.tsx";
import { Id, Time } from "../../parts/text.tsx";
import { TeamPage } from "../../team/team.tsx";
import { EndpointActs } from "./endpoint-acts.tsx";
import { type Endpoint, stateOf } from "./endpoint-words.ts";
import { Notifications } from "./notifications.tsx";

const route = getRouteApi("/team/settings/webhooks/$webhookId");

export const EndpointPage = () => {
  const { webhookId } = route.useParams();
  return (
    <TeamPage
      title="Outgoing webhook"
      isOne
      more={({ id }) =>
        id !== undefined && <CopyAs asked={{ api: "email", name: "webhooks.get", fields: { team: id, webhookId } }} />
      }
    >
      {({ id }) =>
        id === undefined ? (
          <Text>The email service has the outgoing webhooks.</Text>
        ) : (
          <One key={`${id} ${webhookId}`} team={id} webhookId={webhookId} />
        )
      }
    </TeamPage>
  );
};

type Whole = Endpoint & { waiting: number };

const One = ({ team, webhookId }: { team: string; webhookId: string }) => {
  const query = useQuery({
    queryKey: ["email", team, "endpoint", webhookId],
    queryFn: async ({ signal }): Promise<Whole> =>
      (await api.email.webhooks.get({ team, webhookId, perPage: "10" as never }, { signal })).webhook,
    refetchInterval: ({ state }) => ((state.data?.waiting ?? 0) > 0 ? SOON : LATER).refetchInterval,
  });
  return (
    <Stack>
      <Answer query={query}>
        {(endpoint) => (
          <>
            <PageHead
              name={endpoint.url}
              meta={
                <>
                  <Status kind={stateOf(endpoint)} />
                  <Id>{endpoint.id}</Id>
                </>
              }
            />
            <EndpointActs team={team} endpoint={endpoint} />
            {endpoint.notice !== null && (
              <Alert variant="light" color={endpoint.enabled ? "orange" : "red"} title="Its events are not delivered">
                {pageWords(endpoint.notice)}
              </Alert>
            )}
            <Facts endpoint={endpoint} />
          </>
        )}
      </Answer>
      {query.data && <Notifications team={team} webhookId={webhookId} isMoving={query.data.waiting > 0} />}
    </Stack>
  );
};

const Facts = ({ endpoint }: { endpoint: Whole }) => {
  const { events, description, createdAt, disabledAt, previousSecretUntil, waiting } = endpoint;
  const rows: [string, ReactNode][] = [
    ...(description === "" ? [] : [["Description", description] as [string, ReactNode]]),
    ["Events", events.length === 0 ? "all, later types too" : events.join(", ")],
    ["Waiting", waiting === 0 ? "nothing" : `${waiting.toLocaleString("en")} to be delivered`],
    ["Added", <Time key="added" at={createdAt} />],
    ...(disabledAt === null ? [] : [["Disabled", <Time key="disabled" at={disabledAt} />] as [string, ReactNode]]),
    ...(previousSecretUntil === null
      ? []
      : ([
          [
            "Former secret",
            <span key="secret">
              signs too; it ends <Time at={previousSecretUntil} />
            </span>,
          ],
        ] as [string, ReactNode][])),
  ];
  return (
    <Table aria-label="What it gets" maw={760} verticalSpacing={4}>
      <Table.Tbody>
        {rows.map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Th scope="row" w={130}>
              {name}
            </Table.Th>
            <Table.Td className="wrap">{value}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
};
