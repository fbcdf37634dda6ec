import { expect, test } from "vitest";
import ruleSet from "../../../src/mappings/whop.ts";
import { describeBilling } from "./billing.ts";
import { type Body, recorded } from "./recorded.ts";

const { contactsOf, event, linksOf, planFor, propertiesOf } = recorded(ruleSet);
const USER = "whop:user_8VbC6JDZzPEqf";
const CHANGED = "membership.cancel_at_period_end_changed";

describeBilling(ruleSet, {
  events: [
    ["subscriptionStarted", "membership.activated"],
    ["recovered", "membership.activated.recovered"],
    ["cancelScheduled", CHANGED],
    ["reactivated", `${CHANGED}.withdrawn`],
    ["trialEnding", "membership.trial_ending_soon"],
    ["subscriptionCanceled", "membership.deactivated"],
    ["checkoutCompleted", "payment.succeeded"],
    ["checkoutCompleted", "payment.succeeded.one-time"],
    ["subscriptionRenewed", "payment.succeeded.renewal"],
    ["paymentFailed", "payment.failed"],
    ["refunded", "refund.updated"],
    ["refundFailed", "refund.updated.failed"],
    ["disputeCreated", "dispute.created"],
    ["disputeClosed", "dispute.updated.lost"],
    ["invoiceOverdue", "invoice.past_due"],
  ],
  noEvent: ["payment.created", "payment.pending", "refund.created", "dispute.updated", "invoice.paid"],
  started: ["membership.activated", "payment.created", "payment.succeeded"],
  cancelScheduled: CHANGED,
  yen: ["payment.succeeded.yen", "¥4,900"],
  free: "payment.succeeded.free",
  customer: ["membership.activated", USER],
  order: [["membership.activated", CHANGED, "membership.deactivated"]],
});

test("a person whose address Whop hides is known by id; nobody makes nothing", async () => {
  for (const contact of await contactsOf("membership.activated.hidden-address")) expect(contact).toEqual({ ref: USER });
  expect(await linksOf("membership.activated.hidden-address")).toEqual([]);
  for (const name of [
    "membership.activated",
    "payment.succeeded",
    "payment.failed",
    "refund.updated",
    "dispute.created",
  ])
    expect([name, (await planFor(`${name}.nobody`)).deliveries]).toEqual([name, []]);
});

test("access that was bought once stands as high as a running subscription, until it is taken away", async () => {
  const standingOf = async (name: string) => {
    const { deliveries } = await planFor(name);
    return deliveries.flatMap((one) => (one.action === "contact" ? (one.subscription?.standing ?? -1) : []))[0];
  };
  const names = ["activated.one-time", "cancel_at_period_end_changed", "activated.trial", "deactivated"];
  expect(await Promise.all(names.map((name) => standingOf(`membership.${name}`)))).toEqual([50, 50, 40, 0]);
  expect(await propertiesOf("membership.activated.trial")).toMatchObject({ trialEndsAt: "2025-11-19T12:00:00.000Z" });
});

test("amounts are in major units", async () => {
  expect(await event("payment.succeeded.one-time")).toMatchObject({
    amount: "$49.50",
    mode: "payment",
    product: "Handbook",
  });
  expect(await event("refund.updated")).toMatchObject({ amount: "$10.50", amountValue: 10.5 });
});

test("a refund is one webhook for each of its statuses, however often it is told", async () => {
  const idOf = async (name: string, change?: (body: Body) => void) => (await planFor(name, change)).webhook.id;
  const created = (body: Body) => Object.assign(body, { type: "refund.created", id: "msg_other" });
  expect(await idOf("refund.updated", created)).toBe(await idOf("refund.updated"));
  expect(await idOf("refund.created")).not.toBe(await idOf("refund.updated"));
});

test("a membership is ordered by its change, not by the time of the attempt", async () => {
  expect((await planFor("membership.deactivated")).webhook.occurredAt).toBe(Date.UTC(2025, 10, 22, 12));
});
