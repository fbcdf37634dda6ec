import { Anchor } from "@mantine/core";
import type { ReactNode } from "react";

/** A text that shows a node. It is high enough to be pressed beside others like it. */
export const NodeButton = ({
  onPress,
  label,
  children,
}: {
  onPress: () => void;
  label?: string;
  children: ReactNode;
}) => (
  <Anchor
    {...{ component: "button", type: "button", size: "sm", ta: "start", py: 2, mih: 24, "aria-label": label }}
    style={{ overflowWrap: "anywhere" }}
    onClick={onPress}
  >
    {children}
  </Anchor>
);
