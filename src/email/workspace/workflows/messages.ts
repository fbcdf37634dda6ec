import { compileMessage } from "../../../lib/lmx/message/compile-message.ts";
import { emptySource } from "../../../lib/lmx/message/message-source.ts";
import { node } from "../../../lib/workflow-graph/edges.ts";
import type { Graph } from "../../../lib/workflow-graph/types.ts";
import { libraryOf } from "../content/library.ts";
import { addMessage } from "../content/messages.ts";
import type { Context } from "../core/context.ts";

/** Adds an empty message to each sending node. */
export const addMessages = (context: Context, workflow: number, graph: Graph, ids: readonly string[]): void => {
  for (const id of ids) {
    const workflowNode = node(graph, id);
    if (workflowNode.typeName !== "SendEmailAction") continue;
    const { compiled, uses } = compileMessage(emptySource, "workflow", libraryOf(context.sql, ""));
    const content = { source: JSON.stringify(emptySource), compiled: JSON.stringify(compiled), uses };
    addMessage(context, workflowNode.emailMessageId, { workflow, node: id }, content);
  }
};

/** Marks messages of deleted nodes. The messages stay, because filters use them. */
export const removeMessages = (
  { sql, now }: Pick<Context, "sql" | "now">,
  workflow: number,
  nodes?: readonly string[],
): void => {
  sql.exec(
    `UPDATE email_messages SET removed_at = ? WHERE workflow = ? AND removed_at IS NULL
       AND (?3 IS NULL OR node IN (SELECT value FROM json_each(?3)))`,
    now,
    workflow,
    nodes === undefined ? null : JSON.stringify(nodes),
  );
};

export const subjectsOf = (sql: SqlStorage, workflow: number): ReadonlyMap<string, string> =>
  new Map(
    sql
      .exec<{ id: string; subject: string | null }>(
        `SELECT m.id, r.source->>'$.subject' AS subject
         FROM email_messages m JOIN message_revisions r ON r.n = m.revision WHERE m.workflow = ?`,
        workflow,
      )
      .toArray()
      .map(({ id, subject }) => [id, subject ?? ""]),
  );
