import { ActionIcon, Menu } from "@mantine/core";
import { type ReactNode, useRef } from "react";
import { Icon } from "../icons.tsx";
import { InMore } from "./in-more.ts";

/** Button of a menu for rare and destructive acts. Acts within are its items. */
export const More = ({ children }: { children: ReactNode }) => {
  const items = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  // A menu that stays mounted, for the dialogs of its acts, moves no focus by itself. It is drawn a moment later.
  const focus = () => setTimeout(() => items.current?.querySelector<HTMLElement>("[role=menuitem]")?.focus());
  return (
    <InMore value={() => button.current?.focus()}>
      <Menu
        // Within the page, not beside its landmarks.
        portalProps={{ target: "#main" }}
        withInitialFocusPlaceholder={false}
        keepMounted
        // In a hidden Activity, the dialog of an act would be hidden too.
        keepMountedMode="display-none"
        transitionProps={{ onEntered: focus }}
      >
        <Menu.Target>
          <ActionIcon ref={button} size={34} variant="default" aria-label="More actions">
            <Icon name="more" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown ref={items}>{children}</Menu.Dropdown>
      </Menu>
    </InMore>
  );
};
