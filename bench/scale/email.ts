// Bench only.
import email, { Directory, Inbox, Mailer, Notifier, Workspace as Production } from "../../src/email/index.ts";
import { type Fill, fill } from "./fill.ts";

export { Directory, Inbox, Mailer, Notifier };

export class Workspace extends Production {
  async fill(given: Fill) {
    return fill(this.ctx.storage, given);
  }
}

type Env = Parameters<typeof email.fetch>[1];
type Filled = { getByName(name: string): Pick<Workspace, "fill"> };

export default {
  async fetch(request, env, context) {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname !== "/bench") return email.fetch(request, env, context);
    const workspace = (env.WORKSPACE as unknown as Filled).getByName(searchParams.get("team") ?? "");
    return Response.json(await workspace.fill((await request.json()) as Fill));
  },
} satisfies ExportedHandler<Env>;
