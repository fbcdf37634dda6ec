import { useQuery } from "@tanstack/react-query";
import type { ComponentProps } from "react";
import { MailThumb } from "../../parts/mail-frame/thumb.tsx";
import { useLibrary } from "../../team/library.ts";
import type { Team } from "../../team/team.tsx";

type Props = Omit<ComponentProps<typeof MailThumb>, "html"> & { team: Team; emailMessageId: string | undefined };

/** The picture of a message as it is stored. An empty sheet while it is not there or has errors. */
export const MessagePicture = ({ team, emailMessageId, ...thumb }: Props) => {
  const { data: library, dataUpdatedAt } = useLibrary(team);
  const { data } = useQuery({
    queryKey: ["v1", team.id, "message", emailMessageId, "drawn", dataUpdatedAt],
    queryFn: async ({ signal }) => {
      const [message, { drawnMessage }] = await Promise.all([
        team.v1.emailMessages.get({ emailMessageId: emailMessageId ?? "" }, { signal }),
        import("./preview/drawn.ts"),
      ]);
      return (library && drawnMessage(message, library)) ?? null;
    },
    enabled: library !== undefined && emailMessageId !== undefined,
    staleTime: 10_000,
  });
  return <MailThumb html={data ?? undefined} {...thumb} />;
};
