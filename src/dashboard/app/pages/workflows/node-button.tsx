import { Anchor } from "@mantine/core";
import type { ReactNode } from "react";

/** Text link to a node. `c`: "inherit" on a colored background. */
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
    className="wrap"
    onClick={onPress}
  >
    {children}
  </Anchor>
);
