import { Group, List, Text, ThemeIcon } from "@mantine/core";
import type { ReactNode } from "react";
import { Icon } from "./icons.tsx";

/** A checklist line. `isDone`: undefined while loading. */
export type CheckLine = { what: ReactNode; isDone: boolean | undefined; how?: ReactNode };

/** Steps with automatic status. The first open step shows instructions. */
export const Checklist = ({ label, lines }: { label: string; lines: readonly CheckLine[] }) => {
  const next = lines.findIndex(({ isDone }) => isDone === false);
  return (
    <List aria-label={label} listStyleType="none" spacing="xs" center={false}>
      {lines.map(({ what, isDone, how }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines keep their order
        <List.Item key={index} icon={<Tick isDone={isDone} />}>
          <Group gap="xs">
            {what}
            <span className="hidden-text">{isDone === undefined ? "" : isDone ? "(done)" : "(open)"}</span>
          </Group>
          {index === next && how && (
            <Text size="sm" component="div" py={6}>
              {how}
            </Text>
          )}
        </List.Item>
      ))}
    </List>
  );
};

const Tick = ({ isDone }: { isDone: boolean | undefined }) => (
  <ThemeIcon size={22} radius="xl" variant={isDone ? "filled" : "default"} color="green" aria-hidden>
    {isDone && <Icon name="check" size={14} />}
  </ThemeIcon>
);
