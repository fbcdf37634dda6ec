import type { Prospect } from "../../../policy/workflows/run/travel.ts";
import type { RunContact } from "../../../policy/workflows/run/types.ts";
import type { CompiledMessage } from "../../../types/compiled-message.ts";
import { type StoredContact, toResponse } from "../../contacts/contact-rows.ts";
import { readRevision } from "../../content/messages.ts";
import type { Context } from "../../core/context.ts";
import { sendingDomainOf } from "../../domains/sending-domain.ts";
import { reasonNotToMarket } from "../../sending/gate.ts";
import { valuesOfContact } from "../../sending/variables.ts";
import { meaningOf } from "../../sends/send-state-words.ts";
import { createNames } from "../../workflows/node-names.ts";
import type { StoredWorkflow } from "../../workflows/workflow-rows.ts";

type Row = { id: string; n: number; revision: number };

/** Predicts the results of a workflow's mails. One instance serves many contacts and compiles each message once. */
export const createProspects = (context: Context, { n, list }: StoredWorkflow) => {
  const { sql } = context;
  const rows = new Map(
    sql
      .exec<Row>("SELECT id, n, revision FROM email_messages WHERE workflow = ?", n)
      .toArray()
      .map((row) => [row.id, row]),
  );
  const found = sendingDomainOf(context, "marketing");
  const domain = "refusal" in found ? context.domain : found.domain;
  const contents = new Map<string, CompiledMessage | undefined>();
  const contentOf = (message: string): CompiledMessage | undefined => {
    const row = rows.get(message);
    if (!contents.has(message)) contents.set(message, row && readRevision(sql, row.revision));
    return contents.get(message);
  };
  return {
    nameOf: createNames(sql, n),
    rowOf: (message: string): number | undefined => rows.get(message)?.n,
    own: new Set([...rows.values()].map((row) => row.n)),
    ofContact:
      (event: Readonly<Record<string, unknown>>) =>
      (message: string, contact: RunContact): Prospect => {
        const stored = contact as StoredContact;
        const content = contentOf(message);
        const given = { contactProperties: toResponse(stored), eventProperties: event };
        const resolved = content && valuesOfContact(content, given, domain);
        const error =
          reasonNotToMarket(sql, stored, list) ??
          (resolved === undefined ? "message_deleted" : "reason" in resolved ? resolved.reason : undefined);
        if (error === undefined) return { isSent: true, text: "It would be sent at once." };
        const text = meaningOf({ state: "not_sent", attempts: 0, sender: null, held: 0, origin: null, error });
        return { isSent: false, text: text.replace("It was not sent", "It would not be sent") };
      },
  };
};
