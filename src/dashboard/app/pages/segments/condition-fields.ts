import { useQuery } from "@tanstack/react-query";
import type { NameOf } from "../../../../lib/contract/audience/condition-words.ts";
import type { PropertyType } from "../../../../lib/contract/contact-fields.ts";
import { api } from "../../api/api.ts";
import type { Team } from "../../team/team.tsx";
import type { Types } from "./draft.ts";

type Choice = { value: string; label: string };

/** Choices for a condition: properties, campaigns and workflows. */
export type ConditionFields = {
  types: Types;
  /** Of the team, for days. */
  timeZone: string;
  properties: readonly { name: string; label: string; isOwn: boolean }[];
  campaigns: readonly Choice[];
  workflows: readonly Choice[];
};

const choicesOf = (all: readonly { id: string; name: string }[]): Choice[] =>
  all.map(({ id, name }) => ({ value: id, label: name }));

export const useConditionFields = ({ id, v1 }: Team, enabled = true) =>
  useQuery({
    queryKey: ["email", id, "segment-fields"],
    queryFn: async (): Promise<ConditionFields> => {
      const asked = { team: id ?? "", perPage: "50" };
      const [all, own, campaigns, workflows, settings] = await Promise.all([
        v1.contactProperties.list({}),
        v1.contactProperties.list({ list: "custom" }),
        api.email.campaigns.list(asked),
        api.email.workflows.list(asked),
        api.email.teams.get({ team: id ?? "" }),
      ]);
      const names = new Set(own.map(({ name }) => name));
      return {
        types: new Map(all.map(({ name, type }) => [name, type as PropertyType])),
        timeZone: settings.timeZone,
        properties: all.map(({ name, label }) => ({ name, label, isOwn: names.has(name) })),
        campaigns: choicesOf(campaigns.data),
        workflows: choicesOf(workflows.data),
      };
    },
    staleTime: 60_000,
    enabled,
  });

/** Names campaigns and workflows in conditions. */
export const namesIn =
  ({ campaigns, workflows }: Pick<ConditionFields, "campaigns" | "workflows">): NameOf =>
  (target, id) =>
    (target === "campaign" ? campaigns : workflows).find(({ value }) => value === id)?.label;

const plain = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]/g, "");

const titleOf = (name: string, label: string): string => (plain(label) === plain(name) ? label : `${label} (${name})`);

/** Grouped choices for the first field of a condition. */
export const fieldChoices = ({ properties }: ConditionFields, key: string | undefined) => {
  const of = (isOwn: boolean) =>
    properties
      .filter((property) => property.isOwn === isOwn)
      .map(({ name, label }) => ({ value: `property:${name}`, label: titleOf(name, label) }));
  const gone = key !== undefined && !properties.some(({ name }) => name === key);
  return [
    { group: "Contact", items: [...of(false), { value: "optIn", label: "Answer to the confirmation mail" }] },
    {
      group: "Properties",
      items: [...of(true), ...(gone ? [{ value: `property:${key}`, label: `${key} (deleted)` }] : [])],
    },
    { group: "Mail", items: [{ value: "activity", label: "What they got, opened or clicked" }] },
  ];
};
