import type { ComponentProps } from "react";
import type { Span } from "../../parts/span/span.tsx";
import type { StoryEntry } from "../../parts/story/story.tsx";

type Stops = ComponentProps<typeof Span>["stops"];

export const FLOWING: Stops = [
  [
    { icon: "sources", name: "3 sources", fact: "Stripe, Clerk, Supabase" },
    { state: "flow", text: "46 in 10 min" },
  ],
  [
    { icon: "workflows", name: "Mailspan", fact: "Nothing waits", tone: "accent" },
    { state: "flow", text: "58 of 600 a minute" },
  ],
  [
    { icon: "deliveries", name: "Email service", fact: "Answers in 212 ms", to: "/deliveries" },
    { state: "flow", text: "31 mails in 10 min" },
  ],
  [{ icon: "mail", name: "Mailboxes", fact: "99.2 % delivered today" }],
];

export const BROKEN: Stops = [
  [
    { icon: "sources", name: "3 sources", fact: "Stripe is refused", tone: "bad" },
    { state: "warn", text: "41 in 10 min, 61 refused" },
  ],
  [
    { icon: "workflows", name: "Mailspan", fact: "1,284 wait, none lost", tone: "accent" },
    { state: "broken", text: "Connection refused since 22:26" },
  ],
  [
    { icon: "deliveries", name: "Email service", fact: "Next try in 14 s", tone: "bad" },
    { state: "warn", text: "0 mails since 22:26" },
  ],
  [{ icon: "mail", name: "Mailboxes", fact: "Last delivery 22:25" }],
];

export const SENT: Stops = [
  [
    { icon: "people", name: "6,031 sent", fact: "2,736 not sent" },
    { state: "flow", text: "99.2 %" },
  ],
  [
    { icon: "mail", name: "5,984 delivered", fact: "47 bounced" },
    { state: "flow", text: "43.7 %" },
  ],
  [{ icon: "opened", name: "2,613 opened", fact: "by people, not programs", tone: "accent" }],
];

export const DAYS: readonly { day: string; entries: readonly StoryEntry[] }[] = [
  {
    day: "Today, November 28",
    entries: [
      {
        id: "receipt",
        icon: "mail",
        tone: "accent",
        what: "Receipt for invoice 1043",
        kind: "opened",
        when: "22:27",
        because: (
          <>
            Sent because Stripe reported <a href="#invoice">invoice.paid</a> and the rule Receipt matched.
          </>
        ),
        results: [
          { icon: "people", what: "Contact updated", why: "plan Free → Pro, seats 3 → 12", kind: "done" },
          { icon: "event", what: "Event invoicePaid", why: "started no workflow", kind: "done" },
          { icon: "mail", what: "Receipt, €49.00", why: "delivered in 1.4 s, opened 22:28", kind: "opened" },
        ],
        fold: {
          summary: "12 rules did not apply",
          content: "Password reset: the action is “signup”, the rule wants “recovery”.",
        },
      },
      {
        id: "offer",
        icon: "mail",
        what: "December offer",
        kind: "not_sent",
        when: "20:00",
        because: "Not sent because the campaign goes to the Free plan only, and Ada was on Pro at 20:00.",
      },
    ],
  },
  {
    day: "March 4",
    entries: [
      {
        id: "failed",
        icon: "mail",
        tone: "bad",
        what: "Invitation to “Q4 plan”",
        kind: "failed",
        when: "09:02",
        because: "The template needs inviterName, and the webhook did not give it.",
      },
      {
        id: "made",
        icon: "people",
        what: "Ada was created",
        kind: "done",
        when: "08:58",
        because: "From Clerk, user.created.",
      },
    ],
  },
];

export const MAIL = `<html lang="en"><body style="font-family:Arial;padding:32px"><h1>A December gift, Ada</h1>
<p>You have used Fieldnote for nine months. Take <b>20 % off</b> any yearly plan until Sunday.</p>
<p><a href="https://fieldnote.example/offer">Take the offer</a></p></body></html>`;
