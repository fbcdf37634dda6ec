import { generic } from "../../../src/handlers/generic.ts";
import { rules } from "../../../src/rules/types.ts";
import type { Handler } from "../../../src/webhook.ts";
import { LEFT } from "./wire.ts";

// The rules of the source `generic` for these runs: deliveries that the rules in src/mappings do not make.

const send = globalThis.fetch;
globalThis.fetch = (input, init) => {
  const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined));
  headers.set(LEFT, String(Date.now()));
  return send(input, { ...init, headers });
};

type Person = { userId: string; email: string };
type Events =
  | { type: "person.changed"; data: Person & { value: string } }
  | { type: "person.noted"; data: Person & { value: string; webhook: number } }
  | { type: "person.removed"; data: Person }
  | { type: "person.misdescribed"; data: Person };

const contact = ({ data: { userId, email } }: Events) => ({ userId, email });

export default rules(
  generic as Handler<Events>,
  [
    {
      name: "changed",
      on: "person.changed",
      contact,
      update: { firstName: (e) => e.data.value },
    },
    {
      name: "noted",
      on: "person.noted",
      contact,
      update: { firstName: (e) => e.data.value },
      event: { name: "noted", properties: { webhook: (e) => e.data.webhook } },
    },
    { name: "removed", on: "person.removed", contact, remove: "delete" },
    {
      // The email service refuses it for good: the template needs variables.
      name: "misdescribed",
      on: "person.misdescribed",
      contact,
      transactional: { template: "receipt", variables: {} },
    },
  ],
  ({ data: { userId, email } }) => [{ userId, email }],
);
