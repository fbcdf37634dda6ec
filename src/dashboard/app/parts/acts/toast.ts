import { notifications } from "@mantine/notifications";

/** Says for some seconds what came out of an act. Screen readers read it. */
export const toast = (message: string, color: "green" | "red" = "green"): void => {
  notifications.show({ message, color, withBorder: true, closeButtonProps: { "aria-label": "Close" } });
};
