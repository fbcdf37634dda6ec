import { ActionIcon, type ActionIconProps } from "@mantine/core";
import type { ComponentPropsWithRef } from "react";
import { Icon } from "../parts/icons.tsx";

export const MeButton = (props: ActionIconProps & ComponentPropsWithRef<"button">) => (
  <ActionIcon variant="subtle" color="gray" aria-label="Account, colors and log out" {...props}>
    <Icon name="more" />
  </ActionIcon>
);
