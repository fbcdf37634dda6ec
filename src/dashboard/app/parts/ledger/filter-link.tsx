import { ActionIcon } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { Filters } from "../filters.ts";
import { Icon } from "../icons.tsx";

/** Icon link that filters the list by a value. */
export const FilterLink = ({
  to,
  search,
  label,
}: {
  to: "/webhooks" | "/deliveries/all" | "/settings/audit";
  search: Filters;
  label: string;
}) =>
  Object.keys(search).length === 0 ? null : (
    <ActionIcon
      size="sm"
      variant="subtle"
      color="gray"
      aria-label={label}
      title={label}
      renderRoot={(props) => <Link to={to} search={search} {...props} />}
    >
      <Icon name="segments" size={13} />
    </ActionIcon>
  );
