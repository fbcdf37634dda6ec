import { templatesElsewhere } from "../config.ts";
import { record } from "../record.ts";
import type { State, Step } from "../state.ts";
import { addressOf } from "./address.ts";
import { askApiKey } from "./api-key.ts";

/** Instead of the email Worker: what the bridge needs to call another host of the API. */
export const host: Step = {
  title: "The other host: API key and templates",
  why: "The bridge calls that host with your key, and names your templates by the ids they have there.",
  async run(state) {
    const { io, bridge, bridgeSecrets } = state;
    const url = state.host ?? "";
    const keeps = bridge.secrets.has("EMAIL_API_KEY") && callsAlready(state, url);
    const key = await askApiKey(io, url, {
      text: `API key of ${url}${keeps ? " (Enter keeps the one the bridge has)" : ""}`,
      ...(keeps ? { initial: "" } : {}),
    });
    if (key) bridgeSecrets.EMAIL_API_KEY = key;

    // What an earlier run was told, as long as the bridge calls the same host.
    const before = callsAlready(state, url) ? record(bridge.vars?.TEMPLATES) : {};
    for (const [name, configured] of Object.entries(templatesElsewhere(state.workers.bridge))) {
      const id = await io.ask({
        variable: `TEMPLATE_${name.toUpperCase().replace(/[^A-Z0-9]+/g, "_")}`,
        text: `transactionalId of the template "${name}" there (Enter leaves ${before[name] || configured ? "it as it is" : "it out"})`,
        initial: String(before[name] ?? configured),
      });
      if (id) state.templates[name] = id;
      else
        io.print(
          `  Left out: calls that send "${name}" fail, and say so, until it has an id. Run this again for that.`,
        );
    }
  },
};

const callsAlready = ({ bridge }: State, url: string): boolean =>
  addressOf(String(bridge.vars?.EMAIL_API_URL ?? "")) === url;
