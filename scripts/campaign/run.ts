import { onOneLine, wholeNumber } from "../lib/cli.ts";
import { numberText, timeText } from "../lib/formats.ts";
import { contactStep } from "../lib/named.ts";
import { type Admin, printRefusals } from "../lib/team-service.ts";
import type { Changed, Estimate, Status } from "./answers.ts";
import { confirm } from "./confirm.ts";
import { describeCampaign } from "./describe.ts";
import { type Found, findCampaign, listCampaigns } from "./find.ts";
import { resume } from "./resume.ts";
import { retryUnknown } from "./retry.ts";
import { countExactly, expectedOf, sendCampaign } from "./send.ts";
import { explainContact, showRecipients, showResults } from "./statistics.ts";
import { estimateText, listText, showText } from "./text.ts";
import { type CommandName, LACKING, type Line, oneOf, STATUSES } from "./usage.ts";
import { watch } from "./watch.ts";
import type { World } from "./world.ts";

type Asked = Omit<Line, "command"> & { world: World };
/** False sets exit code 1. */
type Action = (asked: Asked) => Promise<boolean>;

export const run = ({ command, args, values }: Line, world: World): Promise<boolean> => {
  const action = ACTIONS[command];
  const asked = { world: values.json ? world : forPeople(world), values, args };
  return printRefusals(() => action(asked), { json: values.json, print: world.print });
};

/** Names and reasons stand in lines and must not break them. */
const forPeople = (world: World): World => {
  const { service } = world;
  const admin: Admin = async <T>(...request: Parameters<Admin>) => onOneLine(await service.admin<T>(...request));
  return { ...world, service: { ...service, admin } };
};

const named = ({ world, args: [name = ""] }: Asked): Promise<Found> => findCampaign(world.service.admin, name);

const show = <Answer>({ world, values }: Asked, answer: Answer, text: (answer: Answer) => string): true => {
  world.print(values.json ? JSON.stringify(answer, null, 2) : text(answer));
  return true;
};

const statusOf = ({ world }: Asked, id: string): Promise<Status> => world.service.admin<Status>("GET", `/${id}/status`);

const change =
  (command: "pause" | "unschedule", text: (campaign: Changed) => string): Action =>
  async (asked) => {
    const { id } = await named(asked);
    return show(asked, await asked.world.service.admin<Changed>("POST", `/${id}/${command}`), text);
  };

/** Undefined if a cancel is refused or changes nothing. */
const lostByCancel = ({ status, scheduledFor, progress }: Status): string | undefined => {
  if (status === "Scheduled") return `which is to start at ${timeText(scheduledFor)}`;
  if (status !== "Sending" || progress === null) return undefined;
  const { state, startedAt, queued } = progress;
  if (startedAt === null) return "for good: it has not started, and nobody gets it then";
  const more = state === "snapshot" ? ", and those that are not collected yet," : "";
  const who = `${numberText(queued)} ${queued === 1 ? "recipient" : "recipients"}${more}`;
  return `for good: ${who} ${queued === 1 && more === "" ? "gets" : "get"} no mail then`;
};

const ACTIONS: Readonly<Record<CommandName, Action>> = {
  async list(asked) {
    const status = oneOf("status", asked.values.status, STATUSES);
    return show(asked, await listCampaigns(asked.world.service.admin, status), listText);
  },
  async show(asked) {
    const { service } = asked.world;
    const { id } = await named(asked);
    const described = service.hasKey && !asked.values.json ? await describeCampaign(service.api(), id) : undefined;
    return show(asked, await statusOf(asked, id), (status) => showText(status, described));
  },
  async estimate(asked) {
    const { id, name } = await named(asked);
    const { world, values } = asked;
    const estimate = values.exact
      ? await countExactly(values.json ? { ...world, progress: () => {} } : world, id)
      : await world.service.admin<Estimate>("POST", `/${id}/estimate`, { exact: false });
    return show(asked, estimate, () => estimateText(name, estimate));
  },
  async send(asked) {
    const expected = expectedOf(asked.values);
    return sendCampaign(asked.world, await named(asked), { ...asked.values, expected });
  },
  async watch(asked) {
    const { id } = await named(asked);
    return watch(asked.world, id, asked.values);
  },
  unschedule: change("unschedule", ({ name, status }) => `${name} is ${status} again. Nothing was sent.`),
  pause: change(
    "pause",
    ({ id, name }) => `${name} is paused. Mails that are on their way still leave. npm run campaign -- resume ${id}`,
  ),
  async resume(asked) {
    const { json, expected } = asked.values;
    const number = expected === undefined ? undefined : wholeNumber("expected", expected);
    const answer = await resume(asked.world, await named(asked), { json, expected: number });
    if (!answer) return false;
    return show(asked, answer, ({ id, name }) => `${name} goes on. npm run campaign -- watch ${id}`);
  },
  async cancel(asked) {
    const { world, values } = asked;
    const { id, name } = await named(asked);
    const what = values.yes ? undefined : lostByCancel(await statusOf(asked, id));
    if (what !== undefined && !(await confirm(world, `Type cancel to cancel ${name}, ${what}.`, "cancel", "--yes")))
      return false;
    const answer = await world.service.admin<Changed>("POST", `/${id}/cancel`);
    return show(
      asked,
      answer,
      ({ progress }) => `${name} is cancelled. It sent ${numberText(progress?.sent ?? 0)} mails.`,
    );
  },
  async duplicate(asked) {
    const to = oneOf("to", asked.values.to, LACKING);
    const { id } = await named(asked);
    const path = `/${id}/duplicate`;
    const answer = await asked.world.service.admin<Changed>("POST", path, ...(to === undefined ? [] : [{ to }]));
    return show(asked, answer, (copy) => `${copy.name} is a draft: ${copy.id}`);
  },
  async delete(asked) {
    const { world, values } = asked;
    const { id, name, status } = await named(asked);
    const question = `Type delete to delete the draft ${name} with its message.`;
    const asks = !values.yes && status === "Draft";
    if (asks && !(await confirm(world, question, "delete", "--yes"))) return false;
    return show(asked, await world.service.admin("DELETE", `/${id}`), () => `${name} is deleted.`);
  },
  async results(asked) {
    return showResults(asked.world, await named(asked), asked.values);
  },
  async recipients(asked) {
    return showRecipients(asked.world, await named(asked), asked.values);
  },
  async contact(asked) {
    const contact = contactStep(asked.args[1] ?? "");
    return explainContact(asked.world, await named(asked), contact, asked.values);
  },
  async "retry-unknown"(asked) {
    return retryUnknown(asked.world, await named(asked), asked.values);
  },
};
