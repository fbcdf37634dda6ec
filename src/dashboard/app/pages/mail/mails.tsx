import { Stack, Text } from "@mantine/core";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { api } from "../../api/api.ts";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { useDenied } from "../../parts/acts/denied.ts";
import type { Filters } from "../../parts/filters.ts";
import type { FilterField } from "../../parts/list/chips.tsx";
import { FilteredList } from "../../parts/list/filtered-list.tsx";
import type { Column } from "../../parts/list/list-table.tsx";
import { useScan } from "../../parts/scan.ts";
import { Empty } from "../../parts/states.tsx";
import { stateText } from "../../parts/status/kinds.ts";
import { Status } from "../../parts/status/status.tsx";
import { Time } from "../../parts/text.tsx";
import { nameOfMail } from "../../story/chapters.ts";
import { TeamPage } from "../../team/team.tsx";

type Mail = Awaited<ReturnType<typeof api.email.sends.list>>["data"][number];

const STATES = ["queued", "sending", "sent", "delivered", "bounced", "complained", "not_sent", "failed", "unknown"];

const FIELDS: readonly FilterField[] = [
  { name: "to", label: "Address", placeholder: "ada@example.com" },
  {
    name: "state",
    label: "State",
    options: STATES.map((state) => ({ value: state, label: stateText(state) })),
  },
  { name: "subject", label: "Subject", placeholder: "Your receipt" },
  { name: "class", label: "Class", options: ["transactional", "marketing"] },
  { name: "campaign", label: "Campaign id", placeholder: "cmp_…" },
  { name: "workflow", label: "Workflow id", placeholder: "wfl_…" },
  { name: "template", label: "Transactional email id", placeholder: "tpl_…" },
  { name: "time", label: "Time", kind: "days" },
];

const COLUMNS: readonly Column<Mail>[] = [
  {
    title: "To",
    cell: ({ id, to }) => (
      <Link to="/sent/$sendId" params={{ sendId: id }}>
        {to}
      </Link>
    ),
  },
  { title: "What", cell: (mail) => nameOfMail(mail) },
  { title: "State", cell: ({ state }) => <Status kind={state} /> },
  { title: "Why", cell: ({ meaning }) => <Text size="sm">{meaning}</Text> },
  { title: "Accepted", cell: ({ acceptedAt }) => <Time at={acceptedAt} />, width: 140 },
];

export const Mails = () => (
  <TeamPage title="Sent mail" more={({ id }) => id !== undefined && <CopyList team={id} />}>
    {({ id }) => (id === undefined ? <Elsewhere /> : <List key={id} team={id} />)}
  </TeamPage>
);

/** Another email service has no list of mails. */
const Elsewhere = () => (
  <Text>Mails are listed by the email service, which is not deployed here. The email service has its own list.</Text>
);

const idOf = ({ id }: Mail): string => id;
const route = getRouteApi("/team/sent");

const CopyList = ({ team }: { team: string }) => {
  const { team: _, cursor: __, ...wanted } = route.useSearch() as Filters;
  return <CopyAs asked={{ api: "email", name: "sends.list", fields: { ...wanted, team } }} />;
};

const List = ({ team }: { team: string }) => {
  const { team: _, ...filters } = route.useSearch() as Filters;
  const navigate = useNavigate();
  const show = (search: Filters) => void navigate({ to: "/sent", search });
  const { cursor, ...wanted } = filters;
  const isWithoutSubjects = useDenied({ api: "email", name: "sends.list?subject" }) !== undefined;
  const scan = useScan<Mail>(
    ["email", team, "sends", wanted],
    (at, signal) =>
      api.email.sends.list(
        { ...(wanted as Parameters<typeof api.email.sends.list>[0]), team, cursor: at, perPage: "50" },
        { signal },
      ),
    // Each search by subject is in the audit, so it is not repeated by itself.
    { cursor, ...(wanted.subject === undefined && { idOf }) },
  );
  return (
    <Stack>
      <FilteredList
        fields={isWithoutSubjects ? FIELDS.filter(({ name }) => name !== "subject") : FIELDS}
        filters={filters}
        onShow={show}
        what="mails"
        scan={scan}
        columns={COLUMNS}
        idOf={idOf}
        empty={
          <Empty title="Nothing left yet">
            A mail is listed here as soon as it is accepted: by the API, a rule, a campaign or a workflow.
          </Empty>
        }
      />
    </Stack>
  );
};
