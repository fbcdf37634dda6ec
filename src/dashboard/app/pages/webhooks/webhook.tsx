import { Button } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { api } from "../../api/api.ts";
import { LATER, SOON } from "../../api/queries.ts";
import { useAbout, useTeamOfBridge } from "../../api/use-about.ts";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { toast } from "../../parts/acts/toast.tsx";
import { Facts, Note, Panel } from "../../parts/cards/cards.tsx";
import { Icon } from "../../parts/icons.tsx";
import { useKey } from "../../parts/keys.ts";
import { entryOf } from "../../parts/ledger/delivery-entry.tsx";
import { answerOf, capital, counted, lasting } from "../../parts/ledger/ledger-words.ts";
import type { Delivery, WebhookSearch, WholeWebhook } from "../../parts/ledger/types.ts";
import { People } from "../../parts/ledger/webhook-columns.tsx";
import { ListTable } from "../../parts/list/list-table.tsx";
import { Page, PageHead } from "../../parts/page/page.tsx";
import { PanelTabs } from "../../parts/page/panel-tabs.tsx";
import { Span } from "../../parts/span/span.tsx";
import { Answer } from "../../parts/states.tsx";
import { stateText } from "../../parts/status/kinds.ts";
import { Fold, Story } from "../../parts/story/story.tsx";
import { Id, Time } from "../../parts/text.tsx";
import { useTitleOf } from "../overview/sources.ts";
import { TriedWebhook } from "../rules/tried.tsx";
import { Body } from "./body.tsx";
import { newerThan, olderThan } from "./neighbors.ts";
import { ReplayDialog } from "./replay-dialog.tsx";

const route = getRouteApi("/webhooks/$webhookId");

const isInFlight = ({ state }: Delivery): boolean => state === "waiting" || state === "sending";

export const Webhook = () => {
  const { webhookId } = route.useParams();
  const [replaying, setReplaying] = useState(false);
  const query = useQuery({
    queryKey: ["bridge", "webhook", webhookId],
    queryFn: ({ signal }) => api.bridge.webhooks.get({ webhookId, body: "0" }, { signal }),
    refetchInterval: ({ state }) => (state.data?.deliveries.some(isInFlight) ? SOON : LATER).refetchInterval,
  });
  const { data } = query;
  useKey("r", () => setReplaying(true));
  return (
    <Page
      title="Webhook"
      isOne
      actions={
        data && (
          <>
            <Neighbors webhook={data} />
            <Button
              size="xs"
              variant="default"
              leftSection={<Icon name="retry" size={14} />}
              onClick={() => setReplaying(true)}
            >
              Replay
            </Button>
          </>
        )
      }
      more={
        data && (
          <CopyAs
            asked={{ api: "bridge", name: "webhooks.get", fields: { webhookId } }}
            command={{ name: "why", args: [webhookId] }}
          />
        )
      }
    >
      <Answer query={query}>{(webhook) => <Shown key={webhook.id} webhook={webhook} />}</Answer>
      <ReplayDialog webhookId={webhookId} opened={replaying} onClose={() => setReplaying(false)} />
    </Page>
  );
};

const Neighbors = ({ webhook }: { webhook: WholeWebhook }) => {
  const filters = route.useSearch();
  const navigate = useNavigate();
  const { cursor: _, ...wanted } = filters;
  const read = (request: object) => api.bridge.webhooks.search({ ...wanted, ...request } as WebhookSearch);
  const go = useMutation({
    mutationFn: async (isOlder: boolean) => {
      const id = await (isOlder ? olderThan : newerThan)(webhook, read);
      if (id === undefined) toast(isOlder ? "There is no older webhook." : "There is no newer webhook.");
      else await navigate({ to: "/webhooks/$webhookId", params: { webhookId: id }, search: filters });
    },
  });
  useKey("[", () => go.mutate(false));
  useKey("]", () => go.mutate(true));
  return (
    <Button.Group>
      <Button size="xs" variant="default" onClick={() => go.mutate(false)} title="Newer webhook: [">
        Newer
      </Button>
      <Button size="xs" variant="default" onClick={() => go.mutate(true)} title="Older webhook: ]">
        Older
      </Button>
    </Button.Group>
  );
};

const Shown = ({ webhook }: { webhook: WholeWebhook }) => {
  const { id, source, type, acceptedAt, occurredAt, test, deliveries } = webhook;
  const titleOf = useTitleOf();
  const mail = useMail(deliveries);
  const { tone, title, text } = answerOf(webhook);
  // The URL hash may name a delivery, which exists only now.
  useEffect(() => document.getElementById(location.hash.slice(1))?.scrollIntoView(), []);
  return (
    <>
      <PageHead
        name={type}
        meta={
          <>
            <span>
              from{" "}
              <Link to="/sources/$source" params={{ source }}>
                {titleOf(source)}
              </Link>
            </span>
            {deliveries.length > 0 && (
              <span>
                for <People deliveries={deliveries} />
              </span>
            )}
            <span>
              received <Time at={acceptedAt} />, happened <Time at={occurredAt} />
            </span>
            {test && <span>test data</span>}
            <Id>{id}</Id>
          </>
        }
      />
      <Note tone={tone} title={title}>
        {text} {mail?.meaning}
      </Note>
      <Way webhook={webhook} mail={mail?.state} />
      <PanelTabs
        tabs={[
          { value: "did", label: "What it did", content: () => <Did webhook={webhook} /> },
          { value: "steps", label: "Every step", content: () => <Steps webhook={webhook} /> },
          { value: "body", label: "Body", content: () => <Body webhookId={id} /> },
          {
            value: "today",
            label: "With today's rules",
            content: () => <TriedWebhook webhookId={id} source={source} />,
          },
        ]}
      />
    </>
  );
};

/** The mail of the deliveries, if the email service is ours. */
const useMail = (deliveries: readonly Delivery[]): { state: string; meaning: string } | undefined => {
  const { email } = useAbout();
  const { team } = useTeamOfBridge();
  const { result } = deliveries.find(({ action, result: sendId }) => action === "transactional" && sendId) ?? {};
  const { data } = useQuery({
    queryKey: ["email", team, "send", result],
    queryFn: ({ signal }) => api.email.sends.get({ team: team ?? "", sendId: result ?? "" }, { signal }),
    enabled: email !== null && team !== undefined && result !== undefined,
    retry: false,
    ...LATER,
  });
  return data;
};

const Way = ({ webhook, mail }: { webhook: WholeWebhook; mail: string | undefined }) => {
  const { timeline, outcomes, deliveries, acceptedAt } = webhook;
  const matched = outcomes.filter(({ outcome }) => outcome === "matched").length;
  const { tone, short } = answerOf(webhook);
  const isVerified = timeline.some(({ what }) => what === "verified");
  const isBad = tone === "bad" || tone === "warn";
  return (
    <Span
      label="The way of this webhook"
      stops={[
        [
          { icon: "webhooks", name: "Received", fact: <Time at={acceptedAt} /> },
          { state: "flow", text: isVerified ? "signature checked" : "read by a backfill" },
        ],
        [
          {
            icon: "branch",
            tone: "accent",
            name: `${counted(matched, "rule")} matched`,
            fact: `of ${outcomes.length} for this event`,
          },
          {
            state: isBad ? (tone === "bad" ? "broken" : "warn") : "flow",
            text: deliveries.length === 0 ? "nothing to do" : short,
          },
        ],
        [
          { icon: "deliveries", name: counted(deliveries.length, "delivery"), ...(isBad ? { tone } : {}) },
          mail === undefined ? undefined : { state: "flow", text: "mail" },
        ],
        ...(mail === undefined ? [] : [[{ icon: "mail", name: stateText(mail) }] as const]),
      ]}
    />
  );
};

const Did = ({ webhook: { source, outcomes, deliveries, why } }: { webhook: WholeWebhook }) => {
  const [matched, others] = [true, false].map((is) =>
    outcomes.filter(({ outcome }) => (outcome !== "not matched") === is),
  );
  return (
    <>
      {deliveries.length === 0 ? (
        <p>{why}</p>
      ) : (
        <Story isOne days={[{ day: "What it did", entries: deliveries.map((one) => entryOf(one, source)) }]} />
      )}
      <Panel title="Why">
        <Reasons outcomes={matched ?? []} source={source} />
        {others && others.length > 0 && (
          <Fold summary={`${counted(others.length, "rule")} did not apply`}>
            <Reasons outcomes={others} source={source} />
          </Fold>
        )}
        {outcomes.length === 0 && "No rule of this source is for this event."}
      </Panel>
    </>
  );
};

/** Each rule with the reason; of a condition, the part that was false. */
const Reasons = ({ outcomes, source }: { outcomes: WholeWebhook["outcomes"]; source: string }) => (
  <Facts
    facts={outcomes.map(({ rule, clause, why, replay }) => ({
      label: (
        <Link to="/sources/rules/$source/$rule" params={{ source, rule }}>
          {replay === undefined ? rule : `${rule}, replay ${replay}`}
        </Link>
      ),
      value: clause === undefined ? capital(why.replace(/^rule "[^"]*" /, "")) : <code>{clause}</code>,
      note: clause === undefined ? undefined : "is false",
    }))}
  />
);

const clockOf = (at: string): string =>
  new Date(at).toLocaleTimeString("en", { hourCycle: "h23", fractionalSecondDigits: 3 });

const Steps = ({ webhook: { timeline } }: { webhook: WholeWebhook }) => {
  const start = Date.parse(timeline[0]?.at ?? "");
  const rows = timeline.map((step, n) => ({ ...step, n }));
  const took = Date.parse(timeline.at(-1)?.at ?? "") - start;
  return (
    <Panel title="Every step" aside={`${counted(timeline.length, "step")} in ${lasting(took)}`} isFlush>
      <ListTable
        what="Every step"
        hasHead={false}
        isCompact
        rows={rows}
        idOf={({ n }) => String(n)}
        columns={[
          {
            title: "When",
            cell: ({ n, at }) => (n === 0 ? clockOf(at) : `+${lasting(Date.parse(at) - start)}`),
            width: 130,
          },
          { title: "What", cell: ({ text }) => text },
        ]}
      />
    </Panel>
  );
};
