import { describe, expect, it } from "vitest";
import clerk from "../../../../src/mappings/clerk.ts";
import type { PlannedWebhook } from "../../../../src/outbox/model/journal-types.ts";
import { createBench, event, update } from "../setup.ts";
import { inAnyOrder, START } from "./arrivals.ts";
import { planned } from "./planned.ts";

const SHARED = "info@example.com";
const OWN = "mia@example.com";
const HOUR = 3_600_000;

const user = (type: "user.created" | "user.updated", id: string, email: string, minute: number): PlannedWebhook => {
  const address = { id: `idn_${email}`, email_address: email, verification: { status: "verified" } };
  const data = { id, first_name: id, last_name: "", email_addresses: [address], primary_email_address_id: address.id };
  const occurredAt = START - HOUR + minute * 60_000;
  const webhook = planned(clerk, {
    id: `${type} ${id}`,
    type,
    occurredAt,
    body: { type, object: "event", data },
  });
  return { ...webhook, deliveries: webhook.deliveries.filter(({ action }) => action !== "transactional") };
};

const WEBHOOKS = [
  user("user.created", "Mia", SHARED, 0),
  user("user.updated", "Mia", OWN, 1),
  user("user.created", "Noa", SHARED, 2),
];

describe("an address that one user gives up and another gets", () => {
  it("is that of the other, and both have their contact, in any order of arrival", async () => {
    await inAnyOrder("given up", WEBHOOKS, ({ contacts, deliveries }) => {
      expect(deliveries.filter(({ state }) => !["done", "replaced", "skipped"].includes(state))).toEqual([]);
      expect(contacts.toSorted((a, b) => String(a.email).localeCompare(String(b.email)))).toMatchObject([
        { email: SHARED, userId: "Noa", properties: { firstName: "Noa" } },
        { email: OWN, userId: "Mia", properties: { firstName: "Mia" } },
      ]);
    });
  });

  it("is left out of what an older webhook of the former user sends, and stays in that of a newer one", async () => {
    const bench = await createBench();
    const [mia, noa] = [
      { userId: "Mia", email: SHARED },
      { userId: "Noa", email: SHARED },
    ];
    await bench.accept({ links: [noa], occurredAt: 2_000 });
    const older = await bench.accept({
      links: [mia],
      occurredAt: 1_000,
      deliveries: [update(mia, { city: "Oslo" }), event(mia)],
    });
    await bench.deliveries(older.id);
    const newer = await bench.accept({
      links: [mia],
      occurredAt: 3_000,
      deliveries: [update(mia, { city: "Bergen" })],
    });
    await bench.deliveries(newer.id);
    expect(bench.service.acted.map(({ body: { userId, email } }) => [userId, email])).toEqual([
      ["Mia", undefined],
      ["Mia", undefined],
      ["Mia", SHARED],
    ]);
  });
});
