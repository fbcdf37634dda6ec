import { Button } from "@mantine/core";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { api } from "../../api/api.ts";
import { ActivityOf } from "../../parts/activity/activity.tsx";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { changed, type Filters } from "../../parts/filters.ts";
import { Icon } from "../../parts/icons.tsx";
import { STATES } from "../../parts/ledger/ledger-words.ts";
import type { Webhook, WebhookSearch } from "../../parts/ledger/types.ts";
import { webhookColumns } from "../../parts/ledger/webhook-columns.tsx";
import type { FilterField } from "../../parts/list/chips.tsx";
import { FilteredList } from "../../parts/list/filtered-list.tsx";
import { Page } from "../../parts/page/page.tsx";
import { useScan } from "../../parts/scan.ts";
import { Empty } from "../../parts/states.tsx";
import { useZone } from "../../team/use-zone.ts";
import { useTitleOf } from "../overview/sources.ts";
import { useFields } from "../rules/fields.ts";

const FIELDS: readonly FilterField[] = [
  { name: "time", label: "Time", kind: "time" },
  { name: "source", label: "Source" },
  { name: "type", label: "Event", placeholder: "invoice.paid" },
  { name: "state", label: "Outcome", options: STATES },
  { name: "email", label: "Person", placeholder: "ada@example.com" },
  { name: "rule", label: "Rule" },
];

/** A replay takes these filters. */
const OF_REPLAY = ["source", "type", "since", "until"];

const idOf = ({ id }: Webhook): string => id;
const route = getRouteApi("/webhooks");

export const Webhooks = () => {
  const filters = route.useSearch();
  const navigate = useNavigate();
  const show = (search: Filters) => void navigate({ to: "/webhooks", search });
  const { cursor, ...wanted } = filters;
  const zone = useZone();
  const scan = useScan<Webhook>(
    ["bridge", "webhooks", wanted],
    (at, signal) => api.bridge.webhooks.search({ ...wanted, cursor: at, limit: "50" } as WebhookSearch, { signal }),
    { cursor, idOf },
  );
  const replayed = Object.fromEntries(Object.entries(wanted).filter(([name]) => OF_REPLAY.includes(name)));
  const who = wanted.email ?? wanted.userId ?? wanted.ref;
  return (
    <Page
      title="Webhooks"
      actions={
        <Button
          size="xs"
          variant="default"
          leftSection={<Icon name="retry" size={14} />}
          renderRoot={(props) => <Link to="/webhooks/replays/new" search={replayed} {...props} />}
        >
          Replay
        </Button>
      }
      more={
        <CopyAs
          asked={{ api: "bridge", name: "webhooks.search", fields: wanted }}
          command={who === undefined ? undefined : { name: "why", args: [who] }}
        />
      }
    >
      <ActivityOf
        title={wanted.source === undefined ? "Webhooks of all sources" : `Webhooks of ${wanted.source}`}
        shows="webhooks"
        size="list"
        zone={zone}
        source={wanted.source}
        time={wanted}
        onSelect={(range) => show(changed(filters, range))}
      />
      <FilteredList
        fields={useFields(FIELDS)}
        filters={filters}
        onShow={show}
        what="webhooks"
        scan={scan}
        columns={webhookColumns(useTitleOf(), wanted)}
        idOf={idOf}
        empty={
          <Empty
            icon="webhooks"
            title="No webhooks yet"
            command="npm run demo"
            action={<Link to="/sources">Show the addresses</Link>}
          >
            Point Stripe, Clerk or Supabase at the address of a source. On your machine, this sends samples:
          </Empty>
        }
      />
    </Page>
  );
};
