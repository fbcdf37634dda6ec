import { useNavigate } from "@tanstack/react-router";
import { pageOf } from "../../story/subject.ts";

/** Opens the page of an identifier: a person, a webhook or a mail. */
export const useOpen = () => {
  const navigate = useNavigate();
  return (text: string): void => {
    const page = pageOf(text);
    if (page?.to === "/webhooks/$id") void navigate({ to: "/webhooks/$webhookId", params: { webhookId: page.id } });
    else if (page?.to === "/sent/$id") void navigate({ to: "/sent/$sendId", params: { sendId: page.id } });
    else void navigate({ to: "/people/$personId", params: { personId: text } });
  };
};
