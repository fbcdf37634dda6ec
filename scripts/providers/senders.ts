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
    return binding ? [...settings, [`\`${binding}\``, "`send_email` binding", sender, ""]] : settings;
  });
  return [["Name", "Kind", "Sender", "Meaning"], Array<string>(4).fill("---"), ...rows]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
};
