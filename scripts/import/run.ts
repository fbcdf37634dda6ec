import { count, UsageError } from "../lib/cli.ts";
import { Refused, Unreachable } from "../lib/team-service.ts";
import { patiently } from "./patience.ts";
import { mappingOf, type Settings, settingsOf } from "./settings.ts";
import { countsText, importsText, mappingText, previewText, warningsOf } from "./text.ts";
import type { Io, Shown, Values } from "./types.ts";

/** Uploads a file or finds an import, and imports or checks it. False if rows were refused. */
export const run = async (args: readonly string[], values: Values, io: Io): Promise<boolean> => {
  const [path] = args;
  if (path === "") throw new UsageError("The name of the CSV file is empty.");
  const { import: id, cancel, imports } = values;
  if ([path, id, cancel, imports].filter((choice) => choice !== undefined && choice !== false).length !== 1) {
    throw new UsageError("Name the CSV file, or an import: npm run import -- people.csv. --help lists the options.");
  }
  if (imports) {
    io.print(importsText(await newest(io)));
    return true;
  }
  if (cancel !== undefined) {
    await io.ask("POST", `/${encodeURIComponent(cancel)}/cancel`);
    io.print(`The import ${cancel} is cancelled. What it has imported stays.`);
    return true;
  }
  return importFile(path, values, settingsOf(values), io);
};

const importFile = async (path: string | undefined, values: Values, settings: Settings, io: Io): Promise<boolean> => {
  const asksToStart = values.start === true || values["dry-run"] === true;
  const outcomeOf = (name: string) => values.outcome ?? `${name.replace(/\.[^.\\/]*$/, "")}.outcome.csv`;
  if (path !== undefined && asksToStart) await io.checkOutcome(outcomeOf(path));
  const one = path === undefined ? await known(values.import ?? "", io) : await upload(path, values, io);
  const outcome = outcomeOf(path ?? fileOf(one.name));
  const giveUp = async (): Promise<void> => {
    if (path !== undefined) await io.ask("POST", `/${one.id}/cancel`);
  };
  if (one.state === "ready") {
    const mapping = await orElse(() => mappingOf(one, settings), giveUp);
    io.print(mappingText(one, mapping));
    for (const line of warningsOf(one, mapping, values)) io.print(line);
    if (!asksToStart) {
      await giveUp();
      io.print(
        `\n${previewText(one, io.width)}\n\nNothing was imported. --dry-run checks every row, --start imports them.`,
      );
      return true;
    }
    if (path === undefined) await io.checkOutcome(outcome);
    await orElse(() => start(one, mapping, settings, values, io), giveUp);
  } else await io.checkOutcome(outcome);
  const done = await follow(one, io);
  await patiently(() => io.saveOutcome(one.id, outcome), adviceFor(one), io);
  if (done.dryRun) await giveUp();
  io.print(`\n${done.dryRun ? "Dry run: " : ""}${countsText(done)}. Every row: ${outcome}`);
  return done.refused === 0 && done.state !== "cancelled";
};

/** An import is kept if its service stopped. */
const orElse = async <T>(work: () => T | Promise<T>, giveUp: () => Promise<void>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refused || error instanceof UsageError) await giveUp();
    throw error;
  }
};

const known = async (id: string, io: Io): Promise<Shown> => {
  const one = await io.ask<Shown>("GET", `/${encodeURIComponent(id)}`);
  if (one.state === "uploading") throw new Error("The file of this import is not complete. Upload it again.");
  return one;
};

const fileOf = (path: string): string => path.split(/[\\/]/).at(-1) || "contacts.csv";

const adviceFor = ({ id }: Shown): string =>
  `The service keeps the import, and goes on with it when it runs again. Then: npm run import -- --import ${id}`;

const UPLOADS = 5;

/** Nothing was imported if the service stopped, so the upload restarts. */
const upload = async (path: string, { encoding, delimiter }: Values, io: Io): Promise<Shown> => {
  const file = await io.open(path);
  const name = fileOf(path).slice(-200);
  const query = new URLSearchParams({ name, ...(encoding ? { encoding } : {}), ...(delimiter ? { delimiter } : {}) });
  // Fails at once if the address, token or team is wrong.
  const known = new Set((await newest(io)).map(({ id }) => id));
  const tidy = async (): Promise<void> => {
    const left = (await newest(io)).filter((one) => one.state === "uploading" && one.name === name);
    for (const { id } of left.filter((one) => !known.has(one.id))) await io.ask("POST", `/${id}/cancel`);
  };
  const advice = "Nothing was imported. Start the service, and run this command again.";
  for (let left = UPLOADS; ; left -= 1) {
    try {
      return await io.ask<Shown>("POST", `?${query}`, file);
    } catch (error) {
      if (error instanceof Refused) throw inWordsOfTheCommand(error);
      if (!(error instanceof Unreachable) || left === 1) throw error;
      io.print("The upload broke off. It begins again when the service answers.");
      await io.sleep(500);
      await patiently(tidy, advice, io);
    }
  }
};

const inWordsOfTheCommand = ({ code, message, body }: Refused): Refused => {
  const more = code === "too_many_imports" ? " --imports lists them, --cancel ID cancels one." : "";
  const words = message
    .replaceAll("?encoding=", "--encoding ")
    .replace("or name it in ignoreConsent", 'or ignore it: --ignore-consent "COLUMN"')
    .replace("or name the file in ignoreConsent", 'or name it: --ignore-consent "FILE"')
    .replace("Start it with allUnsubscribed or suppressAs", "Give --all-unsubscribed or --suppress-as")
    .replace(/Map it to "(.*?)"/, 'Map it: --map "COLUMN=$1"')
    .replace('Say "day-first" or "month-first"', 'Say --dates "COLUMN=day-first" or "COLUMN=month-first"')
    .replace("Create it with createProperties, or use null to", "Create it with --create NAME=TYPE, or use - to");
  return new Refused(`${words}${more}`, body);
};

const newest = async (io: Io): Promise<Shown[]> => (await io.ask<{ data: Shown[] }>("GET", "")).data;

/** A request without an answer is repeated only if it was not executed. */
const start = async (
  { id }: Shown,
  mapping: Shown["mapping"],
  { createProperties, dates, suppressAs }: Settings,
  values: Values,
  io: Io,
): Promise<void> => {
  const settings = {
    mapping,
    createProperties,
    mailingLists: values.list ?? [],
    dates,
    skipBadCells: values["skip-bad-cells"] === true,
    allUnsubscribed: values["all-unsubscribed"] === true,
    ignoreConsent: values["ignore-consent"] ?? [],
    ...(suppressAs === undefined ? {} : { suppressAs }),
    dryRun: values["dry-run"] === true,
    updateExisting: values["only-new"] !== true,
    triggerWorkflows: values["trigger-workflows"] === true,
  };
  const advice = `The import is uploaded. When the service runs again, give this command --import ${id} in place of the file.`;
  for (let state = "ready"; state === "ready"; ) {
    try {
      await io.ask("POST", `/${id}/start`, settings);
      return;
    } catch (error) {
      if (error instanceof Refused) throw inWordsOfTheCommand(error);
      if (!(error instanceof Unreachable)) throw error;
      ({ state } = await patiently(() => io.ask<Shown>("GET", `/${id}`), advice, io));
    }
  }
};

const follow = async (one: Shown, io: Io): Promise<Shown> => {
  for (;;) {
    const now = await patiently(() => io.ask<Shown>("GET", `/${one.id}`), adviceFor(one), io);
    io.progress(`${now.processed} of ${count(one.rows, "row")}: ${countsText(now)}`);
    if (now.state !== "running") return now;
    await io.sleep(500);
  }
};
