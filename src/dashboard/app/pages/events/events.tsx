import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import type { Filters } from "../../parts/filters.ts";
import type { Column } from "../../parts/list/list-table.tsx";
import { Listing } from "../../parts/list/listing.tsx";
import { useScan } from "../../parts/scan.ts";
import { Empty } from "../../parts/states.tsx";
import { Id } from "../../parts/text.tsx";
import { type Team, TeamPage } from "../../team/team.tsx";

type Pattern = Awaited<ReturnType<Team["v1"]["eventPatterns"]["list"]>>["data"][number];

export const Events = () => (
  <TeamPage title="Events" more={() => <CopyAs asked={{ api: "v1", name: "eventPatterns.list" }} />}>
    {(team) => <List key={team.id} team={team} />}
  </TeamPage>
);

const COLUMNS: readonly Column<Pattern>[] = [
  {
    title: "Name",
    cell: ({ id, eventName }) => (
      <Link to="/workflows/events/$eventPatternId" params={{ eventPatternId: id }} className="wrap">
        {eventName}
      </Link>
    ),
  },
  { title: "Comes from", cell: ({ incomingWebhookPlatform }) => incomingWebhookPlatform ?? "the API, a rule" },
  { title: "Id", cell: ({ id }) => <Id>{id}</Id> },
];

const idOf = ({ id }: Pattern): string => id;
const route = getRouteApi("/team/workflows/events");

const List = ({ team }: { team: Team }) => {
  const { cursor } = route.useSearch() as Filters;
  const navigate = useNavigate();
  const scan = useScan<Pattern>(
    ["v1", team.id, "event-patterns"],
    async (at, signal) => {
      const { data, pagination } = await team.v1.eventPatterns.list({ perPage: "50" as never, cursor: at }, { signal });
      return { data, next: pagination.nextCursor };
    },
    { cursor, idOf },
  );
  return (
    <Listing
      what="events"
      scan={scan}
      columns={COLUMNS}
      idOf={idOf}
      isFiltered={false}
      onClear={() => {}}
      onOlder={(next) => void navigate({ to: "/workflows/events", search: { cursor: next } })}
      empty={
        <Empty
          title="No event yet"
          command={`printf 'Authorization: Bearer %s' "$EMAIL_API_KEY" | curl -H @- -H "Content-Type: application/json" -d '{ "email": "ada@example.com", "eventName": "signedUp" }' "$EMAIL_URL/v1/events/send"`}
        >
          An event says that something happened to a contact, and may start workflows. Rules and the API send them:
        </Empty>
      }
    />
  );
};
