import { Button, CopyButton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../../api/api.ts";
import { type Bulk, BulkDialog } from "../../parts/acts/bulk.tsx";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { Fix, Issue, Issues } from "../../parts/cards/cards.tsx";
import { CodeBlock } from "../../parts/code.tsx";
import { Icon } from "../../parts/icons.tsx";
import { useKey } from "../../parts/keys.ts";
import { chosenOf, discardOf, readDeliveries, retryOf, sendAgainOf } from "../../parts/ledger/bulks.ts";
import { deliveriesOf, keyOf, merged, searchOf } from "../../parts/ledger/causes.ts";
import { FixTemplate } from "../../parts/ledger/fix-template.tsx";
import { capital, counted, NOUNS, whatOf, whomOf } from "../../parts/ledger/ledger-words.ts";
import type { Cause, FoundDelivery } from "../../parts/ledger/types.ts";
import { type Column, ListTable, RowLink } from "../../parts/list/list-table.tsx";
import { answerOf, type Scan, useScan } from "../../parts/scan.ts";
import { Answer, Empty, Newer } from "../../parts/states.tsx";
import { Time } from "../../parts/text.tsx";
import { DeliveriesPage } from "./page.tsx";

const CAUSES = 50;
/** The first causes show their deliveries at once. */
const OPEN = 5;
const SHOWN = 20;

type OnBulk = (bulk: Bulk<FoundDelivery>) => void;

const pressIn = (key: string): void => {
  const causes = document.querySelectorAll("main article");
  const cause = document.activeElement?.closest("main article") ?? (causes.length === 1 ? causes[0] : null);
  cause?.querySelector<HTMLElement>(`[data-key="${key}"]`)?.click();
};

/** Deliveries that failed or need a decision, by cause. */
export const FailedDeliveries = () => {
  const [bulk, setBulk] = useState<Bulk<FoundDelivery>>();
  useKey("r", () => pressIn("r"));
  useKey("d", () => pressIn("d"));
  const scan = useScan<Cause>(
    ["bridge", "causes"],
    async (cursor, signal) => {
      const { data, ...reach } = await api.bridge.deliveries.causes({ cursor }, { signal });
      return { ...reach, data: data.filter((entry) => entry.kind === "delivery") };
    },
    { rows: Number.POSITIVE_INFINITY, idOf: keyOf },
  );
  return (
    <DeliveriesPage
      title="Deliveries"
      more={<CopyAs asked={{ api: "bridge", name: "deliveries.search", fields: { state: "attention" } }} />}
    >
      <Answer query={answerOf(scan)}>
        {(found) =>
          found.length === 0 ? (
            <Empty icon="done" title="No failed deliveries">
              What fails stays here until you retry or discard it.
            </Empty>
          ) : (
            <Causes causes={merged(found)} scan={scan} onBulk={setBulk} />
          )
        }
      </Answer>
      <BulkDialog bulk={bulk} onClose={() => setBulk(undefined)} />
    </DeliveriesPage>
  );
};

const sumOf = (causes: readonly Cause[], state: Cause["state"]): number =>
  causes.filter((cause) => cause.state === state).reduce((sum, { count }) => sum + count, 0);

const titleOf = (causes: readonly Cause[], isMore: boolean): string => {
  const [failed, undecided] = [sumOf(causes, "failed"), sumOf(causes, "undecided")];
  const parts = [
    ...(failed > 0 ? [`${counted(failed, "delivery")} failed`] : []),
    ...(undecided > 0 ? [`${counted(undecided, "delivery")} ${undecided === 1 ? "needs" : "need"} a decision`] : []),
  ];
  return `${isMore ? "At least " : ""}${parts.join(", ")}${causes.length > 1 ? `, for ${causes.length} reasons` : ""}`;
};

const Causes = ({ causes, scan, onBulk }: { causes: readonly Cause[]; scan: Scan<Cause>; onBulk: OnBulk }) => {
  const { next, isLooking } = scan;
  return (
    <>
      <Issues
        title={titleOf(causes, next !== null)}
        note="Fix a reason, then retry its deliveries together."
        aside={
          typeof next === "string" && (
            <Button size="compact-xs" variant="default" onClick={isLooking ? scan.stop : scan.lookOn}>
              {isLooking ? "Stop" : "Keep looking"}
            </Button>
          )
        }
      >
        {causes.slice(0, CAUSES).map((cause, n) => (
          <CauseCard key={keyOf(cause)} cause={cause} onBulk={onBulk} isOpen={n < OPEN} />
        ))}
      </Issues>
      {causes.length > CAUSES && (
        <p className="list-foot">
          {counted(causes.length - CAUSES, "other reason")} {causes.length === CAUSES + 1 ? "has" : "have"} fewer
          deliveries. Retry or discard these first, or see the tab All.
        </p>
      )}
      <Newer of={[scan]} />
    </>
  );
};

/** The email service may have acted or not. */
const isUnknown = ({ state, message }: Cause): boolean => state === "undecided" && /may or may not have/.test(message);

type CardProps = { cause: Cause; onBulk: OnBulk; isOpen: boolean };

const CauseCard = ({ cause, onBulk, isOpen }: CardProps) => {
  const [opened, setOpened] = useState(isOpen);
  const [without, setWithout] = useState<ReadonlySet<string>>(new Set());
  const { count, message, cure, change, rule, source, action, state, first, last } = cause;
  const isFailed = state === "failed";
  const chosen = chosenOf(cause, without);
  const query = useQuery({
    queryKey: ["bridge", "deliveries", searchOf(cause), state, "newest"],
    queryFn: () => deliveriesOf(cause, SHOWN, readDeliveries),
    enabled: opened,
  });
  const toggle = (ids: readonly string[], on: boolean) =>
    setWithout((left) => new Set(on ? [...left].filter((id) => !ids.includes(id)) : [...left, ...ids]));
  const [title = message, ...rest] = isUnknown(cause)
    ? ["Nobody knows whether these arrived", message, "A second try could send twice, so you decide."]
    : message.split(/(?<=\.) /);
  const acts: [label: string, bulk: typeof retryOf, key?: string][] = [
    [`Retry ${chosen}`, retryOf, "r"],
    [isFailed ? `Discard ${chosen}` : chosen === 1 ? "Leave as it is" : "Leave as they are", discardOf, "d"],
    [chosen === 1 ? "Send again" : `Send ${chosen} again`, sendAgainOf],
  ];
  return (
    <Issue
      tone={isFailed ? "bad" : "warn"}
      icon={isFailed ? "failed" : "info"}
      label={`${counted(count, "delivery")}: ${message}`}
      title={title.replace(/\.$/, "")}
      facts={[
        <>
          <b>{count.toLocaleString("en")}</b> {counted(count, NOUNS[action]).replace(/^\S+ /, "")}
        </>,
        <>
          First <Time at={first} />
        </>,
        ...(first === last
          ? []
          : [
              <>
                Last <Time at={last} />
              </>,
            ]),
        <>
          Rule{" "}
          <Link to="/sources/rules/$source/$rule" params={{ source, rule }}>
            {rule}
          </Link>{" "}
          of {source}
        </>,
      ]}
      actions={
        <>
          {change && <CopyFix text={change.after} />}
          {acts.map(([label, bulkOf, key]) => (
            <Button
              key={label}
              size="xs"
              variant="default"
              data-key={key}
              disabled={chosen === 0}
              onClick={() => onBulk(bulkOf(cause, without))}
            >
              {label}
            </Button>
          ))}
        </>
      }
      more={
        <>
          {change && <ChangeFix change={change} />}
          {!change && query.data?.[0] && <FixTemplate delivery={query.data[0]} />}
          {opened ? (
            <Answer query={query} rows={Math.min(count, 3)}>
              {(rows) => <Rows rows={rows} count={count} cause={cause} without={without} onToggle={toggle} />}
            </Answer>
          ) : (
            <div className="issue-foot">
              <Button size="compact-sm" variant="subtle" onClick={() => setOpened(true)}>
                Show {counted(count, "delivery")}
              </Button>
            </div>
          )}
        </>
      }
    >
      {rest.join(" ")}{" "}
      {change ? `This line of ${change.file} ${change.before === null ? "is missing" : "has a wrong id"}.` : cure}
    </Issue>
  );
};

const CopyFix = ({ text }: { text: string }) => (
  <CopyButton value={text}>
    {({ copied, copy }) => (
      <Button size="xs" leftSection={<Icon name={copied ? "check" : "copy"} size={14} />} onClick={copy}>
        {copied ? "Copied" : "Copy the fix"}
      </Button>
    )}
  </CopyButton>
);

const ChangeFix = ({ change: { file, section, before, after } }: { change: NonNullable<Cause["change"]> }) => (
  <Fix>
    <CodeBlock
      name="The change"
      isDiff
      text={[`${file}, [${section}]`, ...(before === null ? [] : [`- ${before}`]), `+ ${after}`].join("\n")}
    />
    <p>
      Then run <code>npm run deploy</code>. While <code>npm start</code> runs, saving the file is enough. A retry before
      that fails again.
    </p>
  </Fix>
);

const COLUMNS: readonly Column<FoundDelivery>[] = [
  {
    title: "Person",
    cell: (delivery) => (
      <RowLink to="/webhooks/$webhookId" params={{ webhookId: delivery.webhook.id }} hash={delivery.id}>
        {whomOf(delivery)}
      </RowLink>
    ),
  },
  { title: "Delivery", cell: (delivery) => capital(whatOf(delivery)) },
  { title: "Webhook", cell: ({ webhook }) => webhook.type, onPhone: false },
  { title: "When", cell: ({ webhook }) => <Time at={webhook.acceptedAt} />, width: 130 },
];

type RowsProps = {
  rows: readonly FoundDelivery[];
  count: number;
  cause: Cause;
  without: ReadonlySet<string>;
  onToggle: (ids: readonly string[], on: boolean) => void;
};

const Rows = ({ rows, count, cause, without, onToggle }: RowsProps) => (
  <>
    <ListTable
      what={`deliveries: ${cause.message}`}
      hasHead={false}
      isCompact
      rows={rows}
      columns={COLUMNS}
      idOf={({ id }) => id}
      selection={{
        selected: new Set(rows.map(({ id }) => id).filter((id) => !without.has(id))),
        toggle: onToggle,
        nameOf: (delivery) => `${whatOf(delivery)} for ${whomOf(delivery)}`,
      }}
    />
    {count > rows.length && (
      <div className="issue-foot">
        The newest {rows.length} of {count.toLocaleString("en")}.{" "}
        <Link to="/deliveries/all" search={searchOf(cause) as Record<string, string>}>
          Show all
        </Link>
      </div>
    )}
  </>
);
