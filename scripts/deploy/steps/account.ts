import { yesOrNo } from "../ask.ts";
import { DeployError } from "../io.ts";
import type { State, Step } from "../state.ts";
import { type Login, whoami } from "../wrangler.ts";

/** Which Cloudflare account everything goes to. */
export const account: Step = {
  title: "Cloudflare account",
  why: "Everything is deployed with wrangler, as whoever it is logged in as.",
  async run(state) {
    const { io, workers, host } = state;
    const login = await whoami(io.run);
    if (!login) {
      throw new DeployError(
        "Nobody is logged in to Cloudflare.",
        "Run npx wrangler login (or set CLOUDFLARE_API_TOKEN), then run this again.",
      );
    }
    const chosen = await choose(state, login);
    io.print(`Logged in${login.email ? ` as ${login.email}` : ""}${chosen ? `, account ${chosen}` : ""}.`);
    io.print(
      host === undefined
        ? `This deploys two Workers: ${workers.email.name} and ${workers.bridge.name}.`
        : `This deploys one Worker: ${workers.bridge.name}, which calls ${host}.`,
    );
    const go = await yesOrNo(io.ask, { variable: "CONTINUE", text: "Go on?", initial: "yes" });
    if (!go) throw new DeployError("Stopped, as you said.", "Nothing was changed.");
  },
};

/** Name of the account; remembers its id for wrangler, which cannot ask when there are several. */
const choose = async (state: State, { accounts }: Login): Promise<string | undefined> => {
  const { io, env } = state;
  const configured = process.env.CLOUDFLARE_ACCOUNT_ID ?? state.workers.bridge.raw.account_id;
  if (accounts.length < 2 || configured) {
    return accounts.find(({ id }) => accounts.length === 1 || id === configured)?.name;
  }
  io.print("The login reaches several accounts:");
  accounts.forEach(({ name, id }, index) => {
    io.print(`  ${index + 1}  ${name} (${id})`);
  });
  const find = (answer: string) =>
    accounts.find(({ id }) => id === answer) ?? (/^\d{1,3}$/.test(answer) ? accounts[Number(answer) - 1] : undefined);
  const answer = await io.ask({
    variable: "CLOUDFLARE_ACCOUNT_ID",
    text: "Which one? Its number or id",
    check: (given) => (find(given) ? undefined : "There is no such account."),
  });
  const found = find(answer);
  if (found) env.CLOUDFLARE_ACCOUNT_ID = found.id;
  return found?.name;
};
