import { closest } from "../../util/nearest.ts";
import lines from "./icon-names.json" with { type: "json" };

/** The names of Font Awesome Free 7.3.1, former names too. */
const names: ReadonlySet<string> = new Set(lines.flatMap((line) => line.split(" ")));

/** Words for icons whose names do not say them well. */
const TITLES: Readonly<Record<string, string>> = {
  // Brands
  amazon: "Amazon",
  android: "Android",
  "app-store": "App Store",
  apple: "Apple",
  bandcamp: "Bandcamp",
  behance: "Behance",
  bitbucket: "Bitbucket",
  bluesky: "Bluesky",
  codepen: "CodePen",
  dev: "DEV",
  discord: "Discord",
  dribbble: "Dribbble",
  etsy: "Etsy",
  facebook: "Facebook",
  "facebook-f": "Facebook",
  "facebook-messenger": "Messenger",
  figma: "Figma",
  flickr: "Flickr",
  github: "GitHub",
  gitlab: "GitLab",
  goodreads: "Goodreads",
  google: "Google",
  "google-play": "Google Play",
  imdb: "IMDb",
  instagram: "Instagram",
  kickstarter: "Kickstarter",
  lastfm: "Last.fm",
  line: "LINE",
  linkedin: "LinkedIn",
  "linkedin-in": "LinkedIn",
  mastodon: "Mastodon",
  medium: "Medium",
  meetup: "Meetup",
  meta: "Meta",
  microsoft: "Microsoft",
  npm: "npm",
  patreon: "Patreon",
  paypal: "PayPal",
  pinterest: "Pinterest",
  "product-hunt": "Product Hunt",
  quora: "Quora",
  reddit: "Reddit",
  shopify: "Shopify",
  skype: "Skype",
  slack: "Slack",
  snapchat: "Snapchat",
  soundcloud: "SoundCloud",
  spotify: "Spotify",
  "stack-overflow": "Stack Overflow",
  steam: "Steam",
  strava: "Strava",
  stripe: "Stripe",
  telegram: "Telegram",
  threads: "Threads",
  tiktok: "TikTok",
  trello: "Trello",
  tumblr: "Tumblr",
  twitch: "Twitch",
  twitter: "Twitter",
  unsplash: "Unsplash",
  vimeo: "Vimeo",
  weixin: "WeChat",
  whatsapp: "WhatsApp",
  windows: "Windows",
  wordpress: "WordPress",
  "x-twitter": "X",
  xing: "Xing",
  yelp: "Yelp",
  youtube: "YouTube",
  // Signs
  bell: "Notifications",
  book: "Documentation",
  bookmark: "Saved",
  briefcase: "Work",
  calendar: "Calendar",
  "cart-shopping": "Cart",
  check: "Done",
  "circle-info": "Information",
  "circle-question": "Help",
  comment: "Comment",
  comments: "Chat",
  download: "Download",
  envelope: "Email",
  gift: "Gift",
  globe: "Website",
  headset: "Support",
  heart: "Like",
  house: "Home",
  link: "Link",
  "location-dot": "Location",
  lock: "Security",
  "map-location-dot": "Map",
  phone: "Phone",
  play: "Play",
  podcast: "Podcast",
  print: "Print",
  rss: "RSS",
  share: "Share",
  star: "Star",
  store: "Shop",
  user: "Profile",
  users: "Community",
  video: "Video",
};

/** The names of the icons that mails usually have. */
export const usualIcons: readonly string[] = Object.keys(TITLES);

export const isIcon = (name: string): boolean => names.has(name);

/** The usual icon whose name is probably meant; undefined when none is similar. */
export const similarIcon = (name: string): string | undefined => closest(name, usualIcons);

/** The word that stands for an icon where pictures are not shown: "square-github" is "GitHub", "paper-plane" "Paper plane". */
export const iconTitle = (name: string): string => {
  const bare = name.replace(/^square-/, "");
  const words = bare.replaceAll("-", " ");
  return Object.hasOwn(TITLES, bare) ? (TITLES[bare] ?? "") : words.charAt(0).toUpperCase() + words.slice(1);
};
