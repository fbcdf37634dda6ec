import { Button, Group, Stack, Table, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { MessageSource } from "../../../../../lib/lmx/message/message-source.ts";
import { Headings } from "../../../parts/list/listing.tsx";
import { Problem } from "../../../parts/states.tsx";
import { Status } from "../../../parts/status/status.tsx";
import type { Team } from "../../../team/team.tsx";
import type { Editing } from "../editing.ts";
import { readPerson } from "../message-owner.ts";
import type { Value } from "./filled.ts";

const FIELDS = {
  contact: "contactPropertiesFallbacks",
  event: "eventPropertiesFallbacks",
  data: "dataVariablesFallbacks",
} as const satisfies Record<string, keyof MessageSource>;

/** Variables set by the service have no fallback. */
const fieldAndName = (variable: string): [field: (typeof FIELDS)[keyof typeof FIELDS], name: string] | undefined => {
  const dot = variable.indexOf(".");
  const field = FIELDS[variable.slice(0, dot) as keyof typeof FIELDS];
  return field === undefined ? undefined : [field, variable.slice(dot + 1)];
};

/** Person data for the preview. `who`: address or user id. */
export const usePerson = (team: Team, who: string | undefined) =>
  useQuery({
    queryKey: ["v1", team.id, "preview", who],
    queryFn: async () => (await readPerson(team.v1, who ?? "")) ?? null,
    enabled: who !== undefined,
    staleTime: 60_000,
  });

type Props = {
  editing: Editing;
  values: readonly Value[];
  typed: Readonly<Record<string, string>>;
  onType: (typed: Record<string, string>) => void;
  locked: boolean;
};

export const Variables = ({ editing: { source, change }, values, typed, onType, locked }: Props) => {
  if (values.length === 0) return <Text size="sm">The message has no variables.</Text>;
  const setFallback = (variable: string, text: string) => {
    const [field, name] = fieldAndName(variable) ?? [];
    if (field === undefined || name === undefined) return;
    const { [name]: _, ...others } = source[field];
    change({ [field]: text === "" ? others : { ...others, [name]: text } });
  };
  return (
    <Table.ScrollContainer minWidth={480}>
      <Table aria-label="variables" verticalSpacing={4}>
        <Headings of={["Variable", "Value in the preview", "Fallback"]} />
        <Table.Tbody>
          {values.map(({ name, value, from }) => {
            const [field, short] = fieldAndName(name) ?? [];
            return (
              <Table.Tr key={name}>
                <Table.Td>
                  <Group gap={6}>
                    <Text span className="mono wrap">
                      {name}
                    </Text>
                    {from === "missing" && <Status kind="missing" />}
                  </Group>
                </Table.Td>
                <Table.Td>
                  {field === undefined ? (
                    <Text size="sm">the service gives it</Text>
                  ) : (
                    <TextInput
                      size="xs"
                      aria-label={`Value of ${name}`}
                      placeholder={from === "person" || from === "fallback" ? value : undefined}
                      value={typed[name] ?? ""}
                      onChange={(event) => onType({ ...typed, [name]: event.currentTarget.value })}
                      autoComplete="off"
                    />
                  )}
                </Table.Td>
                <Table.Td>
                  {field !== undefined && short !== undefined && (
                    <TextInput
                      size="xs"
                      aria-label={`Fallback of ${name}`}
                      value={source[field][short] ?? ""}
                      onChange={(event) => setFallback(name, event.currentTarget.value)}
                      readOnly={locked}
                      autoComplete="off"
                    />
                  )}
                </Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
};

export const Person = ({
  who,
  query,
  onChoose,
}: {
  who: string | undefined;
  query: ReturnType<typeof usePerson>;
  onChoose: (who: string | undefined) => void;
}) => {
  const [text, setText] = useState(who ?? "");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onChoose(text.trim() === "" ? undefined : text.trim());
  };
  return (
    <form onSubmit={submit}>
      <Stack gap={4}>
        <Group align="flex-end" gap="xs">
          <TextInput
            label="As this person"
            placeholder="ada@example.com"
            size="xs"
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            autoComplete="off"
          />
          <Button type="submit" size="xs" variant="default" loading={query.isFetching}>
            Show
          </Button>
        </Group>
        {who !== undefined && <Problem query={query} />}
        {query.data === null && (
          <Text size="sm" role="status">
            There is no contact with the address or user id {who}.
          </Text>
        )}
      </Stack>
    </form>
  );
};
