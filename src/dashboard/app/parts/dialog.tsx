import { Button, Group, Modal, type ModalProps, Stack } from "@mantine/core";
import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from "react";

const KeepOpen = createContext<() => () => void>(() => () => {});

/** Keeps the surrounding dialog open during an operation with a result to show. */
export const useBusy = (isRunning: boolean): void => {
  const keepOpen = useContext(KeepOpen);
  useEffect(() => (isRunning ? keepOpen() : undefined), [keepOpen, isRunning]);
};

type OnceProps = { children: ReactNode; onClose: () => void; have?: string; beside?: ReactNode };

/**
 * Shows a one-time secret. Only its button closes the dialog.
 *
 * @param have button text
 * @param beside another button
 */
export const ShownOnce = ({ children, onClose, have = "I have it", beside }: OnceProps) => {
  useBusy(true);
  return (
    <Stack gap="sm">
      {children}
      <Group justify="flex-end">
        {beside}
        <Button onClick={onClose}>{have}</Button>
      </Group>
    </Stack>
  );
};

/** Milliseconds. A double click may hit outside a dialog that just opened or resized. */
const CHANGING_MS = 500;

/** True if the dialog was idle for a moment, so an outside click is intended. */
const useSettled = (isAtRest: boolean): boolean => {
  const [isSettled, setSettled] = useState(false);
  useEffect(() => {
    if (!isAtRest) return undefined;
    const timer = setTimeout(() => setSettled(true), CHANGING_MS);
    return () => {
      clearTimeout(timer);
      setSettled(false);
    };
  }, [isAtRest]);
  return isSettled;
};

/** Modal dialog that keeps the focus even when inner forms disappear. */
export const Dialog = ({ opened, children, onClose, ...props }: ModalProps) => {
  const [keepers, setKeepers] = useState(0);
  const isBusy = keepers > 0;
  const isSettled = useSettled(opened && !isBusy);
  const keepOpen = useCallback(() => {
    setKeepers((count) => count + 1);
    return () => setKeepers((count) => count - 1);
  }, []);
  const body = useCallback(
    (node: HTMLElement | null) => {
      const dialog = node?.closest<HTMLElement>('[role="dialog"]');
      return dialog && opened ? keepFocus(dialog) : undefined;
    },
    [opened],
  );
  return (
    <Modal
      opened={opened}
      closeOnClickOutside={isSettled}
      closeButtonProps={{ "aria-label": "Close", disabled: isBusy }}
      {...props}
      onClose={() => {
        if (!isBusy) onClose();
      }}
    >
      <KeepOpen value={keepOpen}>
        <div ref={body}>{children}</div>
      </KeepOpen>
    </Modal>
  );
};

/** Moves the focus to the dialog if its control is removed or disabled, and back once it is enabled. */
const keepFocus = (dialog: HTMLElement): (() => void) => {
  let disabled: HTMLElement | undefined;
  const look = () => {
    const active = document.activeElement;
    const isDisabled = active instanceof HTMLElement && dialog.contains(active) && active.matches(":disabled");
    if (isDisabled) disabled = active;
    if (isDisabled || active === document.body) dialog.focus({ preventScroll: true });
    else if (active === dialog && disabled?.matches(":enabled")) disabled.focus({ preventScroll: true });
  };
  const drop = ({ target }: FocusEvent) => {
    if (target !== dialog) disabled = undefined;
  };
  const observer = new MutationObserver(look);
  observer.observe(dialog, { subtree: true, childList: true, attributeFilter: ["disabled"] });
  dialog.addEventListener("focusin", drop);
  return () => {
    observer.disconnect();
    dialog.removeEventListener("focusin", drop);
  };
};
