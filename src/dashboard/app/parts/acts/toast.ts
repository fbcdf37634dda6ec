import { notifications } from "@mantine/notifications";

/** `scroll-padding-block` in app.css leaves space for two. */
const MOST = 2;
const shown: string[] = [];

/** Shows an accessible message for seconds. Too many messages drop the oldest. */
export const toast = (message: string, color: "green" | "red" = "green"): void => {
  shown.push(notifications.show({ message, color, withBorder: true, closeButtonProps: { "aria-label": "Close" } }));
  for (const oldest of shown.splice(0, shown.length - MOST)) notifications.hide(oldest);
};
