/** Domains whose mailboxes are with one provider, which counts mail to all of them together. */
const PROVIDERS: Readonly<Record<string, readonly string[]>> = {
  Google: ["gmail.com", "googlemail.com"],
  Microsoft: [
    ...["outlook.com", "hotmail.com", "live.com", "msn.com", "passport.com", "windowslive.com"],
    ...["outlook.de", "outlook.fr", "outlook.es", "outlook.it", "outlook.jp", "outlook.com.br"],
    ...["hotmail.co.uk", "hotmail.fr", "hotmail.de", "hotmail.it", "hotmail.es", "hotmail.nl", "hotmail.be"],
    ...["live.co.uk", "live.fr", "live.de", "live.nl", "live.it", "live.ca", "live.com.au", "live.se", "live.dk"],
  ],
  Yahoo: [
    ...["yahoo.com", "ymail.com", "rocketmail.com", "myyahoo.com", "aol.com", "aim.com", "netscape.net", "verizon.net"],
    ...["yahoo.co.uk", "yahoo.fr", "yahoo.de", "yahoo.it", "yahoo.es", "yahoo.ca", "yahoo.in", "yahoo.co.in"],
    ...["yahoo.com.br", "yahoo.com.mx", "yahoo.com.ar", "yahoo.com.au", "yahoo.co.id", "yahoo.com.sg", "yahoo.gr"],
  ],
  Apple: ["icloud.com", "me.com", "mac.com"],
  "United Internet": ["gmx.de", "gmx.net", "gmx.at", "gmx.ch", "gmx.com", "web.de", "mail.com", "1und1.de"],
  Proton: ["proton.me", "protonmail.com", "protonmail.ch", "pm.me"],
  Yandex: ["yandex.ru", "yandex.com", "ya.ru", "yandex.by", "yandex.kz"],
  "VK Mail": ["mail.ru", "inbox.ru", "list.ru", "bk.ru", "internet.ru"],
  Orange: ["orange.fr", "wanadoo.fr"],
  Tencent: ["qq.com", "foxmail.com"],
  NetEase: ["163.com", "126.com", "yeah.net"],
};

const PROVIDER_OF = new Map(
  Object.entries(PROVIDERS).flatMap(([provider, domains]) => domains.map((domain) => [domain, provider] as const)),
);

/** The place that mail to an address goes to: a large provider, or the domain. */
export const placeOf = (address: string): string => {
  const domain = address.slice(address.lastIndexOf("@") + 1).toLowerCase();
  return PROVIDER_OF.get(domain) ?? domain;
};
