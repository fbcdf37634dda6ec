import "./states.css";
import { Button, CopyButton, Group } from "@mantine/core";
import { type ReactNode, useEffect, useState } from "react";
import { RequestError } from "../api/client.ts";
import { Failure } from "./failure.tsx";
import type { IconName } from "./icon-paths.ts";
import { Icon } from "./icons.tsx";
import { useAge } from "./page/heading.ts";
import { NotThere } from "./page/missing.tsx";
import { useKind } from "./page/page.tsx";
import type { Changes } from "./scan.ts";
import { ageText } from "./time.ts";

/** The shape of rows, shown after 150 ms. */
export const Loading = ({ rows = 6 }: { rows?: number }) => {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 150);
    return () => clearTimeout(timer);
  }, []);
  return late ? (
    <div className="skeleton" role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all the same
        <span key={row} aria-hidden />
      ))}
    </div>
  ) : null;
};

/** Above an outdated answer, says its age; `at` is Unix ms. */
export const Stale = ({ error, at, onRetry }: { error: Error | null | undefined; at: number; onRetry: () => void }) =>
  error ? <Failure title={`This page is ${ageText(at, Date.now())} old.`} error={error} onRetry={onRetry} /> : null;

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
  <div className="copyable">
    <code>{text}</code>
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <Button size="compact-xs" variant="default" onClick={copy} aria-label={`${label}: ${text}`} data-key={shortcut}>
          {copied ? "Copied" : label}
        </Button>
      )}
    </CopyButton>
  </div>
);

type BlockProps = {
  icon?: IconName;
  title: string;
  children?: ReactNode;
  command?: string;
  action?: ReactNode;
};

/** A place without content: what it is for, and one step. */
export const Empty = ({ icon = "info", title, children, command, action }: BlockProps) => (
  <div className="empty">
    <span aria-hidden>
      <Icon name={icon} size={22} />
    </span>
    <h2>{title}</h2>
    {children && <p>{children}</p>}
    {command !== undefined && <Copyable text={command} />}
    {action}
  </div>
);

/** Filters or a search without a match. `query`: what was searched. `among`: where, such as "8,767 people by name". */
export const NoMatch = ({
  what,
  query,
  among,
  onClear,
}: {
  what: string;
  query?: string | undefined;
  among?: ReactNode;
  onClear: () => void;
}) => (
  <Empty
    icon="search"
    title={query === undefined ? `No ${what} matches these filters` : `No ${what} matches “${query}”`}
    action={
      <Button variant="default" onClick={onClear}>
        {query === undefined ? "Clear the filters" : "Clear the search"}
      </Button>
    }
  >
    {among}
  </Empty>
);
