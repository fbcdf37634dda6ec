import { Button, Text } from "@mantine/core";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { api } from "../../api/api.ts";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { changed, type Filters } from "../../parts/filters.ts";
import { useButtonKey } from "../../parts/keys.ts";
import type { Column } from "../../parts/list/list-table.tsx";
import { Listing } from "../../parts/list/listing.tsx";
import { useScan } from "../../parts/scan.ts";
import { Empty } from "../../parts/states.tsx";
import { Status } from "../../parts/status/status.tsx";
import { Time } from "../../parts/text.tsx";
import { EmailPage } from "../../team/team.tsx";
import { countsText, numberText } from "./import-words.ts";
import { type Listed, stateOf } from "./state.ts";

const COLUMNS: readonly Column<Listed>[] = [
  {
    title: "File",
    cell: ({ id, name }) => (
      <Link to="/people/imports/$importId" params={{ importId: id }} className="wrap">
        {name}
      </Link>
    ),
  },
  { title: "State", cell: (one) => <Status kind={stateOf(one)} /> },
  { title: "Rows", cell: ({ rows }) => numberText(rows) },
  {
    title: "Outcome",
    cell: (one) =>
      one.processed > 0 && (
        <Text size="sm" miw={220}>
          {`${one.dryRun ? "Check: " : ""}${countsText(one)}`}
        </Text>
      ),
  },
  { title: "Begun", cell: ({ createdAt }) => <Time at={createdAt} />, width: 140, onPhone: "named" },
];

const route = getRouteApi("/team/people/imports");
const idOf = ({ id }: Listed): string => id;

export const Imports = () => {
  useButtonKey("n");
  return (
    <EmailPage
      title="Imports"
      actions={() => (
        <Button size="xs" renderRoot={(props) => <Link to="/people/imports/new" {...props} />} data-key="n">
          New import
        </Button>
      )}
      more={(id) => (
        <CopyAs
          asked={{ api: "email", name: "imports.list", fields: { team: id } }}
          command={{ name: "import", options: ["--imports", "--team", id] }}
        />
      )}
    >
      {(id) => <List team={id} />}
    </EmailPage>
  );
};

const List = ({ team }: { team: string }) => {
  const { team: _, ...filters } = route.useSearch() as Filters;
  const navigate = useNavigate();
  const { cursor } = filters;
  const scan = useScan<Listed>(
    ["email", team, "imports"],
    async (at, signal) => {
      const { data, pagination } = await api.email.imports.list({ team, perPage: "50", cursor: at }, { signal });
      return { data, next: pagination.nextCursor };
    },
    { cursor, idOf },
  );
  return (
    <Listing
      what="imports"
      scan={scan}
      columns={COLUMNS}
      idOf={idOf}
      isFiltered={false}
      onClear={() => void navigate({ to: "/people/imports", search: {} })}
      onOlder={(next) => void navigate({ to: "/people/imports", search: { ...changed(filters, {}), cursor: next } })}
      empty={
        <Empty title="No import yet" command="npm run import -- people.csv">
          An import adds and changes contacts by the rows of a CSV file. "New import" takes a file; a terminal does too:
        </Empty>
      }
    />
  );
};
