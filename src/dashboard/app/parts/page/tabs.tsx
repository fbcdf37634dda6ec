import "./tabs.css";
import { Link, useLocation } from "@tanstack/react-router";

/** Pages beside each other, as links. `count`: how many there are on the page, if known. */
export const Tabs = ({
  label,
  tabs,
}: {
  label: string;
  tabs: readonly { to: string; label: string; count?: number | undefined }[];
}) => {
  const { pathname } = useLocation();
  return (
    <nav className="tabs" aria-label={`${label}: pages`}>
      {tabs.map(({ to, label, count }) => (
        <Link
          key={to}
          to={to}
          activeOptions={{ exact: true }}
          aria-current={pathname === to ? "page" : undefined}
          className="tab"
        >
          {label}
          {count !== undefined && <span className="tab-count">{count.toLocaleString("en")}</span>}
        </Link>
      ))}
    </nav>
  );
};
