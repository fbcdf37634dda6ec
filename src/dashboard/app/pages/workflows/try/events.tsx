import { Button, Group, List, Stack, Table, Text, TextInput, Title } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type FormEvent, useEffect, useState } from "react";
import type { AdminContract } from "../../../../../lib/contract/admin/email.ts";
import type { Response } from "../../../../../lib/contract/operation.ts";
import { api } from "../../../api/api.ts";
import { CopyAs } from "../../../parts/acts/copy-as.tsx";
import { Refused } from "../../../parts/acts/refused.tsx";
import { Headings } from "../../../parts/list/listing.tsx";
import { Time } from "../../../parts/text.tsx";
import { counted } from "../words.ts";
import { daysProblem } from "./asked.ts";
import type { TrialPanelProps } from "./props.ts";

type Played = Response<AdminContract["insight"]["dryRun"]>;

const MOST = 30;

/** Replays recent events through the workflow. */
export const EventsTrial = ({ id, workflow, onTrace, onSelect }: TrialPanelProps) => {
  const [days, setDays] = useState("7");
  const asked = { team: id, workflowId: workflow.id, days: Number(days) };
  const wrong = daysProblem(days, MOST);
  const play = useMutation({
    mutationFn: () => api.email.insight.dryRun(asked),
    onSuccess: ({ mails, waiting }) => onTrace([...new Set([...mails, ...waiting].map(({ nodeId }) => nodeId))]),
  });
  useEffect(() => () => onTrace([]), [onTrace]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (wrong === undefined) play.mutate();
  };
  return (
    <Stack gap="md">
      <form onSubmit={submit}>
        <Stack gap="sm">
          <TextInput
            label="Days back"
            description={`At most ${MOST}`}
            w={160}
            inputMode="decimal"
            value={days}
            error={wrong}
            onChange={({ currentTarget }) => setDays(currentTarget.value)}
            data-autofocus
          />
          {play.error && <Refused error={play.error} onProved={() => play.mutate()} />}
          <Group>
            <Button type="submit" size="xs" disabled={wrong !== undefined} loading={play.isPending}>
              Play the events
            </Button>
            {wrong === undefined && (
              <CopyAs
                asked={{ api: "email", name: "insight.dryRun", fields: asked }}
                command={{ name: "workflow", args: ["dry-run", workflow.id], options: ["--days", days, "--team", id] }}
              />
            )}
          </Group>
          <Text size="sm">As if the workflow had been live.</Text>
        </Stack>
      </form>
      {play.data && <Result played={play.data} onSelect={onSelect} />}
    </Stack>
  );
};

const Reasons = ({ title, counts }: { title: string; counts: Record<string, number> }) =>
  Object.keys(counts).length > 0 && (
    <Text size="sm">
      {title}:{" "}
      {Object.entries(counts)
        .map(([reason, count]) => `${reason.replaceAll("_", " ")} ${count.toLocaleString("en")}`)
        .join(", ")}
    </Text>
  );

const Result = ({ played, onSelect }: { played: Played; onSelect: (nodeId: string) => void }) => {
  const { from, events, entered, notEntered, mails, ended, waiting, contacts, notes } = played;
  return (
    <Stack gap="xs" role="status" aria-label="Outcome of the dry run">
      <Text size="sm" fw={600}>
        {counted(events, "event")} since <Time at={from} />: {entered.toLocaleString("en")} entered
      </Text>
      <Reasons title="Did not enter" counts={notEntered} />
      <Reasons title="Left by now" counts={ended} />
      {mails.length > 0 && (
        <Table aria-label="mails" verticalSpacing={4}>
          <Headings of={["Mail", "Sent", "Not sent"]} />
          <Table.Tbody>
            {mails.map(({ nodeId, subject, count, notSent }) => (
              <Table.Tr key={nodeId}>
                <Table.Td className="wrap">
                  <Button size="compact-xs" variant="subtle" h="auto" onClick={() => onSelect(nodeId)}>
                    <span className="lines">{subject || "without a subject"}</span>
                  </Button>
                </Table.Td>
                <Table.Td>{count.toLocaleString("en")}</Table.Td>
                <Table.Td>{notSent.toLocaleString("en")}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      {waiting.length > 0 && (
        <>
          <Title order={3}>Would wait now</Title>
          <List size="sm">
            {waiting.map(({ nodeId, text, count }) => (
              <List.Item key={nodeId} className="wrap">
                {count.toLocaleString("en")} at {text}
              </List.Item>
            ))}
          </List>
        </>
      )}
      {contacts.length > 0 && (
        <>
          <Title order={3}>First people</Title>
          <List size="sm">
            {contacts.map(({ id, email, text }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a person may enter twice
              <List.Item key={index} className="wrap">
                <Link to="/people/$personId" params={{ personId: email ?? id }}>
                  {email ?? id}
                </Link>
                : {text}
              </List.Item>
            ))}
          </List>
        </>
      )}
      {notes.map((note) => (
        <Text size="sm" key={note}>
          {note}
        </Text>
      ))}
    </Stack>
  );
};
