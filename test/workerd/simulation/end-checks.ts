import { seqOf } from "../../../src/outbox/model/calls.ts";
import type { Call } from "../../../src/outbox/model/types.ts";
import { promise } from "./checks.ts";
import { isBefore, isNewer, propertiesOf } from "./model.ts";
import type { World } from "./world.ts";

/** After a healthy time, a delivery may only wait for an identity link that never came. */
export const checkNothingWaits = ({ model }: World): void => {
  const people = model.people();
  for (const { id, state, seq, call } of model.calls.values()) {
    const kinds = call.action === "transactional" ? /^email:/ : /^(email|user):/;
    const waits =
      state === "waiting" && seq !== undefined && people.keysOf(call.contact).some((key) => kinds.test(key));
    promise(!waits, `${id} still waits, though it could be sent.`);
  }
};

/** Without arrivals, the counted backlog equals the queue. */
export const checkRooms = ({ process }: World): void => {
  const { queue } = process()?.engine?.dispatcher ?? {};
  if (!queue) return;
  const calls = [...queue.items.values()].filter(({ source }) => source !== "");
  const counted = [...new Set(calls.map(({ source }) => source))].map((name) => {
    const own = calls.filter(({ source }) => source === name);
    const urgent = own.filter(({ lane }) => lane === "urgent").length;
    return [name, { open: own.length, urgent, forIdentity: own.filter(({ waits }) => waits).length }];
  });
  const [expected, found] = [counted, [...queue.open.bySource]].map((list) => JSON.stringify(list.sort()));
  promise(expected === found, `The room in use is ${found}, but the queue holds ${expected}.`);
  promise(queue.open.total.open === calls.length, `${queue.open.total.open} calls are counted of ${calls.length}.`);
};

/** At the end every webhook is in the journal, every delivery is settled, and the host's contacts are right. */
export const checkEnd = (world: World): void => {
  const { model, acknowledged, acts, schedule, host } = world;
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
    for (const call of JSON.parse(row.calls) as Call[]) {
      promise(
        call.state !== "waiting" && call.state !== "sending",
        `${call.key} is still ${call.state}: ${JSON.stringify(call)}`,
      );
      const known = model.calls.get(call.key);
      if (!known) continue;
      promise(
        call.state === known.state || call.state === "skipped",
        `${known.id} is ${call.state} in the journal and was reported as ${known.state}.`,
      );
    }
  const done = [...model.calls.values()].filter((known) => known.done !== undefined);
  const people = model.people();
  for (const known of done) {
    if (known.call.action !== "contact") continue;
    for (const name of propertiesOf(known)) {
      const wrote = acts.some(
        ({ calls, request }) => calls.includes(known) && written(request.body, name).split(" ")[0] === known.id,
      );
      const superseded = done.some(
        (one) =>
          one !== known &&
          (propertiesOf(one).includes(name) || one.call.action === "delete") &&
          (isNewer(one, known) || (!isNewer(known, one) && isBefore(known, one))) &&
          people.same(one.call.contact, known.call.contact),
      );
      promise(wrote || superseded, `${known.id} is done, but its ${name} never got to the host.`);
    }
  }
  // A deleted contact does not return by an older update. A deletion is not repeated if a newer update made the
  // contact again.
  for (const contact of host.contacts()) {
    const about = acts.filter((act) => act.contact !== undefined && host.idAfterMerges(act.contact) === contact.id);
    const writers = about.flatMap(({ calls }) => calls);
    if (!writers.every(({ call }) => call.action === "contact")) continue;
    const deletion = acts.find(
      ({ calls: [one], people: known }) =>
        one?.call.action === "delete" &&
        one.done !== undefined &&
        !one.left &&
        writers.every((writer) => isNewer(one, writer) && known.same(one.call.contact, writer.call.contact)) &&
        !done.some(
          (newer) =>
            newer.call.action === "contact" && isNewer(newer, one) && people.same(newer.call.contact, one.call.contact),
        ),
    );
    promise(
      writers.length === 0 || !deletion,
      `Contact ${contact.id} is back by ${writers.at(-1)?.id}, though ${deletion?.calls[0]?.id} deleted it later.`,
    );
  }
  for (const contact of host.contacts())
    for (const [name, value] of Object.entries(contact.properties)) {
      const about = acts.filter(
        (act) =>
          act.contact !== undefined &&
          host.idAfterMerges(act.contact) === contact.id &&
          written(act.request.body, name) !== "",
      );
      const last = about.at(-1);
      const lastCall = last?.calls.find(({ id }) => id === String(value).split(" ")[0]);
      if (!last || lastCall?.done === undefined) continue;
      for (const act of about) {
        const call = act.calls.find(({ id }) => id === written(act.request.body, name).split(" ")[0]);
        if (!call || call.id === lastCall.id || call.done === undefined) continue;
        // A newer value may be at another contact of the same person. After a deletion, a late request may write to a
        // new contact: a known limit.
        const isSuperseded = done.some(
          (one) =>
            (propertiesOf(one).includes(name) || one.call.action === "delete") &&
            isNewer(one, call) &&
            people.same(one.call.contact, call.call.contact),
        );
        if (isSuperseded) continue;
        // With equal times and ranks, acceptance order decides only if both were known to be of one person at the
        // first send.
        const isLater =
          !isNewer(lastCall, call) &&
          isBefore(lastCall, call) &&
          act.people.same(call.call.contact, lastCall.call.contact);
        const newer = isNewer(call, lastCall) || isLater;
        promise(
          !newer || !last.people.same(call.call.contact, lastCall.call.contact),
          `${name} of contact ${contact.id} is what ${lastCall.id} says, though ${call.id} is newer.`,
        );
      }
    }
};

const checkGone = ({ model }: World, name: string): void => {
  for (const { id, webhook, state } of model.calls.values())
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
