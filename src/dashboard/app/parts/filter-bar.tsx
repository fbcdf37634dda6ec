import { Button, Group, Select, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { changed, type Filters, isFiltered } from "./filters.ts";
import { Views } from "./views/views.tsx";

/** A list filter: fixed choices or text. */
export type FilterField = {
  name: string;
  label: string;
  options?: readonly (string | { value: string; label: string })[];
  placeholder?: string;
};

/** List filters. Text applies on blur or Enter. */
export const FilterBar = ({
  fields,
  filters,
  onChange,
}: {
  fields: readonly FilterField[];
  filters: Filters;
  onChange: (filters: Filters) => void;
}) => (
  <Group gap="xs" align="flex-end" role="search">
    {fields.map((field, index) =>
      field.options ? (
        <Select
          key={field.name}
          label={field.label}
          placeholder={field.placeholder ?? ""}
          data={[...field.options]}
          value={filters[field.name] ?? null}
          onChange={(value) => onChange(changed(filters, { [field.name]: value }))}
          clearable
          clearButtonProps={{ "aria-label": `Clear ${field.label}` }}
          size="xs"
          w={150}
        />
      ) : (
        <TextFilter
          key={`${field.name} ${filters[field.name] ?? ""}`}
          field={field}
          filters={filters}
          onChange={onChange}
          isFirst={index === 0}
        />
      ),
    )}
    {isFiltered(filters) && (
      <Button size="xs" variant="subtle" onClick={() => onChange({})}>
        Clear
      </Button>
    )}
    <Views />
  </Group>
);

const TextFilter = ({
  field: { name, label, placeholder },
  filters,
  onChange,
  isFirst,
}: {
  field: FilterField;
  filters: Filters;
  onChange: (filters: Filters) => void;
  isFirst: boolean;
}) => {
  const [text, setText] = useState(filters[name] ?? "");
  const take = () => {
    if (text.trim() !== (filters[name] ?? "")) onChange(changed(filters, { [name]: text.trim() }));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    take();
  };
  return (
    <form onSubmit={submit}>
      <TextInput
        label={label}
        placeholder={placeholder}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onBlur={take}
        size="xs"
        w={190}
        {...(isFirst ? { "data-search": true } : {})}
      />
    </form>
  );
};
