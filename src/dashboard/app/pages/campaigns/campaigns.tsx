import { Text } from "@mantine/core";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { api } from "../../api/api.ts";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import type { Filters } from "../../parts/filters.ts";
import type { FilterField } from "../../parts/list/chips.tsx";
import { FilteredList } from "../../parts/list/filtered-list.tsx";
import type { Column } from "../../parts/list/list-table.tsx";
import { useScan } from "../../parts/scan.ts";
import { Empty } from "../../parts/states.tsx";
import { Status } from "../../parts/status/status.tsx";
import { Time } from "../../parts/text.tsx";
import { TeamPage } from "../../team/team.tsx";
import { numberText } from "./campaign-words.ts";
import { NewCampaign } from "./new-campaign.tsx";
import { type Listed, stateOf } from "./state.ts";

const FIELDS: readonly FilterField[] = [
  { name: "status", label: "Status", options: ["Draft", "Scheduled", "Sending", "Sent"] },
];

const startOf = ({ progress, scheduledFor }: Listed): string | null => progress?.startedAt ?? scheduledFor;

const When = ({ at }: { at: string | null }) => (at === null ? "–" : <Time at={at} />);

const COLUMNS: readonly Column<Listed>[] = [
  {
    title: "Name",
    cell: ({ id, name }) => (
      <Link to="/campaigns/$campaignId" params={{ campaignId: id }} className="wrap">
        {name}
      </Link>
    ),
  },
  { title: "State", cell: (campaign) => <Status kind={stateOf(campaign)} /> },
  { title: "Recipients", cell: ({ progress }) => (progress ? numberText(progress.recipients) : "–") },
  { title: "Sent", cell: ({ progress }) => (progress ? numberText(progress.sent) : "–") },
  { title: "Start", cell: (campaign) => <When at={startOf(campaign)} />, width: 140 },
  { title: "Created", cell: ({ createdAt }) => <Time at={createdAt} />, width: 140 },
];

export const Campaigns = () => (
  <TeamPage
    title="Campaigns"
    actions={(team) => team.id !== undefined && <NewCampaign team={team} />}
    more={(team) => team.id !== undefined && <CopyList team={team.id} />}
  >
    {({ id }) =>
      id === undefined ? <Text>The email service is not deployed here.</Text> : <List key={id} team={id} />
    }
  </TeamPage>
);

const idOf = ({ id }: Listed): string => id;
const route = getRouteApi("/team/campaigns");

const CopyList = ({ team }: { team: string }) => {
  const { status } = route.useSearch() as Filters;
  const options = [...(status === undefined ? [] : ["--status", status]), "--team", team];
  return (
    <CopyAs
      asked={{ api: "email", name: "campaigns.list", fields: { team, status } }}
      command={{ name: "campaign", args: ["list"], options }}
    />
  );
};

const List = ({ team }: { team: string }) => {
  const { team: _, ...filters } = route.useSearch() as Filters;
  const navigate = useNavigate();
  const show = (search: Filters) => void navigate({ to: "/campaigns", search });
  const { cursor, ...wanted } = filters;
  const scan = useScan<Listed>(
    ["email", team, "campaigns", wanted],
    async (at, signal) => {
      const asked = { ...(wanted as Partial<Parameters<typeof api.email.campaigns.list>[0]>), team, cursor: at };
      const { data, pagination } = await api.email.campaigns.list({ ...asked, perPage: "50" }, { signal });
      return { data, next: pagination.nextCursor };
    },
    { cursor, idOf },
  );
  return (
    <FilteredList
      fields={FIELDS}
      filters={filters}
      onShow={show}
      what="campaigns"
      scan={scan}
      columns={COLUMNS}
      idOf={idOf}
      empty={
        <Empty title="No campaign yet">
          A campaign sends one message once to many contacts. "New campaign" makes the first one: a draft, of which
          nothing is sent until you send or schedule it.
        </Empty>
      }
    />
  );
};
