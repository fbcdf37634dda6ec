import "./page.css";
import { Title } from "@mantine/core";
import { useLocation } from "@tanstack/react-router";
import { createContext, lazy, type ReactNode, Suspense, useContext, useEffect, useState } from "react";
import { createPortal } from "react-dom";
import { useAbout } from "../../api/use-about.ts";
import { useTitle } from "./heading.ts";
import { sectionsAt, tabsAt } from "./navigation.ts";
import { Tabs } from "./tabs.tsx";

/** The first load does not need menus. */
const More = lazy(async () => ({ default: (await import("./more.tsx")).More }));

type Slot = HTMLElement | null;
type Named = { name: string | undefined; isMissing: boolean };

const NO_NAME: Named = { name: undefined, isMissing: false };

const HeadContext = createContext<{
  onName: (named: Named) => void;
  lead: Slot;
  meta: Slot;
  actions: Slot;
  kind: string | undefined;
}>({ onName: () => {}, lead: null, meta: null, actions: null, kind: undefined });

/** Returns the kind of the one thing that a page looks for. Undefined once the thing is there. */
export const useKind = (): string | undefined => useContext(HeadContext).kind;

type HeadProps = {
  /** The thing's own name. Undefined while it loads. */
  name?: string | undefined;
  /** The thing is not there, and `name` says so. */
  isMissing?: boolean;
  /** A picture before the name. */
  lead?: ReactNode;
  /** State and a few facts, the id last. */
  meta?: ReactNode;
  /** At most two buttons. */
  actions?: ReactNode;
};

/** Names the page around it after the thing that it shows, and adds to its head. */
export const PageHead = ({ name, isMissing = false, lead, meta, actions }: HeadProps) => {
  const slots = useContext(HeadContext);
  const { onName } = slots;
  useEffect(() => {
    onName({ name, isMissing });
    return () => onName(NO_NAME);
  }, [onName, name, isMissing]);
  return (
    <>
      {slots.lead && lead && createPortal(lead, slots.lead)}
      {slots.meta && meta && createPortal(meta, slots.meta)}
      {slots.actions && actions && createPortal(actions, slots.actions)}
    </>
  );
};

type PageProps = {
  /** The page's name, or the kind of what it shows: PageHead has the name later. */
  title: string;
  /** A heading of its own, in place of the title. */
  head?: ReactNode;
  /** The page shows one thing, and `title` is its kind. */
  isOne?: boolean;
  meta?: ReactNode;
  actions?: ReactNode;
  /** How many there are on a tab, by its path. */
  counts?: Readonly<Record<string, number>> | undefined;
  /** Items of the menu of more actions. */
  more?: ReactNode;
  children: ReactNode;
};

/** A page: its head, the tabs beside it, and what it shows. */
export const Page = ({ title, head, isOne = false, meta, actions, more, counts, children }: PageProps) => {
  const [{ name, isMissing }, setName] = useState(NO_NAME);
  const [leadSlot, setLeadSlot] = useState<Slot>(null);
  const [metaSlot, setMetaSlot] = useState<Slot>(null);
  const [actionSlot, setActionSlot] = useState<Slot>(null);
  const { pathname } = useLocation();
  const about = useAbout();
  const sections = sectionsAt(pathname, about);
  const tabs = tabsAt(pathname, about);
  const shown = name ?? title;
  const kind = isOne && (name === undefined || isMissing) ? title.toLowerCase() : undefined;
  useTitle(shown);
  return (
    <HeadContext value={{ onName: setName, lead: leadSlot, meta: metaSlot, actions: actionSlot, kind }}>
      <div className={sections.length > 0 ? "page-beside" : undefined}>
        {sections.length > 0 && <Tabs label="Settings" tabs={sections} isSide />}
        <div>
          <div className="page-head">
            <div className="page-lead" ref={setLeadSlot} />
            <div className="page-name">
              {head ?? <Title order={1}>{shown}</Title>}
              <div className="page-meta" ref={setMetaSlot}>
                {meta}
              </div>
            </div>
            <div className="page-acts">
              <div className="page-acts" ref={setActionSlot} />
              {actions}
              <Suspense fallback={null}>{more && <More>{more}</More>}</Suspense>
            </div>
          </div>
          {sections.length === 0 && tabs.length > 1 && (
            <Tabs label={title} tabs={tabs.map((tab) => ({ ...tab, count: counts?.[tab.to] }))} />
          )}
          <div className="page-body">{children}</div>
        </div>
      </div>
    </HeadContext>
  );
};
