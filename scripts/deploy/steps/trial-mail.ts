import { DeployError } from "../io.ts";
import { record } from "../record.ts";
import type { State, Step } from "../state.ts";
import { callAdmin, refused } from "./admin.ts";
import { hasAccess } from "./domain.ts";

const TEMPLATE = "tpl_welcome";
/** Ms. */
const PAUSE_MS = 2_000;
const WAIT_MS = 60_000;

export const trialMail: Step = {
  title: "Trial mail",
  why: "A mail shows that sender, domain and signature work together.",
  async run(state) {
    const { io } = state;
    if (state.sender === "" || !state.isVerified)
      return io.print("No trial mail: it needs a sender and a verified domain. Run this again when they are there.");
    const email = await io.ask({
      variable: "TRIAL_MAIL_TO",
      text: "Your address, for a trial mail (Enter skips this)",
      initial: "",
    });
    if (email === "" || !(await hasAccess(state))) return io.print("No trial mail.");
    const id = await send(state, email);
    const story = await result(state, id);
    io.print(`${id}: ${story.meaning}\n${story.steps.map((step) => `  ${step}`).join("\n")}`);
    if (story.state === "sent" || story.state === "delivered") return;
    throw new DeployError(
      `The trial mail to ${email} did not leave. ${story.meaning}`,
      `Correct the cause and run this again. Everything is deployed. To see more: npm run why -- ${id} --email-url ${state.emailUrl} --team ${state.team}`,
    );
  },
};

/** The bridge's key cannot be read, so a temporary key is used. */
const send = async (state: State, email: string): Promise<string> => {
  const { io, hidden, emailUrl, team } = state;
  const made = await callAdmin(state, `/teams/${team}/keys`, { name: "trial mail of npm run deploy" });
  const { id: keyId, key } = made.body;
  if (made.status !== 201 || typeof key !== "string") throw refused(made, "Run this again.");
  hidden.add(key);
  const request = new Request(`${emailUrl}/v1/transactional`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    body: JSON.stringify({ transactionalId: TEMPLATE, email }),
    signal: AbortSignal.timeout(30_000),
  });
  try {
    const response = await io.fetch(request);
    const body = record(await response.json().catch(() => undefined));
    if (response.status === 200 && typeof body.id === "string") return body.id;
    const next = `Correct the cause and run this again. The template ${TEMPLATE} is one of the samples (SAMPLES=yes).`;
    throw refused({ status: response.status, body }, next);
  } finally {
    await callAdmin(state, `/teams/${team}/keys/${keyId}`, undefined, "DELETE");
  }
};

const result = async (state: State, id: string) => {
  for (let waited = 0; ; waited += PAUSE_MS) {
    const answer = await callAdmin(state, `/teams/${state.team}/sends/${id}`);
    if (answer.status !== 200) throw refused(answer, "Run this again.");
    const { state: now, meaning, story } = answer.body;
    const isOpen = now === "queued" || now === "sending";
    if (!isOpen || waited >= WAIT_MS) {
      const steps = (Array.isArray(story) ? story : []).map((step) => String(record(step).text));
      return { state: String(now), meaning: String(meaning), steps };
    }
    await state.io.sleep(PAUSE_MS);
  }
};
