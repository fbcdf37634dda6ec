import { isNameOf } from "../../../src/email/mail/dns/name.ts";
import { table } from "../../lib/cli.ts";
import { DeployError } from "../io.ts";
import { record } from "../record.ts";
import type { State, Step } from "../state.ts";
import { callAdmin, refused } from "./admin.ts";
import { askTeam } from "./samples.ts";

/** Ms. DNS needs minutes, rarely an hour. */
const PAUSE_MS = 30_000;
const WAIT_MS = 3_600_000;

type DnsRecord = { type: string; host: string; value: string; required: boolean; status: string; message: string };
type Domain = { id: string; name: string; state: string; records: DnsRecord[]; notes?: string[] };

/** Adds the sending domain. The option `--wait` waits for its DNS records. */
export const domain: Step = {
  title: "Sending domain",
  why: "Mail is sent from a domain of yours, and signed with its key. DNS records prove that it is yours.",
  async run(state) {
    const { io } = state;
    if (state.sender === "") return io.print("Without a sender no domain is needed.");
    const name = await io.ask({
      variable: "SENDING_DOMAIN",
      text: "Domain to send from, such as mail.acme.com (Enter skips this)",
      initial: "",
    });
    if (name === "" || !(await hasAccess(state))) return io.print("No domain: run this again to add one.");
    const added = await addDomain(state, name);
    io.print(`${added.name} is ${added.state}.\n${printRecords(added)}`);
    for (const note of added.notes ?? []) io.print(`Note: ${note}`);
    const last = state.wait && !isVerified(added) ? await waitFor(state, added) : added;
    state.isVerified = isVerified(last);
    if (!state.isVerified)
      io.print("Add these records where the DNS of the domain is. They are checked by themselves.");
  },
};

/** A domain with a warning still sends: a record has been missing only briefly. */
const isVerified = ({ state }: Domain): boolean => state === "verified" || state === "warning";

/** True if the team and its ADMIN_TOKEN are known or entered now. */
export const hasAccess = async (state: State): Promise<boolean> =>
  state.team !== "" && state.adminToken !== "" ? true : askTeam(state);

const addDomain = async (state: State, name: string): Promise<Domain> => {
  const added = await callAdmin(state, `/teams/${state.team}/domains`, { name });
  if (added.status === 201) return added.body as Domain;
  if (added.status !== 409) throw refused(added, "Run this again with another SENDING_DOMAIN.");
  const { body } = await callAdmin(state, `/teams/${state.team}/domains`);
  const known = (Array.isArray(body.data) ? body.data : []).map(record) as Domain[];
  const found = known.find((one) => isNameOf(one.name, name));
  if (!found) throw refused(added, "Run this again with another SENDING_DOMAIN.");
  return check(state, found);
};

const check = async (state: State, { id }: Pick<Domain, "id">): Promise<Domain> => {
  const answer = await callAdmin(state, `/teams/${state.team}/domains/${id}/check`, {});
  if (answer.status !== 200) throw refused(answer, "Run this again.");
  return answer.body as Domain;
};

const waitFor = async (state: State, added: Domain): Promise<Domain> => {
  const { io } = state;
  let shown = printRecords(added);
  for (let waited = 0; ; waited += PAUSE_MS) {
    const now = await check(state, added);
    if (isVerified(now)) {
      io.print(`${now.name} is verified.`);
      return now;
    }
    if (printRecords(now) !== shown) io.print(printRecords(now));
    shown = printRecords(now);
    if (waited >= WAIT_MS)
      throw new DeployError(
        `${now.name} is not verified: the records above are not right after an hour.`,
        "Correct them and run this again. Everything is deployed.",
      );
    await io.sleep(PAUSE_MS);
  }
};

const printRecords = ({ records }: Domain): string =>
  table(
    ["type", "name", "value", ""],
    records.map(({ type, host, value, required, status, message }) => [
      type,
      host,
      value,
      `${status}${required ? "" : " (recommended)"}${status === "wrong" ? `: ${message}` : ""}`,
    ]),
  );
