import type { Kind, Library } from "../../../../../src/lib/lmx/compile.ts";
import type { Known } from "../../../../../src/lib/lmx/guardian/facts.ts";
import { emptySource, type MessageSource } from "../../../../../src/lib/lmx/message/message-source.ts";

export const good: MessageSource = {
  ...emptySource,
  subject: "Your order",
  fromName: "Acme",
  fromEmail: "orders",
  lmx: "<Paragraph>Hello</Paragraph>",
};

export const library: Library = {
  themes: { thm_dim: { textBaseColor: "#9ca3af", bodyColor: "#ffffff" } },
  components: {
    cmp_button: { name: "Call", lmx: "<Divider/>\n<Button>Call us</Button>" },
    cmp_outer: { name: "Outer", lmx: '<Section><Component componentId="cmp_button"/></Section>' },
    cmp_contact: { name: "Old", lmx: "<Paragraph>Hi {contact.firstName}</Paragraph>" },
  },
};

type Changes = Partial<MessageSource>;

/** A message with a finding of the rule, and a similar one without it. */
export type Case = { rule: string; kind?: Kind; known?: Known; fires: Changes; near: Changes };

const p = (text: string): Changes => ({ lmx: `<Paragraph>${text}</Paragraph>` });
const link = (href: string): Changes => p(`<Link href="${href}">Read on</Link>`);
const button = (href: string): Changes => ({ lmx: `<Button href="${href}">Go</Button>` });
const image = (attributes: string): Changes => ({
  lmx: `<Paragraph>Look:</Paragraph>\n<Image src="https://example.com/a.png" ${attributes}/>`,
});
const icon = (attributes: string): Changes => ({
  lmx: `<Paragraph>Follow us</Paragraph><Icons><Icon name="github" ${attributes}/></Icons>`,
});
const subject = (text: string): Changes => ({ subject: text });
const known: Known = { contactProperties: new Set(["email", "plan"]), eventProperties: new Set(["total"]) };

const variables: readonly Case[] = [
  { rule: "unsupportedContactProperties", fires: p("Hi {contact.firstName}"), near: p("Hi {data.firstName}") },
  {
    rule: "unsupportedContactProperties",
    kind: "campaign",
    known,
    fires: { ...p("{contact.plna}"), subject: "{contact.plna}" },
    near: p("{contact.plan}"),
  },
  { rule: "unsupportedContactProperties", fires: { lmx: '<Component componentId="cmp_contact"/>' }, near: p("x") },
  {
    rule: "missingFallbackContactProperties",
    kind: "campaign",
    fires: p("{contact.plan} {contact.plan}"),
    near: { ...p("{contact.plan} {contact.email}"), contactPropertiesFallbacks: { plan: "free" } },
  },
  {
    rule: "missingFallbackContactProperties",
    kind: "campaign",
    fires: p("{contact.firstName}"),
    near: p("{contact.id} {contact.createdAt} {contact.source} {contact.userGroup}"),
  },
  { rule: "unsupportedEventProperties", kind: "campaign", fires: p("{event.total}"), near: p("{contact.total}") },
  { rule: "unsupportedEventProperties", kind: "workflow", known, fires: p("{event.sum}"), near: p("{event.total}") },
  {
    rule: "missingFallbackEventProperties",
    kind: "workflow",
    fires: p("{event.total}"),
    near: { ...p("{event.total}"), eventPropertiesFallbacks: { total: "0" } },
  },
  { rule: "unsupportedDataVariables", kind: "workflow", fires: p("{data.total}"), near: p("{event.total}") },
  { rule: "invalidCustomDataVariables", fires: p("Hi {name}, {{data.name}}"), near: p("Hi {data.name}, { }") },
  { rule: "invalidCustomDataVariables", fires: p("{data.a.b}"), near: p("{data.a_b-1}") },
  { rule: "invalidCustomDataVariables", fires: subject("Hi {data.name"), near: subject("Hi {data.name}") },
  {
    rule: "invalidCustomDataVariables",
    kind: "campaign",
    fires: p("{system.date}"),
    near: p("{system.unsubscribe_link}"),
  },
  {
    rule: "missingRequiredDataVariables",
    known: { requiredDataVariables: new Set(["name"]) },
    fires: p("{data.name} {data.coupon}"),
    near: { ...p("{data.name} {data.coupon}"), dataVariablesFallbacks: { coupon: "none" } },
  },
  {
    rule: "mailspan.unusedFallbacks",
    fires: { ...p("{data.name}"), dataVariablesFallbacks: { Name: "there" } },
    near: { ...p("{data.name}"), dataVariablesFallbacks: { name: "there" } },
  },
];

const links: readonly Case[] = [
  { rule: "missingButtonHrefs", fires: { lmx: "<Button>Go</Button>" }, near: button("{data.link}") },
  { rule: "missingButtonHrefs", fires: button(" "), near: button("mailto:") },
  {
    rule: "missingButtonHrefs",
    fires: {
      lmx: '<Paragraph>Hi</Paragraph>\n<Component componentId="cmp_outer"/>\n<Component componentId="cmp_button"/>',
    },
    near: { lmx: '<Component componentId="cmp_outer"><Paragraph>Hi</Paragraph></Component>' },
  },
  { rule: "invalidButtonHrefs", fires: button("example.com"), near: button("HTTPS://example.com") },
  { rule: "invalidButtonHrefs", fires: button("https://"), near: button("https://{data.host}/") },
  {
    rule: "invalidButtonHrefs",
    fires: button("https://localhost:3000/a"),
    near: button("https://localhost.example.com"),
  },
  { rule: "invalidButtonHrefs", fires: button("https://exa mple.com"), near: button("https://example.com/a b") },
  { rule: "invalidButtonHrefs", fires: button("https://example"), near: button("https://example.com.") },
  { rule: "invalidButtonHrefs", fires: button("https://.com"), near: button("https://93.184.216.34") },
  { rule: "invalidButtonHrefs", fires: button("https://a..b/x"), near: button("https://a.b/x..y") },
  { rule: "invalidButtonHrefs", fires: button("https://user:pw@a.io"), near: button("https://a.io/@user") },
  { rule: "invalidButtonHrefs", fires: button("mailto:"), near: button("mailto:?subject=Hi") },
  { rule: "invalidButtonHrefs", fires: button("mailto:ada"), near: button("mailto:ada@example.com?subject=Hi") },
  { rule: "invalidButtonHrefs", fires: button("tel:call"), near: button("tel:+1 555") },
  {
    rule: "shortenedYouTubeButtonHrefs",
    fires: button("https://youtu.be/abc"),
    near: button("https://youtu.be.example"),
  },
  { rule: "emailWithoutMailtoButtonHrefs", fires: button("ada@example.com"), near: button("mailto:ada@example.com") },
  {
    rule: "emailWithoutMailtoButtonHrefs",
    fires: button("https://{data.user}@example.com"),
    near: button("https://example.com/@ada"),
  },
  { rule: "missingLinkHrefs", fires: p("<Link>Read on</Link>"), near: link("tel:1") },
  { rule: "invalidLinkHrefs", fires: link("#top"), near: link("https://example.com/#top") },
  {
    rule: "shortenedYouTubeLinkHrefs",
    fires: link("https://www.youtu.be/{data.id}"),
    near: link("https://www.youtube.com/watch?v=youtu.be"),
  },
  {
    rule: "emailWithoutMailtoLinkHrefs",
    fires: link("https://ada@example.com"),
    near: link("mailto:{data.user}@example.com"),
  },
  {
    rule: "shortenedYouTubeImageHrefs",
    fires: image('alt="" href="https://youtu.be/abc"'),
    near: image('alt="https://youtu.be/abc"'),
  },
  {
    rule: "emailWithoutMailtoImageHrefs",
    fires: image('alt="" href="ada@example.com"'),
    near: image('alt="ada@example.com"'),
  },
  { rule: "missingSocialIconHrefs", fires: icon(""), near: icon('href="https://github.com"') },
  {
    rule: "mailspan.invalidHrefs",
    fires: image('alt="" href="https://localhost"'),
    near: image('alt="" href="https://example.com"'),
  },
  { rule: "mailspan.invalidHrefs", fires: icon('href="mailto:x"'), near: icon('href="mailto:a@b.co,c@d.co"') },
  {
    rule: "mailspan.invalidHrefs",
    fires: { lmx: '<Section href="www.example.com"><H1>Hi</H1></Section>' },
    near: { lmx: '<Section href="https://www.example.com"><H1>Hi</H1></Section>' },
  },
  {
    rule: "mailspan.insecureLinks",
    fires: link("http://example.com/{data.id}"),
    near: link("https://example.com/?to=http://a.co"),
  },
  {
    rule: "mailspan.insecureLinks",
    fires: image('alt="" dynamicSrc="http://{data.host}/a.png"'),
    near: image('alt="http://"'),
  },
];

const reading: readonly Case[] = [
  { rule: "mailspan.missingAlt", fires: image(""), near: image('alt=""') },
  {
    rule: "mailspan.lowContrast",
    fires: p('<Text textColor="#8a8a8a">pale</Text> <Text textColor="#8a8a8a">again</Text>'),
    near: { lmx: '<H1><Text textColor="#8a8a8a">large</Text></H1>' },
  },
  {
    rule: "mailspan.lowContrast",
    fires: { lmx: '<Style themeId="thm_dim"/><Paragraph>pale</Paragraph>' },
    near: { lmx: '<Style themeId="thm_dim" bodyColor="#111827"/><Paragraph>pale</Paragraph>' },
  },
  {
    rule: "mailspan.lowContrast",
    fires: {
      lmx: '<Section blockColor="#1e1b4b"><Paragraph>dark <Text textColor="#ffffff">light</Text></Paragraph></Section>',
    },
    near: { lmx: '<Section blockColor="#e0e7ff"><Paragraph>dark</Paragraph></Section>' },
  },
  {
    rule: "mailspan.lowContrast",
    fires: { lmx: '<Button href="https://a.co" bgColor="#fde047" textColor="#ffffff">Go</Button>' },
    near: { lmx: '<Button href="https://a.co" bgColor="#fde047" textColor="#111827">Go</Button>' },
  },
  {
    rule: "mailspan.lowContrast",
    fires: { lmx: '<Section blockColor="#7d7d7d"><Paragraph><Text textColor="#777">gray</Text></Paragraph></Section>' },
    near: { ...p('<Text textColor="#8a8a8a">plain mail has no colors</Text>'), emailFormat: "plain" },
  },
];

const content: readonly Case[] = [
  { rule: "mailspan.emptyFields", fires: emptySource, near: good },
  { rule: "mailspan.emptyFields", fires: subject(" "), near: subject("{data.x}") },
  {
    rule: "mailspan.emptyFields",
    fires: { lmx: '<Style bodyColor="#ffffff"/>' },
    near: { lmx: '<Icons><Icon name="github" href="https://example.com"/></Icons>' },
  },
  {
    rule: "mailspan.emptyFields",
    fires: { lmx: "<Divider/><Paragraph>&#160;</Paragraph><Columns><ColumnItem/></Columns>" },
    near: { lmx: "<Divider/><Paragraph>{data.x}</Paragraph>" },
  },
  { rule: "mailspan.clipping", fires: p("x".repeat(95_000)), near: p("x".repeat(80_000)) },
  { rule: "mailspan.longSubject", fires: subject("x".repeat(71)), near: subject(`${"é".repeat(70)}{data.a}`) },
  { rule: "mailspan.unsubscribePhrases", fires: p("You can Unsubscribe here."), near: p("You can subscribe here.") },
  {
    rule: "mailspan.unsubscribePhrases",
    fires: p("Newsletter <Strong>abbestellen</Strong>"),
    near: p("Sie wurden abgemeldet."),
  },
  {
    rule: "mailspan.unsubscribePhrases",
    fires: image('alt="Annulla l&apos;iscrizione"'),
    near: image('alt="Iscrizione"'),
  },
  { rule: "mailspan.unsubscribePhrases", fires: subject("配信停止"), near: { lmx: "<Paragraph>配信</Paragraph>" } },
  { rule: "mailspan.fillerText", fires: p("Lorem ipsum dolor"), near: p("Lorem") },
  {
    rule: "mailspan.imagesOnly",
    fires: { lmx: '<Image src="https://example.com/a.png" alt="A flyer"/>' },
    near: image('alt="A flyer"'),
  },
  { rule: "mailspan.invalidContent", fires: { lmx: "<Paragraph>" }, near: p("<Br/>") },
  { rule: "mailspan.invalidContent", fires: { subject: "A\nB" }, near: subject("A B") },
  {
    rule: "mailspan.invalidContent",
    fires: { lmx: '<Style themeId="thm_none"/><Paragraph>x</Paragraph>' },
    near: p("x"),
  },
  { rule: "mailspan.contentWarnings", fires: { lmx: '<Paragraph wobble="1">A & B</Paragraph>' }, near: p("A &amp; B") },
];

export const cases: readonly Case[] = [...content, ...variables, ...links, ...reading];
