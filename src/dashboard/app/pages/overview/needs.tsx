import { Anchor, List, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useAbout } from "../../api/about.ts";
import { LATER } from "../../api/queries.ts";
import { statusQuery } from "../../parts/ledger/status.ts";
import { useSends } from "./sends.ts";
import { useFirstTeam } from "./team.ts";

type Need = { key: string; what: ReactNode };

const link = (path: "/calls" | "/health" | "/sources", text: string) => (
  <Anchor size="sm" renderRoot={(props) => <Link to={path} search={{}} {...props} />}>
    {text}
  </Anchor>
);

const useBridgeNeeds = (): Need[] | undefined => {
  const { bridge } = useAbout();
  const enabled = bridge !== null && bridge.unreachable === undefined;
  const status = useQuery({
    ...statusQuery,
    enabled,
    ...LATER,
  });
  if (!enabled) return [];
  if (!status.data) return undefined;
  const { attention, health } = status.data;
  return [
    ...(attention > 0
      ? [{ key: "calls", what: link("/calls", `${attention} ${attention === 1 ? "call needs" : "calls need"} you`) }]
      : []),
    ...health.reasons.map((reason) => ({ key: reason, what: link("/health", reason) })),
  ];
};

const useEmailNeeds = (): Need[] | undefined => {
  const { email } = useAbout();
  const team = useFirstTeam();
  const { data, isPending } = useSends(team);
  if (email === null || team === undefined) return [];
  if (isPending) return undefined;
  return (data?.attention ?? []).map(({ kind, text, ids }) => ({
    key: `${kind} ${JSON.stringify(ids)}`,
    what: <OfEmail text={text} campaign={ids.campaign} />,
  }));
};

const OfEmail = ({ text, campaign }: { text: string; campaign: string | undefined }) =>
  campaign === undefined ? (
    <Text size="sm">{text}</Text>
  ) : (
    <Anchor size="sm" renderRoot={(props) => <Link to="/mail" search={{ campaign }} {...props} />}>
      {text}
    </Anchor>
  );

/** What a person has to look at, of both halves. */
export const NeedsYou = () => {
  const [bridge, email] = [useBridgeNeeds(), useEmailNeeds()];
  const needs = [...(bridge ?? []), ...(email ?? [])];
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
      {bridge && email && needs.length === 0 && <Text size="sm">Nothing needs you.</Text>}
    </Stack>
  );
};
