export { Inbox } from "../../../src/email/inbox/object.ts";
export { Workspace } from "../../../src/email/workspace/workspace.ts";
export default { fetch: () => new Response("test") };
