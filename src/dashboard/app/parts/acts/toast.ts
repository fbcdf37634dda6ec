import { notifications } from "@mantine/notifications";

/** The page leaves room for two messages below what has the focus: `scroll-padding-block` in app.css. */
const MOST = 2;
const shown: string[] = [];

/** Says for some seconds what came out of an act. Screen readers read it. The oldest message ends when there are too many. */
export const toast = (message: string, color: "green" | "red" = "green"): void => {
  shown.push(notifications.show({ message, color, withBorder: true, closeButtonProps: { "aria-label": "Close" } }));
  for (const oldest of shown.splice(0, shown.length - MOST)) notifications.hide(oldest);
};
