import { Alert, Button, Group, Stack, Text, Timeline, Title } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { api } from "../../api/api.ts";
import { LATER, SOON } from "../../api/queries.ts";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { toast } from "../../parts/acts/toast.tsx";
import { Icon } from "../../parts/icons.tsx";
import { useKey } from "../../parts/keys.ts";
import { DeliveryCard } from "../../parts/ledger/delivery-card.tsx";
import { FilterLink } from "../../parts/ledger/filter-link.tsx";
import type { Delivery, WebhookSearch, WholeWebhook } from "../../parts/ledger/types.ts";
import { Page } from "../../parts/page/page.tsx";
import { Answer } from "../../parts/states.tsx";
import { Id, Time } from "../../parts/text.tsx";
import { Body } from "./body.tsx";
import { newerThan, olderThan } from "./neighbors.ts";
import { ReplayDialog } from "./replay-dialog.tsx";
import { Rules } from "./rules.tsx";
import { Today } from "./today.tsx";

const route = getRouteApi("/webhooks/$webhookId");

const isInFlight = ({ state }: Delivery): boolean => state === "waiting" || state === "sending";

export const Webhook = () => {
  const { webhookId } = route.useParams();
  const filters = route.useSearch();
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
      title={data?.type ?? "Webhook"}
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
      <Link to="/webhooks" search={filters}>
        All webhooks
      </Link>
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
  // The URL hash may name a delivery, which exists only now.
  useEffect(() => document.getElementById(location.hash.slice(1))?.scrollIntoView(), []);
  return (
    <Stack>
      <Group gap="md">
        <Id>{webhook.id}</Id>
        <Group gap={2}>
          <Text size="sm">from {webhook.source}</Text>
          <FilterLink to="/webhooks" search={{ source: webhook.source }} label={`Webhooks of ${webhook.source}`} />
        </Group>
        <Text size="sm">
          accepted <Time at={webhook.acceptedAt} />, happened <Time at={webhook.occurredAt} />
        </Text>
        {webhook.test && <Text size="sm">test data</Text>}
      </Group>
      <Alert color="span" variant="light" title="What it did">
        {webhook.why}
      </Alert>
      <Story webhook={webhook} />
      <Rules outcomes={webhook.outcomes} />
      <section aria-labelledby="deliveries">
        <Title id="deliveries" order={2} size="h4" mb="sm">
          Deliveries
        </Title>
        {webhook.deliveries.length === 0 && <Text size="sm">It made no delivery.</Text>}
        <Stack gap="xs">
          {webhook.deliveries.map((delivery) => (
            <DeliveryCard key={delivery.id} delivery={delivery} />
          ))}
        </Stack>
      </section>
      <Today webhookId={webhook.id} source={webhook.source} />
      <Body webhookId={webhook.id} />
    </Stack>
  );
};

const Story = ({ webhook: { timeline } }: { webhook: WholeWebhook }) => (
  <section aria-labelledby="story">
    <Title id="story" order={2} size="h4" mb="sm">
      Story
    </Title>
    <Timeline bulletSize={12} lineWidth={2} className="wrap">
      {timeline.map((step, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: steps have no id, and are only added at the end
        <Timeline.Item key={index} title={step.text}>
          <Text size="xs" c="dimmed">
            <Time at={step.at} />
          </Text>
        </Timeline.Item>
      ))}
    </Timeline>
  </section>
);
