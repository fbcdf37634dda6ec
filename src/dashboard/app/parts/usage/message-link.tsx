import { Anchor, Button, type ButtonProps } from "@mantine/core";
import { Link, useNavigate, useRouter } from "@tanstack/react-router";

type Props = { emailMessageId: string; children: string };

const PATH = "/messages/$emailMessageId";
/** Where the content of a message is edited. */
const linkTo = (emailMessageId: string) => ({ to: PATH, params: { emailMessageId } }) as unknown as { to: "/" };

/** True where this dashboard has the page of a message. */
const useHasPage = (): boolean => Object.hasOwn(useRouter().routesByPath, PATH);

/** Goes to the page of a message. */
export const useOpenMessage = (): ((emailMessageId: string) => void) => {
  const navigate = useNavigate();
  const hasPage = useHasPage();
  return (emailMessageId) => {
    if (hasPage) void navigate(linkTo(emailMessageId));
  };
};

export const MessageLink = ({ emailMessageId, children }: Props) =>
  useHasPage() ? (
    <Anchor size="sm" renderRoot={(props) => <Link {...linkTo(emailMessageId)} {...props} />}>
      {children}
    </Anchor>
  ) : (
    children
  );

export const MessageButton = ({
  emailMessageId,
  children,
  variant = "default",
}: Props & Pick<ButtonProps, "variant">) =>
  useHasPage() ? (
    <Button size="xs" variant={variant} renderRoot={(props) => <Link {...linkTo(emailMessageId)} {...props} />}>
      {children}
    </Button>
  ) : null;
