import { yesOrNo } from "../ask.ts";
import { record } from "../record.ts";
import type { State } from "../state.ts";
import { callAdmin, refused } from "./admin.ts";

/** Teams and campaigns of one answer, and answers. A service with more is told so. */
const PER_PAGE = 50;
const PAGES = 4;

type Campaign = { team: string; id: string; name: string };

/**
 * Offers to pause the campaigns that are being sent while the email Worker is replaced, because its objects start
 * again. Returns what resumes them. A failure here stops no deployment.
 *
 * @param url the address before the deployment
 */
export const pauseCampaigns = async (state: State, url: string): Promise<() => Promise<void>> => {
  const { io } = state;
  const nothing = async (): Promise<void> => {};
  try {
    const text =
      "Pause campaigns that are being sent until the Worker is replaced? Otherwise some of their mails can end as unknown";
    if (!(await yesOrNo(io.ask, { variable: "PAUSE_CAMPAIGNS", text, initial: "no" }))) return nothing;
    const operator = { ...state, emailUrl: url, adminToken: state.adminToken || (await askToken(state)) };
    const sending = await sendingNow(operator);
    if (sending.length === 0) {
      io.print("No campaign is being sent.");
      return nothing;
    }
    const paused: Campaign[] = [];
    for (const campaign of sending) if (await act(operator, campaign, "pause")) paused.push(campaign);
    return () => resumeAll(operator, paused);
  } catch (error) {
    io.print(`No campaign is paused: ${error instanceof Error ? error.message : String(error)}`);
    return nothing;
  }
};

const askToken = ({ io }: State): Promise<string> =>
  io.ask({
    variable: "ADMIN_TOKEN",
    text: "Value of ADMIN_TOKEN, to pause campaigns",
    secret: true,
  });

const resumeAll = async (operator: State, paused: readonly Campaign[]): Promise<void> => {
  for (const campaign of paused) {
    if (!(await act(operator, campaign, "resume")))
      operator.io.print(
        `${campaign.name} is still paused. Resume it in the dashboard, or with: npm run campaign -- resume ${campaign.id}`,
      );
  }
};

/** Returns false if the campaign, or the email Worker, refused. */
const act = async (operator: State, { team, id, name }: Campaign, what: "pause" | "resume"): Promise<boolean> => {
  const path = `/teams/${team}/campaigns/${encodeURIComponent(id)}/${what}`;
  const { status } = await callAdmin(operator, path, undefined, "POST").catch(() => ({ status: 0 }));
  if (status === 200) operator.io.print(`${name} (${team}): ${what}d.`);
  return status === 200;
};

const sendingNow = async (operator: State): Promise<Campaign[]> => {
  const found: Campaign[] = [];
  for (const { id: team } of await listOf(operator, "/teams"))
    for (const { id, name, progress } of await listOf(operator, `/teams/${team}/campaigns`, "status=Sending"))
      if (/^(snapshot|sending)$/.test(String(record(progress).state)))
        found.push({ team: String(team), id: String(id), name: String(name) });
  return found;
};

/** Reads a list to its end, or to its bound. */
const listOf = async (operator: State, path: string, query = ""): Promise<Record<string, unknown>[]> => {
  const found: Record<string, unknown>[] = [];
  let cursor: unknown = null;
  for (let page = 0; page < PAGES; page++) {
    const part = cursor === null ? "" : `&cursor=${encodeURIComponent(String(cursor))}`;
    const answer = await callAdmin(operator, `${path}?perPage=${PER_PAGE}&${query}${part}`);
    if (answer.status !== 200) throw refused(answer, "");
    if (Array.isArray(answer.body.data)) found.push(...answer.body.data.map(record));
    cursor = record(answer.body.pagination).nextCursor ?? null;
    if (cursor === null) return found;
  }
  operator.io.print(
    `Only the first ${found.length} of ${path} are looked at. Pause others that are being sent by hand.`,
  );
  return found;
};
