import { Code, Group, Stack, Table, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { api } from "../../api/api.ts";
import { whatOf, whomOf } from "../../parts/ledger/ledger-words.ts";
import type { FoundDelivery } from "../../parts/ledger/types.ts";
import { NotThere } from "../../parts/page/missing.tsx";
import { Page } from "../../parts/page/page.tsx";
import { Answer } from "../../parts/states.tsx";
import { Status } from "../../parts/status/status.tsx";
import { Time } from "../../parts/text.tsx";
import { rulesQuery } from "./query.ts";
import { doesOf, type Rule as Shown, textOf } from "./rule-words.ts";
import { RunRules } from "./run-rules.tsx";
import { Template } from "./template.tsx";
import { Condition } from "./tried.tsx";

const route = getRouteApi("/sources/rules/$source/$rule");

export const Rule = () => {
  const { source, rule: name } = route.useParams();
  const query = useQuery(rulesQuery);
  return (
    <Page title={name}>
      <Group gap="md">
        <Link to="/sources/rules" search={{}}>
          All rules
        </Link>
        <Link to="/sources/rules" search={{ source }}>
          Rules of {source}
        </Link>
      </Group>
      <Answer query={query}>
        {({ data }) => <One name={name} source={source} all={data.filter((rule) => rule.source === source)} />}
      </Answer>
    </Page>
  );
};

const One = ({ name, source, all }: { name: string; source: string; all: readonly Shown[] }) => {
  const rule = all.find((one) => one.name === name);
  if (!rule)
    return <NotThere kind="rule" message={`${source} has no rule with this name. It may have been renamed.`} />;
  const conditions = Object.fromEntries(all.map((one) => [one.name, one.when]));
  return (
    <>
      <Says rule={rule} />
      <Latest rule={name} source={source} />
      <RunRules source={source} type={rule.on[0]} conditions={conditions} />
    </>
  );
};

const Says = ({ rule }: { rule: Shown }) => {
  const { event, transactional, subscription } = rule;
  const parts: [string, string][] = [
    ["Event and mail only if", rule.stored.join("\n")],
    ["Contact", textOf(rule.contact)],
    ["Sets", textOf(rule.update)],
    ["Of the subscription", subscription ? textOf(subscription.update) : ""],
    ["Stored, and written to no contact", textOf(rule.remembers)],
    ["Mailing lists", textOf(rule.lists)],
    ["Properties of the event", event ? textOf(event.properties) : ""],
    ["Template of the mail", transactional?.chosenBy ?? ""],
    ["Variables of the mail", transactional ? textOf(transactional.variables) : ""],
  ];
  return (
    <Stack gap="xs" component="section" aria-label="What the rule says">
      <Text size="sm">On {rule.on.join(", ")}.</Text>
      {doesOf(rule).map((what) => (
        <Text size="sm" key={what}>
          It {what}.
        </Text>
      ))}
      {transactional?.templates.map((template) => (
        <Template key={template} mail={{ template, variables: transactional.variables }} />
      ))}
      {rule.when !== null && (
        <>
          <Text size="sm" fw={600}>
            Condition
          </Text>
          <Condition text={rule.when} />
        </>
      )}
      {parts
        .filter(([, text]) => text !== "")
        .map(([title, text]) => (
          <div key={title}>
            <Text size="sm" fw={600}>
              {title}
            </Text>
            <Code block tabIndex={0} className="lines">
              {text}
            </Code>
          </div>
        ))}
    </Stack>
  );
};

const Latest = ({ rule, source }: { rule: string; source: string }) => {
  const query = useQuery({
    queryKey: ["bridge", "deliveries", { rule, source }, "latest"],
    queryFn: () => api.bridge.deliveries.search({ rule, source, limit: "5" }),
  });
  return (
    <Stack gap="xs" component="section" aria-labelledby="latest">
      <Title id="latest" order={2} size="h4">
        Latest deliveries
      </Title>
      <Answer query={query}>{({ data }) => <Deliveries deliveries={data} />}</Answer>
      <Link to="/deliveries/all" search={{ rule, source }}>
        All deliveries of this rule
      </Link>
    </Stack>
  );
};

const Deliveries = ({ deliveries }: { deliveries: readonly FoundDelivery[] }) =>
  deliveries.length === 0 ? (
    <Text size="sm">None among the newest webhooks.</Text>
  ) : (
    <Table aria-label="Latest deliveries">
      <Table.Tbody>
        {deliveries.map((delivery) => (
          <Table.Tr key={delivery.id} className="row">
            <Table.Td>
              <Link to="/webhooks/$webhookId" params={{ webhookId: delivery.webhook.id }}>
                {whatOf(delivery)} for {whomOf(delivery)}
              </Link>
            </Table.Td>
            <Table.Td>
              <Status kind={delivery.state} />
            </Table.Td>
            <Table.Td>
              <Time at={delivery.webhook.acceptedAt} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
