import { DeployError } from "../io.ts";
import type { State, Step } from "../state.ts";
import { callAdmin, refused } from "./admin.ts";
import { askApiKey } from "./api-key.ts";

export const isSlug = (text: string): boolean => /^[a-z0-9-]{1,32}$/.test(text);
export const SLUG_RULE = "It must have 1 to 32 characters of a-z, 0-9 and -.";

/** Creates the first team and the bridge's API key. */
export const team: Step = {
  title: "First team and API key",
  why: "The bridge belongs to one team of the email service, and uses an API key of that team.",
  async run(state) {
    const { io } = state;
    if (!state.needsKey) return io.print("The bridge keeps its API key.");
    if (!state.hasBridge) return createFirstTeam(state);
    if (state.adminToken !== "") return createTeamAndKey(state);
    const text = "Without ADMIN_TOKEN no team is created. API key of an existing team (Enter skips this)";
    const key = await askApiKey(io, state.emailUrl, { text, initial: "" });
    if (key) state.bridgeSecrets.EMAIL_API_KEY = key;
    else
      io.print(
        "No API key: the bridge keeps webhooks in the journal and delivers no deliveries. To set a key, run this again.",
      );
  },
};

const createFirstTeam = async (state: State): Promise<void> => {
  const { io, adminToken } = state;
  const isCreated = adminToken !== "" && (await createNamedTeam(state, state.emailHas.size > 0));
  if (!isCreated) return io.print("No team is created: without ADMIN_TOKEN and a name the teams stay as they are.");
  io.print("Make the API keys of your systems in the dashboard, under API keys: it shows each key once.");
};

/** False for Enter, which only `isOptional` allows. */
const createNamedTeam = async (state: State, isOptional = false): Promise<boolean> => {
  const { io } = state;
  const name = await io.ask({
    variable: "TEAM_NAME",
    text: `Name of the team, for example Acme${isOptional ? " (Enter creates none)" : ""}`,
    ...(isOptional ? { initial: "" } : {}),
    check: (answer) => (answer.length > 100 ? "It must have at most 100 characters." : undefined),
  });
  if (name === "") return false;
  const initial = slugOf(name);
  const id = await io.ask({
    variable: "TEAM_SLUG",
    text: "Slug of the team, a part of its API keys",
    // A name without a Latin letter or digit gives no slug.
    ...(initial === "" ? {} : { initial }),
    check: (answer) => (isSlug(answer) ? undefined : SLUG_RULE),
  });
  const created = await createTeam(state, { id, name });
  io.print(created ? `Created the team ${id}.` : `The team ${id} exists and is used.`);
  state.team = id;
  return true;
};

const createTeamAndKey = async (state: State): Promise<void> => {
  const { io, hidden } = state;
  await createNamedTeam(state);
  const answer = await callAdmin(state, `/teams/${state.team}/keys`, { name: "bridge" });
  const { key } = answer.body;
  if (answer.status !== 201 || typeof key !== "string") throw refused(answer, "Run this again.");
  hidden.add(key);
  state.bridgeSecrets.EMAIL_API_KEY = key;
  io.print("Created an API key of the team. It is not shown: the bridge gets it as EMAIL_API_KEY.");
};

/** False if the team exists. */
const createTeam = async (state: State, { id, name }: { id: string; name: string }): Promise<boolean> => {
  const answer = await callAdmin(state, "/teams", { id, name, createProperties: true });
  if (answer.status === 201) return true;
  if (answer.status === 409) return false;
  if (answer.status !== 401) throw refused(answer, "Run this again with another name or slug.");
  const wrong = refused(
    answer,
    "Run this again with the ADMIN_TOKEN of the email Worker. If it is lost, set a new one:\n" +
      "  npx wrangler secret put ADMIN_TOKEN --config src/email/wrangler.toml",
  );
  if (state.unattended) throw wrong;
  state.io.print(wrong.message);
  const text = "ADMIN_TOKEN of the email Worker (Enter stops)";
  state.adminToken = await state.io.ask({ variable: "ADMIN_TOKEN", text, initial: "", secret: true });
  if (state.adminToken === "")
    throw new DeployError("No team was created, because ADMIN_TOKEN is missing.", wrong.next);
  return createTeam(state, { id, name });
};

/** Converts `Ädler & Co.` to `adler-co`. May be empty. */
export const slugOf = (name: string): string =>
  name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 32)
    .replace(/^-+|-+$/g, "");
