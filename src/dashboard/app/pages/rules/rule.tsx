import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { api } from "../../api/api.ts";
import { Note, Panel } from "../../parts/cards/cards.tsx";
import { CodeBlock } from "../../parts/code.tsx";
import { whatOf, whomOf } from "../../parts/ledger/ledger-words.ts";
import type { FoundDelivery } from "../../parts/ledger/types.ts";
import { type Column, ListTable, RowLink } from "../../parts/list/list-table.tsx";
import { NotThere } from "../../parts/page/missing.tsx";
import { Page, PageHead } from "../../parts/page/page.tsx";
import { Answer, Empty } from "../../parts/states.tsx";
import { Status } from "../../parts/status/status.tsx";
import { Time } from "../../parts/text.tsx";
import { sourcesQuery } from "../sources/query.ts";
import { rulesQuery } from "./query.ts";
import { doesOf, type Rule as Shown, textOf } from "./rule-words.ts";
import { RunRules } from "./run-rules.tsx";
import { Template } from "./template.tsx";

const route = getRouteApi("/sources/rules/$source/$rule");

export const Rule = () => {
  const { source, rule: name } = route.useParams();
  const query = useQuery(rulesQuery);
  return (
    <Page title={name}>
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

/** Texts that the bridge knows are compiled, so the source of the build comes first. */
const useSourceOf = ({ source, name }: Shown) => {
  const { data: sources } = useQuery(sourcesQuery);
  const provider = sources?.data.find((one) => one.name === source)?.provider ?? source;
  const { data: rules } = useQuery({
    queryKey: ["rule sources"],
    queryFn: async () => (await import("virtual:rules")).default,
    staleTime: "static",
  });
  return rules && { found: rules[provider.replaceAll("-", "")]?.[name] };
};

const compiledOf = ({ when, stored, contact, update, subscription, remembers, lists, event, transactional }: Shown) => {
  const parts: [string, string][] = [
    ["Condition", when ?? ""],
    ["Event and mail only if", stored.join("\n")],
    ["Contact", textOf(contact)],
    ["Sets", textOf(update)],
    ["Of the subscription", subscription ? textOf(subscription.update) : ""],
    ["Stored, and written to no contact", textOf(remembers)],
    ["Mailing lists", textOf(lists)],
    ["Properties of the event", event ? textOf(event.properties) : ""],
    ["Template of the mail", transactional?.chosenBy ?? ""],
    ["Variables of the mail", transactional ? textOf(transactional.variables) : ""],
  ];
  return parts.flatMap(([title, text]) => (text === "" ? [] : [`// ${title}\n${text}`])).join("\n\n");
};

const Says = ({ rule }: { rule: Shown }) => {
  const { transactional, source } = rule;
  const text = useSourceOf(rule);
  return (
    <>
      <PageHead
        meta={
          <>
            <span>
              of{" "}
              <Link to="/sources/$source" params={{ source }}>
                {source}
              </Link>
            </span>
            <span>on {rule.on.join(", ")}</span>
          </>
        }
      />
      <Note title={`It ${doesOf(rule).join(", and ")}.`} />
      {transactional?.templates.map((template) => (
        <Template key={template} mail={{ template, variables: transactional.variables }} />
      ))}
      {text && (
        <Panel
          title="The rule"
          aside={<span>{text.found ? `${text.found.file}, line ${text.found.line}` : "as compiled"}</span>}
        >
          <CodeBlock name="Text of the rule" text={text.found?.text ?? compiledOf(rule)} />
        </Panel>
      )}
    </>
  );
};

const Latest = ({ rule, source }: { rule: string; source: string }) => {
  const query = useQuery({
    queryKey: ["bridge", "deliveries", { rule, source }, "latest"],
    queryFn: () => api.bridge.deliveries.search({ rule, source, limit: "5" }),
  });
  return (
    <Panel
      title="Latest deliveries"
      isFlush
      aside={
        <Link to="/deliveries/all" search={{ rule, source }}>
          All deliveries of this rule
        </Link>
      }
    >
      <Answer query={query}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title="None yet">None among the newest webhooks.</Empty>
          ) : (
            <ListTable
              what="Latest deliveries"
              hasHead={false}
              isCompact
              rows={data}
              columns={OF_DELIVERIES}
              idOf={({ id }) => id}
            />
          )
        }
      </Answer>
    </Panel>
  );
};

const OF_DELIVERIES: readonly Column<FoundDelivery>[] = [
  {
    title: "Delivery",
    cell: (delivery) => (
      <RowLink to="/webhooks/$webhookId" params={{ webhookId: delivery.webhook.id }} hash={delivery.id}>
        {whatOf(delivery)} for {whomOf(delivery)}
      </RowLink>
    ),
  },
  { title: "State", cell: ({ state }) => <Status kind={state} /> },
  { title: "Received", cell: ({ webhook }) => <Time at={webhook.acceptedAt} />, isNumber: true },
];
