import { Anchor, List, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { LATER } from "../../api/queries.ts";
import { useAbout } from "../../api/use-about.ts";
import type { Filters } from "../../parts/filters.ts";
import { statusQuery } from "../../parts/ledger/status.ts";
import { useSends } from "./sends.ts";
import { useFirst } from "./team.ts";

type Need = { key: string; what: ReactNode };

const link = (path: "/deliveries" | "/deliveries/throughput" | "/sources", text: string) => (
  <Anchor size="sm" renderRoot={(props) => <Link to={path} search={{}} {...props} />}>
    {text}
  </Anchor>
);

/** `hasFailed`: no answer, so the list may be incomplete. */
type Needs = { needs: Need[] | undefined; hasFailed: boolean };
const NOTHING: Needs = { needs: [], hasFailed: false };

const useBridgeNeeds = (): Needs => {
  const { bridge } = useAbout();
  const isThere = bridge !== null && bridge.unreachable === undefined;
  const { data, error } = useQuery({ ...statusQuery, enabled: isThere, ...LATER });
  if (bridge === null) return NOTHING;
  const needs = data?.health.problems.map(({ kind, source, message, count, cure }) => ({
    key: `${kind} ${source}`,
    what: (
      <>
        {kind === "deliveries"
          ? link("/deliveries", `${count} ${count === 1 ? "delivery needs" : "deliveries need"} you`)
          : link(kind === "refusing" ? "/sources" : "/deliveries/throughput", message)}{" "}
        <Text span size="sm" c="dimmed">
          {cure}
        </Text>
      </>
    ),
  }));
  return { needs, hasFailed: !isThere || error !== null };
};

const useEmailNeeds = (): Needs => {
  const { email } = useAbout();
  const { id: team, error: noTeam, isNone } = useFirst();
  const { data, error } = useSends(team);
  if (email === null || isNone) return NOTHING;
  const needs = data?.attention.map(({ kind, text, ids }) => ({
    key: `${kind} ${JSON.stringify(ids)}`,
    what: <OfEmail text={text} ids={ids} team={team} />,
  }));
  return { needs, hasFailed: email.unreachable !== undefined || (noTeam ?? error) !== null };
};

/** The tab may show another team than the overview. */
const OfEmail = ({ text, ids, team }: { text: string; ids: Record<string, string>; team: string | undefined }) => {
  const { campaign, wave } = ids;
  const search = { team } as Filters;
  if (campaign !== undefined)
    return (
      <Anchor
        size="sm"
        renderRoot={(props) => (
          <Link to="/campaigns/$campaignId" params={{ campaignId: campaign }} search={search} {...props} />
        )}
      >
        {text}
      </Anchor>
    );
  if (wave !== undefined)
    return (
      <Anchor size="sm" renderRoot={(props) => <Link to="/people/suppressed" search={search} {...props} />}>
        {text}
      </Anchor>
    );
  return <Text size="sm">{text}</Text>;
};

/** Open tasks of both halves. "None" needs both answers. */
export const NeedsYou = () => {
  const halves = [useBridgeNeeds(), useEmailNeeds()];
  const needs = halves.flatMap((half) => half.needs ?? []);
  const hasFailed = halves.some((half) => half.hasFailed);
  const isKnown = !hasFailed && halves.every((half) => half.needs !== undefined);
  return (
    <Stack gap="xs" component="section" aria-labelledby="needs">
      <Title id="needs" order={2} size="h4">
        Needs you
      </Title>
      {needs.length > 0 && (
        <List size="sm">
          {needs.map(({ key, what }) => (
            <List.Item key={key}>{what}</List.Item>
          ))}
        </List>
      )}
      {isKnown && needs.length === 0 && <Text size="sm">Nothing needs you.</Text>}
      {hasFailed && <Text size="sm">Not all is known: a half gives no answer now.</Text>}
    </Stack>
  );
};
