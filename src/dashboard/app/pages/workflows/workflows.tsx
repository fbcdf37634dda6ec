import { Button } from "@mantine/core";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { api } from "../../api/api.ts";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { changed, type Filters } from "../../parts/filters.ts";
import { useButtonKey } from "../../parts/keys.ts";
import { type Column, RowLink } from "../../parts/list/list-table.tsx";
import { Listing } from "../../parts/list/listing.tsx";
import { useScan } from "../../parts/scan.ts";
import { Empty } from "../../parts/states.tsx";
import { Status } from "../../parts/status/status.tsx";
import { Time } from "../../parts/text.tsx";
import { EmailPage } from "../../team/team.tsx";
import { stateOf } from "./state.ts";

type Listed = Awaited<ReturnType<typeof api.email.workflows.list>>["data"][number];

const COLUMNS: readonly Column<Listed>[] = [
  {
    title: "Name",
    cell: ({ id, name }) => (
      <RowLink to="/workflows/$workflowId" params={{ workflowId: id }} className="wrap">
        {name}
      </RowLink>
    ),
  },
  { title: "State", cell: ({ status }) => <Status kind={stateOf(status)} />, onPhone: "beside" },
  { title: "Waiting now", cell: ({ waiting }) => waiting.toLocaleString("en"), isNumber: true },
  { title: "Changed", cell: ({ updatedAt }) => <Time at={updatedAt} />, width: 140, onPhone: "named" },
  { title: "Created", cell: ({ createdAt }) => <Time at={createdAt} />, width: 140, onPhone: false },
];

const NewButton = () => {
  useButtonKey("n");
  return (
    <Button renderRoot={(props) => <Link to="/workflows/new" {...props} />} data-key="n">
      New workflow
    </Button>
  );
};

export const Workflows = () => (
  <EmailPage
    title="Workflows"
    actions={() => <NewButton />}
    more={(id) => (
      <CopyAs
        asked={{ api: "email", name: "workflows.list", fields: { team: id } }}
        command={{ name: "workflow", args: ["list"], options: ["--team", id] }}
      />
    )}
  >
    {(id) => <List team={id} />}
  </EmailPage>
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
        <Empty icon="workflows" title="No workflows yet" action={<NewButton />}>
          Mails that follow what a person does.
        </Empty>
      }
    />
  );
};
