import { Text } from "@mantine/core";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { api } from "../../api/api.ts";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { changed, type Filters } from "../../parts/filters.ts";
import type { Column } from "../../parts/list/list-table.tsx";
import { Listing } from "../../parts/list/listing.tsx";
import { useScan } from "../../parts/scan.ts";
import { Empty } from "../../parts/states.tsx";
import { Status } from "../../parts/status/status.tsx";
import { Time } from "../../parts/text.tsx";
import { TeamPage } from "../../team/team.tsx";
import { NewButton } from "./new/button.tsx";
import { stateOf } from "./state.ts";

type Listed = Awaited<ReturnType<typeof api.email.workflows.list>>["data"][number];

const COLUMNS: readonly Column<Listed>[] = [
  {
    title: "Name",
    cell: ({ id, name }) => (
      <Link to="/workflows/$workflowId" params={{ workflowId: id }} className="wrap">
        {name}
      </Link>
    ),
  },
  { title: "State", cell: ({ status }) => <Status kind={stateOf(status)} /> },
  { title: "Waiting now", cell: ({ waiting }) => waiting.toLocaleString("en") },
  { title: "Changed", cell: ({ updatedAt }) => <Time at={updatedAt} />, width: 140 },
  { title: "Created", cell: ({ createdAt }) => <Time at={createdAt} />, width: 140 },
];

export const Workflows = () => (
  <TeamPage
    title="Workflows"
    actions={({ id }) => id !== undefined && <NewButton team={id} />}
    more={({ id }) =>
      id !== undefined && (
        <CopyAs
          asked={{ api: "email", name: "workflows.list", fields: { team: id } }}
          command={{ name: "workflow", args: ["list"], options: ["--team", id] }}
        />
      )
    }
  >
    {({ id }) =>
      id === undefined ? <Text>The email service is not deployed here.</Text> : <List key={id} team={id} />
    }
  </TeamPage>
);

const route = getRouteApi("/team/workflows");
const idOf = ({ id }: Listed): string => id;

const List = ({ team }: { team: string }) => {
  const { team: _, ...filters } = route.useSearch() as Filters;
  const navigate = useNavigate();
  const { cursor } = filters;
  const scan = useScan<Listed>(
    ["email", team, "workflows", "list"],
    async (at, signal) => {
      const { data, pagination } = await api.email.workflows.list({ team, perPage: "50", cursor: at }, { signal });
      return { data, next: pagination.nextCursor };
    },
    { cursor, idOf },
  );
  return (
    <Listing
      what="workflows"
      scan={scan}
      columns={COLUMNS}
      idOf={idOf}
      isFiltered={false}
      onClear={() => void navigate({ to: "/workflows", search: {} })}
      onOlder={(next) => void navigate({ to: "/workflows", search: { ...changed(filters, {}), cursor: next } })}
      empty={
        <Empty title="No workflow yet">
          A workflow sends mail to a contact step by step: it starts on an event, waits, chooses a path, sends. "New
          workflow" makes the first one, from a template or empty.
        </Empty>
      }
    />
  );
};
