import { table } from "../../lib/cli.ts";
import { sampleFiles } from "../../lib/sample-files.ts";
import { yesOrNo } from "../ask.ts";
import { varsOf } from "../config.ts";
import { record } from "../record.ts";
import type { State, Step } from "../state.ts";
import { callAdmin, refused } from "./admin.ts";
import { isSlug, SLUG_RULE } from "./team.ts";

export const samples: Step = {
  title: "Sample templates",
  why: "The rules of the bridge use these templates. They are published with the name of your team, and yours to edit.",
  async run(state) {
    const { io } = state;
    const isNew = state.team !== "";
    const text = isNew
      ? "Add the sample themes and templates? What the team has already stays as it is. yes or no"
      : "Add the sample templates that an existing team lacks? yes or no";
    const wanted = await yesOrNo(io.ask, { variable: "SAMPLES", text, initial: isNew ? "yes" : "no" });
    if (!wanted) return io.print("No templates are added.");
    if (!isNew && !(await askTeam(state))) return io.print("No templates are added.");
    const website = await io.ask({
      variable: "WEBSITE",
      text: "Address of your product, behind the buttons of the mails (Enter leaves https://example.com)",
      initial: "",
      check: (answer) =>
        /^https?:\/\/[^\s"<>{}]+$/.test(answer) ? undefined : "It must be an address like https://acme.example.",
    });
    const answer = await callAdmin(state, `/teams/${state.team}/samples`, website ? { website } : {});
    if (answer.status !== 200) throw refused(answer, "Run this again with the slug of an existing team.");
    printTemplates(state, answer.body.templates);
  },
};

export const askTeam = async (state: State): Promise<boolean> => {
  const { io, hidden } = state;
  const check = (answer: string) => (isSlug(answer) ? undefined : SLUG_RULE);
  state.team = await io.ask({ variable: "TEAM_SLUG", text: "Slug of the team (Enter skips this)", initial: "", check });
  if (state.team === "" || state.adminToken !== "") return state.team !== "";
  const text = "ADMIN_TOKEN of the email Worker (Enter skips this)";
  state.adminToken = await io.ask({ variable: "ADMIN_TOKEN", text, initial: "", secret: true });
  hidden.add(state.adminToken);
  return state.adminToken !== "";
};

const printTemplates = ({ io, workers, hasBridge }: State, given: unknown): void => {
  const names = new Map(
    Object.entries(record(varsOf(workers.bridge).TEMPLATES)).map(([name, id]) => [String(id), name]),
  );
  const templates = (Array.isArray(given) ? given : []).map(record);
  const rows = templates.map(({ id, name, added }) => [
    names.get(String(id)) ?? "-",
    String(id),
    String(name),
    added ? "added" : "was there, is kept",
  ]);
  io.print(table(["name in TEMPLATES", "id", "template", ""], rows));
  if (!hasBridge) return;
  const absent = sampleFiles.filter(({ id }) => !names.has(id)).map(({ file, id }) => `  ${file} = "${id}"`);
  if (absent.length === 0) return;
  io.print(
    `\nwrangler.toml lacks these lines under [vars.TEMPLATES]. Add those that your rules use:\n${absent.join("\n")}`,
  );
};
