import { ActionIcon, CopyButton, Group, Text, Tooltip } from "@mantine/core";
import { Icon } from "./icons.tsx";
import { clockText, relative } from "./time.ts";

/** A relative time, or that of a clock; the tooltip has the full time. */
export const Time = ({ at, isClock = false }: { at: string; isClock?: boolean }) => (
  <Tooltip label={`${new Date(at).toLocaleString()} (${at})`}>
    <time dateTime={at}>{isClock ? clockText(at) : relative(Date.parse(at), Date.now())}</time>
  </Tooltip>
);

/** A button that copies a text. */
export const CopyIcon = ({ text, label = `Copy ${text}` }: { text: string; label?: string }) => (
  <CopyButton value={text}>
    {({ copied, copy }) => (
      <ActionIcon size="sm" variant="subtle" color="gray" onClick={copy} aria-label={label}>
        <Icon name={copied ? "check" : "copy"} size={14} />
      </ActionIcon>
    )}
  </CopyButton>
);

export const Id = ({ children }: { children: string }) => (
  <Group gap={4} wrap="nowrap" display="inline-flex">
    <Text span className="mono wrap">
      {children}
    </Text>
    <CopyIcon text={children} />
  </Group>
);

/** A color of a team's own theme. */
export const Swatch = ({ name, color }: { name: string; color: string }) => (
  <span title={`${name} ${color}`} className="swatch" style={{ display: "inline-block", background: color }} />
);
