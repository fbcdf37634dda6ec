import { useNavigate } from "@tanstack/react-router";
import type { Team } from "../../team/team.tsx";
import { NewNamed } from "../components/new-named.tsx";

export const NewTheme = ({ team }: { team: Team }) => {
  const navigate = useNavigate();
  return (
    <NewNamed
      noun="theme"
      draftKey={`new theme ${team.id}`}
      first={{ name: "" }}
      create={(fields) => team.v1.themes.create(fields)}
      begins="with the default look"
      asked={(fields) => ({ api: "v1", name: "themes.create", fields })}
      onCreated={(themeId) => void navigate({ to: "/templates/brand/$themeId", params: { themeId } })}
    />
  );
};
