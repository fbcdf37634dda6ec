import { Anchor, Code, List, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { api } from "../../api/api.ts";
import { useAbout } from "../../api/use-about.ts";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { Facts, Panel } from "../../parts/cards/cards.tsx";
import type { Filters } from "../../parts/filters.ts";
import type { Column } from "../../parts/list/list-table.tsx";
import { Listing } from "../../parts/list/listing.tsx";
import { PageHead } from "../../parts/page/page.tsx";
import { Split } from "../../parts/page/panel-tabs.tsx";
import { useScan } from "../../parts/scan.ts";
import { Answer } from "../../parts/states.tsx";
import { Status } from "../../parts/status/status.tsx";
import { Id, Time } from "../../parts/text.tsx";
import { type Team, TeamPage } from "../../team/team.tsx";
import { rulesQuery } from "../rules/query.ts";
import { SendTest } from "./send-test.tsx";

type Pattern = Awaited<ReturnType<Team["v1"]["eventPatterns"]["get"]>>;
type Sent = Awaited<ReturnType<typeof api.email.events.list>>["data"][number];

const route = getRouteApi("/team/workflows/events/$eventPatternId");

export const EventPage = () => {
  const { eventPatternId } = route.useParams();
  return (
    <TeamPage
      title="Event"
      isOne
      more={() => <CopyAs asked={{ api: "v1", name: "eventPatterns.get", fields: { eventPatternId } }} />}
    >
      {(team) => <One key={`${team.id} ${eventPatternId}`} team={team} eventPatternId={eventPatternId} />}
    </TeamPage>
  );
};

const One = ({ team, eventPatternId }: { team: Team; eventPatternId: string }) => {
  const query = useQuery({
    queryKey: ["v1", team.id, "event-patterns", "one", eventPatternId],
    queryFn: ({ signal }) => team.v1.eventPatterns.get({ eventPatternId }, { signal }),
  });
  return (
    <Stack>
      <Answer query={query}>{(pattern) => <Shown team={team} pattern={pattern} />}</Answer>
    </Stack>
  );
};

const Shown = ({ team, pattern }: { team: Team; pattern: Pattern }) => (
  <Stack gap="lg">
    <PageHead
      name={pattern.eventName}
      meta={<Id>{pattern.id}</Id>}
      actions={<SendTest team={team} pattern={pattern} />}
    />
    <Split
      label="Facts"
      aside={
        <>
          <Properties pattern={pattern} />
          {team.id !== undefined && <Starts team={team.id} eventPatternId={pattern.id} />}
          <Senders team={team} eventName={pattern.eventName} />
        </>
      }
    >
      {team.id !== undefined && <Latest team={team.id} pattern={pattern} />}
    </Split>
  </Stack>
);

const Properties = ({ pattern: { eventProperties } }: { pattern: Pattern }) => (
  <Panel title="Properties">
    {eventProperties.length === 0 ? (
      <Text size="sm">No event of this name had a property yet.</Text>
    ) : (
      <Facts
        facts={eventProperties.map(({ name, type }) => ({
          label: name,
          value: <Code>{`{event.${name}}`}</Code>,
          note: type,
        }))}
      />
    )}
  </Panel>
);

const Starts = ({ team, eventPatternId }: { team: string; eventPatternId: string }) => {
  const query = useQuery({
    queryKey: ["email", team, "event-patterns", eventPatternId, "usage"],
    queryFn: ({ signal }) => api.email.eventPatterns.usage({ team, eventPatternId }, { signal }),
  });
  return (
    <Panel title="Workflows that it starts">
      <Answer query={query} rows={1}>
        {({ workflows }) =>
          workflows.length === 0 ? (
            <Text size="sm">It starts no workflow.</Text>
          ) : (
            <List size="sm">
              {workflows.map(({ id, name, status }) => (
                <List.Item key={id} className="wrap">
                  <Anchor
                    size="sm"
                    renderRoot={(props) => <Link to="/workflows/$workflowId" params={{ workflowId: id }} {...props} />}
                  >
                    {name}
                  </Anchor>{" "}
                  <Status kind={status.toLowerCase()} />
                </List.Item>
              ))}
            </List>
          )
        }
      </Answer>
    </Panel>
  );
};

const Senders = ({ team, eventName }: { team: Team; eventName: string }) => {
  const { bridge } = useAbout();
  const isAsked = bridge !== null && team.bridge;
  const query = useQuery({ ...rulesQuery, enabled: isAsked });
  if (!isAsked) return null;
  return (
    <Panel title="Rules that send it">
      <Answer query={query} rows={1}>
        {({ data }) => {
          const rules = data.filter(({ event }) => event?.name === eventName);
          if (rules.length === 0) return <Text size="sm">No rule of the bridge sends it. The API may.</Text>;
          return (
            <List size="sm">
              {rules.map(({ source, name, on }) => (
                <List.Item key={`${source} ${name}`}>
                  <Anchor
                    size="sm"
                    renderRoot={(props) => (
                      <Link to="/sources/rules/$source/$rule" params={{ source, rule: name }} {...props} />
                    )}
                  >
                    {source}: {name}
                  </Anchor>{" "}
                  on {on.join(", ")}
                </List.Item>
              ))}
            </List>
          );
        }}
      </Answer>
    </Panel>
  );
};

const COLUMNS: readonly Column<Sent>[] = [
  {
    title: "Contact",
    cell: ({ contact }) => {
      if (contact === null) return "deleted";
      const name = contact.email ?? contact.userId ?? contact.id;
      return (
        <Link to="/people/$personId" params={{ personId: name }} className="wrap">
          {name}
        </Link>
      );
    },
  },
  {
    title: "Properties",
    cell: ({ properties }) =>
      Object.keys(properties).length === 0 ? "–" : <Code className="wrap">{JSON.stringify(properties)}</Code>,
  },
  { title: "Sent", cell: ({ at }) => <Time at={at} />, width: 140 },
];

const idOf = ({ id }: Sent): string => id;

const Latest = ({ team, pattern: { id, eventName } }: { team: string; pattern: Pattern }) => {
  const { cursor } = route.useSearch() as Filters;
  const navigate = useNavigate();
  const scan = useScan<Sent>(
    ["email", team, "events", eventName],
    (at, signal) => api.email.events.list({ team, eventName, cursor: at, perPage: "50" as never }, { signal }),
    { cursor, idOf },
  );
  return (
    <Panel title="Latest events" isFlush>
      <Listing
        what="events"
        scan={scan}
        columns={COLUMNS}
        idOf={idOf}
        isFiltered={false}
        onClear={() => {}}
        onOlder={(next) =>
          void navigate({
            to: "/workflows/events/$eventPatternId",
            params: { eventPatternId: id },
            search: { cursor: next },
          })
        }
        empty={<p className="panel-empty">None in the last 30 days.</p>}
      />
    </Panel>
  );
};
