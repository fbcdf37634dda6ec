import { Button, Group, Stack, Title } from "@mantine/core";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { api } from "../../api/api.ts";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import type { Filters } from "../../parts/filters.ts";
import { Icon } from "../../parts/icons.tsx";
import type { FilterField } from "../../parts/list/chips.tsx";
import { FilteredList } from "../../parts/list/filtered-list.tsx";
import { type Column, RowLink, Second } from "../../parts/list/list-table.tsx";
import type { Order } from "../../parts/list/listing.tsx";
import { useScan } from "../../parts/scan.ts";
import { Empty } from "../../parts/states.tsx";
import { Status } from "../../parts/status/status.tsx";
import { Time } from "../../parts/text.tsx";
import { isOver, kindOfRecipient, noRecipientText, type Status as Stated, stateOf } from "./state.ts";

type Recipient = Awaited<ReturnType<typeof api.email.statistics.recipients>>["data"][number];
type Asked = Parameters<typeof api.email.statistics.recipients>[0];

const FIELDS: readonly FilterField[] = [
  {
    name: "state",
    label: "State",
    options: ["queued", "sent", "delivered", "bounced", "complained", "failed", "unknown", "skipped", "cancelled"],
  },
  {
    name: "group",
    label: "Outcome",
    options: [
      { value: "opened", label: "opened" },
      { value: "notOpened", label: "did not open" },
      { value: "clicked", label: "clicked" },
      { value: "unsubscribed", label: "unsubscribed" },
    ],
  },
  { name: "reason", label: "Reason", placeholder: "unsubscribed" },
];

const nameOf = ({ email, userId, contactId }: Recipient): string => email ?? userId ?? contactId;

const outcomeOf = ({ state, openedAt, clickedAt, unsubscribedAt }: Recipient): string => {
  if (unsubscribedAt !== null && state !== "complained") return "unsubscribed";
  if (clickedAt !== null) return "clicked";
  return openedAt === null ? kindOfRecipient(state) : "opened";
};

const When = ({ at }: { at: string | null }) => (at === null ? null : <Time at={at} />);

const COLUMNS: readonly Column<Recipient>[] = [
  {
    title: "Recipient",
    cell: (recipient) => (
      <RowLink to="/people/$personId" params={{ personId: nameOf(recipient) }}>
        {nameOf(recipient)}
      </RowLink>
    ),
  },
  {
    title: "Outcome",
    cell: (recipient) => (
      <>
        <Status kind={outcomeOf(recipient)} />
        <Second>{recipient.meaning}</Second>
      </>
    ),
  },
  {
    title: "Mail",
    // The mail is kept for 30 days.
    cell: (recipient) =>
      recipient.sendId === null ? null : (
        <Link
          to="/sent/$sendId"
          params={{ sendId: recipient.sendId }}
          aria-label={`Show the mail to ${nameOf(recipient)}`}
        >
          Show
        </Link>
      ),
    width: 70,
  },
  { title: "Opened", cell: ({ openedAt }) => <When at={openedAt} />, width: 120, isNumber: true },
  { title: "Clicked", cell: ({ clickedAt }) => <When at={clickedAt} />, width: 120, isNumber: true },
];

const ORDER: Order = {
  later: "More",
  first: "First page",
  end: "There are no more recipients.",
  searched: "Looked at contacts that were created up to",
};

const idOf = ({ contactId }: Recipient): string => contactId;
const route = getRouteApi("/team/campaigns/$campaignId");

export const Recipients = ({ team, status }: { team: string; status: Stated }) => {
  const { team: _, ...filters } = route.useSearch() as Filters;
  const navigate = useNavigate();
  const { id: campaignId } = status;
  const { cursor, state, group, reason } = filters;
  const wanted = { state, group, reason };
  const none = noRecipientText(status);
  const show = (search: Filters) =>
    void navigate({ to: "/campaigns/$campaignId", params: { campaignId }, search, resetScroll: false });
  const scan = useScan<Recipient>(
    ["email", team, "campaign", campaignId, "recipients", wanted, stateOf(status), isOver(status)],
    (at, signal) =>
      api.email.statistics.recipients(
        { ...(wanted as Partial<Asked>), team, campaignId, cursor: at, perPage: "50" },
        { signal },
      ),
    { cursor, idOf },
  );
  return (
    <Stack gap="xs" component="section" aria-labelledby="recipients">
      <Group justify="space-between">
        <Title order={2} size="h4" id="recipients">
          Recipients
        </Title>
        <Links team={team} campaignId={campaignId} wanted={wanted} />
      </Group>
      <FilteredList
        fields={FIELDS}
        filters={filters}
        onShow={show}
        what="recipients"
        scan={scan}
        columns={COLUMNS}
        idOf={idOf}
        order={ORDER}
        empty={<Empty title={none.title}>{none.text}</Empty>}
      />
    </Stack>
  );
};

type Wanted = Record<"state" | "group" | "reason", string | undefined>;
type LinksProps = { team: string; campaignId: string; wanted: Wanted };

const Links = ({ team, campaignId, wanted }: LinksProps) => {
  const given = Object.entries(wanted).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const path = [team, "campaigns", campaignId].map(encodeURIComponent).join("/");
  const options = [...given.flatMap(([name, value]) => [`--${name}`, value]), "--team", team];
  return (
    <Group gap="xs">
      <CopyAs
        asked={{ api: "email", name: "statistics.recipients", fields: { team, campaignId, ...wanted } }}
        command={{ name: "campaign", args: ["recipients", campaignId], options }}
      />
      <Button
        component="a"
        size="xs"
        variant="default"
        leftSection={<Icon name="download" size={14} />}
        href={`/api/email/teams/${path}/recipients.csv?${new URLSearchParams(given)}`}
        download
        aria-label="Export as CSV"
      >
        CSV
      </Button>
    </Group>
  );
};
