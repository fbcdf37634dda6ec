import "./tabs.css";
import { Link, useLocation } from "@tanstack/react-router";

/** How many there are on a tab, if known. */
export const TabCount = ({ of }: { of: number | undefined }) =>
  of !== undefined && (
    <span className="tab-count">
      {" "}
      {of.toLocaleString("en")}
      <span className="hidden-text"> in all</span>
    </span>
  );

const show = (tab: HTMLElement | null) => tab?.scrollIntoView({ block: "nearest", inline: "center" });

/** Pages beside each other, as links. `count`: how many there are on the page, if known. `isSide`: a menu at the left. */
export const Tabs = ({
  label,
  isSide = false,
  tabs,
}: {
  label: string;
  isSide?: boolean;
  tabs: readonly { to: string; label: string; count?: number | undefined }[];
}) => {
  const { pathname } = useLocation();
  const own = tabs.toReversed().find(({ to }) => pathname === to || (isSide && pathname.startsWith(`${to}/`)))?.to;
  return (
    <nav className="tabs" data-side={isSide || undefined} aria-label={`${label}: pages`}>
      {tabs.map(({ to, label, count }) => (
        <Link
          key={to}
          to={to}
          activeOptions={{ exact: true }}
          ref={own === to ? show : undefined}
          aria-current={own === to ? "page" : undefined}
          className="tab"
        >
          {label}
          <TabCount of={count} />
        </Link>
      ))}
    </nav>
  );
};
