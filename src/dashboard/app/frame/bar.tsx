import { Link, useRouterState } from "@tanstack/react-router";
import { useState } from "react";
import { Icon } from "../parts/icons.tsx";
import { useHeading } from "../parts/page/heading.ts";
import { entryAt, tabAt } from "../parts/page/navigation.ts";
import { relative } from "../parts/time.ts";
import { useEvery } from "./every.ts";

/** Above the page: where it is, and how old what it shows is. */
export const Bar = () => {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const { title } = useHeading();
  const entry = entryAt(path);
  const tab = tabAt(path);
  const above = [entry, tab].flatMap((place, n, all) =>
    place === undefined || place.to === path || all.findIndex((one) => one?.to === place.to) < n ? [] : [place],
  );
  return (
    <header className="bar">
      <nav aria-label="Breadcrumb">
        <ol>
          {above.map(({ to, label }) => (
            <li key={to}>
              <Link to={to} activeOptions={{ exact: true }}>
                {label}
              </Link>
              <Icon name="right" size={14} />
            </li>
          ))}
          <li>
            <span aria-current="page">{title}</span>
          </li>
        </ol>
      </nav>
      <Age />
    </header>
  );
};

const Age = () => {
  const { ages } = useHeading();
  const [now, setNow] = useState(Date.now);
  useEvery(1_000, setNow);
  const oldest = Math.min(...ages.values());
  if (!Number.isFinite(oldest)) return null;
  return <span className="bar-age">Updated {relative(oldest, Math.max(now, oldest))}</span>;
};
