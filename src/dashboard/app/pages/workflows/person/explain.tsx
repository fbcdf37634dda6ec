import { Button, Group, List, Stack, Text, TextInput, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type FormEvent, type ReactNode, useState } from "react";
import { api } from "../../../api/api.ts";
import { pageWords } from "../../../api/page-words.ts";
import { CopyAs } from "../../../parts/acts/copy-as.tsx";
import { Panel } from "../../../parts/cards/cards.tsx";
import { Answer } from "../../../parts/states.tsx";
import { Time } from "../../../parts/text.tsx";
import { NodeButton } from "../node-button.tsx";
import { pollOf } from "../state.ts";
import { keyOf, type Shown } from "../use-workflow.ts";

type Told = Awaited<ReturnType<typeof api.email.insight.explain>>;
type Line = Told["runs"][number]["lines"][number];

type Props = Shown & {
  person: string | undefined;
  onPerson: (person: string | undefined) => void;
  onSelect: (nodeId: string) => void;
};

/** Explains a person's way through the workflow, or the missing entry. */
export const ExplainPerson = ({ person, onPerson, onSelect, ...shown }: Props) => (
  <Panel title="Explain a person">
    <Stack gap="sm">
      <Ask key={person} person={person} onPerson={onPerson} />
      {person !== undefined && <ToldOf {...shown} person={person} onSelect={onSelect} />}
    </Stack>
  </Panel>
);

const Ask = ({ person, onPerson }: Pick<Props, "person" | "onPerson">) => {
  const [text, setText] = useState(person ?? "");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onPerson(text.trim() === "" ? undefined : text.trim());
  };
  return (
    <form onSubmit={submit}>
      <Group gap="xs" align="flex-end">
        <TextInput
          label="Address, user id or id"
          placeholder="ada@example.com"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          w={260}
          maw="100%"
        />
        <Button type="submit" variant="default">
          Explain
        </Button>
        {person !== undefined && (
          <Button variant="subtle" onClick={() => onPerson(undefined)}>
            Close
          </Button>
        )}
      </Group>
    </form>
  );
};

const ToldOf = ({
  id: team,
  workflow,
  status,
  person,
  onSelect,
}: Shown & { person: string; onSelect: (nodeId: string) => void }) => {
  const fields = { team, workflowId: workflow.id, contact: person };
  const query = useQuery({
    queryKey: [...keyOf(team, workflow.id), "explain", person],
    queryFn: ({ signal }) => api.email.insight.explain(fields, { signal }),
    refetchInterval: pollOf(status),
    retry: false,
  });
  return (
    <Answer query={query} rows={3}>
      {({ contact, runs, entry }) => (
        <Stack gap="sm">
          <Group gap="xs">
            <Link to="/people/$personId" params={{ personId: contact.email ?? contact.userId ?? contact.id }}>
              {contact.email ?? contact.userId ?? contact.id}
            </Link>
            <CopyAs
              asked={{ api: "email", name: "insight.explain", fields }}
              command={{ name: "workflow", args: ["explain", workflow.id, person], options: ["--team", team] }}
            />
          </Group>
          {runs.map(({ run, enteredAt, text, lines }) => (
            <Stack gap={4} key={run}>
              <Title order={3}>
                Passage {run}, entered <Time at={enteredAt} />
              </Title>
              <Text size="sm" fw={600} className="wrap">
                {text}
              </Text>
              <List size="sm" type="ordered" aria-label={`Passage ${run}`}>
                {lines.map((line, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: their order never changes
                  <List.Item key={index} className="wrap">
                    <Time at={line.at} />{" "}
                    <At
                      line={line}
                      isThere={line.nodeId !== null && line.nodeId in workflow.nodes}
                      onSelect={onSelect}
                    />
                  </List.Item>
                ))}
              </List>
            </Stack>
          ))}
          <Stack gap={4}>
            <Title order={3}>{runs.length === 0 ? "Why the person did not enter" : "If the trigger fires now"}</Title>
            <Text size="sm" className="wrap">
              {pageWords(entry.text)}
            </Text>
            {entry.lines.length > 0 && (
              <List size="sm" aria-label="What may have started it">
                {entry.lines.map(({ at, text }) => (
                  <List.Item key={`${at} ${text}`} className="wrap">
                    <Time at={at} /> {text}
                  </List.Item>
                ))}
              </List>
            )}
          </Stack>
        </Stack>
      )}
    </Answer>
  );
};

const At = ({
  line: { nodeId, text },
  isThere,
  onSelect,
}: {
  line: Line;
  isThere: boolean;
  onSelect: (nodeId: string) => void;
}): ReactNode => (nodeId !== null && isThere ? <NodeButton onPress={() => onSelect(nodeId)}>{text}</NodeButton> : text);
