// The email Worker with a route that sends one marketing mail. It is never deployed.
import email, { Directory, Inbox, Mailer, Notifier, Workspace as Production } from "../../src/email/index.ts";
import { contactByEmail } from "../../src/email/workspace/contacts/contact-rows.ts";
import { nothing } from "../../src/email/workspace/core/context.ts";
import { acceptMarketing, marketingContent } from "../../src/email/workspace/sending/marketing/accept.ts";
import { compileMessage } from "../../src/lib/lmx/message/compile-message.ts";
import { emptySource } from "../../src/lib/lmx/message/message-source.ts";
import { randomId } from "../../src/lib/util/id.ts";

export { Directory, Inbox, Mailer, Notifier };

type Env = Parameters<typeof email.fetch>[1];
type Asked = { to: string; list: string; domain: string; lmx: string };

export class Workspace extends Production {
  async campaign({ to, list, domain, lmx }: Asked): Promise<unknown> {
    const { storage } = this.ctx;
    const { sql } = storage;
    const source = { ...emptySource, subject: "News", fromName: "Acme", fromEmail: "news", lmx };
    const { compiled, problems } = compileMessage(source, "campaign", {});
    if (!compiled) return { problems };
    const accepted = storage.transactionSync(() => {
      const { n } = sql
        .exec<{ n: number }>(
          "INSERT INTO email_messages (id, revision, created_at, updated_at) VALUES (?, 0, 0, 0) RETURNING n",
          randomId("msg"),
        )
        .one();
      const { revision } = sql
        .exec<{ revision: number }>(
          "INSERT INTO message_revisions (message, source, compiled, created_at) VALUES (?, ?, ?, 0) RETURNING n AS revision",
          n,
          JSON.stringify(source),
          JSON.stringify(compiled),
        )
        .one();
      sql.exec("UPDATE email_messages SET revision = ? WHERE n = ?", revision, n);
      const contact = contactByEmail(sql, to);
      if (!contact) throw new Error(`There is no contact ${to}.`);
      const context = {
        sql,
        now: Date.now(),
        id: randomId,
        origin: "",
        domain,
        sendingIps: [],
        hasBucket: false,
        publicUrl: "",
        mail: { envelope: undefined, envelopeClasses: [], inboxOnly: [], notes: [] },
        after: nothing(),
      };
      return acceptMarketing(context, { content: marketingContent(sql, revision), contact, domain, list });
    });
    await storage.setAlarm(Date.now());
    return accepted;
  }
}

type Sender = { campaign(asked: Asked): Promise<unknown> };

export default {
  async fetch(request, env, context) {
    if (new URL(request.url).pathname !== "/campaign") return email.fetch(request, env, context);
    const workspace = env.WORKSPACE.getByName("acme") as unknown as Sender;
    return Response.json(await workspace.campaign((await request.json()) as Asked));
  },
} satisfies ExportedHandler<Env>;
