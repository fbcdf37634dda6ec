import { Anchor, Text } from "@mantine/core";
import { ShownOnce } from "../../parts/dialog.tsx";
import { Copyable } from "../../parts/states.tsx";

/** Shows the secret, which no later answer contains. */
export const Secret = ({ secret, onClose }: { secret: string; onClose: () => void }) => (
  <ShownOnce onClose={onClose}>
    <Text size="sm">Put it into the settings of your endpoint now: it is not shown again.</Text>
    <Copyable text={secret} label="Copy the secret" />
    <Text size="sm">
      Your endpoint checks each request with it and a library of{" "}
      <Anchor href="https://www.standardwebhooks.com" target="_blank" rel="noreferrer" size="sm">
        Standard Webhooks
      </Anchor>
      .
    </Text>
  </ShownOnce>
);
