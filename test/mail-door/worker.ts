import type { Env } from "../../src/email/env.ts";
import { receiveMail } from "../../src/email/mail-in.ts";

/** Knows each mail, so that a valid return path is enough. */
const env = (API_KEY_SECRET: string) =>
  ({
    API_KEY_SECRET,
    WORKSPACE: { getByName: () => ({ feedback: async () => 1, hasSend: async () => true }) },
    DIRECTORY: { getByName: () => ({ teamsOf: async () => ["acme"] }) },
  }) as unknown as Env;

/** The mail-in door alone: a request is a mail. Answers the reason of a rejection, or nothing. */
export default {
  async fetch(request): Promise<Response> {
    const { searchParams } = new URL(request.url);
    // As the platform does: it has the whole mail before the Worker. A client cut off while sending sees no answer.
    const { body: raw } = new Response(await request.arrayBuffer());
    if (!raw) return new Response("no mail", { status: 400 });
    let rejected = "";
    const setReject = (reason: string) => {
      rejected = reason;
    };
    await receiveMail({ to: searchParams.get("to") ?? "", raw, setReject }, env(searchParams.get("secret") ?? ""));
    return new Response(rejected);
  },
} satisfies ExportedHandler;
