import { Checkbox, Fieldset, Group, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import { defaultTheme } from "../../../../lib/lmx/language/theme.ts";
import { FORMATS, STYLE_GROUPS, type StyleField, type StyleName } from "./styles.ts";

type Props = {
  shownOf: (name: StyleName) => string;
  errorOf: (name: StyleName) => string | undefined;
  onChange: (name: StyleName, value: string) => void;
};

export const StyleFields = (props: Props) => (
  <Stack gap="md">
    {STYLE_GROUPS.map(({ title, fields }) => (
      <Fieldset key={title} legend={title}>
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
          {fields.map((field) => (
            <Field key={field.name} field={field} {...props} />
          ))}
        </SimpleGrid>
      </Fieldset>
    ))}
  </Stack>
);

const Field = ({ field, shownOf, errorOf, onChange }: Props & { field: StyleField }) => {
  const { name, label, kind, min, max, unit } = field;
  const value = shownOf(name);
  const change = (next: string) => onChange(name, next);
  if (kind === "format")
    return <Format label={label} value={Number(value)} onChange={(next) => change(String(next))} />;
  const common = {
    label,
    value,
    size: "xs" as const,
    error: errorOf(name),
    placeholder: String(defaultTheme[name]),
    onChange: (event: React.ChangeEvent<HTMLInputElement>) => change(event.currentTarget.value),
  };
  if (kind === "color")
    return <TextInput {...common} leftSection={<Swatch label={label} value={value} onChange={change} />} />;
  if (kind === "text") return <TextInput {...common} />;
  return <TextInput {...common} inputMode="decimal" description={`${min} to ${max}${unit === "" ? "" : ` ${unit}`}`} />;
};

/** Native color input, which supports only six digits. */
const Swatch = ({ label, value, onChange }: { label: string; value: string; onChange: (value: string) => void }) => (
  <input
    type="color"
    aria-label={`Choose: ${label}`}
    value={/^#[0-9a-f]{6}$/i.test(value) ? value : "#000000"}
    onChange={(event) => onChange(event.currentTarget.value)}
    className="swatch"
  />
);

const Format = ({ label, value, onChange }: { label: string; value: number; onChange: (value: number) => void }) => (
  <Fieldset
    variant="unstyled"
    legend={
      <Text size="xs" fw={500} component="span">
        {label}
      </Text>
    }
  >
    <Group gap="sm">
      {FORMATS.map(({ bit, label: format }) => (
        <Checkbox
          key={bit}
          size="xs"
          label={format}
          checked={(value & bit) !== 0}
          onChange={({ currentTarget }) => onChange(currentTarget.checked ? value | bit : value & ~bit)}
        />
      ))}
    </Group>
  </Fieldset>
);
