import { lazy, Suspense } from "react";
import { useAbout } from "../api/use-about.ts";
import { Avatar } from "../parts/avatar/avatar.tsx";
import { MeButton } from "./me-button.tsx";

const MeMenu = lazy(async () => ({ default: (await import("./menus.tsx")).MeMenu }));

/** Who is logged in, with the menu of their own settings. */
export const Me = ({ onHelp }: { onHelp: () => void }) => {
  const { who, role } = useAbout().me;
  return (
    <div className="side-me">
      <Avatar name={who} />
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
