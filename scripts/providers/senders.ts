import { senders } from "../../src/email/delivery/senders/sender-list.ts";

export const SENDERS_PAGE = "docs/senders.md";

/** Markdown table of the variables, secrets and bindings of all senders. */
export const senderTable = (): string => {
  const rows = senders.flatMap(({ name, variables, binding }) => {
    const sender = `\`${name}\``;
    const settings = Object.entries(variables).map(([variable, { help, example, secret, required }]) => [
      `\`${variable}\``,
      secret ? "secret" : "variable",
      sender,
      `${help}${example === undefined ? "" : `, such as \`${example}\``}${required ? "" : " (optional)"}`,
    ]);
    if (!binding) return settings;
    return [
      ...settings,
      [`\`${binding}\``, "`send_email` binding", sender, "Mail out"],
      [
        "`EMAIL_EVENTS`",
        "queue, producer and consumer",
        sender,
        "Delivery events in. `npm run deploy` makes both bindings",
      ],
    ];
  });
  const feedback = senders.flatMap(({ name, feedback: how }) => (how === undefined ? [] : [[`\`${name}\``, how]]));
  const settings = tableOf(["Name", "Kind", "Sender", "Meaning"], rows);
  return `${settings}\n\n${tableOf(["Sender", "Bounces and complaints come back by"], feedback)}`;
};

const tableOf = (head: string[], rows: string[][]): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
