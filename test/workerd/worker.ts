// Everything the tests in this folder look inside of, in one Worker.
export { Outbox } from "../../src/outbox/outbox.ts";
export default { fetch: () => new Response("test") };
