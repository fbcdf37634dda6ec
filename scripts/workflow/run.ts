import { askToEnd } from "../../src/lib/contract/admin/to-end.ts";
import { onOneLine, table, UsageError } from "../lib/cli.ts";
import { findingLines } from "../lib/formats.ts";
import { contactStep } from "../lib/named.ts";
import { printRefusals, Refused } from "../lib/team-service.ts";
import type {
  Difference,
  DryRun,
  Here,
  Paused,
  Removed,
  Simulated,
  Started,
  Status,
  Stopped,
  Story,
} from "./answers.ts";
import { type ApplyOptions, applyFile, planFile } from "./file/apply.ts";
import { readCurrent, readNames, readShape } from "./file/current.ts";
import { writeWorkflow } from "./file/write.ts";
import { filesOf, type Service } from "./files.ts";
import { type Found, findWorkflow, listWorkflows } from "./find.ts";
import { differenceText, dryRunText, hereText, type Place, simulatedText, statusText, storyText } from "./text.ts";
import type { CommandName, Line, Values } from "./usage.ts";
import { assumptionsOf, daysOf, propertiesOf } from "./values.ts";

export type World = {
  service: Service;
  print(text: string): void;
  load(path: string): string;
  save(path: string, text: string): void;
  clear(): void;
  sleep(ms: number): Promise<void>;
};

type Asked = Omit<Line, "command"> & { world: World };
/** Returns false for the exit code 1. */
type Action = (asked: Asked) => Promise<boolean>;

export const run = ({ command, args, values }: Line, world: World): Promise<boolean> => {
  const action = ACTIONS[command];
  return printRefusals(() => action({ world, values, args }), { json: values.json, print: world.print });
};

const named = async ({ world, args: [name = ""] }: Asked): Promise<Found> =>
  onOneLine(await findWorkflow(world.service.admin, name));

const show = <Answer>({ world, values }: Asked, answer: Answer, text: (answer: Answer) => string): true => {
  world.print(values.json ? JSON.stringify(answer, null, 2) : text(onOneLine(answer)));
  return true;
};

const MOST_HERE = 50;

/** A page may be empty although the search is not finished. */
const waitingAt = async (admin: Service["admin"], path: string): Promise<Here["data"]> => {
  const data: Here["data"] = [];
  for (let cursor: string | null = ""; cursor !== null && data.length < MOST_HERE; ) {
    const answer: Here = await admin<Here>("GET", `${path}?perPage=50${cursor === "" ? "" : `&cursor=${cursor}`}`);
    data.push(...answer.data);
    cursor = answer.next;
  }
  return data.slice(0, MOST_HERE);
};

const begin =
  (command: "start" | "resume"): Action =>
  async (asked) => {
    const { id, name } = await named(asked);
    const dryRun = asked.values["dry-run"];
    const answer = await asked.world.service
      .admin<Started>("POST", `/${id}/${command}`, { dryRun })
      .catch((error: unknown) => {
        if (asked.values.json || !(error instanceof Refused) || error.code !== "workflow_not_ready") throw error;
        asked.world.print([`${name} cannot start.`, ...findingLines(error.body)].join("\n"));
      });
    if (!answer) return false;
    const isReady = answer.problems.length === 0;
    show(asked, answer, () => {
      const state = dryRun
        ? `${isReady ? "can start" : "cannot start yet"}. Nothing was changed`
        : `is ${answer.status}`;
      return [`${name} ${state}.`, ...findingLines(answer)].join("\n");
    });
    return isReady;
  };

const applyOptions = ({ values }: Asked): ApplyOptions => ({
  ...(values.workflow === undefined ? {} : { workflow: values.workflow }),
  discard: values.discard,
  pauseAndResume: values["pause-and-resume"],
});

/** A made-up contact gets an address, because it needs one for mail. `email=` removes it. */
const contactValues = ({ contact, property = [] }: Values): Record<string, unknown> => {
  const given = propertiesOf("--property", property);
  if (contact !== undefined) return given;
  const { email = "invented.contact@example.com", ...others } = given;
  return email === "" ? others : { email, ...others };
};

const ACTIONS: Readonly<Record<CommandName, Action>> = {
  async list(asked) {
    const all = await listWorkflows(asked.world.service.admin);
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
    const { id, name } = await named(asked);
    const answer = await asked.world.service.admin<Paused>("POST", `/${id}/pause`);
    return show(asked, answer, ({ status, queuesUntil }) =>
      queuesUntil === null
        ? `${name} is ${status}.`
        : `${name} is ${status}. New contacts are queued until ${queuesUntil}.`,
    );
  },
  async stop(asked) {
    const { id, name } = await named(asked);
    const answer = await asked.world.service.admin<Stopped>("POST", `/${id}/stop`);
    return show(
      asked,
      answer,
      ({ status }) => `${name} is ${status}. Contacts stay where they are; new ones do not enter.`,
    );
  },
  async status(asked) {
    const { world, values } = asked;
    const { id } = await named(asked);
    const graph = world.service.hasKey ? await readShape(world.service.api(), id) : undefined;
    for (;;) {
      const answer = await world.service.admin<Status>("GET", `/${id}/status`);
      if (values.watch) world.clear();
      show(asked, answer, () => statusText(answer, graph));
      if (!values.watch) return true;
      await world.sleep(2_000);
    }
  },
  async here(asked) {
    const { id, name } = await named(asked);
    const { nodes } = await asked.world.service.admin<Status>("GET", `/${id}/status`);
    const places: Place[] = [];
    for (const { nodeId, text, waiting } of nodes.filter((node) => node.waiting > 0)) {
      const data = await waitingAt(asked.world.service.admin, `/${id}/nodes/${nodeId}/contacts`);
      places.push({ nodeId, text, waiting, data });
    }
    return show(asked, places, (found) => hereText(name, found));
  },
  async explain(asked) {
    const contact = contactStep(asked.args[1] ?? "");
    const { id } = await named(asked);
    const path = `/${id}/contacts/${contact}`;
    return show(asked, await asked.world.service.admin<Story>("GET", path), storyText);
  },
  async remove(asked) {
    const contact = contactStep(asked.args[1] ?? "");
    const { id, name } = await named(asked);
    const path = `/${id}/contacts/${contact}/remove`;
    const answer = await asked.world.service.admin<Removed>("POST", path);
    return show(asked, answer, ({ removed }) =>
      removed === 0 ? `The contact is not in ${name} now.` : `The contact is out of ${name}.`,
    );
  },
  async simulate(asked) {
    const { values, args, world } = asked;
    const ofEvent = propertiesOf("The event property", args.slice(1));
    if (args.length > 1 && values.event === undefined)
      throw new UsageError(`${args[1]}: of which event? Add --event name.`);
    const body = {
      ...(values.contact === undefined ? {} : { contact: values.contact }),
      properties: contactValues(values),
      ...(values.event === undefined ? {} : { event: { name: values.event, properties: ofEvent } }),
      ...(values.assume === undefined ? {} : { assume: assumptionsOf(values.assume) }),
      ...(values.days === undefined ? {} : { days: daysOf(values.days) }),
      ...(values.at === undefined ? {} : { at: values.at }),
    };
    const { id } = await named(asked);
    return show(asked, await world.service.admin<Simulated>("POST", `/${id}/simulate`, body), simulatedText);
  },
  async "dry-run"(asked) {
    const body = asked.values.days === undefined ? {} : { days: daysOf(asked.values.days) };
    const { id } = await named(asked);
    return show(asked, await asked.world.service.admin<DryRun>("POST", `/${id}/dry-run`, body), dryRunText);
  },
  async diff(asked) {
    const { from, to } = asked.values;
    const { id } = await named(asked);
    const versions = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
    const answer = await askToEnd((more) => {
      const query = new URLSearchParams({ ...versions, ...more });
      return asked.world.service.admin<Difference>("GET", `/${id}/diff${query.size > 0 ? `?${query}` : ""}`);
    });
    return show(asked, answer, differenceText);
  },
  async export(asked) {
    const { world, args, values } = asked;
    const { id } = await named(asked);
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
    const {
      world,
      values,
      args: [file = ""],
    } = asked;
    const files = filesOf(world.service, world.load, world.print);
    const quiet = values.json ? { ...files, say: () => {} } : files;
    const { plan, current } = await planFile(file, quiet, applyOptions(asked));
    if (values.json) world.print(JSON.stringify({ workflowId: current?.id ?? null, requests: plan.ops }, null, 2));
    return true;
  },
  async apply(asked) {
    const [file = ""] = asked.args;
    const { id, changed } = await applyFile(
      file,
      filesOf(asked.world.service, asked.world.load, asked.world.print),
      applyOptions(asked),
    );
    if (changed) asked.world.print(`${id} is as ${file} says.`);
    return true;
  },
};
