import "./chips.css";
import { Button, Combobox, Popover, TextInput, useCombobox } from "@mantine/core";
import { type ComponentProps, type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { changed, type Filters, isFiltered } from "../filters.ts";
import { Icon } from "../icons.tsx";
import { Views } from "../views/views.tsx";
import { TimeChoice } from "./time-choice.tsx";
import { timeText } from "./time-text.ts";

type Option = { value: string; label: string };

/**
 * A filter of a list. `options`: choices by name; without them, people type. `kind`: "search" is the field over the list,
 * "time" takes `since` and `until` as one chip, "days" too, without durations. `isRare`: behind the chip More.
 */
export type FilterField = {
  name: string;
  label: string;
  options?: readonly (string | Option)[];
  placeholder?: string;
  kind?: "search" | "time" | "days";
  isRare?: boolean;
  /** Of the field over the list: takes its text at Enter. Returns true if it leaves the list. */
  onEnter?: (text: string) => boolean;
};

type Change = (filters: Filters) => void;
type Props = { fields: readonly FilterField[]; filters: Filters; onChange: Change };

/** Filters of a list as chips, stored in the URL. A filter that has no field is shown with its own name. */
export const Chips = ({ fields, filters, onChange }: Props) => {
  const [showsMore, setShowsMore] = useState(false);
  const search = fields.find(({ kind }) => kind === "search");
  const isHidden = ({ name, isRare }: FilterField) => isRare && filters[name] === undefined && !showsMore;
  const chips = fields.filter((field) => field !== search && !isHidden(field));
  const taken = fields.flatMap(({ name, kind }) => (kind === undefined ? [name] : [name, "since", "until"]));
  const others = Object.keys(filters).filter((name) => !taken.includes(name));
  const first = search ? undefined : chips.find(({ options, kind }) => !options && !kind);
  return (
    <search className="filters">
      {search && <Search field={search} filters={filters} onChange={onChange} />}
      <div className="chips">
        {chips.map((field) => (
          <Filter key={field.name} field={field} filters={filters} onChange={onChange} isFirst={field === first} />
        ))}
        {others.map((name) => (
          <Chip
            key={name}
            label={name}
            text={filters[name]}
            onClear={() => onChange(changed(filters, { [name]: "" }))}
          />
        ))}
        {fields.some(isHidden) && (
          <span className="chip">
            <button type="button" onClick={() => setShowsMore(true)}>
              <Icon name="add" size={13} />
              More
            </button>
          </span>
        )}
        {isFiltered(filters) && (
          <Button size="compact-sm" variant="subtle" onClick={() => onChange({})}>
            Clear
          </Button>
        )}
        <Views />
      </div>
    </search>
  );
};

type FilterProps = { field: FilterField; filters: Filters; onChange: Change; isFirst: boolean };

const Filter = ({ field, filters, onChange, isFirst }: FilterProps) => {
  const { name, label, kind, options } = field;
  if (kind === "time" || kind === "days") {
    const take = (time: Filters, close?: () => void) => {
      onChange(changed(filters, { since: "", until: "", ...time }));
      close?.();
    };
    return (
      <Opened label={label} text={timeText(filters)} onClear={() => take({})}>
        {(close) => <TimeChoice filters={filters} isOfDays={kind === "days"} onTake={(time) => take(time, close)} />}
      </Opened>
    );
  }
  const take = (value: string, close?: () => void) => {
    onChange(changed(filters, { [name]: value }));
    close?.();
  };
  if (options) return <Choice field={field} options={options} value={filters[name]} onTake={take} />;
  return (
    <Opened label={label} text={filters[name]} onClear={() => take("")} {...(isFirst ? { "data-search": true } : {})}>
      {(close) => <Typed field={field} value={filters[name] ?? ""} onTake={(text) => take(text, close)} />}
    </Opened>
  );
};

type ChipProps = ComponentProps<"button"> & { label: string; text: string | undefined; onClear: () => void };

const Chip = ({ label, text, onClear, ...button }: ChipProps) => (
  <span className="chip" data-on={text !== undefined || undefined}>
    <button type="button" {...button}>
      {text === undefined && <Icon name="add" size={13} />}
      {label}
      {text !== undefined && (
        <>
          : <b>{text}</b>
        </>
      )}
    </button>
    {text !== undefined && (
      <button type="button" aria-label={`Clear ${label}`} onClick={onClear}>
        <Icon name="remove" size={13} />
      </button>
    )}
  </span>
);

type OpenedProps = Omit<ChipProps, "children"> & { children: (close: () => void) => ReactNode };

const Opened = ({ children, ...chip }: OpenedProps) => {
  const [opened, setOpened] = useState(false);
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-start" shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <Chip {...chip} onClick={() => setOpened(!opened)} />
      </Popover.Target>
      <Popover.Dropdown aria-label={chip.label}>{children(() => setOpened(false))}</Popover.Dropdown>
    </Popover>
  );
};

/** More options than these have a field that searches them. */
const FEW = 8;

type ChoiceProps = {
  field: FilterField;
  options: readonly (string | Option)[];
  value: string | undefined;
  onTake: (value: string) => void;
};

const Choice = ({ field: { label }, options, value, onTake }: ChoiceProps) => {
  const [query, setQuery] = useState("");
  const store = useCombobox({
    onDropdownClose: () => {
      store.resetSelectedOption();
      store.focusTarget();
      setQuery("");
    },
    onDropdownOpen: () => store.focusSearchInput(),
  });
  const all = options.map((option) => (typeof option === "string" ? { value: option, label: option } : option));
  const shown = all.filter((option) => option.label.toLowerCase().includes(query.trim().toLowerCase()));
  const submit = (taken: string) => {
    onTake(taken);
    store.closeDropdown();
  };
  const text = value === undefined ? undefined : (all.find((option) => option.value === value)?.label ?? value);
  return (
    <Combobox store={store} onOptionSubmit={submit} position="bottom-start" width={240} shadow="md">
      <Combobox.Target targetType="button">
        <Chip label={label} text={text} onClear={() => onTake("")} onClick={() => store.toggleDropdown()} />
      </Combobox.Target>
      <Combobox.Dropdown>
        {all.length > FEW && (
          <Combobox.Search
            aria-label={`Search ${label}`}
            placeholder="Search"
            value={query}
            onChange={(event) => {
              setQuery(event.currentTarget.value);
              store.selectFirstOption();
            }}
          />
        )}
        <Combobox.Options aria-label={label} mah={260} className="chip-options">
          {shown.map((option) => (
            <Combobox.Option key={option.value} value={option.value} active={option.value === value}>
              {option.label}
            </Combobox.Option>
          ))}
          {shown.length === 0 && <Combobox.Empty>Nothing matches “{query}”</Combobox.Empty>}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
};

type TypedProps = { field: FilterField; value: string; onTake: (text: string) => void };

const Typed = ({ field: { label, placeholder }, value, onTake }: TypedProps) => {
  const [text, setText] = useState(value);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onTake(text.trim());
  };
  return (
    <form onSubmit={submit} className="chip-form">
      <TextInput
        label={label}
        placeholder={placeholder}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        autoComplete="off"
        data-autofocus
      />
      <Button type="submit">Apply</Button>
    </form>
  );
};

/** Ms after the last letter. */
const TYPING_MS = 200;

/** Filters while people type. */
const Search = ({ field: { name, label, placeholder, onEnter }, filters, onChange }: Omit<FilterProps, "isFirst">) => {
  const value = filters[name] ?? "";
  const [text, setText] = useState(value);
  const sent = useRef(value);
  const send = useRef(onChange);
  send.current = (next) => onChange(changed(filters, next));
  useEffect(() => {
    if (value !== sent.current) setText(value);
    sent.current = value;
  }, [value]);
  useEffect(() => {
    if (text.trim() === sent.current) return undefined;
    const timer = setTimeout(() => {
      if (text.trim() === sent.current) return;
      sent.current = text.trim();
      send.current({ [name]: text.trim() });
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [text, name]);
  return (
    <TextInput
      id={useId()}
      type="search"
      size="md"
      aria-label={label}
      placeholder={placeholder}
      leftSection={<Icon name="search" size={16} />}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onKeyDown={({ key }) => {
        if (key === "Enter" && onEnter?.(text.trim())) sent.current = text.trim();
      }}
      autoComplete="off"
      data-search
    />
  );
};
