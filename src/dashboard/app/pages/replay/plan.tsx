import { Checkbox, Group, SimpleGrid, Stack, Text } from "@mantine/core";
import { Facts, Note, Panel } from "../../parts/cards/cards.tsx";
import { ACTIONS, counted } from "../../parts/ledger/ledger-words.ts";
import type { Action, Replayed } from "../../parts/ledger/types.ts";
import { type Column, ListTable, RowLink } from "../../parts/list/list-table.tsx";

/** Deliveries of a replay. Mail must be chosen explicitly. */
export const Actions = ({ value, onChange }: { value: readonly string[]; onChange: (value: string[]) => void }) => (
  <Checkbox.Group label="Deliveries to make" value={[...value]} onChange={onChange}>
    <Group gap="md" mt={4}>
      {Object.entries(ACTIONS).map(([action, label]) => (
        <Checkbox key={action} value={action} label={label} />
      ))}
    </Group>
  </Checkbox.Group>
);

const Counts = ({ title, counts }: { title: string; counts: Record<string, number> }) =>
  Object.keys(counts).length > 0 && (
    <Panel title={title}>
      <Facts
        isOfNumbers
        facts={Object.entries(counts).map(([name, count]) => ({
          label: ACTIONS[name as Action] ?? name,
          value: count.toLocaleString("en"),
        }))}
      />
    </Panel>
  );

type Example = Replayed["examples"][number];

const COLUMNS: readonly Column<Example>[] = [
  {
    title: "What",
    cell: ({ webhook, what, rule }) => (
      <RowLink to="/webhooks/$webhookId" params={{ webhookId: webhook }} className="wrap" second={`Rule ${rule}`}>
        {what}
      </RowLink>
    ),
  },
  { title: "Whom", cell: ({ whom }) => <span className="wrap">{whom}</span> },
];

export const Plan = ({ plan, isDone }: { plan: Replayed; isDone: boolean }) => (
  <Stack gap="md">
    <Note tone={isDone ? "good" : "quiet"} role="status">
      {counted(plan.deliveries, "delivery")} {isDone ? (plan.deliveries === 1 ? "was" : "were") : "would be"} made, from{" "}
      {counted(plan.webhooks, "webhook")}.
    </Note>
    {plan.failed.length > 0 && (
      <Note tone="bad" title="Rules that fail">
        {plan.failed.map(({ webhook, rule, message }) => (
          <Text size="sm" key={`${webhook} ${rule}`}>
            {rule}: {message}
          </Text>
        ))}
      </Note>
    )}
    <SimpleGrid type="container" cols={{ base: 1, "560px": 2 }} spacing="md">
      <Counts title="By action" counts={plan.byAction} />
      <Counts title="By rule" counts={plan.byRule} />
      <Counts title="Deliveries not made" counts={plan.notMade} />
      <Counts title="Webhooks without a body" counts={plan.notReplayable} />
    </SimpleGrid>
    {plan.examples.length > 0 && (
      <Panel title={isDone ? "Some of them" : "For example"} isFlush>
        <ListTable
          what="examples"
          rows={plan.examples}
          columns={COLUMNS}
          idOf={({ webhook, rule, what, whom }) => `${webhook} ${rule} ${what} ${whom}`}
        />
      </Panel>
    )}
  </Stack>
);
