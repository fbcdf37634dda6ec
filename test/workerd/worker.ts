// Everything that these tests look into, in one Worker.
export { Logins } from "../../src/dashboard/worker/logins.ts";
export { Directory } from "../../src/email/objects/directory.ts";
export { Inbox } from "../../src/email/objects/inbox.ts";
export { Mailer } from "../../src/email/objects/mailer.ts";
export { Notifier } from "../../src/email/objects/notifier.ts";
export { Workspace } from "../../src/email/workspace/object.ts";
export { TestOutbox as Outbox } from "./outbox/outbox.ts";
export default { fetch: () => new Response("test") };
