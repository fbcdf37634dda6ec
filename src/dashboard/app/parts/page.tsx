import { Group, Stack, Title } from "@mantine/core";
import { type ReactNode, useEffect } from "react";

/** A page with heading and tab title. */
export const Page = ({ title, actions, children }: { title: string; actions?: ReactNode; children: ReactNode }) => {
  useEffect(() => {
    document.title = `${title} · Mailspan`;
  }, [title]);
  return (
    <Stack gap="md">
      <Group justify="space-between" align="center">
        <Title order={1} size="h2" style={{ overflowWrap: "anywhere" }}>
          {title}
        </Title>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  );
};
