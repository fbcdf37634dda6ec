import "./toast.css";
import { notifications } from "@mantine/notifications";
import type { IconName } from "../icon-paths.ts";
import { Icon } from "../icons.tsx";

/** `scroll-padding-block` in app.css leaves space for two. */
const MOST = 2;
const SHOWN_MS = 6_000;
const shown: string[] = [];

type Options = {
  /** The outcome is a failure, or it runs: the icon says so. */
  tone?: "good" | "bad" | "wait";
  /** A button, such as Show or Undo. */
  act?: { label: string; onAct: () => void };
  /** Ms, such as the time in which Undo works. */
  for?: number;
};

const ICONS: Readonly<Record<NonNullable<Options["tone"]>, IconName>> = { good: "done", bad: "failed", wait: "clock" };

/** Says an outcome for some seconds, longer while the mouse or the focus is on it. Too many drop the oldest. */
export const toast = (message: string, { tone = "good", act, for: autoClose = SHOWN_MS }: Options = {}): void => {
  const press = () => {
    act?.onAct();
    notifications.hide(id);
  };
  const id = notifications.show({
    icon: <Icon name={ICONS[tone]} size={16} />,
    autoClose,
    closeButtonProps: { "aria-label": "Close" },
    classNames: { root: "toast" },
    message: (
      <>
        {message}
        {act && (
          <button type="button" className="toast-act" onClick={press}>
            {act.label}
          </button>
        )}
      </>
    ),
  });
  shown.push(id);
  for (const oldest of shown.splice(0, shown.length - MOST)) notifications.hide(oldest);
};
