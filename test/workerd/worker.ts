// Everything the tests in this folder look inside of, in one Worker.
export { Directory } from "../../src/email/directory/object.ts";
export { Inbox } from "../../src/email/inbox/object.ts";
export { Workspace } from "../../src/email/workspace/workspace.ts";
export { Outbox } from "../../src/outbox/outbox.ts";
export default { fetch: () => new Response("test") };
