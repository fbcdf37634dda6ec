import { Group } from "@mantine/core";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import type { Filters } from "../../parts/filters.ts";
import type { Column } from "../../parts/list/list-table.tsx";
import { Listing } from "../../parts/list/listing.tsx";
import { useScan } from "../../parts/scan.ts";
import { Empty } from "../../parts/states.tsx";
import { Status } from "../../parts/status/status.tsx";
import { Id } from "../../parts/text.tsx";
import { type Team, TeamPage } from "../../team/team.tsx";
import { NewComponent } from "./new-component.tsx";

type Component = Awaited<ReturnType<Team["v1"]["components"]["list"]>>["data"][number];

export const Components = () => (
  <TeamPage
    title="Components"
    actions={(team) => <NewComponent team={team} />}
    more={() => <CopyAs asked={{ api: "v1", name: "components.list" }} />}
  >
    {(team) => <List key={team.id} team={team} />}
  </TeamPage>
);

const COLUMNS: readonly Column<Component>[] = [
  {
    title: "Name",
    cell: ({ id, name }) => (
      <Link to="/templates/components/$componentId" params={{ componentId: id }} className="wrap">
        {name}
      </Link>
    ),
  },
  {
    title: "Messages",
    cell: ({ pendingEmailCount: pending, failedEmailCount: failed }) => (
      <Group gap={4}>
        {pending > 0 && <Status kind="waiting" count={pending} />}
        {failed > 0 && <Status kind="failed" count={failed} />}
        {pending + failed === 0 && "none waits"}
      </Group>
    ),
  },
  { title: "Id", cell: ({ id }) => <Id>{id}</Id> },
];

const idOf = ({ id }: Component): string => id;
const route = getRouteApi("/team/templates/components");

const List = ({ team }: { team: Team }) => {
  const { cursor } = route.useSearch() as Filters;
  const navigate = useNavigate();
  const scan = useScan<Component>(
    ["v1", team.id, "components"],
    async (at, signal) => {
      const { data, pagination } = await team.v1.components.list({ perPage: "50" as never, cursor: at }, { signal });
      return { data, next: pagination.nextCursor };
    },
    { cursor, idOf },
  );
  return (
    <Listing
      what="components"
      scan={scan}
      columns={COLUMNS}
      idOf={idOf}
      isFiltered={false}
      onClear={() => {}}
      onOlder={(next) => void navigate({ to: "/templates/components", search: { cursor: next } })}
      empty={
        <Empty title="No component yet">
          A component is a part of several messages, such as a footer. A change of it reaches all of them. Make the
          first one with "New component".
        </Empty>
      }
    />
  );
};
