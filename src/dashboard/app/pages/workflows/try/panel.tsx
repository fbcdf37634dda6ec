import { Button, Group, Stack, Title } from "@mantine/core";
import { EventsTrial } from "./events.tsx";
import { PersonTrial } from "./person.tsx";
import type { TrialPanelProps } from "./props.ts";

export type { TrialPanelProps, Trying } from "./props.ts";

const TITLES = { person: "Simulate a person", events: "Dry run over past events" } as const;

export const TrialPanel = (props: TrialPanelProps) => (
  <Stack gap="md">
    <Group justify="space-between">
      <Title order={2} size="h4">
        {TITLES[props.trying]}
      </Title>
      <Button size="xs" variant="default" onClick={props.onClose}>
        End the trial
      </Button>
    </Group>
    {props.trying === "person" ? <PersonTrial {...props} /> : <EventsTrial {...props} />}
  </Stack>
);
