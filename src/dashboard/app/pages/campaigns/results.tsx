import { Anchor, Group, Stack, Table, Text, Title } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { api } from "../../api/api.ts";
import { LATER } from "../../api/queries.ts";
import { useAbout } from "../../api/use-about.ts";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import type { Filters } from "../../parts/filters.ts";
import { counted } from "../../parts/ledger/ledger-words.ts";
import { Headings } from "../../parts/list/listing.tsx";
import { Answer } from "../../parts/states.tsx";
import { Status } from "../../parts/status/status.tsx";
import { Time } from "../../parts/text.tsx";
import { clock } from "../../parts/time.ts";
import { numberText } from "./campaign-words.ts";
import { type Counts, rowsOf, shareOf } from "./counts.ts";
import { isOver, kindOfRecipient, pollOf, type Status as Stated } from "./state.ts";

type Found = Counts & { links: Awaited<ReturnType<typeof api.email.statistics.links>>["data"] };

export const Results = ({ team, status }: { team: string; status: Stated }) => {
  const asked = { team, campaignId: status.id };
  const query = useQuery({
    queryKey: ["email", team, "campaign", status.id, "results", isOver(status)],
    queryFn: async ({ signal }): Promise<Found> => {
      const [counts, { data: links }] = await Promise.all([
        api.email.statistics.results(asked, { signal }),
        api.email.statistics.links(asked, { signal }),
      ]);
      return { ...counts, links };
    },
    placeholderData: keepPreviousData,
    refetchInterval: pollOf(status, clock()) || LATER.refetchInterval,
  });
  return (
    <Stack gap="xs" component="section" aria-labelledby="results">
      <Group justify="space-between">
        <Title order={2} size="h4" id="results">
          Results
        </Title>
        <CopyAs
          asked={{ api: "email", name: "statistics.results", fields: asked }}
          command={{ name: "campaign", args: ["results", status.id], options: ["--team", team] }}
        />
      </Group>
      <Answer query={query} rows={5}>
        {(found) => (
          <>
            <Numbers found={found} />
            <Reasons found={found} />
            <Links found={found} />
          </>
        )}
      </Answer>
    </Stack>
  );
};

const To = ({ id, search, children }: { id: string; search: Filters; children: ReactNode }) => (
  <Anchor
    size="sm"
    renderRoot={(props) => (
      <Link to="/campaigns/$campaignId" params={{ campaignId: id }} search={search} hash="recipients" {...props} />
    )}
  >
    {children}
  </Anchor>
);

const Numbers = ({ found }: { found: Found }) => {
  const { id, prefetched, scanned, deleted } = found;
  const isInbox = useAbout().email?.senders?.marketing.sender === "inbox";
  return (
    <>
      <Table aria-label="Results" maw={560} verticalSpacing={4}>
        <Headings of={["Count", "People", "Share"]} />
        <Table.Tbody>
          {rowsOf(found, isInbox).map(({ what, many, share, search }) => (
            <Table.Tr key={what}>
              <Table.Td>
                {search && many > 0 ? (
                  <To id={id} search={search}>
                    {what}
                  </To>
                ) : (
                  what
                )}
              </Table.Td>
              <Table.Td>{numberText(many)}</Table.Td>
              <Table.Td>{share}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {isInbox && found.delivered > 0 && (
        <Text size="sm">Marketing mail goes into the local inbox here, and to nobody else: no mail leaves.</Text>
      )}
      {prefetched + scanned > 0 && (
        <Text size="sm">
          Not counted as opens: {counted(prefetched, "mail")} that a privacy proxy loaded ahead, and{" "}
          {numberText(scanned)} that a program opened.
        </Text>
      )}
      {deleted > 0 && <Text size="sm">Contacts that were deleted since then: {numberText(deleted)}.</Text>}
    </>
  );
};

const Reasons = ({ found: { id, reasons, reasonsAt } }: { found: Found }) =>
  reasons.length === 0 ? null : (
    <Stack gap={4}>
      <Table.ScrollContainer minWidth={480} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
        <Table aria-label="Reasons" verticalSpacing={4}>
          <Headings of={["People", "State", "Why"]} />
          <Table.Tbody>
            {reasons.map(({ state, reason, meaning, recipients }) => (
              <Table.Tr key={`${state} ${reason}`}>
                <Table.Td>
                  <To id={id} search={{ state, reason }}>
                    {numberText(recipients)}
                  </To>
                </Table.Td>
                <Table.Td>
                  <Status kind={kindOfRecipient(state)} />
                </Table.Td>
                <Table.Td className="wrap">{meaning}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Text size="sm">
        Reasons were counted <Time at={reasonsAt} />.
      </Text>
    </Stack>
  );

const Links = ({ found: { links, delivered } }: { found: Found }) =>
  links.length === 0 ? null : (
    <Table.ScrollContainer minWidth={480} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table aria-label="Links" verticalSpacing={4}>
        <Headings of={["Link", "Clicks of people", "People", "Share", "Opened by programs"]} />
        <Table.Tbody>
          {links.map(({ url, clicks, people, robots }) => (
            <Table.Tr key={url ?? ""}>
              <Table.Td className="wrap">{url ?? "(its address differs from mail to mail)"}</Table.Td>
              <Table.Td>{numberText(clicks)}</Table.Td>
              <Table.Td>{numberText(people)}</Table.Td>
              <Table.Td>{shareOf(people, delivered, "delivered")}</Table.Td>
              <Table.Td>{numberText(robots)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
