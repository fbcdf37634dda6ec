import { Anchor, Grid, Stack, Text } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { api } from "../../api/api.ts";
import { LATER } from "../../api/queries.ts";
import { useAbout } from "../../api/use-about.ts";
import { Facts, Panel, Tiles } from "../../parts/cards/cards.tsx";
import type { Filters } from "../../parts/filters.ts";
import { counted } from "../../parts/ledger/ledger-words.ts";
import { Span } from "../../parts/span/span.tsx";
import { Answer } from "../../parts/states.tsx";
import { Time } from "../../parts/text.tsx";
import { clock } from "../../parts/time.ts";
import type { Team } from "../../team/team.tsx";
import { numberText, peopleText, percentText } from "./campaign-words.ts";
import { Clicks } from "./clicks.tsx";
import { type Counts, comparedText, type LinkCounts, type Missed, missedOf, stopsOf } from "./counts.ts";
import { OpensAndClicks } from "./opens-and-clicks.tsx";
import { isOver, pollOf, type Status } from "./state.ts";

type Found = Counts & { links: readonly LinkCounts[] };
type Props = { team: Team; id: string; status: Status };

export const Results = ({ team, id, status }: Props) => {
  const asked = { team: id, campaignId: status.id };
  const query = useQuery({
    queryKey: ["email", id, "campaign", status.id, "results", isOver(status)],
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
    <Answer query={query} rows={5}>
      {(found) => <Shown team={team} id={id} status={status} found={found} />}
    </Answer>
  );
};

const Shown = ({ team, id, status, found }: Props & { found: Found }) => {
  const isInbox = useAbout().email?.senders?.marketing.sender === "inbox";
  const missed = missedOf(found);
  const count = missed.reduce((sum, { many }) => sum + many, 0);
  const startedAt = status.progress?.startedAt;
  return (
    <>
      <Span label="Results" stops={stopsOf(found, count, isInbox)} />
      <Rates found={found} />
      <Grid>
        <Grid.Col span={{ base: 12, md: 8 }}>
          {startedAt && <OpensAndClicks team={id} id={status.id} startedAt={startedAt} previous={found.previous} />}
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Stack h="100%">
            <DidNotGetIt found={found} missed={missed} count={count} />
            {found.unsubscribeReasons.length > 0 && <WhyTheyLeft found={found} />}
          </Stack>
        </Grid.Col>
      </Grid>
      {found.links.length > 0 && <Clicks team={team} status={status} links={found.links} clicked={found.clicked} />}
    </>
  );
};

const To = ({ id, search, children }: { id: string; search: Filters; children: ReactNode }) => (
  <Anchor
    inherit
    renderRoot={(props) => (
      <Link to="/campaigns/$campaignId" params={{ campaignId: id }} search={search} hash="recipients" {...props} />
    )}
  >
    {children}
  </Anchor>
);

const Rates = ({ found }: { found: Found }) => {
  const { id, delivered, bounced, hardBounces, unsubscribed, complained, previous } = found;
  const linked = (what: string, many: number, search: Filters) =>
    many > 0 ? (
      <To id={id} search={search}>
        {what}
      </To>
    ) : (
      what
    );
  const reads = (["opened", "clicked"] as const).map((of) => ({
    label: linked(of === "opened" ? "Open rate" : "Click rate", found[of], { group: of }),
    value: percentText(found[of], delivered) || "–",
    note: comparedText(of, found, previous) ?? peopleText(found[of]),
  }));
  return (
    <Tiles
      label="Rates"
      tiles={[
        ...reads,
        {
          label: "Bounced",
          value: percentText(bounced, delivered + bounced) || "–",
          note: `${numberText(bounced)}, of which ${numberText(hardBounces)} hard`,
        },
        {
          label: linked("Unsubscribed", unsubscribed, { group: "unsubscribed" }),
          value: percentText(unsubscribed, delivered) || "–",
          note: peopleText(unsubscribed),
        },
        {
          label: linked("Complaints", complained, { state: "complained" }),
          value: numberText(complained),
          note: `of ${numberText(delivered)}`,
        },
      ]}
    />
  );
};

type MissedProps = { found: Found; missed: readonly Missed[]; count: number };

const DidNotGetIt = ({ found: { id, prefetched, scanned, deleted, reasonsAt }, missed, count }: MissedProps) => (
  <Panel title={`${numberText(count)} did not get it`}>
    <Facts
      isOfNumbers
      facts={missed.map(({ what, many, tone, search }) => ({
        label: search ? (
          <To id={id} search={search}>
            {what}
          </To>
        ) : (
          what
        ),
        value: numberText(many),
        share: many / (missed[0]?.many ?? 1),
        tone,
      }))}
    />
    <Text size="xs" c="dimmed" mt="sm">
      {prefetched + scanned > 0 &&
        `Opens by mail programs are counted apart: ${numberText(prefetched)} loaded ahead by a privacy proxy, ${numberText(scanned)} by other programs. They are in no rate here. `}
      {deleted > 0 && `${counted(deleted, "recipient")} ${deleted === 1 ? "was" : "were"} deleted since. `}
      Reasons were counted <Time at={reasonsAt} />.
    </Text>
  </Panel>
);

const WHY: Readonly<Record<Found["unsubscribeReasons"][number]["reason"], string>> = {
  too_many: "Too many mails",
  not_for_me: "Not for them",
  never_signed_up: "Never signed up",
  something_else: "Something else",
};

/** Answers that people gave on the page of the unsubscription. */
const WhyTheyLeft = ({ found: { unsubscribeReasons, unsubscribed } }: { found: Found }) => {
  const answers = unsubscribeReasons.reduce((sum, { people }) => sum + people, 0);
  return (
    <Panel title="Why people unsubscribed" aside={`${numberText(answers)} of ${numberText(unsubscribed)} said why`}>
      <Facts
        isOfNumbers
        facts={unsubscribeReasons.map(({ reason, people }) => ({
          label: WHY[reason],
          value: numberText(people),
          share: people / (unsubscribeReasons[0]?.people ?? 1),
          tone: reason === "never_signed_up" ? "c-bad" : "c2",
        }))}
      />
    </Panel>
  );
};
