import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { api } from "../../api/api.ts";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { useDenied } from "../../parts/acts/denied.ts";
import type { Filters } from "../../parts/filters.ts";
import type { FilterField } from "../../parts/list/chips.tsx";
import { FilteredList } from "../../parts/list/filtered-list.tsx";
import { type Column, RowLink, Second } from "../../parts/list/list-table.tsx";
import { useScan } from "../../parts/scan.ts";
import { Empty } from "../../parts/states.tsx";
import { stateText } from "../../parts/status/kinds.ts";
import { Status } from "../../parts/status/status.tsx";
import { Time } from "../../parts/text.tsx";
import { kindOfMail, nameOfMail } from "../../story/chapters.ts";
import { EmailPage } from "../../team/team.tsx";

type Mail = Awaited<ReturnType<typeof api.email.sends.list>>["data"][number];

const STATES = ["queued", "sending", "sent", "delivered", "bounced", "complained", "not_sent", "failed", "unknown"];

type Named = "campaigns" | "workflows" | "transactionalEmails";

/** Choices by name. A chosen one that is not among the newest 50 shows its id. */
const useNames = (team: string, kind: Named, chosen: string | undefined) => {
  const { data } = useQuery({
    queryKey: ["v1", team, kind, "names"],
    queryFn: async ({ signal }): Promise<readonly { id: string; name: string }[]> =>
      (await api.v1(team)[kind].list({ perPage: "50" }, { signal })).data,
    staleTime: 60_000,
  });
  const all = (data ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const isKnown = chosen === undefined || all.some(({ value }) => value === chosen);
  return isKnown ? all : [...all, { value: chosen, label: chosen }];
};

const useFields = (team: string, { campaign, workflow, template }: Filters): readonly FilterField[] => [
  { name: "subject", label: "Subject", placeholder: "Your receipt" },
  { name: "time", label: "Time", kind: "days" },
  { name: "to", label: "Person", placeholder: "ada@example.com" },
  { name: "state", label: "State", options: STATES.map((state) => ({ value: state, label: stateText(state) })) },
  { name: "class", label: "Kind", options: ["transactional", "marketing"] },
  { name: "template", label: "Template", options: useNames(team, "transactionalEmails", template) },
  { name: "campaign", label: "Campaign", options: useNames(team, "campaigns", campaign) },
  { name: "workflow", label: "Workflow", options: useNames(team, "workflows", workflow) },
];

const COLUMNS: readonly Column<Mail>[] = [
  {
    title: "Mail",
    cell: (mail) => (
      <RowLink to="/sent/$sendId" params={{ sendId: mail.id }} second={senderOf(mail)}>
        {nameOfMail(mail)}
      </RowLink>
    ),
  },
  {
    title: "Person",
    cell: ({ to }) => (
      <Link to="/people/$personId" params={{ personId: to }}>
        {to}
      </Link>
    ),
  },
  {
    title: "State",
    cell: (mail) => (
      <>
        <Status kind={kindOfMail(mail)} />
        <Second>{mail.meaning}</Second>
      </>
    ),
  },
  { title: "When", cell: ({ acceptedAt }) => <Time at={acceptedAt} />, width: 140, isNumber: true, onPhone: "beside" },
];

const senderOf = ({ template, campaign, workflow, preview }: Mail): string | undefined =>
  preview ? "Test" : (template ?? campaign ?? workflow)?.name;

export const Mails = () => (
  <EmailPage title="Sent mail" more={(id) => <CopyList team={id} />}>
    {(id) => <List team={id} />}
  </EmailPage>
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
  const fields = useFields(team, wanted);
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
    <FilteredList
      fields={isWithoutSubjects ? fields.filter(({ name }) => name !== "subject") : fields}
      filters={filters}
      onShow={show}
      what="mails"
      scan={scan}
      columns={COLUMNS}
      idOf={idOf}
      empty={
        <Empty icon="mail" title="No mail sent yet">
          Each mail is kept here with its reason for 30 days, from the API, a rule, a campaign or a workflow.
        </Empty>
      }
    />
  );
};
