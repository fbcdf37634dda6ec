import { Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { api } from "../../api/api.ts";
import { pageWords } from "../../api/page-words.ts";
import { LATER, SOON } from "../../api/queries.ts";
import { Facts, Note, Panel } from "../../parts/cards/cards.tsx";
import { PageHead } from "../../parts/page/page.tsx";
import { Answer } from "../../parts/states.tsx";
import { Status } from "../../parts/status/status.tsx";
import { Id, Time } from "../../parts/text.tsx";
import { EmailPage } from "../../team/team.tsx";
import { EndpointActs } from "./endpoint-acts.tsx";
import { type Endpoint, stateOf } from "./endpoint-words.ts";
import { Notifications } from "./notifications.tsx";

const route = getRouteApi("/team/settings/webhooks/$webhookId");

export const EndpointPage = () => {
  const { webhookId } = route.useParams();
  return (
    <EmailPage title="Outgoing webhook" isOne>
      {(id) => <One key={webhookId} team={id} webhookId={webhookId} />}
    </EmailPage>
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
              actions={<EndpointActs team={team} endpoint={endpoint} />}
            />
            {endpoint.notice !== null && (
              <Note tone={endpoint.enabled ? "warn" : "bad"} title="Its events are not delivered.">
                {pageWords(endpoint.notice)}
              </Note>
            )}
            <What endpoint={endpoint} />
          </>
        )}
      </Answer>
      {query.data && <Notifications team={team} webhookId={webhookId} isMoving={query.data.waiting > 0} />}
    </Stack>
  );
};

const What = ({ endpoint }: { endpoint: Whole }) => {
  const { events, description, createdAt, disabledAt, previousSecretUntil, waiting } = endpoint;
  return (
    <Panel title="What it gets">
      <Facts
        facts={[
          ...(description === "" ? [] : [{ label: "Description", value: description }]),
          { label: "Events", value: events.length === 0 ? "all, later types too" : events.join(", ") },
          { label: "Waiting", value: waiting === 0 ? "nothing" : `${waiting.toLocaleString("en")} to be delivered` },
          { label: "Added", value: <Time at={createdAt} /> },
          ...(disabledAt === null ? [] : [{ label: "Disabled", value: <Time at={disabledAt} /> }]),
          ...(previousSecretUntil === null
            ? []
            : [{ label: "Former secret", value: "signs too; it ends", note: <Time at={previousSecretUntil} /> }]),
        ]}
      />
    </Panel>
  );
};
