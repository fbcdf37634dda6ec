import { ActionIcon, Badge, CopyButton, Group, Text, Tooltip } from "@mantine/core";
import { Icon } from "./icons.tsx";
import { stateText } from "./state-text.ts";
import { relative } from "./time.ts";

/** A relative time; the tooltip has the full time. */
export const Time = ({ at }: { at: string }) => (
  <Tooltip label={`${new Date(at).toLocaleString()} (${at})`}>
    <time dateTime={at}>{relative(Date.parse(at), Date.now())}</time>
  </Tooltip>
);

export const Id = ({ children }: { children: string }) => (
  <CopyButton value={children}>
    {({ copied, copy }) => (
      <Group gap={4} wrap="nowrap" display="inline-flex">
        <Text span className="mono" style={{ overflowWrap: "anywhere" }}>
          {children}
        </Text>
        <ActionIcon size="sm" variant="subtle" color="gray" onClick={copy} aria-label={`Copy ${children}`}>
          <Icon name={copied ? "check" : "copy"} size={14} />
        </ActionIcon>
      </Group>
    )}
  </CopyButton>
);

const COLORS: Readonly<Record<string, string>> = {
  done: "green",
  sent: "green",
  delivered: "green",
  ok: "green",
  matched: "green",
  running: "green",
  subscribed: "green",
  set: "green",
  published: "green",
  created: "green",
  verified: "green",
  enabled: "green",
  waiting: "blue",
  pending: "blue",
  sending: "blue",
  collecting: "blue",
  scheduled: "blue",
  queued: "blue",
  uploading: "blue",
  ready: "blue",
  changed: "blue",
  degraded: "yellow",
  backoff: "yellow",
  paused: "yellow",
  warning: "yellow",
  failed: "red",
  lasts: "red",
  undecided: "orange",
  held: "orange",
  refused: "red",
  failing: "red",
  wrong: "red",
  conflict: "red",
  bounced: "red",
  blocked: "red",
  outage: "red",
  unusable: "red",
  missing: "orange",
  unknown: "orange",
  "no answer": "orange",
  unsubscribed: "gray",
};

export const State = ({ state, count = 1 }: { state: string; count?: number }) => (
  <Badge variant="light" color={COLORS[state] ?? "gray"} tt="none">
    {count === 1 ? stateText(state) : `${count} ${stateText(state, count)}`}
  </Badge>
);
