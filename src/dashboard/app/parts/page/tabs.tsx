import "./tabs.css";
import { Link, useLocation } from "@tanstack/react-router";

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
          aria-current={own === to ? "page" : undefined}
          className="tab"
        >
          {label}
          {count !== undefined && <span className="tab-count">{count.toLocaleString("en")}</span>}
        </Link>
      ))}
    </nav>
  );
};
