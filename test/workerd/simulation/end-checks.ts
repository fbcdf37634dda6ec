import { seqOf } from "../../../src/outbox/model/delivery-state.ts";
import type { Delivery } from "../../../src/outbox/model/journal-types.ts";
import { promise } from "./checks.ts";
import { isBefore, isNewer, propertiesOf } from "./model.ts";
import type { World } from "./world.ts";

/** After a healthy time, a delivery may only wait for an identity link that never came. */
export const checkNothingWaits = ({ model }: World): void => {
  const people = model.people();
  for (const { id, state, seq, delivery } of model.deliveries.values()) {
    const kinds = delivery.action === "transactional" ? /^email:/ : /^(email|user):/;
    const waits =
      state === "waiting" && seq !== undefined && people.keysOf(delivery.contact).some((key) => kinds.test(key));
    promise(!waits, `${id} still waits, though it could be sent.`);
  }
};

/** Without arrivals, the counted backlog equals the queue. */
export const checkQuotas = ({ process }: World): void => {
  const { queue } = process()?.engine?.dispatcher ?? {};
  if (!queue) return;
  const deliveries = [...queue.items.values()].filter(({ source }) => source !== "");
  const counted = [...new Set(deliveries.map(({ source }) => source))].map((name) => {
    const own = deliveries.filter(({ source }) => source === name);
    const webhooks = new Set(own.map(({ seq }) => seq)).size;
    const urgent = new Set(own.filter(({ lane }) => lane === "urgent").map(({ seq }) => seq)).size;
    const forIdentity = own.filter(({ waits }) => waits).length;
    return [name, { webhooks, urgent, deliveries: own.length, forIdentity }];
  });
  const [expected, found] = [counted, [...queue.open.bySource]].map((list) => JSON.stringify(list.sort()));
  promise(expected === found, `The room in use is ${found}, but the queue holds ${expected}.`);
  promise(
    queue.open.total.deliveries === deliveries.length,
    `${queue.open.total.deliveries} deliveries are counted of ${deliveries.length}.`,
  );
};

/** At the end every webhook is in the journal, every delivery is settled, and the email service's contacts are right. */
export const checkEnd = (world: World): void => {
  const { model, acknowledged, acts, schedule, service } = world;
  for (const step of schedule.steps)
    for (const { name } of step.kind === "webhooks" ? step.webhooks : [])
      promise(acknowledged.has(name), `${name} was never accepted.`);
  const rows = model.rows();
  for (const [name, id] of acknowledged) {
    const own = rows.filter((row) => model.webhookOf(row)?.name === name);
    if (own.length === 0 && world.mayBeGone(seqOf(id) ?? 0)) checkGone(world, name);
    else promise(own.length === 1, `${name} is ${own.length} times in the journal.`);
  }
  if (schedule.small) checkBodies(world);
  for (const row of rows)
    for (const delivery of JSON.parse(row.deliveries) as Delivery[]) {
      promise(
        delivery.state !== "waiting" && delivery.state !== "sending",
        `${delivery.key} is still ${delivery.state}: ${JSON.stringify(delivery)}`,
      );
      const known = model.deliveries.get(delivery.key);
      if (!known) continue;
      promise(
        delivery.state === known.state || delivery.state === "skipped",
        `${known.id} is ${delivery.state} in the journal and was reported as ${known.state}.`,
      );
    }
  const done = [...model.deliveries.values()].filter((known) => known.done !== undefined);
  const people = model.people();
  for (const known of done) {
    if (known.delivery.action !== "contact") continue;
    for (const name of propertiesOf(known)) {
      const wrote = acts.some(
        ({ deliveries, request }) =>
          deliveries.includes(known) && written(request.body, name).split(" ")[0] === known.id,
      );
      const replaced = done.some(
        (one) =>
          one !== known &&
          (propertiesOf(one).includes(name) || one.delivery.action === "delete") &&
          (isNewer(one, known) || (!isNewer(known, one) && isBefore(known, one))) &&
          people.same(one.delivery.contact, known.delivery.contact),
      );
      promise(wrote || replaced, `${known.id} is done, but its ${name} never got to the email service.`);
    }
  }
  // A deleted contact does not return by an older update. A deletion is not repeated if a newer update made the
  // contact again.
  for (const contact of service.contacts()) {
    const about = acts.filter((act) => act.contact !== undefined && service.idAfterMerges(act.contact) === contact.id);
    const writers = about.flatMap(({ deliveries }) => deliveries);
    if (!writers.every(({ delivery }) => delivery.action === "contact")) continue;
    const deletion = acts.find(
      ({ deliveries: [one], people: known }) =>
        one?.delivery.action === "delete" &&
        one.done !== undefined &&
        !one.left &&
        writers.every((writer) => isNewer(one, writer) && known.same(one.delivery.contact, writer.delivery.contact)) &&
        !done.some(
          (newer) =>
            newer.delivery.action === "contact" &&
            isNewer(newer, one) &&
            people.same(newer.delivery.contact, one.delivery.contact),
        ),
    );
    promise(
      writers.length === 0 || !deletion,
      `Contact ${contact.id} is back by ${writers.at(-1)?.id}, though ${deletion?.deliveries[0]?.id} deleted it later.`,
    );
  }
  for (const contact of service.contacts())
    for (const [name, value] of Object.entries(contact.properties)) {
      const about = acts.filter(
        (act) =>
          act.contact !== undefined &&
          service.idAfterMerges(act.contact) === contact.id &&
          written(act.request.body, name) !== "",
      );
      const last = about.at(-1);
      const lastDelivery = last?.deliveries.find(({ id }) => id === String(value).split(" ")[0]);
      if (!last || lastDelivery?.done === undefined) continue;
      for (const act of about) {
        const delivery = act.deliveries.find(({ id }) => id === written(act.request.body, name).split(" ")[0]);
        if (!delivery || delivery.id === lastDelivery.id || delivery.done === undefined) continue;
        // A newer value may be at another contact of the same person. After a deletion, a late request may write to a
        // new contact: a known limit.
        const isReplaced = done.some(
          (one) =>
            (propertiesOf(one).includes(name) || one.delivery.action === "delete") &&
            isNewer(one, delivery) &&
            people.same(one.delivery.contact, delivery.delivery.contact),
        );
        if (isReplaced) continue;
        // With equal times and ranks, acceptance order decides only if both were known to be of one person at the
        // first send.
        const isLater =
          !isNewer(lastDelivery, delivery) &&
          isBefore(lastDelivery, delivery) &&
          act.people.same(delivery.delivery.contact, lastDelivery.delivery.contact);
        const newer = isNewer(delivery, lastDelivery) || isLater;
        promise(
          !newer || !last.people.same(delivery.delivery.contact, lastDelivery.delivery.contact),
          `${name} of contact ${contact.id} is what ${lastDelivery.id} says, though ${delivery.id} is newer.`,
        );
      }
    }
};

const checkGone = ({ model }: World, name: string): void => {
  for (const { id, webhook, state } of model.deliveries.values())
    if (webhook.name === name)
      promise(state !== "waiting" && state !== "sending", `${id} is ${state}, but its webhook was deleted.`);
};

const checkBodies = ({ disk, count }: World): void => {
  const bodies = disk.sql.exec<{ body: string }>("SELECT body FROM webhooks ORDER BY seq DESC").toArray();
  promise(bodies[0]?.body !== "", "The newest body was purged.");
  count("body purged", bodies.filter(({ body }) => body === "").length);
};

const written = (body: Record<string, unknown>, name: string): string =>
  String({ ...body, ...(body.properties as Record<string, unknown> | undefined) }[name] ?? "");
