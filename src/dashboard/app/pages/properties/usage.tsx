import { Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/api.ts";
import { ActButton } from "../../parts/acts/act.tsx";
import { type Column, ListTable, Second } from "../../parts/list/list-table.tsx";
import { Answer } from "../../parts/states.tsx";
import { DescribeButton } from "./describe.tsx";
import { shareOf } from "./share.ts";

type Property = Awaited<ReturnType<typeof api.email.properties.usage>>["data"][number];

export const Usage = ({ team }: { team: string }) => {
  const query = useQuery({
    queryKey: ["email", team, "properties"],
    queryFn: ({ signal }) => api.email.properties.usage({ team }, { signal }),
  });
  return (
    <Answer query={query}>
      {({ data, sampled }) => (
        <ListTable what="properties" rows={data} columns={columnsOf(team, sampled)} idOf={({ name }) => name} />
      )}
    </Answer>
  );
};

const columnsOf = (team: string, sampled: number): readonly Column<Property>[] => [
  {
    title: "Name",
    cell: ({ name, label, description }) => (
      <>
        <code>{name}</code>
        <Second>{[label, description].filter(Boolean).join(". ")}</Second>
      </>
    ),
  },
  {
    title: "Type",
    cell: ({ type, isStandard }) => (
      <>
        {type}
        {isStandard && <Second>standard</Second>}
      </>
    ),
  },
  { title: "Filled", cell: ({ filled }) => shareOf(filled, sampled), isNumber: true },
  { title: "Examples", cell: ({ samples }) => samples.map((value) => <Second key={value}>{value}</Second>) },
  {
    title: "Used by",
    cell: ({ usedBy }) =>
      usedBy.map(({ kind, id, name }) => (
        <Second key={id}>
          {kind} {name}
        </Second>
      )),
  },
  {
    title: "Change",
    cell: (property) =>
      !property.isStandard && (
        <Group gap="xs" wrap="nowrap">
          <DescribeButton team={team} property={property} />
          <Delete team={team} property={property} sampled={sampled} />
        </Group>
      ),
  },
];

const Delete = ({ team, property, sampled }: { team: string; property: Property; sampled: number }) => {
  const { name, filled, usedBy } = property;
  const users = usedBy.map((use) => `the ${use.kind} "${use.name}"`).join(", ");
  return (
    <ActButton
      color="red"
      variant="outline"
      aria-label={`Delete ${name}`}
      act={{
        title: `Delete the property ${name}?`,
        label: "Delete",
        color: "red",
        word: "delete",
        effect: () =>
          usedBy.length > 0
            ? { nothing: true, text: `It is in use by ${users}. Change these first.` }
            : {
                text: `Its values are erased from all contacts: ${shareOf(filled, sampled)} of them have one. This cannot be undone. A request or a rule that sets the property is refused from then on.`,
              },
        run: () => api.email.properties.remove({ team, name }),
        done: () => `${name} is deleted. Its values are being erased.`,
        asked: { api: "email", name: "properties.remove", fields: { team, name } },
      }}
    >
      Delete
    </ActButton>
  );
};
