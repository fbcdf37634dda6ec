import { Button, type ButtonProps, Menu, type ModalProps } from "@mantine/core";
import { type ElementType, type ReactNode, useContext, useState } from "react";
import type { Asked } from "../acts/commands.ts";
import { off, useDenied } from "../acts/denied.ts";
import { Dialog } from "../dialog.tsx";
import { useKey } from "../keys.ts";
import { InMore } from "../page/in-more.ts";

export type DialogButtonProps = {
  /** Words of the button. */
  opener: ReactNode;
  openerProps?: (ButtonProps & { "aria-label"?: string }) | undefined;
  /** The page's key. */
  shortcut?: string | undefined;
  title: string;
  size?: ModalProps["size"];
  onOpen?: (() => void) | undefined;
  /** Operation that the person must be allowed to do. */
  asked?: Asked | undefined;
  children: (close: () => void) => ReactNode;
};

/** A button, or an item of the menu of more actions, that opens a dialog. */
export const DialogButton = ({
  opener,
  openerProps,
  shortcut = "",
  title,
  size,
  onOpen,
  asked,
  children,
}: DialogButtonProps) => {
  const [opened, setOpened] = useState(false);
  const denied = useDenied(asked);
  const open = () => {
    if (denied !== undefined) return;
    onOpen?.();
    setOpened(true);
  };
  useKey(shortcut, open);
  const close = () => setOpened(false);
  const focusMenu = useContext(InMore);
  const isItem = focusMenu !== undefined;
  const Opener: ElementType = isItem ? Menu.Item : Button;
  return (
    <>
      <Opener {...(isItem ? {} : openerProps)} {...off(denied)} onClick={open}>
        {opener}
      </Opener>
      <InMore value={undefined}>
        <Dialog opened={opened} onClose={close} title={title} size={size} onExitTransitionEnd={focusMenu}>
          {children(close)}
        </Dialog>
      </InMore>
    </>
  );
};
