import { Text } from "@mantine/core";
import { Link, useNavigate } from "@tanstack/react-router";
import { api } from "../../api/api.ts";
import { Panel } from "../../parts/cards/cards.tsx";
import { type Column, RowLink } from "../../parts/list/list-table.tsx";
import { Listing } from "../../parts/list/listing.tsx";
import { useScan } from "../../parts/scan.ts";
import { Status } from "../../parts/status/status.tsx";
import { Time } from "../../parts/text.tsx";

type Mail = Awaited<ReturnType<typeof api.email.sends.list>>["data"][number];

const ROWS = 10;

const COLUMNS: readonly Column<Mail>[] = [
  {
    title: "To",
    cell: ({ id, to }) => (
      <RowLink to="/sent/$sendId" params={{ sendId: id }}>
        {to}
      </RowLink>
    ),
  },
  { title: "State", cell: ({ state }) => <Status kind={state} />, onPhone: "beside" },
  { title: "Why", cell: ({ meaning }) => <Text size="sm">{meaning}</Text> },
  { title: "Accepted", cell: ({ acceptedAt }) => <Time at={acceptedAt} />, width: 140 },
];

const idOf = ({ id }: Mail): string => id;

export const LatestMails = ({ team, id }: { team: string; id: string }) => {
  const navigate = useNavigate();
  const scan = useScan<Mail>(
    ["email", team, "sends", { template: id }, "latest"],
    (cursor, signal) =>
      api.email.sends.list({ team, template: id, cursor, perPage: String(ROWS) as never }, { signal }),
    { rows: ROWS, idOf },
  );
  return (
    <Panel
      title="Latest mails"
      aside={
        <Link to="/sent" search={{ template: id }}>
          All mails of it
        </Link>
      }
      isFlush
    >
      <Listing
        what="mails"
        scan={scan}
        columns={COLUMNS}
        idOf={idOf}
        isFiltered={false}
        onClear={() => {}}
        onOlder={(cursor) => void navigate({ to: "/sent", search: { template: id, cursor } })}
        empty={<p className="panel-empty">No mail of it was sent yet.</p>}
      />
    </Panel>
  );
};
