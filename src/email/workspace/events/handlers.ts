import { eventKeys, readChanges } from "../contacts/changes.ts";
import { upsert } from "../contacts/upsert.ts";
import { wake } from "../core/context.ts";
import type { Handlers } from "../core/handler.ts";
import { nextNumber } from "../core/numbers.ts";
import { RETENTION_MS } from "../core/retention.ts";
import { type EventProperties, learnPattern, patternRefusal } from "./learn.ts";

export const events: Handlers<"events"> = {
  send(context, input) {
    const read = readChanges(context, input, eventKeys);
    if ("refusal" in read) return read;
    const refusal = patternRefusal(context.sql, input.eventName, "eventName");
    if (refusal) return { refusal };
    const result = upsert(context, input, read.changes);
    if ("refusal" in result) return result;

    const properties = (input.eventProperties ?? {}) as EventProperties;
    const pattern = learnPattern(context, input.eventName, properties);
    const n = nextNumber(context.sql, "events", context.now);
    context.sql.exec(
      "INSERT INTO events (n, contact, pattern, properties, at) VALUES (?, ?, ?, jsonb(?), ?)",
      n,
      result.contact.n,
      pattern,
      JSON.stringify(properties),
      context.now,
    );
    const { contact } = result;
    context.after.writes.push({ before: contact, after: contact, eventName: input.eventName, event: properties });
    wake(context, context.now + RETENTION_MS);
    return { body: { success: true, id: `evt_${n.toString(36)}` } };
  },
};
