import { DeployError } from "../io.ts";
import type { State, Step } from "../state.ts";
import { callAdmin, refused } from "./admin.ts";
import { askApiKey } from "./api-key.ts";

const SLUG = /^[a-z0-9-]{1,32}$/;

/** Ends in what the bridge calls the email Worker with. */
export const team: Step = {
  title: "First team and API key",
  why: "The bridge works for one team of the email service, with an API key of that team.",
  async run(state) {
    const { io } = state;
    if (!state.needsKey) return io.print("The bridge has an API key already: kept.");
    if (state.adminToken !== "") return createTeamAndKey(state);
    const text = "Without ADMIN_TOKEN no team is created. An API key of the email Worker (Enter: none)";
    const key = await askApiKey(io, state.emailUrl, { text, initial: "" });
    if (key) state.bridgeSecrets.EMAIL_API_KEY = key;
    else
      io.print("No key: the bridge journals webhooks and holds their calls until it has one. Run this again for that.");
  },
};

const createTeamAndKey = async (state: State): Promise<void> => {
  const { io, hidden } = state;
  const name = await io.ask({
    variable: "TEAM_NAME",
    text: "Name of the team, as Acme",
    check: (answer) => (answer.length > 100 ? "It must have at most 100 characters." : undefined),
  });
  const initial = slugOf(name);
  const id = await io.ask({
    variable: "TEAM_SLUG",
    text: "Its slug, part of its API keys",
    // A name without any Latin letter or digit gives none.
    ...(initial === "" ? {} : { initial }),
    check: (answer) => (SLUG.test(answer) ? undefined : "It must have 1 to 32 characters of a-z, 0-9 and -."),
  });
  const created = await createTeam(state, { id, name });
  io.print(created ? `Created the team ${id}, with sample templates.` : `The team ${id} exists: carrying on with it.`);

  const answer = await callAdmin(state, `/teams/${id}/keys`, { name: "bridge" });
  const { key } = answer.body;
  if (answer.status !== 201 || typeof key !== "string") throw refused(answer, "Run this again.");
  hidden.add(key);
  state.bridgeSecrets.EMAIL_API_KEY = key;
  io.print("Created an API key of the team. It goes to the bridge as EMAIL_API_KEY, so it is not shown.");
};

/** Whether the team is new. Asks for another ADMIN_TOKEN where the one the person gave is refused. */
const createTeam = async (state: State, { id, name }: { id: string; name: string }): Promise<boolean> => {
  const answer = await callAdmin(state, "/teams", { id, name, createProperties: true, samples: true });
  if (answer.status === 201) return true;
  if (answer.status === 409) return false;
  if (answer.status !== 401) throw refused(answer, "Run this again with another name or slug.");
  const wrong = refused(
    answer,
    "Run this again with the ADMIN_TOKEN of the email Worker. Where it is lost, set another:\n" +
      "  npx wrangler secret put ADMIN_TOKEN --config src/email/wrangler.toml",
  );
  if (state.unattended) throw wrong;
  state.io.print(wrong.message);
  const text = "ADMIN_TOKEN of the email Worker (Enter stops)";
  state.adminToken = await state.io.ask({ variable: "ADMIN_TOKEN", text, initial: "", secret: true });
  if (state.adminToken === "") throw new DeployError("No ADMIN_TOKEN, no team.", wrong.next);
  return createTeam(state, { id, name });
};

/** `Ädler & Co.` → `adler-co`. Empty where nothing of the name can be in a slug. */
export const slugOf = (name: string): string =>
  name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 32)
    .replace(/^-+|-+$/g, "");
