/**
 * Image proxies, by a part of the User-Agent.
 *
 * - Gmail: https://github.com/mautic/mautic/issues/16069
 * - Yahoo and AOL: https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html
 * - Apple loads every picture and names no program:
 * https://support.apple.com/guide/iphone/use-mail-privacy-protection-iphf084865c7/ios
 */
export const PROXIES: readonly { agent: RegExp; visitor: "proxy" | "prefetch" }[] = [
  { agent: /GoogleImageProxy|ggpht\.com/i, visitor: "proxy" },
  { agent: /YahooMailProxy/i, visitor: "proxy" },
  { agent: /^Mozilla\/5\.0$/, visitor: "prefetch" },
];

/** Matched by a part of the User-Agent. */
export const SCANNERS: readonly RegExp[] = [
  /Proofpoint|Mimecast|Barracuda|Symantec|MessageLabs|Trend ?Micro|Sophos|Forcepoint|FireEye|Trellix|Fortinet|FortiGuard/i,
  /IronPort|Cloudmark|McAfee|Kaspersky|Bitdefender|\bESET\b|Avast|Zscaler|Netcraft|VirusTotal|urlscan|PhishTank|\bEgress\b|Vade ?Secure/i,
  /Existence Discovery|SafeLinks|SkypeUriPreview|BingPreview|MicrosoftPreview|MS Web Services Client/i,
  // Gmail fetches pictures when a mail arrives: https://github.com/mautic/mautic/pull/10245
  /Chrome\/42\.0\.2311\.135 Safari\/537\.36 Edge\/12\.246 Mozilla\/5\.0$/,
  /facebookexternalhit|Facebot|WhatsApp|Slackbot|Slack-ImgProxy|Twitterbot|LinkedInBot|Discordbot|TelegramBot|Pinterest|redditbot/i,
  // Cubot is a phone maker.
  /(?<!cu)bot\b|crawl|spider|scanner|preview|monitor|checker|fetch|headless|phantomjs|puppeteer|playwright|selenium|prerender/i,
  /^(curl|wget|python|java|go-http-client|okhttp|axios|node|undici|ruby|perl|libwww|php|guzzle|apache-httpclient|aiohttp|httpx)/i,
  /python-requests|Go-http-client|Apache-HttpClient|libcurl|HttpClient|CFNetwork-Prefetch/i,
];
