import type { SampleTemplate } from "./sample.ts";

/**
 * For everything a person confirms by email: sign-in, new password, invitation, changed address. The sender gives the
 * words. Button and code are apart, for people who read their mail on another device.
 */
export const magicLink: SampleTemplate = {
  id: "tpl_magic_link",
  name: "Magic link",
  subject: "{data.heading}",
  previewText: "{data.explanation}",
  fromName: "Acme",
  fromEmail: "login",
  lmx: `<Style buttonBodyColor="#4f46e5" textLinkColor="#4f46e5" />
<H1>{data.heading}</H1>
<Paragraph>{data.explanation}</Paragraph>
<Button href="{data.link}">{data.button}</Button>
<Paragraph paddingBottom="8">Or enter this code</Paragraph>
<Section blockColor="#f4f4f5" blockBorderRadius="8" paddingTop="18" paddingBottom="18">
  <H2 align="center" fontSize="30">{data.code}</H2>
</Section>
<Paragraph fontSize="14" paddingTop="4">Button not working? Copy this address into your browser:<Br/><Link href="{data.link}">{data.link}</Link></Paragraph>
<Divider />
<Paragraph fontSize="13"><Text textColor="#71717a">Did you not ask for this? Then ignore this email: nothing changes as long as nobody uses the link or the code. Never pass them on; we will not ask you for them.</Text></Paragraph>
`,
};
