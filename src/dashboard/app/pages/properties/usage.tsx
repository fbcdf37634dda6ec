import { Badge, Group, Stack, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/api.ts";
import { ActButton } from "../../parts/acts/act.tsx";
import { Headings } from "../../parts/list/listing.tsx";
import { Answer } from "../../parts/states.tsx";
import { DescribeButton } from "./describe.tsx";
import { shareOf } from "./share.ts";

type Found = Awaited<ReturnType<typeof api.email.properties.usage>>;
type Property = Found["data"][number];

export const Usage = ({ team }: { team: string }) => {
  const query = useQuery({
    queryKey: ["email", team, "properties"],
    queryFn: ({ signal }) => api.email.properties.usage({ team }, { signal }),
  });
  return <Answer query={query}>{(found) => <Shown team={team} found={found} />}</Answer>;
};

const Shown = ({ team, found: { data, sampled } }: { team: string; found: Found }) => (
  <Table.ScrollContainer
    minWidth={860}
    // A keyboard could not scroll the table without a focusable row.
    scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}
  >
    <Table aria-label="properties">
      <Headings of={["Name", "Type", "Filled", "Examples", "Used by", "Change"]} />
      <Table.Tbody>
        {data.map((property) => (
          <Row key={property.name} team={team} property={property} sampled={sampled} />
        ))}
      </Table.Tbody>
    </Table>
  </Table.ScrollContainer>
);

const Row = ({ team, property, sampled }: { team: string; property: Property; sampled: number }) => {
  const { name, label, description, type, isStandard, filled, samples, usedBy } = property;
  return (
    <Table.Tr>
      <Table.Td>
        <Text className="mono">{name}</Text>
        <Text size="xs" c="dimmed">
          {[label, description].filter(Boolean).join(". ")}
        </Text>
      </Table.Td>
      <Table.Td>
        {type}{" "}
        {isStandard && (
          <Badge variant="light" color="gray" tt="none">
            standard
          </Badge>
        )}
      </Table.Td>
      <Table.Td>{shareOf(filled, sampled)}</Table.Td>
      <Table.Td>
        <Stack gap={0}>
          {samples.map((value) => (
            <Text key={value} size="xs" lineClamp={1} title={value} maw={180}>
              {value}
            </Text>
          ))}
        </Stack>
      </Table.Td>
      <Table.Td>
        <Stack gap={0}>
          {usedBy.map((use) => (
            <Text key={use.id} size="xs">
              {use.kind} {use.name}
            </Text>
          ))}
        </Stack>
      </Table.Td>
      <Table.Td>
        {!isStandard && (
          <Group gap="xs" wrap="nowrap">
            <DescribeButton team={team} property={property} />
            <Delete team={team} property={property} sampled={sampled} />
          </Group>
        )}
      </Table.Td>
    </Table.Tr>
  );
};

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
