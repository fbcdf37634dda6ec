import { Button, Group, Stack, Table, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/api.ts";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { Headings } from "../../parts/list/listing.tsx";
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
    <Stack gap="xs" component="section" aria-labelledby="usage">
      <Group justify="space-between">
        <Title order={2} size="h4" id="usage">
          Usage
        </Title>
        <CopyAs asked={{ api: "email", name: "teams.usage", fields: { team } }} />
      </Group>
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
    </Stack>
  );
};

type NumbersProps = { usage: Found; now: number; isBusy: boolean; onCount: () => void };

const Numbers = ({ usage, now, isBusy, onCount }: NumbersProps) => {
  const { contacts, timeZone, mails, mailsSince, previews, database, rows } = usage;
  return (
    <>
      <Table aria-label="Mails" maw={560}>
        <Headings of={["Accepted mails", "Transactional", "Marketing"]} />
        <Table.Tbody>
          {SPANS.map(({ days, name }) => {
            const { transactional, marketing } = sumOf(mails, now, days, timeZone);
            const least = isPartial(mailsSince, now, days, timeZone) ? "at least " : "";
            return (
              <Table.Tr key={days}>
                <Table.Td>{days === 1 ? `${name} (${timeZone})` : name}</Table.Td>
                <Table.Td>{least + transactional.toLocaleString()}</Table.Td>
                <Table.Td>{least + marketing.toLocaleString()}</Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
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
    </>
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
