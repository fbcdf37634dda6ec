import { Button, Code, CopyButton, Group, Skeleton, Stack, Text, Title } from "@mantine/core";
import { type ReactNode, useEffect, useState } from "react";
import { RequestError } from "../api/client.ts";
import { Failure } from "./failure.tsx";
import { useAge } from "./page/heading.ts";
import { NotThere } from "./page/missing.tsx";
import { useKind } from "./page/page.tsx";
import type { Changes } from "./scan.ts";
import { Time } from "./text.tsx";

/** Loading bars, shown after 150 ms. */
export const Loading = ({ rows = 6 }: { rows?: number }) => {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 150);
    return () => clearTimeout(timer);
  }, []);
  return late ? (
    <Stack gap="xs" w="100%" role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the bars are all the same
        <Skeleton key={row} height={34} />
      ))}
    </Stack>
  ) : null;
};

/** Above an outdated answer, says its age; `at` is Unix ms. */
export const Stale = ({ error, at, onRetry }: { error: Error | null | undefined; at: number; onRetry: () => void }) =>
  error ? (
    <div>
      <Failure title="This could not be read anew" error={error} onRetry={onRetry} />
      <Text size="sm" mt="xs">
        What follows was read <Time at={new Date(at).toISOString()} />.
      </Text>
    </div>
  ) : null;

/** A query; `dataUpdatedAt` is Unix ms. */
export type Asked<T> = { data: T | undefined; error: Error | null; dataUpdatedAt: number; refetch: () => unknown };

/** Shows a query. After a failed refetch the last answer stays. */
export const Answer = <T,>({
  query: { data, error, dataUpdatedAt, refetch },
  rows,
  children,
}: {
  query: Asked<T>;
  rows?: number;
  children: (data: T) => ReactNode;
}) => {
  const kind = useKind();
  useAge(dataUpdatedAt);
  const retry = () => void refetch();
  if (data === undefined && kind !== undefined && error instanceof RequestError && error.status === 404)
    return <NotThere kind={kind} message={`It may have been deleted, or belong to another team. ${error.message}`} />;
  if (data === undefined) return error ? <Failure error={error} onRetry={retry} /> : <Loading rows={rows} />;
  return (
    <>
      <Stale error={error} at={dataUpdatedAt} onRetry={retry} />
      {children(data)}
    </>
  );
};

export const Problem = ({ query: { data, error, dataUpdatedAt, refetch } }: { query: Asked<unknown> }) => {
  const retry = () => void refetch();
  if (!error) return null;
  if (data === undefined) return <Failure error={error} onRetry={retry} />;
  return <Stale error={error} at={dataUpdatedAt} onRetry={retry} />;
};

/** Offers new rows, so that text does not move during reading. */
export const Newer = ({ of }: { of: readonly { newer: Changes; retry: () => void }[] }) => {
  const changed = of.filter(({ newer: { fresh, isGone } }) => fresh > 0 || isGone);
  const fresh = changed.reduce((sum, { newer }) => sum + newer.fresh, 0);
  const show = () => {
    for (const { retry } of changed) retry();
    document.getElementById("main")?.focus();
    scrollTo({ top: 0 });
  };
  if (changed.length === 0) return null;
  return (
    <Group pos="sticky" bottom={8} justify="center" role="status">
      <Button size="xs" onClick={show}>
        {fresh > 0 ? `Show ${fresh} new` : "Show what has changed"}
      </Button>
    </Group>
  );
};

/** Text to copy; `shortcut` is the page's key. */
export const Copyable = ({ text, label = "Copy", shortcut }: { text: string; label?: string; shortcut?: string }) => (
  <Group gap="xs" wrap="nowrap" align="center">
    <Code style={{ overflowWrap: "anywhere" }}>{text}</Code>
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <Button
          size="compact-xs"
          variant="default"
          onClick={copy}
          aria-label={`${label}: ${text}`}
          data-key={shortcut}
          style={{ flexShrink: 0 }}
        >
          {copied ? "Copied" : label}
        </Button>
      )}
    </CopyButton>
  </Group>
);

export const Empty = ({ title, children, command }: { title: string; children?: ReactNode; command?: string }) => (
  <Stack align="flex-start" gap="xs" py="lg">
    <Title order={2} size="h4">
      {title}
    </Title>
    {children && <Text size="sm">{children}</Text>}
    {command !== undefined && <Copyable text={command} />}
  </Stack>
);

export const NoMatch = ({ what, onClear }: { what: string; onClear: () => void }) => (
  <Stack align="flex-start" gap="xs" py="lg">
    <Text>No {what} matches these filters.</Text>
    <Button size="xs" variant="default" onClick={onClear}>
      Clear the filters
    </Button>
  </Stack>
);
