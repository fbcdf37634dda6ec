import { Button, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/api.ts";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { Panel } from "../../parts/cards/cards.tsx";
import { type Column, ListTable } from "../../parts/list/list-table.tsx";
import { Answer } from "../../parts/states.tsx";
import { Time } from "../../parts/text.tsx";
import { bytesOf, isPartial, SPANS, sumOf } from "./sums.ts";

type Found = Awaited<ReturnType<typeof api.email.teams.usage>>;

export const Usage = ({ team }: { team: string }) => {
  const query = useQuery({
    queryKey: ["email", team, "usage"],
    queryFn: ({ signal }) => api.email.teams.usage({ team }, { signal }),
    staleTime: 60_000,
  });
  return (
    <Panel title="Usage" aside={<CopyAs asked={{ api: "email", name: "teams.usage", fields: { team } }} />}>
      <Answer query={query} rows={3}>
        {(usage) => (
          <Numbers
            usage={usage}
            now={query.dataUpdatedAt}
            isBusy={query.isFetching}
            onCount={() => void query.refetch()}
          />
        )}
      </Answer>
    </Panel>
  );
};

type Span = (typeof SPANS)[number];
type NumbersProps = { usage: Found; now: number; isBusy: boolean; onCount: () => void };

const Numbers = ({ usage, now, isBusy, onCount }: NumbersProps) => {
  const { contacts, timeZone, mails, mailsSince, previews, database, rows } = usage;
  const cell = (kind: "transactional" | "marketing") => (span: Span) =>
    `${isPartial(mailsSince, now, span.days, timeZone) ? "at least " : ""}${sumOf(mails, now, span.days, timeZone)[kind].toLocaleString()}`;
  const columns: readonly Column<Span>[] = [
    { title: "Accepted mails", cell: ({ days, name }) => (days === 1 ? `${name} (${timeZone})` : name) },
    { title: "Transactional", cell: cell("transactional"), isNumber: true },
    { title: "Marketing", cell: cell("marketing"), isNumber: true },
  ];
  return (
    <Stack gap="sm">
      <ListTable what="Mails" isCompact rows={SPANS} columns={columns} idOf={({ name }) => name} />
      {isPartial(mailsSince, now, SPANS[2].days, timeZone) && (
        <Group gap="xs">
          <Text size="sm">
            Counted back to <Time at={mailsSince} />.
          </Text>
          <Button size="compact-sm" variant="default" loading={isBusy} onClick={onCount}>
            Count on
          </Button>
        </Group>
      )}
      <Text size="sm">
        Contacts: {contacts.subscribed.toLocaleString("en")} {contacts.subscribed === 1 ? "gets" : "get"} mail,{" "}
        {contacts.unsubscribed.toLocaleString("en")} {contacts.unsubscribed === 1 ? "has" : "have"} unsubscribed
        (counted <Time at={contacts.countedAt} />
        ).
      </Text>
      <Text size="sm">
        Previews: {previews.left} of {previews.limit} left in 24 hours. Database: {bytesOf(database.bytes)} of{" "}
        {bytesOf(database.limitBytes)}.
      </Text>
      {rows && <Text size="sm">{rowsText(rows)}</Text>}
    </Stack>
  );
};

const rowsText = ({ team, account, limit, waiting }: NonNullable<Found["rows"]>): string => {
  const own = `Database rows written today (UTC): ${team.toLocaleString("en")}.`;
  if (limit === null) return own;
  const all = `${own} Account: about ${account.toLocaleString("en")} of ${limit.toLocaleString("en")}.`;
  if (waiting.length === 0) return all;
  const who = waiting.includes("workflows") ? "campaigns, imports and workflows" : "campaigns and imports";
  return `${all} Until midnight UTC, ${who} wait.`;
};
