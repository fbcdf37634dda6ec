import { wholeNumber } from "../lib/cli.ts";
import type { Line } from "../lib/command.ts";
import { type Admin, addDomain, checkDomain, type Domain, findDomain, waitForDomain } from "./api.ts";
import { type Reports, reportsText } from "./reports.ts";
import { domainText } from "./text.ts";
import type { DOMAINS } from "./usage.ts";

type Command = Line<typeof DOMAINS>["command"];
type World = { admin: Admin; print(text: string): void; sleep(ms: number): Promise<void> };

/** Runs one action. Returns false for an unverified domain. */
export const run = async ({ command, args, values }: Line<typeof DOMAINS>, world: World): Promise<boolean> => {
  const minutes = values.wait === undefined ? 0 : wholeNumber("wait", values.wait, { min: 1, max: 1_440 });
  return ACTIONS[command](args[0] ?? "", minutes, world);
};

const named = async (admin: Admin, name: string): Promise<Domain> => {
  const domain = await findDomain(admin, name);
  if (!domain) throw new Error(`The team has no domain ${name}. Add it: npm run domains -- add ${name}`);
  return domain;
};

type Action = (name: string, minutes: number, world: World) => Promise<boolean>;

const checked = async (domain: Domain, minutes: number, { admin, print, sleep }: World): Promise<boolean> => {
  const result = await (minutes > 0 ? waitForDomain(admin, domain, minutes, sleep) : checkDomain(admin, domain));
  print(domainText(result));
  return result.state === "verified";
};

const ACTIONS: Readonly<Record<Command, Action>> = {
  async list(_name, _minutes, { admin, print }) {
    const { data } = (await admin("GET", "/domains")) as { data: Domain[] };
    print(
      data.length > 0
        ? data.map(domainText).join("\n\n")
        : "This team has no domain. Add one: npm run domains -- add mail.example.com",
    );
    return true;
  },
  async add(name, minutes, world) {
    const domain = await addDomain(world.admin, name);
    if (minutes === 0) {
      world.print(
        `${domainText(domain)}\n\nEnter these records at your DNS provider. Then: npm run domains -- check ${domain.name}`,
      );
      return true;
    }
    world.print(domainText(domain));
    return checked(domain, minutes, world);
  },
  check: async (name, minutes, world) => checked(await named(world.admin, name), minutes, world),
  async zone(name, _minutes, { admin, print }) {
    const { id } = await named(admin, name);
    print(String(await admin("GET", `/domains/${id}/zone`)).trimEnd());
    return true;
  },
  async share(name, _minutes, { admin, print }) {
    const { id } = await named(admin, name);
    const { url, expiresAt } = (await admin("POST", `/domains/${id}/share`)) as { url: string; expiresAt: string };
    print(`${url}\n\nEveryone who has this link can see these DNS records and nothing else, until ${expiresAt}.`);
    return true;
  },
  async reports(name, _minutes, { admin, print }) {
    const { id } = await named(admin, name);
    print(reportsText((await admin("GET", `/domains/${id}/reports`)) as Reports));
    return true;
  },
  async default(name, _minutes, { admin, print }) {
    const { id } = await named(admin, name);
    print(domainText((await admin("POST", `/domains/${id}`, { isDefault: true })) as Domain));
    return true;
  },
  async warm(name, _minutes, { admin, print }) {
    const { id } = await named(admin, name);
    print(domainText((await admin("POST", `/domains/${id}`, { warmup: false })) as Domain));
    return true;
  },
  async rotate(name, _minutes, { admin, print }) {
    const { id } = await named(admin, name);
    const domain = (await admin("POST", `/domains/${id}/rotate`)) as Domain;
    print(`${domainText(domain)}\n\nAdd the record of the next key. It signs as soon as a check finds it.`);
    return true;
  },
  async remove(name, _minutes, { admin, print }) {
    const domain = await named(admin, name);
    await admin("DELETE", `/domains/${domain.id}`);
    print(
      `${domain.name} is deleted. Its records can be removed in 7 days: mail that it signed may still be on its way.`,
    );
    return true;
  },
};
