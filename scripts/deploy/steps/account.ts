import { yesOrNo } from "../ask.ts";
import { DeployError } from "../io.ts";
import type { State, Step } from "../state.ts";
import { type Login, whoami } from "../wrangler.ts";

export const account: Step = {
  title: "Cloudflare account",
  why: "wrangler deploys everything, with its own login.",
  async run(state) {
    const { io, workers, service, hasBridge } = state;
    const login = await whoami(io.run);
    if (!login) {
      throw new DeployError(
        "wrangler is not logged in to Cloudflare.",
        "Run npx wrangler login (or set CLOUDFLARE_API_TOKEN), then run this again.",
      );
    }
    const chosen = await choose(state, login);
    io.print(`Logged in${login.email ? ` as ${login.email}` : ""}${chosen ? `, account ${chosen}` : ""}.`);
    if (!hasBridge) io.print(`This deploys two Workers: ${workers.email.name} and ${workers.dashboard.name}.`);
    else
      io.print(
        service === undefined
          ? `This deploys three Workers: ${workers.email.name}, ${workers.bridge.name} and ${workers.dashboard.name}.`
          : `This deploys two Workers: ${workers.bridge.name}, which calls ${service}, and ${workers.dashboard.name}.`,
      );
    const go = await yesOrNo(io.ask, { variable: "CONTINUE", text: "Continue?", initial: "yes" });
    if (!go) throw new DeployError("Stopped, because the answer was no.", "Nothing was changed.");
  },
};

/** wrangler cannot ask if the login has several accounts. */
const choose = async (state: State, { accounts }: Login): Promise<string | undefined> => {
  const { io, env } = state;
  const configured = process.env.CLOUDFLARE_ACCOUNT_ID ?? state.workers.bridge.raw.account_id;
  if (accounts.length < 2 || configured) {
    return accounts.find(({ id }) => accounts.length === 1 || id === configured)?.name;
  }
  io.print("The login has several accounts:");
  accounts.forEach(({ name, id }, index) => {
    io.print(`  ${index + 1}  ${name} (${id})`);
  });
  const find = (answer: string) =>
    accounts.find(({ id }) => id === answer) ?? (/^\d{1,3}$/.test(answer) ? accounts[Number(answer) - 1] : undefined);
  const answer = await io.ask({
    variable: "CLOUDFLARE_ACCOUNT_ID",
    text: "Which account? Its number or id",
    check: (given) => (find(given) ? undefined : "There is no such account."),
  });
  const found = find(answer);
  if (found) env.CLOUDFLARE_ACCOUNT_ID = found.id;
  return found?.name;
};
