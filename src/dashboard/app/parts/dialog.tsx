import { Modal, type ModalProps } from "@mantine/core";
import { createContext, useCallback, useContext, useEffect, useState } from "react";

const Busy = createContext<(isBusy: boolean) => void>(() => {});

/** Keeps the dialog around it open while something runs whose outcome is told there. */
export const useBusy = (isRunning: boolean): void => {
  const say = useContext(Busy);
  useEffect(() => {
    say(isRunning);
    return () => say(false);
  }, [say, isRunning]);
};

/** A dialog over the page. The focus stays in it, also where a form in it goes after its answer. */
export const Dialog = ({ opened, children, onClose, ...props }: ModalProps) => {
  const [isBusy, setBusy] = useState(false);
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
      closeButtonProps={{ "aria-label": "Close", disabled: isBusy }}
      {...props}
      onClose={() => {
        if (!isBusy) onClose();
      }}
    >
      <Busy value={setBusy}>
        <div ref={body}>{children}</div>
      </Busy>
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
