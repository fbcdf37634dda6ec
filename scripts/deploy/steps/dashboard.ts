import { dashboardFor } from "../config.ts";
import { waitFor } from "../health.ts";
import type { State, Step } from "../state.ts";
import { withFolder } from "../temporary.ts";
import { deployWorker } from "../wrangler.ts";
import { askAddress } from "./address.ts";
import { look } from "./look.ts";
import { checkToken } from "./secrets.ts";

export const dashboard: Step = {
  title: "Dashboard",
  why: "The dashboard shows webhooks, deliveries, people and mails in a browser. It reaches the Workers that are deployed, so it comes after them.",
  async run(state) {
    const { io, workers, service, hasBridge } = state;
    const has = await look(state, workers.dashboard);
    const token = await tokenFor(state, has?.has("ADMIN_TOKEN") ?? false);
    if (token === undefined)
      return io.print("The dashboard is left out: it needs the value of ADMIN_TOKEN. To add it, run this again.");
    io.print("Building its page …");
    await io.buildPage();
    io.print(`Deploying ${workers.dashboard.name} …`);
    const named = await withFolder((folder) => {
      const worker = dashboardFor(workers, { hasBridge, hasEmail: service === undefined }, folder);
      return deployWorker(io.run, worker, token === "" ? {} : { ADMIN_TOKEN: token }, state.env);
    });
    const text = `wrangler named no address of ${workers.dashboard.name}. What is its address?`;
    const url = await askAddress(io, named, { variable: "DASHBOARD_URL", text });
    await waitFor(io, `${url}/api/session`, (status, { code }) =>
      status === 401 && code === "session_required" ? true : undefined,
    );
    io.print(`\nDashboard: ${url}   log in with the value of ADMIN_TOKEN, or set ACCESS_TEAM and ACCESS_AUD`);
  },
};

/** Empty keeps the current token; undefined means no answer. */
const tokenFor = async (state: State, isSet: boolean): Promise<string | undefined> => {
  const { io, adminToken, emailSecrets, bridgeSecrets } = state;
  // A Worker with a token from this run had none before.
  const isNew = "ADMIN_TOKEN" in emailSecrets || "ADMIN_TOKEN" in bridgeSecrets;
  if (isSet && !isNew) return "";
  if (adminToken !== "") return adminToken;
  const text = "Value of ADMIN_TOKEN, for the dashboard (Enter leaves the dashboard out)";
  const answer = await io.ask({ variable: "ADMIN_TOKEN", text, initial: "", secret: true, check: checkToken });
  return answer === "" ? undefined : answer;
};
