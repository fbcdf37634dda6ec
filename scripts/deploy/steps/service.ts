import { templatesElsewhere } from "../config.ts";
import { record } from "../record.ts";
import type { State, Step } from "../state.ts";
import { addressOf } from "./address.ts";
import { askApiKey } from "./api-key.ts";

export const service: Step = {
  title: "The other email service: API key and templates",
  why: "The bridge deliveries that email service with your API key, and with the template ids of that email service.",
  async run(state) {
    const { io, bridge, bridgeSecrets } = state;
    const url = state.service ?? "";
    const keeps = bridge.secrets.has("EMAIL_API_KEY") && callsAlready(state, url);
    const key = await askApiKey(io, url, {
      text: `API key of ${url}${keeps ? " (Enter keeps the current key)" : ""}`,
      ...(keeps ? { initial: "" } : {}),
    });
    if (key) bridgeSecrets.EMAIL_API_KEY = key;

    // Ids of an earlier run are valid for the same email service.
    const before = callsAlready(state, url) ? record(bridge.vars?.TEMPLATES) : {};
    for (const [name, configured] of Object.entries(templatesElsewhere(state.workers.bridge))) {
      const id = await io.ask({
        variable: `TEMPLATE_${name.toUpperCase().replace(/[^A-Z0-9]+/g, "_")}`,
        text: `transactionalId of the template "${name}" at that email service (Enter ${before[name] || configured ? "keeps the current id" : "leaves it out"})`,
        initial: String(before[name] ?? configured),
      });
      if (id) state.templates[name] = id;
      else
        io.print(
          `  Left out: deliveries with the template "${name}" fail until it has an id. To set it, run this again.`,
        );
    }
  },
};

const callsAlready = ({ bridge }: State, url: string): boolean =>
  addressOf(String(bridge.vars?.EMAIL_API_URL ?? "")) === url;
