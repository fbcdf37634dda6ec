/**
 * Services that load pictures for a reader, by a part of their User-Agent.
 *
 * - Gmail: https://github.com/mautic/mautic/issues/16069 shows its agent, and that opens of people arrive through it only.
 * - Yahoo, which AOL uses too: https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html, as its agent says.
 * - Apple's Mail Privacy Protection loads every picture soon after the mail arrives, read or not, and names no program:
 *   https://support.apple.com/guide/iphone/use-mail-privacy-protection-iphf084865c7/ios
 */
export const PROXIES: readonly { agent: RegExp; visitor: "proxy" | "prefetch" }[] = [
  { agent: /GoogleImageProxy|ggpht\.com/i, visitor: "proxy" },
  { agent: /YahooMailProxy/i, visitor: "proxy" },
  { agent: /^Mozilla\/5\.0$/, visitor: "prefetch" },
];

/** Programs that open links and pictures, by a part of their User-Agent. */
export const SCANNERS: readonly RegExp[] = [
  // Mail security: the names of the makers in the agents of their link scanners.
  /Proofpoint|Mimecast|Barracuda|Symantec|MessageLabs|Trend ?Micro|Sophos|Forcepoint|FireEye|Trellix|Fortinet|FortiGuard/i,
  /IronPort|Cloudmark|McAfee|Kaspersky|Bitdefender|\bESET\b|Avast|Zscaler|Netcraft|VirusTotal|urlscan|PhishTank|\bEgress\b|Vade ?Secure/i,
  // Microsoft: Office looks whether a link exists, and its chats and its search draw previews.
  /Existence Discovery|SafeLinks|SkypeUriPreview|BingPreview|MicrosoftPreview|MS Web Services Client/i,
  // Gmail looks at pictures when a mail arrives: https://github.com/mautic/mautic/pull/10245
  /Chrome\/42\.0\.2311\.135 Safari\/537\.36 Edge\/12\.246 Mozilla\/5\.0$/,
  // Previews of links in chats and networks, as these services document their agents.
  /facebookexternalhit|Facebot|WhatsApp|Slackbot|Slack-ImgProxy|Twitterbot|LinkedInBot|Discordbot|TelegramBot|Pinterest|redditbot/i,
  // What calls itself a robot (Cubot is a maker of phones), and the usual HTTP clients of programs.
  /(?<!cu)bot\b|crawl|spider|scanner|preview|monitor|checker|fetch|headless|phantomjs|puppeteer|playwright|selenium|prerender/i,
  /^(curl|wget|python|java|go-http-client|okhttp|axios|node|undici|ruby|perl|libwww|php|guzzle|apache-httpclient|aiohttp|httpx)/i,
  /python-requests|Go-http-client|Apache-HttpClient|libcurl|HttpClient|CFNetwork-Prefetch/i,
];
