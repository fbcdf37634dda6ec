import { node } from "../../workflows/graph/edges.ts";
import type { Handlers } from "../base/handler.ts";
import { findNode } from "./change.ts";

type Counts = { sends: number; hard_bounces: number; soft_bounces: number; spam_reports: number };
const NONE: Counts = { sends: 0, hard_bounces: 0, soft_bounces: 0, spam_reports: 0 };

/** Counts of the mails of a node, previews left out. A trigger counts each mail when its state changes. */
export const nodeMetrics: Handlers<"workflows">["nodeMetrics"] = (context, asked) => {
  const found = findNode(context, asked);
  if ("refusal" in found) return found;
  const one = node(found.workflow.graph, asked.nodeId);
  if (one.typeName !== "SendEmailAction") {
    const message = `A node of type ${one.typeName} sends no mail. Ask for the metrics of a SendEmailAction.`;
    return { refusal: { code: "invalid_target", path: "nodeId", message } };
  }
  const counts = context.sql
    .exec<Counts>(
      `SELECT sends, hard_bounces, soft_bounces, spam_reports FROM message_counts
       WHERE message = (SELECT n FROM email_messages WHERE id = ?)`,
      one.emailMessageId,
    )
    .toArray()[0];
  const { sends, hard_bounces: hardBounces, soft_bounces: softBounces, spam_reports: spamReports } = counts ?? NONE;
  return { body: { sends, opens: 0, clicks: 0, unsubscribes: 0, spamReports, hardBounces, softBounces } };
};
