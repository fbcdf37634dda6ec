import { Stack, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useAbout, useTeamOfBridge } from "../../api/use-about.ts";
import { Fix } from "../cards/cards.tsx";
import { Copyable } from "../states.tsx";
import { fixOf } from "./fix.ts";
import type { Delivery } from "./types.ts";

/** Commands that fix a template that may have stopped a mail. */
export const FixTemplate = ({ delivery }: { delivery: Delivery }) => {
  const commands = fixOf(delivery, useAbout());
  const team = useTeamOfBridge();
  if (commands === undefined) return null;
  const { id, get, show, publish, file } = commands;
  return (
    <Fix>
      <Stack gap="xs">
        <Text size="sm">
          Correct it on{" "}
          <Link to="/transactional/$transactionalEmailId" params={{ transactionalEmailId: id }} search={team}>
            its page
          </Link>
          , then retry. Or as a file:
        </Text>
        <Text size="sm">In a terminal, in the folder of Mailspan, write what is published to {file}:</Text>
        <Copyable text={get} />
        <Text size="sm">Correct that file in an editor. To see the mail while you do it:</Text>
        <Copyable text={show} />
        <Text size="sm">Publish the file. Then retry the delivery:</Text>
        <Copyable text={publish} />
      </Stack>
    </Fix>
  );
};
