import { compileMessage } from "../../../lib/lmx/message/compile-message.ts";
import { emptySource } from "../../../lib/lmx/message/message-source.ts";
import { node } from "../../../lib/workflow-graph/edges.ts";
import type { Graph } from "../../../lib/workflow-graph/types.ts";
import { libraryOf } from "../content/library.ts";
import { addMessage } from "../content/messages.ts";
import type { Context } from "../core/context.ts";

/** Adds the empty message of each of these nodes that sends one. */
export const addMessages = (context: Context, workflow: number, graph: Graph, ids: readonly string[]): void => {
  for (const id of ids) {
    const one = node(graph, id);
    if (one.typeName !== "SendEmailAction") continue;
    const { compiled, uses } = compileMessage(emptySource, "workflow", libraryOf(context.sql, ""));
    const content = { source: JSON.stringify(emptySource), compiled: JSON.stringify(compiled), uses };
    addMessage(context, one.emailMessageId, { workflow, node: id }, content);
  }
};

/** Notes that the nodes of these messages were deleted. The messages stay: filters ask what contacts did with them. */
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

/** The subject of each message of a workflow, by the message's id. */
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
