import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { imports } from "../../src/lib/contract/admin/email/imports/operations.ts";
import type { Response } from "../../src/lib/contract/operation.ts";
import type { Api } from "../campaign/describe.ts";
import { listCampaigns } from "../campaign/find.ts";
import { campaignFile, SAMPLES } from "../lib/sample-files.ts";
import type { Admin } from "../lib/team-service.ts";

const SEGMENT = "Sample people";
/** Ms between checks, and their limit. */
const LOOKS = 100;
const EVERY = 100;

export type Services = { campaigns: Admin; imports: Admin; api: Api };

/**
 * Adds twelve sample people, a segment and a draft campaign. Skips a team with another campaign. Returns text to
 * print.
 */
export const sampleCampaign = async (services: Services, commandOf: (line: string) => string): Promise<string> => {
  const { api, campaigns } = services;
  const { name } = campaignFile;
  const all = await listCampaigns(campaigns);
  const found = all.find((one) => one.name === name);
  if (!found && all.length > 0) return `none: the team has others   ${commandOf("campaign")}`;
  if (found && found.status !== "Draft")
    return `${name}: ${found.status}   ${commandOf(`campaign -- results "${name}"`)}`;
  const { id } = found ?? (await createDraft(services));
  const { emailMessageId } = await api.campaigns.get({ campaignId: id });
  const message = await api.emailMessages.get({ emailMessageId });
  // A killed start leaves an empty message. All others belong to a person.
  if (message.subject === "" && message.lmx === "")
    await fill(api, emailMessageId, message.contentRevisionId ?? undefined);
  return `${name}: Draft   ${commandOf(`campaign -- send "${name}"`)}`;
};

const createDraft = async ({ api, imports: admin }: Services): Promise<{ id: string }> => {
  await importPeople(admin);
  const { data } = await api.audienceSegments.list({ perPage: "50" });
  const segment =
    data.find((one) => one.name === SEGMENT) ??
    (await api.audienceSegments.create({
      name: SEGMENT,
      filter: {
        match: "all",
        conditions: [{ type: "property", key: "userGroup", operator: "equals", value: "Sample" }],
      },
    }));
  return api.campaigns.create({ name: campaignFile.name, audienceSegmentId: segment.id });
};

const fill = async (api: Api, emailMessageId: string, expectedRevisionId: string | undefined): Promise<void> => {
  const { fields, fallbacks, lmx } = campaignFile;
  const { subject, previewText, fromName, fromEmail, languageCode } = fields;
  const contactPropertiesFallbacks = Object.fromEntries(
    Object.entries(fallbacks).map(([key, value]) => [key.replace(/^contact\./, ""), value]),
  );
  await api.emailMessages.update({
    emailMessageId,
    expectedRevisionId,
    subject,
    previewText,
    fromName,
    fromEmail,
    languageCode,
    lmx,
    contactPropertiesFallbacks,
  });
};

type Import = Response<typeof imports.get>;

const importPeople = async (admin: Admin): Promise<void> => {
  const csv = new Blob([readFileSync(join(SAMPLES, "campaigns", "people.csv"))], { type: "text/csv" });
  const { id, mapping } = await admin<Import>("POST", "?name=people.csv", csv);
  await admin("POST", `/${id}/start`, { mapping });
  for (let looks = 0; looks < LOOKS; looks++) {
    const { state } = await admin<Import>("GET", `/${id}`);
    if (state === "done") return;
    await new Promise((resolve) => setTimeout(resolve, EVERY));
  }
  throw new Error(`The import ${id} of the sample people takes too long.`);
};
