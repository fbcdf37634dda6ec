import { Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { api } from "../../api/api.ts";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import type { Filters } from "../../parts/filters.ts";
import type { FilterField } from "../../parts/list/chips.tsx";
import { FilteredList } from "../../parts/list/filtered-list.tsx";
import { type Column, RowLink } from "../../parts/list/list-table.tsx";
import { useScan } from "../../parts/scan.ts";
import { Empty } from "../../parts/states.tsx";
import { Status } from "../../parts/status/status.tsx";
import { Time } from "../../parts/text.tsx";
import { type Team, TeamPage } from "../../team/team.tsx";
import { useGroups } from "./groups.ts";
import { NewEmail } from "./new-email.tsx";
import { readPage } from "./read-page.ts";
import { type Listed, statesOf } from "./state.ts";

const FIELDS: readonly FilterField[] = [{ name: "status", label: "Status", options: ["published", "draft"] }];

export const Transactional = () => (
  <TeamPage title="Transactional" actions={(team) => <NewEmail team={team} />} more={() => <CopyList />}>
    {(team) => <List key={team.id} team={team} />}
  </TeamPage>
);

const route = getRouteApi("/team/transactional");
type Which = "all" | "published" | "draft";

const CopyList = () => {
  const { status = "all" } = route.useSearch() as Filters;
  return <CopyAs asked={{ api: "v1", name: "transactionalEmails.list", fields: { status } }} />;
};

const idOf = ({ id }: Listed): string => id;

const List = ({ team }: { team: Team }) => {
  const { team: _, ...filters } = route.useSearch() as Filters;
  const navigate = useNavigate();
  const show = (search: Filters) => void navigate({ to: "/transactional", search });
  const { cursor, status = "all" } = filters;
  const scan = useScan<Listed>(["v1", team.id, "transactional", status], readPage(team, 50, status as Which), {
    cursor,
    idOf,
  });
  const columns = useColumns(team, scan.found.map(idOf));
  return (
    <FilteredList
      fields={FIELDS}
      filters={filters}
      onShow={show}
      what="transactional emails"
      scan={scan}
      columns={columns}
      idOf={idOf}
      empty={
        <Empty title="No transactional email yet">
          It is a mail that an application or a rule sends to one person, such as a receipt. Make the first one with
          "New transactional email".
        </Empty>
      }
    />
  );
};

const useColumns = (team: Team, ids: readonly string[]): readonly Column<Listed>[] => {
  const { data: groups } = useGroups(team);
  const { data: counts } = useQuery({
    queryKey: ["email", team.id, "transactional-counts", ids],
    queryFn: async () => {
      const { data } = await api.email.transactionalEmails.counts({ team: team.id ?? "", ids: ids.join(",") });
      return new Map(data.map((one) => [one.id, one]));
    },
    enabled: team.id !== undefined && ids.length > 0,
    placeholderData: (before) => before,
  });
  return [
    {
      title: "Name",
      cell: ({ id, name, dataVariables }) => (
        <RowLink
          to="/transactional/$transactionalEmailId"
          params={{ transactionalEmailId: id }}
          second={dataVariables.join(", ") || "no variables"}
        >
          {name}
        </RowLink>
      ),
    },
    {
      title: "State",
      cell: (email) => (
        <Group gap={4}>
          {statesOf(email).map((state) => (
            <Status key={state} kind={state} />
          ))}
        </Group>
      ),
      onPhone: "beside",
    },
    {
      title: "Group",
      cell: ({ transactionalGroupId: id }) =>
        id !== null && (groups?.find((group) => group.id === id)?.name ?? (groups ? id : "…")),
    },
    ...(team.id === undefined
      ? []
      : [
          {
            title: "Sent",
            cell: ({ id }: Listed) => counts?.get(id)?.sends.toLocaleString("en") ?? "…",
            isNumber: true,
          },
        ]),
    { title: "Changed", cell: ({ updatedAt }) => <Time at={updatedAt} />, width: 140, onPhone: "named" },
  ];
};
