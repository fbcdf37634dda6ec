import { lazy, Suspense } from "react";
import { useAbout } from "../api/use-about.ts";
import { MeButton } from "./me-button.tsx";

const MeMenu = lazy(async () => ({ default: (await import("./menus.tsx")).MeMenu }));

const initialsOf = (name: string): string =>
  name
    .split(/[\s@._-]+/)
    .slice(0, 2)
    .map(([letter = ""]) => letter.toUpperCase())
    .join("");

/** Who is logged in, with the menu of their own settings. */
export const Me = ({ onHelp }: { onHelp: () => void }) => {
  const { who, role } = useAbout().me;
  return (
    <div className="side-me">
      <span className="avatar" aria-hidden="true">
        {initialsOf(who)}
      </span>
      <span className="side-grow" title={who}>
        <span>{who}</span>
        {role !== who && <small>{role}</small>}
      </span>
      <Suspense fallback={<MeButton />}>
        <MeMenu onHelp={onHelp} />
      </Suspense>
    </div>
  );
};
