import type { Call } from "../../../src/outbox/model/types.ts";
import { isBefore, isNewer, propertiesOf } from "./model.ts";
import { promise } from "./watch.ts";
import type { World } from "./world.ts";

/** Once all has been well for a while, only who is never named is still waited for. */
export const nothingWaitsForNothing = ({ model }: World): void => {
  const people = model.people();
  for (const { id, state, seq, call } of model.calls.values()) {
    const kinds = call.action === "transactional" ? /^email:/ : /^(email|user):/;
    const waits =
      state === "waiting" && seq !== undefined && people.keysOf(call.contact).some((key) => kinds.test(key));
    promise(!waits, `${id} still waits, though nothing stands in its way.`);
  }
};

/** When all is over: every webhook is accounted for, every call has come to something, and what stands at the host is right. */
export const atRest = ({ model, acknowledged, acts, schedule, host }: World): void => {
  for (const step of schedule.steps)
    for (const { name } of step.kind === "webhooks" ? step.webhooks : [])
      promise(acknowledged.has(name), `${name} was never accepted.`);
  const rows = model.rows();
  for (const name of acknowledged.keys()) {
    const own = rows.filter((row) => model.webhookOf(row)?.name === name);
    promise(own.length === 1, `${name} is ${own.length} times in the journal.`);
  }
  for (const row of rows)
    for (const call of JSON.parse(row.calls) as Call[]) {
      const known = model.calls.get(call.key);
      if (!known) continue;
      promise(
        call.state !== "waiting" && call.state !== "sending",
        `${known.id} is still ${call.state}: ${JSON.stringify(call)}`,
      );
      promise(
        call.state === known.state || call.state === "skipped",
        `${known.id} is ${call.state} in the journal and was said to be ${known.state}.`,
      );
    }
  const landed = [...model.calls.values()].filter(({ done }) => done !== undefined);
  const people = model.people();
  for (const known of landed) {
    if (known.call.action !== "contact") continue;
    for (const name of propertiesOf(known)) {
      const wrote = acts.some(
        ({ calls, request }) => calls.includes(known) && written(request.body, name).split(" ")[0] === known.id,
      );
      const overtaken = landed.some(
        (one) =>
          one !== known &&
          (propertiesOf(one).includes(name) || one.call.action === "delete") &&
          (isNewer(one, known) || (!isNewer(known, one) && isBefore(known, one))) &&
          people.same(one.call.contact, known.call.contact),
      );
      promise(wrote || overtaken, `${known.id} is done, but its ${name} never got to the host.`);
    }
  }
  // What stands at the host of each property is the newest that succeeded of what was known to be of one person.
  for (const contact of host.contacts())
    for (const [name, value] of Object.entries(contact.properties)) {
      const about = acts.filter((act) => act.contact === contact.id && written(act.request.body, name) !== "");
      const last = about.at(-1);
      const lastCall = last?.calls.find(({ id }) => id === String(value).split(" ")[0]);
      if (!last || lastCall?.done === undefined) continue;
      for (const act of about) {
        const call = act.calls.find(({ id }) => id === written(act.request.body, name).split(" ")[0]);
        if (!call || call === lastCall || call.done === undefined) continue;
        // What is newer still may have gone to another contact of the host: one that it does not know to be the same person.
        const isOvertaken = landed.some(
          (one) =>
            propertiesOf(one).includes(name) && isNewer(one, call) && people.same(one.call.contact, call.call.contact),
        );
        if (isOvertaken) continue;
        const newer = isNewer(call, lastCall) || (!isNewer(lastCall, call) && isBefore(lastCall, call));
        promise(
          !newer || !last.people.same(call.call.contact, lastCall.call.contact),
          `${name} of contact ${contact.id} is what ${lastCall.id} says, though ${call.id} is newer.`,
        );
      }
    }
};

const written = (body: Record<string, unknown>, name: string): string =>
  String({ ...body, ...(body.properties as Record<string, unknown> | undefined) }[name] ?? "");
