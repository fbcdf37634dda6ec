import { useQuery } from "@tanstack/react-query";
import type { FilterField } from "../../parts/list/chips.tsx";
import { useSources } from "../overview/sources.ts";
import { rulesQuery } from "./query.ts";

/** Adds the sources and the rules by name to fields. */
export const useFields = (fields: readonly FilterField[]): readonly FilterField[] => {
  const sources = useSources() ?? [];
  const { data } = useQuery(rulesQuery);
  const options: Readonly<Record<string, FilterField["options"]>> = {
    source: sources.map(({ name, title }) => ({ value: name, label: title })),
    rule: [...new Set(data?.data.map(({ name }) => name))].sort(),
  };
  return fields.map((field) => {
    const known = options[field.name];
    return known?.length ? { ...field, options: known } : field;
  });
};
