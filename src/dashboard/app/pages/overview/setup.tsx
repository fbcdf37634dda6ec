import { Anchor, Card, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { api } from "../../api/api.ts";
import { LATER } from "../../api/queries.ts";
import { useAbout } from "../../api/use-about.ts";
import { type CheckLine, Checklist } from "../../parts/checklist.tsx";
import { Copyable } from "../../parts/states.tsx";
import { useFirstTeam } from "./team.ts";

const to = (path: "/sources" | "/sent" | "/sources/rules", text: string) => (
  <Anchor size="sm" renderRoot={(props) => <Link to={path} search={{}} {...props} />}>
    {text}
  </Anchor>
);

const useSource = (): CheckLine | undefined => {
  const { bridge } = useAbout();
  const { data } = useQuery({
    queryKey: ["bridge", "sources"],
    queryFn: () => api.bridge.sources.list({}),
    enabled: bridge !== null && bridge.unreachable === undefined,
    ...LATER,
  });
  if (bridge === null) return undefined;
  return {
    what: to("/sources", "A source has its secret"),
    isDone: data?.data.some(({ secret }) => secret.state === "set"),
    how: "Choose a provider, and set the secret that it shows.",
  };
};

const useTemplate = (team: string | undefined): CheckLine => {
  const { bridge, email } = useAbout();
  const { data } = useQuery({
    queryKey: ["v1", team, "transactional", "first"],
    queryFn: ({ signal }) => api.v1(team).transactional.list({ perPage: "10" }, { signal }),
    enabled: team !== undefined,
    ...LATER,
  });
  const named = bridge === null ? undefined : Object.keys(bridge.templates ?? {}).length > 0;
  const text = "A template is published";
  return {
    what: bridge === null ? <Text size="sm">{text}</Text> : to("/sources/rules", text),
    isDone: email === null ? named : data && data.data.length > 0,
    how: <Copyable text="npm run email" />,
  };
};

const useDomain = (team: string | undefined): CheckLine | undefined => {
  const { email } = useAbout();
  const { data } = useQuery({
    queryKey: ["email", team, "domains"],
    queryFn: ({ signal }) => api.email.domains.list({ team: team ?? "" }, { signal }),
    enabled: team !== undefined,
    ...LATER,
  });
  if (email === null) return undefined;
  // A local inbox needs no domain.
  if (email.senders?.transactional.sender === "inbox")
    return { what: <Text size="sm">No domain is needed: mails stay in the inbox of this machine</Text>, isDone: true };
  return {
    what: <Text size="sm">A domain is verified</Text>,
    isDone: data?.data.some(({ state }) => state === "verified" || state === "warning"),
    how: <Copyable text="npm run deploy" />,
  };
};

const useFirstMail = (team: string | undefined): CheckLine => {
  const { bridge, email } = useAbout();
  const sends = useQuery({
    queryKey: ["email", team, "sends", "first"],
    queryFn: ({ signal }) => api.email.sends.list({ team: team ?? "", perPage: "10" as never }, { signal }),
    enabled: team !== undefined,
    ...LATER,
  });
  const deliveries = useQuery({
    queryKey: ["bridge", "deliveries", "first mail"],
    queryFn: ({ signal }) =>
      api.bridge.deliveries.search({ action: "transactional", state: "done", limit: "1" } as never, { signal }),
    enabled: email === null && bridge !== null,
    ...LATER,
  });
  const found = email === null ? deliveries.data : sends.data;
  const text = "The first mail was sent";
  return {
    what: email === null ? <Text size="sm">{text}</Text> : to("/sent", text),
    isDone: found && found.data.length > 0,
    how: <Copyable text="npm run demo" />,
  };
};

/** Setup steps to the first mail, hidden when done. */
export const SetUp = () => {
  const team = useFirstTeam();
  const lines = [useSource(), useTemplate(team), useDomain(team), useFirstMail(team)].filter(
    (line) => line !== undefined,
  );
  if (!lines.some(({ isDone }) => isDone === false)) return null;
  return (
    <Card withBorder component="section" aria-label="First steps">
      <Title order={2} size="h4" mb="xs">
        First steps
      </Title>
      <Checklist label="First steps" lines={lines} />
    </Card>
  );
};
