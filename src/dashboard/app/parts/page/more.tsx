import { ActionIcon, Menu } from "@mantine/core";
import type { ReactNode } from "react";
import { Icon } from "../icons.tsx";
import { InMore } from "./in-more.ts";

/** Button of a menu for rare and destructive acts. Acts within are its items. */
export const More = ({ children }: { children: ReactNode }) => (
  <InMore value>
    {/* The focus placeholder of Mantine is no menu item. Without it, the first item gets the focus. */}
    <Menu withinPortal withInitialFocusPlaceholder={false} keepMounted>
      <Menu.Target>
        <ActionIcon size={34} variant="default" aria-label="More actions">
          <Icon name="more" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  </InMore>
);
