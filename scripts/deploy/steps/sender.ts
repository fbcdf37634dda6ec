import type { SenderDefinition } from "../../../src/email/delivery/senders/definition.ts";
import { newSecret } from "../secrets.ts";
import { offered, offeredInWords } from "../senders.ts";
import type { State, Step } from "../state.ts";

const titles = new Intl.ListFormat("en-GB", { type: "disjunction" });

export const sender: Step = {
  title: "Sender",
  why: `The email Worker sends mail over ${titles.format(offered.map(({ name, title }) => `${title} (${name})`))}.`,
  async run(state) {
    const { io, emailVars, varsBefore: vars } = state;
    if (typeof vars.PUBLIC_URL === "string") state.emailBefore = vars.PUBLIC_URL;
    const before = typeof vars.TRANSACTIONAL_SENDER === "string" ? vars.TRANSACTIONAL_SENDER : "";
    dkimSecret(state);
    const answer = await io.ask({
      variable: "TRANSACTIONAL_SENDER",
      text: `Sender of mail: ${offeredInWords} (Enter ${before ? `keeps ${before}` : "sets none, and no mail leaves"})`,
      initial: "",
      check: (given) => (offered.some(({ name }) => name === given) ? undefined : `It must be ${offeredInWords}.`),
    });
    state.sender = answer || before;
    const chosen = offered.find(({ name }) => name === answer);
    if (!chosen)
      return io.print(
        before
          ? `Sender: ${before}, as before.`
          : "No sender: no mail leaves until a sender is set and a sending domain is verified.",
      );
    const { name, only } = chosen;
    if (only !== "marketing") emailVars.TRANSACTIONAL_SENDER = name;
    if (only !== "transactional") emailVars.MARKETING_SENDER = name;
    await askVariables(state, chosen, vars);
    io.print(`Sender: ${name}${only ? `, for ${only} mail only` : ""}.`);
  },
};

/** A new value would make the DKIM private keys unreadable. */
const dkimSecret = ({ io, hidden, emailHas, emailSecrets }: State): void => {
  if (emailHas.has("DKIM_KEY_SECRET")) {
    io.print("DKIM_KEY_SECRET: kept. It encrypts the keys that sign mail.");
    return;
  }
  const secret = newSecret();
  hidden.add(secret);
  emailSecrets.DKIM_KEY_SECRET = secret;
  io.print("DKIM_KEY_SECRET: generated. It encrypts the keys that sign mail, and is not shown: no person needs it.");
};

const askVariables = async (
  { io, emailHas, emailSecrets, emailVars }: State,
  { variables }: SenderDefinition,
  vars: Record<string, unknown>,
): Promise<void> => {
  for (const [variable, { help, example, secret = false, required, check }] of Object.entries(variables)) {
    if (!required) continue;
    const isKept = secret && emailHas.has(variable);
    const before = isKept ? "" : vars[variable];
    const answer = await io.ask({
      variable,
      text: `${help}${example ? `, such as ${example}` : ""}${isKept ? " (Enter keeps it)" : ""}`,
      ...(typeof before === "string" ? { initial: before } : {}),
      secret,
      ...(check ? { check } : {}),
    });
    if (answer) (secret ? emailSecrets : emailVars)[variable] = answer;
  }
};
