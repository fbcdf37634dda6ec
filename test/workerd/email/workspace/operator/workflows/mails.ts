import type { FeedbackKind } from "../../../../../../src/email/types/feedback.ts";
import type { Handover } from "../../../../../../src/email/types/mail-handover.ts";
import { claimSends, settle } from "../../../../../../src/email/workspace/sending/claims.ts";
import { advance } from "../../../bench.ts";
import { DAY, stepOnly, work } from "./bench.ts";
import { mail, onEvent, type Scenario, type World } from "./scenario.ts";

type Happening = (world: World, name: string) => Promise<unknown>;

const graph = (name: string) => [onEvent(name, "e"), mail("e", "x")];

const before = (name: string, happen: Happening, more: Partial<Scenario> = {}): Scenario => ({
  graph: graph(name),
  async play(world, _, workflow) {
    await world.person(name);
    await happen(world, name);
    await world.control(workflow, "start");
    await world.event(name);
    await work(world.team);
  },
  ...more,
});

const between = (name: string, happen: Happening, more: Partial<Scenario> = {}): Scenario => ({
  graph: graph(name),
  async play(world, _, workflow) {
    await queue(world, name, workflow);
    await happen(world, name);
    await work(world.team);
  },
  ...more,
});

const queue = async (world: World, name: string, workflow: string) => {
  await world.person(name);
  await world.control(workflow, "start");
  // The contact enters during a pause, so that no Mailer follows the step with its mail.
  await world.control(workflow, "pause");
  await world.event(name);
  await stepOnly(world.team, workflow);
};

const answered = (name: string, handover: Handover): Scenario => ({
  graph: graph(name),
  async play(world, _, workflow) {
    await queue(world, name, workflow);
    await world.team.inside((sql) => {
      const clock = { sql, now: Date.now(), random: () => 0.5 };
      const wanted = { mailClass: "marketing", mailer: "acme/marketing/0", limit: 20 } as const;
      const { sends } = claimSends(clock, { ...wanted, copiesOf: () => [] });
      for (const { n, attempt } of sends) settle(clock, { n, attempt, sender: "smtp", handover });
    });
  },
});

const reported = (name: string, kind: FeedbackKind, message: string): Scenario => ({
  graph: graph(name),
  async play(world, _, workflow) {
    await world.begin(name, workflow);
    const [row] = await world.team.rows("SELECT max(n) AS n FROM sends");
    await world.team.stub.feedback("mail", [{ n: Number(row?.n), feedback: [{ kind, message }] }]);
  },
});

/** A contact for each possible result of a mail. */
export const mails: Record<string, Scenario> = {
  mail_sent: before("mail_sent", async () => {}),
  mail_suppressed: before("mail_suppressed", ({ team }) =>
    team.admin("POST", "/suppressions", { email: "mail_suppressed@example.com" }),
  ),
  mail_unsubscribed: between("mail_unsubscribed", ({ change }, name) => change(name, { subscribed: false })),
  mail_not_on_list: between(
    "mail_not_on_list",
    ({ change, list }, name) => change(name, { mailingLists: { [list]: false } }),
    { onList: true },
  ),
  mail_held: {
    graph: graph("mail_held"),
    async play(world, name, workflow) {
      await queue(world, name, workflow);
      await world.control(workflow, "pause");
      await work(world.team);
    },
  },
  mail_no_email: {
    graph: graph("mail_no_email"),
    async play({ team, control }, name, workflow) {
      await control(workflow, "start");
      await team.post("/events/send", { userId: name, eventName: name });
      await work(team);
    },
  },
  mail_no_value: before("mail_no_value", async () => {}, {
    mails: { e: { subject: "Hello {contact.firstName}, {event.plan}" } },
  }),
  mail_delivered: reported("mail_delivered", "delivered", "250 Ok"),
  mail_bounced: reported("mail_bounced", "hard", "550 5.1.1 User unknown"),
  mail_complained: reported("mail_complained", "complaint", "Reported as abuse"),
  mail_refused: answered("mail_refused", { outcome: "refused", about: "policy", message: "554 5.7.1 Not here" }),
  mail_deferred: answered("mail_deferred", { outcome: "deferred", message: "451 4.3.2 Not now" }),
  mail_unknown: answered("mail_unknown", { outcome: "unknown", message: "The connection broke after the text." }),
  mail_older_than_30_days: before("mail_older_than_30_days", async () => {}, {
    graph: [
      onEvent("mail_older_than_30_days", "e"),
      mail("e", "d"),
      ["d", "TimerAction", ["x"], { amount: 60, unit: "d" }],
    ],
    async play(world, name, workflow) {
      await world.begin(name, workflow);
      advance(31 * DAY);
      await work(world.team);
    },
  }),
};
