import { Workspace } from "../../../src/email/workspace/object.ts";
import { limit } from "./limit.ts";

export { Logins } from "../../../src/dashboard/worker/logins.ts";
export { Directory } from "../../../src/email/objects/directory.ts";
export { Inbox } from "../../../src/email/objects/inbox.ts";
export { Mailer } from "../../../src/email/objects/mailer.ts";
export { Notifier } from "../../../src/email/objects/notifier.ts";
export { TestOutbox as Outbox } from "../outbox/outbox.ts";

class FullWorkspace extends Workspace {
  constructor(...[state, env]: ConstructorParameters<typeof Workspace>) {
    limit(state.storage);
    super(state, env);
  }
}

export { FullWorkspace as Workspace };
export default { fetch: () => new Response("test") };
