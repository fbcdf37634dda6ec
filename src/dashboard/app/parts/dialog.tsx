import { Button, Group, Modal, type ModalProps, Stack } from "@mantine/core";
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from "react";

type Keep = () => () => void;

const KeepOpen = createContext<{ busy: Keep; typed: Keep }>({ busy: () => () => {}, typed: () => () => {} });

/** Keeps the surrounding dialog open during an operation with a result to show. */
export const useBusy = (isRunning: boolean): void => {
  const { busy } = useContext(KeepOpen);
  useEffect(() => (isRunning ? busy() : undefined), [busy, isRunning]);
};

/** Escape and a click outside do not close the surrounding dialog, because something was typed. */
export const useTyped = (isTyped: boolean): void => {
  const { typed } = useContext(KeepOpen);
  useEffect(() => (isTyped ? typed() : undefined), [typed, isTyped]);
};

/** Counts the parts that keep something. */
const useKeepers = (): [isKept: boolean, keep: Keep] => {
  const [keepers, setKeepers] = useState(0);
  const keep = useCallback(() => {
    setKeepers((count) => count + 1);
    return () => setKeepers((count) => count - 1);
  }, []);
  return [keepers > 0, keep];
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
  const [isBusy, busy] = useKeepers();
  const [isTyped, typed] = useKeepers();
  const keeps = useMemo(() => ({ busy, typed }), [busy, typed]);
  const isSettled = useSettled(opened && !isBusy);
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
      closeOnClickOutside={isSettled && !isTyped}
      closeOnEscape={!isTyped}
      closeButtonProps={{ "aria-label": "Close", disabled: isBusy }}
      {...props}
      onClose={() => {
        if (!isBusy) onClose();
      }}
    >
      <KeepOpen value={keeps}>
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
