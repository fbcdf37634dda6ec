import { ActionIcon } from "@mantine/core";
import { spotlight } from "@mantine/spotlight";
import { Link, useRouterState } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { Icon } from "../parts/icons.tsx";
import { Mark } from "../parts/mark.tsx";
import { entryAt, type NavEntry } from "../parts/page/navigation.ts";
import { Count, type Counted, useCounts } from "./counts.tsx";

const PhoneMenu = lazy(async () => ({ default: (await import("./phone-menu.tsx")).PhoneMenu }));

/** Above the page of a phone: where it is, and the search. */
export const Top = () => {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  return (
    <header className="top">
      <Link to="/" aria-label="Mailspan">
        <Mark />
      </Link>
      <span className="top-section">{entryAt(path)?.label ?? "Mailspan"}</span>
      <ActionIcon size={40} variant="subtle" color="gray" aria-label="Search" onClick={spotlight.open}>
        <Icon name="search" size={20} />
      </ActionIcon>
    </header>
  );
};

const SHORT: readonly { label: string; of: readonly string[] }[] = [
  { label: "Overview", of: ["/"] },
  { label: "Mail", of: ["/sent", "/transactional"] },
  { label: "People", of: ["/people"] },
  { label: "Webhooks", of: ["/webhooks"] },
];

/** Below the page of a phone: four places, and the menu of all. */
export const TabBar = ({ entries, onHelp }: { entries: readonly NavEntry[]; onHelp: () => void }) => {
  const [isOpen, setOpen] = useState<boolean>();
  const wasOpen = isOpen !== undefined;
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const current = entryAt(path);
  const counts = useCounts();
  const failed = counts["/deliveries"];
  const shown = SHORT.flatMap(({ label, of }) => {
    const entry = of.map((to) => entries.find((one) => one.to === to)).find((found) => found !== undefined);
    return entry ? [{ ...entry, label }] : [];
  });
  return (
    <>
      <nav className="tab-bar" aria-label="Sections">
        {shown.map(({ to, label, icon, area }) => (
          <Link
            key={to}
            to={to}
            activeOptions={{ exact: true }}
            aria-current={(area === undefined ? current?.to === to : current?.area === area) ? "page" : undefined}
          >
            <Icon name={icon} size={20} />
            {label}
            {to === "/webhooks" && <Count counted={failed && failedOf(failed)} />}
          </Link>
        ))}
        <button type="button" onClick={() => setOpen(true)} aria-expanded={isOpen === true}>
          <Icon name="menu" size={20} />
          Menu
        </button>
      </nav>
      <Suspense fallback={null}>
        {wasOpen && <PhoneMenu opened={isOpen} onClose={() => setOpen(false)} entries={entries} onHelp={onHelp} />}
      </Suspense>
    </>
  );
};

const failedOf = ({ count }: Counted): Counted => ({
  count,
  what: count === 1 ? "failed delivery" : "failed deliveries",
});
