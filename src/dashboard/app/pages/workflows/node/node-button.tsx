import { Anchor } from "@mantine/core";
import type { ReactNode } from "react";

/** A text that shows a node. It is high enough to be pressed beside others like it. `c`: "inherit" on a coloured ground. */
export const NodeButton = ({
  onPress,
  label,
  c,
  children,
}: {
  onPress: () => void;
  label?: string;
  c?: "inherit";
  children: ReactNode;
}) => (
  <Anchor
    component="button"
    type="button"
    size="sm"
    ta="start"
    py={2}
    mih={24}
    c={c}
    aria-label={label}
    style={{ overflowWrap: "anywhere" }}
    onClick={onPress}
  >
    {children}
  </Anchor>
);
