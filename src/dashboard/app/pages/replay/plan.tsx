import { Alert, Checkbox, Group, List, Stack, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { ACTIONS, counted } from "../../parts/ledger/ledger-words.ts";
import type { Replayed } from "../../parts/ledger/types.ts";

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
  Object.keys(counts).length === 0 ? null : (
    <div>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      <List size="sm">
        {Object.entries(counts).map(([name, count]) => (
          <List.Item key={name}>
            {count.toLocaleString("en")} {name}
          </List.Item>
        ))}
      </List>
    </div>
  );

export const Plan = ({ plan, isDone }: { plan: Replayed; isDone: boolean }) => (
  <Stack gap="xs" role="status">
    <Text>
      {counted(plan.deliveries, "delivery")} {isDone ? (plan.deliveries === 1 ? "was" : "were") : "would be"} made, from{" "}
      {counted(plan.webhooks, "webhook")}.
    </Text>
    <Group align="flex-start" gap="xl">
      <Counts title="By action" counts={plan.byAction} />
      <Counts title="By rule" counts={plan.byRule} />
      <Counts title="Deliveries not made" counts={plan.notMade} />
      <Counts title="Webhooks without a body" counts={plan.notReplayable} />
    </Group>
    {plan.failed.length > 0 && (
      <Alert color="red" title="Rules that fail">
        {plan.failed.map(({ webhook, rule, message }) => (
          <Text size="sm" key={`${webhook} ${rule}`}>
            {rule}: {message}
          </Text>
        ))}
      </Alert>
    )}
    {plan.examples.length > 0 && (
      <div>
        <Text size="sm" fw={600}>
          {isDone ? "Some of them" : "For example"}
        </Text>
        <List size="sm">
          {plan.examples.map(({ webhook, rule, what, whom }) => (
            <List.Item key={`${webhook} ${rule} ${what} ${whom}`}>
              <Link to="/webhooks/$webhookId" params={{ webhookId: webhook }}>
                {what}
              </Link>{" "}
              for {whom}, by the rule {rule}
            </List.Item>
          ))}
        </List>
      </div>
    )}
  </Stack>
);
