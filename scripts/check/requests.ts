import { propertyName } from "../../src/lib/contract/fields.ts";
import { v1 } from "../../src/lib/contract/v1.ts";
import type { PlannedDelivery } from "../../src/rules/types.ts";
import type { Problem } from "./problem.ts";
import type { Run } from "./run.ts";

/** Replaces a contact with an address in another webhook. */
const STAND_IN = { email: "person@example.com" };

const identifiers = ({ contact: { email, userId } }: PlannedDelivery) => {
  const known = { ...(email ? { email } : {}), ...(userId ? { userId } : {}) };
  return email || userId ? known : STAND_IN;
};

/** Every other name is a custom property. */
const FIELDS = new Set(["firstName", "lastName", "source", "subscribed", "userGroup"]);

const names = (delivery: PlannedDelivery): { path: string; message: string }[] =>
  delivery.action !== "contact"
    ? []
    : Object.keys(delivery.properties).flatMap((path) => {
        const issue = FIELDS.has(path) ? undefined : propertyName.safeParse(path).error?.issues[0];
        return issue ? [{ path: `the property name ${path}`, message: issue.message }] : [];
      });

const refusals = (delivery: PlannedDelivery): { path: string; message: string }[] => {
  const parse = (): ReturnType<typeof v1.events.send.request.safeParse> | undefined => {
    switch (delivery.action) {
      case "contact":
        return v1.contacts.update.request.safeParse({ ...identifiers(delivery), ...delivery.properties }) as never;
      case "event":
        return v1.events.send.request.safeParse({
          ...identifiers(delivery),
          eventName: delivery.eventName,
          eventProperties: delivery.eventProperties,
        });
      case "transactional":
        return v1.transactional.send.request.safeParse({
          transactionalId: "any",
          email: delivery.contact.email ?? STAND_IN.email,
          dataVariables: delivery.dataVariables,
        }) as never;
      default:
        return undefined;
    }
  };
  const issues = parse()?.error?.issues ?? [];
  return [...names(delivery), ...issues.map(({ path, message }) => ({ path: path.join("."), message }))];
};

/** Finds deliveries that the API contract refuses, such as values over 500 characters. */
export const checkRequests = (runs: readonly Run[]): Problem[] =>
  runs.flatMap(({ fixture, webhooks }) =>
    webhooks.flatMap(({ deliveries }) =>
      deliveries.flatMap((delivery) =>
        refusals(delivery).map(({ path, message }) => ({
          level: "error" as const,
          rule: delivery.rule,
          fixture,
          message: `the API would refuse the ${delivery.action} delivery: ${path} ${message}`,
        })),
      ),
    ),
  );
