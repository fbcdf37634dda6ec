import { table } from "../lib/cli.ts";
import type { Difference, DryRun, Paused, Problem, Simulated, Started, Status, Story } from "./answers.ts";
import { type ApplyOptions, applyFile, type World as Files, planFile } from "./file/apply.ts";
import { readCurrent, readNames, readShape } from "./file/current.ts";
import { writeWorkflow } from "./file/write.ts";
import { findWorkflow, type Listed, listAll, Refused, type Service } from "./service.ts";
import { differenceText, dryRunText, problemLines, simulatedText, statusText, storyText } from "./text.ts";
import { type CommandName, checkUsage, type Values } from "./usage.ts";
import { assumptionsOf, daysOf, propertiesOf } from "./values.ts";

/** What a command uses. `clear`: empties the terminal. */
export type World = {
  service: Service;
  print(text: string): void;
  load(path: string): string;
  save(path: string, text: string): void;
  clear(): void;
  sleep(ms: number): Promise<void>;
};

type Asked = { world: World; values: Values; args: readonly string[] };
/** Returns false for the exit code 1. */
type Action = (asked: Asked) => Promise<boolean>;

/** Runs one command. */
export const run = async (args: readonly string[], values: Values, world: World): Promise<boolean> => {
  const [name = "list", ...rest] = args;
  return ACTIONS[checkUsage(name, rest, values)]({ world, values, args: rest });
};

const named = async ({ world, args }: Asked, command: string): Promise<Listed> => {
  const [name] = args;
  if (name === undefined) throw new Error(`Which workflow? npm run workflow -- ${command} <id or name>`);
  return findWorkflow(world.service, name);
};

/** Prints an answer as JSON where that is asked for, else as text. */
const show = <Answer>({ world, values }: Asked, answer: Answer, text: (answer: Answer) => string): true => {
  world.print(values.json ? JSON.stringify(answer, null, 2) : text(answer));
  return true;
};

/** Starts or resumes a workflow. A refusal is printed with everything that the workflow lacks. */
const begin =
  (command: "start" | "resume"): Action =>
  async (asked) => {
    const { id, name } = await named(asked, command);
    const dryRun = asked.values["dry-run"];
    try {
      const answer = await asked.world.service.admin<Started>("POST", `/${id}/${command}`, { dryRun });
      show(asked, answer, ({ status, problems, warnings }) => {
        const state = dryRun
          ? `${name} ${problems.length > 0 ? "cannot start yet." : "can start."} Nothing was changed.`
          : `${name} is ${status}.`;
        return [state, ...problemLines("Problems:", problems), ...problemLines("Warnings:", warnings)].join("\n");
      });
      return answer.problems.length === 0;
    } catch (error) {
      if (!(error instanceof Refused) || error.code !== "workflow_not_ready") throw error;
      const { problems = [], warnings = [] } = error.body as { problems?: Problem[]; warnings?: Problem[] };
      show(asked, error.body, () =>
        [`${name} cannot start.`, ...problemLines("Problems:", problems), ...problemLines("Warnings:", warnings)].join(
          "\n",
        ),
      );
      return false;
    }
  };

const contactOf = ({ args }: Asked, command: string): string => {
  const [workflow, contact] = args;
  // An address resolves these as steps of a path, also when they are escaped.
  if (contact === "" || contact === "." || contact === "..")
    throw new Error(`"${contact}" names no contact: give its email address, its userId or its id.`);
  // Without a workflow, that is asked for first.
  if (contact !== undefined || workflow === undefined) return encodeURIComponent(contact ?? "");
  throw new Error(`Which contact? npm run workflow -- ${command} ${workflow} ada@example.com`);
};

const filesOf = ({ service, load, print }: World): Files => ({
  ...{ api: service.api(), load, say: print },
  pause: async (id) => void (await service.admin("POST", `/${id}/pause`)),
  resume: async (id) => {
    await service.admin("POST", `/${id}/resume`, {}).catch((error: unknown) => {
      const { problems = [] } = error instanceof Refused ? (error.body as { problems?: Problem[] }) : {};
      throw problems.length > 0 ? new Error(problemLines("It cannot be resumed:", problems).join("\n")) : error;
    });
  },
});

const fileOf = ({ args }: Asked, command: string): string => {
  const [file] = args;
  if (file === undefined) throw new Error(`Which file? npm run workflow -- ${command} trial.yaml`);
  return file;
};

const applyOptions = ({ values }: Asked): ApplyOptions => ({
  ...(values.workflow === undefined ? {} : { workflow: values.workflow }),
  ...{ discard: values.discard, pauseAndResume: values["pause-and-resume"] },
});

/** Properties of a simulated contact. An invented one has an address, without which it would get no mail; `email=` takes it away. */
const contactValues = ({ contact, property = [] }: Values): Record<string, unknown> => {
  const given = propertiesOf("--property", property);
  if (contact !== undefined) return given;
  const { email = "invented.contact@example.com", ...others } = given;
  return email === "" ? others : { email, ...others };
};

const ACTIONS: Readonly<Record<CommandName, Action>> = {
  async list(asked) {
    const all = await listAll(asked.world.service);
    return show(asked, all, () =>
      all.length === 0
        ? "This team has no workflow. Write one as a file: docs/workflows.md"
        : table(
            ["name", "status", "contacts", "id"],
            all.map(({ name, status, waiting, id }) => [name, status, String(waiting), id]),
          ),
    );
  },
  start: begin("start"),
  resume: begin("resume"),
  async pause(asked) {
    const { id, name } = await named(asked, "pause");
    const answer = await asked.world.service.admin<Paused>("POST", `/${id}/pause`);
    return show(asked, answer, ({ status, queuesUntil }) =>
      queuesUntil === null
        ? `${name} is ${status}.`
        : `${name} is ${status}. New contacts are queued until ${queuesUntil}.`,
    );
  },
  async stop(asked) {
    const { id, name } = await named(asked, "stop");
    const answer = await asked.world.service.admin<Paused>("POST", `/${id}/stop`);
    return show(
      asked,
      answer,
      ({ status }) => `${name} is ${status}. Contacts stay where they are; new ones do not enter.`,
    );
  },
  async status(asked) {
    const { world, values } = asked;
    const { id } = await named(asked, "status");
    const graph = world.service.hasKey ? await readShape(world.service.api(), id) : undefined;
    for (;;) {
      const answer = await world.service.admin<Status>("GET", `/${id}/status`);
      if (values.watch) world.clear();
      show(asked, answer, () => statusText(answer, graph));
      if (!values.watch) return true;
      await world.sleep(2_000);
    }
  },
  async explain(asked) {
    const contact = contactOf(asked, "explain");
    const { id } = await named(asked, "explain");
    const path = `/${id}/contacts/${contact}`;
    return show(asked, await asked.world.service.admin<Story>("GET", path), storyText);
  },
  async remove(asked) {
    const contact = contactOf(asked, "remove");
    const { id, name } = await named(asked, "remove");
    const path = `/${id}/contacts/${contact}/remove`;
    const answer = await asked.world.service.admin<{ removed: number }>("POST", path);
    return show(asked, answer, ({ removed }) =>
      removed === 0 ? `The contact is not in ${name} now.` : `The contact is out of ${name}.`,
    );
  },
  async simulate(asked) {
    const { values, args, world } = asked;
    const { id } = await named(asked, "simulate");
    const ofEvent = propertiesOf("The event property", args.slice(1));
    if (args.length > 1 && values.event === undefined) throw new Error(`${args[1]}: of which event? Add --event name.`);
    const body = {
      ...(values.contact === undefined ? {} : { contact: values.contact }),
      properties: contactValues(values),
      ...(values.event === undefined ? {} : { event: { name: values.event, properties: ofEvent } }),
      ...(values.assume === undefined ? {} : { assume: assumptionsOf(values.assume) }),
      ...(values.days === undefined ? {} : { days: daysOf(values.days) }),
      ...(values.at === undefined ? {} : { at: values.at }),
    };
    return show(asked, await world.service.admin<Simulated>("POST", `/${id}/simulate`, body), simulatedText);
  },
  async "dry-run"(asked) {
    const { id } = await named(asked, "dry-run");
    const body = asked.values.days === undefined ? {} : { days: daysOf(asked.values.days) };
    return show(asked, await asked.world.service.admin<DryRun>("POST", `/${id}/dry-run`, body), dryRunText);
  },
  async diff(asked) {
    const { from, to } = asked.values;
    const { id } = await named(asked, "diff");
    const query = new URLSearchParams({ ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) });
    const path = `/${id}/diff${query.size > 0 ? `?${query}` : ""}`;
    return show(asked, await asked.world.service.admin<Difference>("GET", path), differenceText);
  },
  async export(asked) {
    const { world, args, values } = asked;
    const { id } = await named(asked, "export");
    const [, file] = args;
    const api = world.service.api();
    const { spec } = await readCurrent(api, id);
    const text = writeWorkflow(spec, await readNames(api), values.json || file?.endsWith(".json"));
    if (file === undefined) world.print(text.trimEnd());
    else world.save(file, text);
    if (file !== undefined)
      world.print(`Written to ${file}. To change the workflow: npm run workflow -- apply ${file}`);
    return true;
  },
  async plan(asked) {
    const { world, values } = asked;
    const files = filesOf(world);
    const quiet = values.json ? { ...files, say: () => {} } : files;
    const { plan, current } = await planFile(fileOf(asked, "plan"), quiet, applyOptions(asked));
    if (values.json) world.print(JSON.stringify({ workflowId: current?.id ?? null, requests: plan.ops }, null, 2));
    return true;
  },
  async apply(asked) {
    const file = fileOf(asked, "apply");
    const { id, changed } = await applyFile(file, filesOf(asked.world), applyOptions(asked));
    if (changed) asked.world.print(`${id} is as ${file} says.`);
    return true;
  },
};
