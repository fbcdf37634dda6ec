import { Anchor, Button, type ButtonProps } from "@mantine/core";
import { Link } from "@tanstack/react-router";

type Props = { emailMessageId: string; children: string };

export const MessageLink = ({ emailMessageId, children }: Props) => (
  <Anchor
    size="sm"
    renderRoot={(props) => <Link to="/messages/$emailMessageId" params={{ emailMessageId }} {...props} />}
  >
    {children}
  </Anchor>
);

export const MessageButton = ({
  emailMessageId,
  children,
  variant = "default",
}: Props & Pick<ButtonProps, "variant">) => (
  <Button
    size="xs"
    variant={variant}
    renderRoot={(props) => <Link to="/messages/$emailMessageId" params={{ emailMessageId }} {...props} />}
  >
    {children}
  </Button>
);
