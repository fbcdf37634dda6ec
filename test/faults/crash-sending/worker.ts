// The email Worker with places for a kill. It is never deployed.
import email, {
  Directory,
  Inbox,
  Workspace as Production,
  Mailer as ProductionMailer,
} from "../../../src/email/index.ts";
import type { Batch, SendResult } from "../../../src/email/types/mailer-rpc.ts";
import type { TeamRequest } from "../../../src/email/types/workspace-rpc.ts";
import type { Reply } from "../../../src/lib/contract/mount.ts";
import { reach } from "./reach.ts";

export { Directory, Inbox };

type Env = Parameters<typeof email.fetch>[1] & { LEASES?: "end" };

/** `due` of mail that its campaign holds is no time (src/email/workspace/sending/waiting-mails.ts). */
const END_LEASES = "UPDATE sends SET due = ? WHERE due < 1e14 AND state IN ('queued', 'sending')";

export class Mailer extends ProductionMailer {
  override async deliver(name: string, batch: Batch): Promise<void> {
    await reach("claimed");
    return super.deliver(name, batch);
  }
}

export class Workspace extends Production {
  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    // A restart ends the leases of the killed process, as if two minutes had passed.
    const { sql } = state.storage;
    const isTeam = sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'sends'").toArray().length > 0;
    if (env.LEASES === "end" && isTeam) sql.exec(END_LEASES, Date.now());
  }

  /** Empties the rate window before every request: a test sends more than ten mails a second. */
  override async run(request: TeamRequest): Promise<Reply> {
    this.ctx.storage.sql.exec("UPDATE rate SET hits = '[]'");
    return super.run(request);
  }

  override async report(mailer: string, results: readonly SendResult[], wants: number): Promise<Batch | undefined> {
    await reach("answered");
    const more = await super.report(mailer, results, wants);
    await reach("settled");
    return more;
  }
}

export default email;
