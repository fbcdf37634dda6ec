import { Button, Group, Modal, type ModalProps, Stack } from "@mantine/core";
import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from "react";

/** Keeps the dialog open, until what it gives is called. */
const KeepOpen = createContext<() => () => void>(() => () => {});

/** Keeps the dialog around it open while something runs whose outcome is told there. */
export const useBusy = (isRunning: boolean): void => {
  const keepOpen = useContext(KeepOpen);
  useEffect(() => (isRunning ? keepOpen() : undefined), [keepOpen, isRunning]);
};

type OnceProps = { children: ReactNode; onClose: () => void; have?: string; beside?: ReactNode };

/**
 * What a dialog shows once, such as a secret. Neither Escape, a click beside the dialog nor its cross closes it then: only the button
 * with which a person says that it is kept.
 *
 * @param have the words of that button
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

/** For this many ms the second click of a double click may meet what is beside a dialog that has opened, or has another size. */
const CHANGING_MS = 500;

/** Whether a click beside the dialog is meant: it has been open, with nothing under way, for a moment. */
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

/** A dialog over the page. The focus stays in it, also where a form in it goes after its answer. */
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
      // While it closes, the focus goes back to what opened it.
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

/**
 * Where the control that has the focus is removed or disabled, the focus goes to the dialog: from the page behind, Tab would not come
 * back. A button that is disabled while it works has the focus again after that. Gives what ends this.
 */
const keepFocus = (dialog: HTMLElement): (() => void) => {
  let disabled: HTMLElement | undefined;
  const look = () => {
    const active = document.activeElement;
    const isDisabled = active instanceof HTMLElement && dialog.contains(active) && active.matches(":disabled");
    if (isDisabled) disabled = active;
    if (isDisabled || active === document.body) dialog.focus({ preventScroll: true });
    else if (active === dialog && disabled?.matches(":enabled")) disabled.focus({ preventScroll: true });
  };
  const forget = ({ target }: FocusEvent) => {
    if (target !== dialog) disabled = undefined;
  };
  const observer = new MutationObserver(look);
  observer.observe(dialog, { subtree: true, childList: true, attributeFilter: ["disabled"] });
  dialog.addEventListener("focusin", forget);
  return () => {
    observer.disconnect();
    dialog.removeEventListener("focusin", forget);
  };
};
