import { getRouteApi, useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { api } from "../../api/api.ts";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import type { Filters } from "../../parts/filters.ts";
import type { FilterField } from "../../parts/list/chips.tsx";
import { FilteredList } from "../../parts/list/filtered-list.tsx";
import { type Column, RowLink, Second } from "../../parts/list/list-table.tsx";
import { useScan } from "../../parts/scan.ts";
import { Empty } from "../../parts/states.tsx";
import { Status } from "../../parts/status/status.tsx";
import { Time } from "../../parts/text.tsx";
import { EmailPage } from "../../team/team.tsx";
import { numberText, peopleText, percentText } from "./campaign-words.ts";
import { NewCampaign } from "./new-campaign.tsx";
import { type Listed, stateOf } from "./state.ts";

const FIELDS: readonly FilterField[] = [
  { name: "status", label: "Status", options: ["Draft", "Scheduled", "Sending", "Sent"] },
];

const startOf = ({ progress, scheduledFor }: Listed): string | null => progress?.startedAt ?? scheduledFor;

const rateOf =
  (name: "opened" | "clicked" | "unsubscribed") =>
  ({ results }: Listed): ReactNode =>
    results && results.delivered > 0 ? (
      <>
        {percentText(results[name], results.delivered)}
        <Second>{peopleText(results[name])}</Second>
      </>
    ) : null;

const COLUMNS: readonly Column<Listed>[] = [
  {
    title: "Campaign",
    cell: ({ id, name, createdAt }) => (
      <RowLink
        to="/campaigns/$campaignId"
        params={{ campaignId: id }}
        second={
          <>
            created <Time at={createdAt} />
          </>
        }
      >
        {name}
      </RowLink>
    ),
  },
  { title: "State", cell: (campaign) => <Status kind={stateOf(campaign)} />, onPhone: "beside" },
  {
    title: "Sent",
    cell: ({ progress }) =>
      progress && (
        <>
          {numberText(progress.sent)}
          <Second>of {numberText(progress.recipients)}</Second>
        </>
      ),
    isNumber: true,
  },
  { title: "Opened", cell: rateOf("opened"), isNumber: true },
  { title: "Clicked", cell: rateOf("clicked"), isNumber: true },
  { title: "Unsubscribed", cell: rateOf("unsubscribed"), isNumber: true, onPhone: false },
  {
    title: "When",
    cell: (campaign) => {
      const at = startOf(campaign);
      return at === null ? null : <Time at={at} />;
    },
    isNumber: true,
  },
];

export const Campaigns = () => (
  <EmailPage title="Campaigns" actions={(_, team) => <NewCampaign team={team} />} more={(id) => <CopyList team={id} />}>
    {(id) => <List team={id} />}
  </EmailPage>
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
        <Empty icon="campaigns" title="No campaigns yet">
          One mail to many people at one time. A new campaign is a draft: nothing is sent until you send or schedule it.
        </Empty>
      }
    />
  );
};
