import { Alert, Button, List, Stack, Text } from "@mantine/core";

/** A field value saved by another person. */
export type Theirs = { label: string; text: string };

export const Conflict = ({ theirs, onTake }: { theirs: readonly Theirs[]; onTake: () => void }) => (
  <Alert color="orange" title="Another person has saved this meanwhile" role="alert">
    <Stack gap="xs" align="flex-start">
      <List size="sm">
        {theirs.map(({ label, text }) => (
          <List.Item key={label} style={{ overflowWrap: "anywhere", whiteSpace: "pre-wrap" }}>
            {label}: theirs is {text === "" ? "empty" : text}
          </List.Item>
        ))}
      </List>
      <Text size="sm">Nothing of this was changed by you. Take theirs, or save again to put yours in its place.</Text>
      <Button size="xs" variant="default" onClick={onTake}>
        Take theirs
      </Button>
    </Stack>
  </Alert>
);
