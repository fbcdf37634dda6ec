// The email Worker with places for a kill. It is never deployed.
import email, {
  Directory,
  Inbox,
  Workspace as Production,
  Mailer as ProductionMailer,
} from "../../../src/email/index.ts";
import type { Answer, Order } from "../../../src/email/types/mailer-rpc.ts";
import type { TeamRequest } from "../../../src/email/types/workspace-rpc.ts";
import type { Reply } from "../../../src/lib/contract/mount.ts";
import { reach } from "./reach.ts";

export { Directory, Inbox };

export class Mailer extends ProductionMailer {
  override async exchange(name: string, order: Order): Promise<Answer> {
    if (order.sends.length > 0) await reach("claimed");
    const answer = await super.exchange(name, order);
    if ("results" in answer && answer.results.length > 0) await reach("answered");
    return answer;
  }
}

export class Workspace extends Production {
  /** Empties the rate window before every request: a test sends more than ten mails a second. */
  override async run(request: TeamRequest): Promise<Reply> {
    this.ctx.storage.sql.exec("UPDATE rate SET hits = '[]'");
    return super.run(request);
  }
}

export default email;
