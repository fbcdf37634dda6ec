import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useButtonKey } from "../../../parts/keys.ts";

export const NewButton = (_: { team: string }) => {
  useButtonKey("n");
  return (
    <Button size="xs" renderRoot={(props) => <Link to="/workflows/new" {...props} />} data-key="n">
      New workflow
    </Button>
  );
};
