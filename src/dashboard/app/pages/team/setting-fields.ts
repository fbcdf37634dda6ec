/** Editable team settings. */
export type Settings = {
  name: string;
  timeZone: string;
  fromName: string | null;
  fromEmail: string | null;
  replyToEmail: string | null;
  noticeEmail: string | null;
  footer: string | null;
  postalAddress: string | null;
  brandColor: string | null;
  logo: string | null;
  tracking: boolean;
  doubleOptIn: boolean;
  createProperties: boolean;
  attachments: boolean;
  sendPerSecond: number | null;
  sendPerHour: number | null;
  sendPerDay: number | null;
};

export type Field = {
  name: keyof Settings;
  kind: "text" | "lines" | "number" | "switch";
  label: string;
  hint: string;
};

export type Section = { id: "team" | "sender" | "marketing" | "requests" | "limits"; title: string; fields: Field[] };

const limit = (name: "sendPerSecond" | "sendPerHour" | "sendPerDay", span: string, per: string): Field => {
  const hint = `Marketing mail beyond so many in any ${span} waits; transactional mail counts and never waits. Empty: no limit.`;
  return { name, kind: "number", label: `Most mails in ${per}`, hint };
};

export const SECTIONS: readonly Section[] = [
  {
    id: "team",
    title: "Team",
    fields: [
      {
        name: "name",
        kind: "text",
        label: "Name",
        hint: "What the dashboard, the footer of marketing mail and the pages to unsubscribe call the team.",
      },
      {
        name: "timeZone",
        kind: "text",
        label: "Time zone",
        hint: "Such as Europe/Berlin. Days in conditions, times of campaigns and numbers by day are of it.",
      },
    ],
  },
  {
    id: "sender",
    title: "Sender",
    fields: [
      { name: "fromName", kind: "text", label: "Sender's name", hint: "Of messages that have none of their own." },
      {
        name: "fromEmail",
        kind: "text",
        label: "Sender's address",
        hint: "The part before the @, of messages that have none of their own. The sending domain follows.",
      },
      {
        name: "replyToEmail",
        kind: "text",
        label: "Replies to",
        hint: "A whole address, for messages that have none of their own. Empty: replies go to the sender.",
      },
      {
        name: "noticeEmail",
        kind: "text",
        label: "Address for notices",
        hint: "A whole address that gets a mail when a campaign is held and waits for a person. Empty: nobody gets one.",
      },
    ],
  },
  {
    id: "marketing",
    title: "Marketing mail",
    fields: [
      {
        name: "footer",
        kind: "lines",
        label: "Footer",
        hint: "Stands above the team's name in marketing mail, such as why people get it.",
      },
      {
        name: "postalAddress",
        kind: "lines",
        label: "Postal address",
        hint: "Stands in the footer of marketing mail, where many countries demand one.",
      },
      {
        name: "brandColor",
        kind: "text",
        label: "Color",
        hint: "Such as #b84a16. The pages to unsubscribe have it on buttons and links, made darker or lighter where needed.",
      },
      {
        name: "logo",
        kind: "text",
        label: "Logo",
        hint: "The id or the file name of a picture that was uploaded. The pages to unsubscribe show it.",
      },
      {
        name: "tracking",
        kind: "switch",
        label: "Measure opens and clicks of marketing mail",
        hint: "A picture of one pixel tells opens, and links lead over this service. Transactional mail is never measured.",
      },
      {
        name: "doubleOptIn",
        kind: "switch",
        label: "Double opt-in",
        hint: "The owner of a new address gets a confirmation mail, and no marketing mail before the answer.",
      },
    ],
  },
  {
    id: "requests",
    title: "Requests to the API",
    fields: [
      {
        name: "createProperties",
        kind: "switch",
        label: "Create contact properties from requests",
        hint: "A value for an unknown property creates the property. Off: the request is refused.",
      },
      {
        name: "attachments",
        kind: "switch",
        label: "Attachments in transactional mail",
        hint: "A request to send may have files. Off: a request with files is refused.",
      },
    ],
  },
  {
    id: "limits",
    title: "Send limits",
    fields: [
      limit("sendPerSecond", "second", "a second"),
      limit("sendPerHour", "hour", "an hour"),
      limit("sendPerDay", "day", "a day"),
    ],
  },
];

/** All settings in form order. */
export const FIELDS: readonly Field[] = SECTIONS.flatMap(({ fields }) => fields);
