import { MIN_TOKEN } from "../../../src/lib/admin-token/admin-token.ts";
import { yesOrNo } from "../ask.ts";
import { newSecret } from "../secrets.ts";
import type { State, Step } from "../state.ts";
import { deployedVars } from "../wrangler.ts";
import { look } from "./look.ts";

const longEnough = (least: number) => (answer: string) =>
  answer.length >= least && !/\s/.test(answer) ? undefined : `It must have at least ${least} characters and no spaces.`;

export const checkToken = longEnough(MIN_TOKEN);

export const secrets: Step = {
  title: "Secrets",
  why: "ADMIN_TOKEN opens /admin, API_KEY_SECRET signs API keys. Both are created once; later runs keep them.",
  async run(state) {
    const { io, workers, env } = state;
    const bridge = state.hasBridge ? await look(state, workers.bridge) : undefined;
    if (bridge) state.bridge = { secrets: bridge, vars: await deployedVars(io.run, workers.bridge, env) };
    if (state.service !== undefined) return adminToken(state, state.bridge.secrets, state.bridgeSecrets);
    state.emailHas = (await look(state, workers.email)) ?? state.emailHas;
    state.needsKey = await needsKey(state);
    await apiKeySecret(state);
    await adminToken(state, state.emailHas, state.emailSecrets);
  },
};

const needsKey = async ({ io, hasBridge, bridge, emailHas }: State): Promise<boolean> => {
  if (!hasBridge || !bridge.secrets.has("EMAIL_API_KEY")) return true;
  if (!emailHas.has("API_KEY_SECRET")) {
    io.print(
      "The email Worker is new, so the API key of the bridge does not belong to it. The bridge gets another key.",
    );
    return true;
  }
  const { EMAIL_API_URL: other } = bridge.vars ?? {};
  if (typeof other === "string" && other !== "") {
    io.print(`The bridge calls ${other} now. It will call the email Worker, and needs an API key of it.`);
    return true;
  }
  const text = "The bridge has an API key. Create another one? (The old key stays valid)";
  return yesOrNo(io.ask, { variable: "NEW_KEY", text, initial: "no" });
};

const apiKeySecret = async ({ io, hidden, emailHas, emailSecrets }: State): Promise<void> => {
  if (emailHas.has("API_KEY_SECRET")) {
    io.print("API_KEY_SECRET: kept. A new value would make every API key invalid.");
    return;
  }
  const text = "API_KEY_SECRET (Enter generates one)";
  const answer = await io.ask({
    variable: "API_KEY_SECRET",
    text,
    initial: "",
    secret: true,
    check: longEnough(16),
  });
  const secret = answer || newSecret();
  hidden.add(secret);
  emailSecrets.API_KEY_SECRET = secret;
  io.print(`API_KEY_SECRET: ${answer ? "your value" : "generated"}. It is not shown, because no person needs it.`);
};

const adminToken = async (state: State, there: ReadonlySet<string>, toSet: Record<string, string>): Promise<void> => {
  const { io, hidden } = state;
  const question = { variable: "ADMIN_TOKEN", secret: true, check: checkToken };
  if (there.has("ADMIN_TOKEN")) {
    io.print("ADMIN_TOKEN: kept.");
    if (!state.needsKey) return;
    const made = state.hasBridge ? "a team and an API key" : "a team";
    const text = `Value of ADMIN_TOKEN, to create ${made} (Enter skips this)`;
    state.adminToken = await io.ask({ ...question, text, initial: "" });
    return;
  }
  const text = "ADMIN_TOKEN (Enter generates one)";
  const answer = await io.ask(state.unattended ? { ...question, text } : { ...question, text, initial: "" });
  state.adminToken = answer || newSecret();
  if (!answer) state.showOnce("ADMIN_TOKEN", state.adminToken);
  hidden.add(state.adminToken);
  toSet.ADMIN_TOKEN = state.adminToken;
};
