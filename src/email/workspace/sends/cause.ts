import { CONFIRMATION_TEMPLATE } from "../content/samples.ts";
import type { Step } from "./send-history.ts";
import type { SendRow } from "./send-rows.ts";

type Kind = "api" | "test" | "confirmation" | "campaign" | "workflow";

const TEXTS: Readonly<Record<Kind, string>> = {
  api: "A request of the API sent it.",
  test: "A person sent it as a test of its message.",
  confirmation: "It asks the owner of the address to confirm a subscription.",
  campaign: "A campaign sent it.",
  workflow: "A workflow sent it.",
};

const kindOf = ({ class: mailClass, preview, origin, template_id: template }: SendRow): Kind => {
  if (preview === 1) return "test";
  if (mailClass === "marketing") return origin === null || origin.startsWith("cmp_") ? "campaign" : "workflow";
  return template === CONFIRMATION_TEMPLATE ? "confirmation" : "api";
};

/** Returns the cause of a mail. `name` is null if it was deleted. */
export const causeOf = (row: SendRow) => {
  const kind = kindOf(row);
  const isMarketing = kind === "campaign" || kind === "workflow";
  return {
    kind,
    id: isMarketing ? row.origin : row.template_id,
    name: isMarketing ? (row.campaign_name ?? row.workflow_name) : row.template_name,
    idempotencyKey: row.idempotency_key,
    text: TEXTS[kind],
  };
};

const OUTCOMES: Readonly<Record<string, string>> = {
  sent: "accepted",
  deferred: "deferred",
  refused: "refused",
  unknown: "unknown",
};

const textOrNull = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);

/** Returns the answer to each attempt, oldest first. An attempt in flight has none. */
export const answersIn = (story: readonly Step[], { attempts, sender, reply }: SendRow) =>
  story.flatMap(({ at, what, detail }) => {
    const outcome = OUTCOMES[what];
    if (outcome === undefined) return [];
    if (what === "sent") return [{ attempt: attempts, at, sender, outcome, code: null, answer: textOrNull(reply) }];
    const { attempt, sender: by, code, message } = detail ?? {};
    if (typeof attempt !== "number") return [];
    return [{ attempt, at, sender: textOrNull(by), outcome, code: textOrNull(code), answer: textOrNull(message) }];
  });
